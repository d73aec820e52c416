"""Hosted embedders ask a server through LiteLLM: in batches, with prefixes where the model wants them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from indx_core.errors import Unavailable
from indx_graph.embedding import choose_embedder
from indx_graph.hosted import HostedTexts
from indx_graph.settings import SETTINGS
from indx_testkit.serving import Asked, ModelServer, Response, vectors


def answer(asked: Asked) -> Response:
    """A vector that grows with the text."""
    return vectors([[float(len(text)), 1.0] + [0.0] * 766 for text in asked.body["input"]])


def broken(asked: Asked) -> Response:
    return Response(500, b'{"error": {"message": "out of memory"}}')


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    with ModelServer() as running:
        running.will(answer)
        monkeypatch.setenv("INDX_GRAPH_LLM_API_BASE", running.address)
        monkeypatch.setenv("INDX_GRAPH_LLM_API_KEY", "none")
        monkeypatch.setenv("INDX_GRAPH_NOMIC_MODEL", "openai/nomic-embed-text-v1.5")
        yield running


def sent(server: ModelServer) -> list[tuple[str, list[str]]]:
    return [(asked.body["model"], asked.body["input"]) for asked in server.requests]


def test_nomic_tells_documents_from_queries_and_has_768_numbers(server):
    embedder = choose_embedder("nomic-embed-text")
    assert embedder.name == "nomic-embed-text"
    rows = embedder.embed(["a text", ""], "document")
    embedder.embed(["a question"], "query")
    assert sent(server) == [
        ("nomic-embed-text-v1.5", ["search_document: a text"]),
        ("nomic-embed-text-v1.5", ["search_query: a question"]),
    ]
    assert rows.shape == (2, 768)
    assert np.linalg.norm(rows[0]) == pytest.approx(1)
    assert not rows[1].any()


def test_other_models_have_no_prefix(server):
    HostedTexts("litellm:openai/text-embedding-3-small").embed(["x"], "query")
    assert sent(server) == [("text-embedding-3-small", ["x"])]


def test_texts_go_in_batches_of_32_and_come_back_in_order(server):
    rows = HostedTexts("litellm:openai/m").embed(["x" * (n + 1) for n in range(70)], "document")
    assert [len(texts) for _, texts in sent(server)] == [32, 32, 6]
    assert np.argsort(rows[:, 0] / rows[:, 1]).tolist() == list(range(70))


def test_a_server_that_fails_for_good_is_told_of(server, monkeypatch):
    monkeypatch.setenv("INDX_GRAPH_LLM_RETRIES", "0")
    server.will(broken)
    with pytest.raises(Unavailable, match="nomic-embed-text failed") as caught:
        choose_embedder("nomic-embed-text").embed(["x"], "query")
    assert caught.value.code == "embedder_unavailable"
    assert server.address not in str(caught.value)


def test_a_short_answer_is_a_failure(server):
    server.will(lambda asked: vectors([]))
    with pytest.raises(Unavailable, match="0 for 1 texts"):
        HostedTexts("litellm:openai/m").embed(["x"], "query")


def test_batches_of_another_width_are_a_failure(server):
    def uneven(asked: Asked) -> Response:
        texts = asked.body["input"]
        return vectors([[1.0] * (2 if len(texts) == 32 else 3)] * len(texts))

    server.will(uneven)
    with pytest.raises(Unavailable, match="3 numbers where 2 were expected"):
        HostedTexts("litellm:openai/m").embed(["x"] * 33, "document")


def test_an_index_of_hash_is_refused_to_nomic(server, making):
    making.ingest(embed_fn=None, embedder="hash")
    settings = (making.folder / "settings.json").read_text()
    (making.folder / "settings.json").write_text(
        settings.replace('"embedder":"hash"', '"embedder":"nomic-embed-text"')
    )
    with pytest.raises(Exception, match="another embedder than 'nomic-embed-text'"):
        making.open(embed_fn=None)
