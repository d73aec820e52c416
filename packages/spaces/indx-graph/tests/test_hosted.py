"""Hosted embedders go through LiteLLM, which is imported when the first text comes."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from indx_core.errors import ConfigurationError, Unavailable
from indx_graph.embedding import choose_embedder
from indx_graph.hosted import HostedTexts


class Server:
    """Answers as LiteLLM does."""

    def __init__(self):
        self.calls = []
        self.failing = 0

    def embedding(self, **call):
        self.calls.append(call)
        if self.failing:
            self.failing -= 1
            raise RuntimeError("connection refused")
        rows = [[float(len(text)), 1.0] + [0.0] * 766 for text in call["input"]]
        data = [{"index": n, "embedding": row} for n, row in enumerate(rows)]
        return {"data": data[::-1]}


@pytest.fixture
def server(monkeypatch):
    made = Server()
    monkeypatch.setitem(sys.modules, "litellm", SimpleNamespace(embedding=made.embedding))
    monkeypatch.setattr("indx_graph.hosted.find_spec", lambda name: object())
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    return made


def test_nomic_tells_documents_from_queries_and_has_768_numbers(server, monkeypatch):
    monkeypatch.setenv("INDX_GRAPH_LLM_API_BASE", "http://127.0.0.1:9")
    embedder = choose_embedder("nomic-embed-text")
    assert embedder.name == "nomic-embed-text"
    rows = embedder.embed(["a text", ""], "document")
    embedder.embed(["a question"], "query")
    assert [call["input"] for call in server.calls] == [
        ["search_document: a text"],
        ["search_query: a question"],
    ]
    assert {call["model"] for call in server.calls} == {"ollama/nomic-embed-text"}
    assert {call["api_base"] for call in server.calls} == {"http://127.0.0.1:9"}
    assert rows.shape == (2, 768)
    assert np.linalg.norm(rows[0]) == pytest.approx(1)
    assert not rows[1].any()


def test_the_model_can_be_named_otherwise_and_others_have_no_prefix(server, monkeypatch):
    monkeypatch.setenv("INDX_GRAPH_NOMIC_MODEL", "openai/nomic-embed-text-v1.5")
    HostedTexts("nomic-embed-text").embed(["x"], "query")
    HostedTexts("litellm:openai/text-embedding-3-small").embed(["x"], "query")
    assert [(call["model"], call["input"]) for call in server.calls] == [
        ("openai/nomic-embed-text-v1.5", ["search_query: x"]),
        ("openai/text-embedding-3-small", ["x"]),
    ]


def test_texts_go_in_batches_of_32_and_come_back_in_order(server):
    rows = HostedTexts("litellm:m").embed(["x" * (n + 1) for n in range(70)], "document")
    assert [len(call["input"]) for call in server.calls] == [32, 32, 6]
    assert np.argsort(rows[:, 0] / rows[:, 1]).tolist() == list(range(70))


def test_three_tries_are_made(server):
    server.failing = 2
    assert HostedTexts("litellm:m").embed(["x"], "query").any()
    server.failing = 3
    with pytest.raises(Unavailable, match="connection refused") as caught:
        HostedTexts("litellm:m").embed(["x"], "query")
    assert caught.value.code == "embedder_unavailable"


def test_a_short_answer_is_a_failure(server, monkeypatch):
    monkeypatch.setattr(sys.modules["litellm"], "embedding", lambda **call: {"data": []})
    with pytest.raises(Unavailable, match="0 vectors for 1 texts"):
        HostedTexts("litellm:m").embed(["x"], "query")


def test_without_litellm_the_install_line_is_named(monkeypatch):
    monkeypatch.setattr("indx_graph.hosted.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"indx-graph\[llm\]") as caught:
        choose_embedder("nomic-embed-text")
    assert caught.value.exit_code == 3


def test_an_index_of_hash_is_refused_to_nomic(server, making):
    making.ingest(embed_fn=None, embedder="hash")
    settings = (making.folder / "settings.json").read_text()
    (making.folder / "settings.json").write_text(
        settings.replace('"embedder":"hash"', '"embedder":"nomic-embed-text"')
    )
    with pytest.raises(Exception, match="another embedder than 'nomic-embed-text'"):
        making.open(embed_fn=None)
