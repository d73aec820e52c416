"""Many texts go in few calls; one that the model does not take fails alone; a model that fails is told of."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut, Unavailable
from indx_core.ports import Embedded, Raster
from indx_embed_hosted import _embedding, embedder
from indx_embed_hosted._embedding import MOST_CHARACTERS, MOST_TEXTS
from indx_embed_hosted.settings import SETTINGS
from indx_testkit.serving import Asked, ModelServer, Response, vectors

CHARGE = {"x-litellm-response-cost": "0.25"}
Answer = Callable[[Asked], Response]


def embed(*batch: str | Raster, deadline: Deadline | None = None) -> Embedded:
    made = embedder()
    return made.embed(batch, role="document", deadline=deadline or Deadline())  # type: ignore[union-attr]


def texts_of(server: ModelServer) -> list[list[str]]:
    return [asked.body["input"] for asked in server.requests]


def plain(asked: Asked) -> Response:
    return vectors([[float(len(text)), 1, 0, 0, 0, 0, 0, 0] for text in asked.body["input"]], headers=CHARGE)


def unless(bad: Callable[[str], bool], worse: Response) -> Answer:
    """A server that answers `worse` to a call that holds a text that is `bad`."""
    return lambda asked: worse if any(map(bad, asked.body["input"])) else plain(asked)


def test_vectors_have_unit_length_and_the_order_of_the_texts(server: ModelServer) -> None:
    server.will(plain)
    made = embed("a", "four", "")
    assert np.allclose(np.linalg.norm(made.values[:2], axis=1), 1)
    assert made.values[1, 0] > made.values[0, 0]
    assert list(made.errors) == [2]
    assert made.cost_usd == 0.25


def test_many_texts_go_in_few_calls(server: ModelServer) -> None:
    count = 2 * MOST_TEXTS + 1
    made = embed(*(f"text {number}" for number in range(count)))
    assert [len(texts) for texts in texts_of(server)] == [MOST_TEXTS, MOST_TEXTS, 1]
    assert made.cost_usd == 0.75
    assert not made.errors


def test_long_texts_go_in_more_calls(server: ModelServer) -> None:
    embed("a" * (MOST_CHARACTERS - 1), "b", "c", "d" * (MOST_CHARACTERS + 1), "e")
    assert [len(texts) for texts in texts_of(server)] == [2, 1, 1, 1]


def test_nothing_but_blank_texts_asks_nobody(server: ModelServer) -> None:
    assert list(embed("", " \n", Raster(1, 1, b"\0\0\0", 72)).errors) == [0, 1, 2]
    assert server.requests == []


@pytest.mark.parametrize(
    "worse",
    [
        Response({"error": {"message": "maximum context length exceeded by secret"}}, status=400),
        vectors([[float("nan")] * 8] * 6),
        vectors([]),
    ],
)
def test_a_text_that_the_model_does_not_take_fails_alone(server: ModelServer, worse: Response) -> None:
    server.will(unless(lambda text: "bad" in text, worse))
    made = embed("one", "two", "bad", "four", "five", "six")
    assert list(made.errors) == [2]
    assert "secret" not in made.errors[2]
    assert np.allclose(np.linalg.norm(np.delete(made.values, 2, axis=0), axis=1), 1)
    assert not made.values[2].any()


def test_charges_for_answers_that_are_unusable_count(server: ModelServer) -> None:
    server.will(unless(lambda text: text == "bad", vectors([[float("nan")] * 8], headers=CHARGE)))
    assert embed("bad").cost_usd == 0.5  # the answer, and the text that was asked to tell whose fault it is


def test_every_text_may_be_one_that_the_model_does_not_take(server: ModelServer) -> None:
    server.will(unless(lambda text: "bad" in text, Response(status=400)))
    assert list(embed("bad", "bad 2").errors) == [0, 1]


def test_a_model_that_refuses_one_text_after_the_other_is_not_asked_on_for_ever(server: ModelServer) -> None:
    server.will(unless(lambda text: "bad" in text, Response(status=400)))
    made = embed("good", *(f"bad {number}" for number in range(400)))
    assert list(made.errors) == list(range(1, 401))
    assert "not asked" in made.errors[400]
    assert "400" in made.errors[1]
    assert len(server.requests) < 200


def test_texts_refused_here_and_there_are_no_reason_to_stop(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_embedding, "PATIENCE", 3)
    server.will(unless(lambda text: "bad" in text, Response(status=400)))
    made = embed(*["bad", "bad", "good"] * 4)
    assert len(made.errors) == 8
    assert not any("not asked" in why for why in made.errors.values())


def test_a_vector_of_zeros_is_an_error_and_any_other_has_a_direction(server: ModelServer) -> None:
    server.will(vectors([[0.0] * 8, [1e308] * 8, [5e-324] * 8, [-1.0] * 8]))
    made = embed("a", "b", "c", "d")
    assert list(made.errors) == [0]
    assert np.allclose(np.linalg.norm(made.values[1:], axis=1), 1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (vectors([[1.0] * 9]), "9 numbers where 8 were expected"),
        (Response(status=401), "INDX_EMBED_API_KEY"),
        (Response(status=404), "INDX_EMBED_MODEL"),
        (Response(status=500), "busy or failing"),
        (Response(status=429), "busy or failing"),
        (Response(b"no JSON"), "cannot be read"),
    ],
)
def test_a_model_that_answers_to_no_text_is_unavailable(
    server: ModelServer, given: Response, said: str
) -> None:
    server.will(given)
    with pytest.raises(Unavailable, match=said) as caught:
        embed(*(f"text {number}" for number in range(50)))
    assert caught.value.code == "embedder_unavailable"
    assert len(server.requests) <= 2


def test_a_server_that_is_gone_is_unavailable(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_EMBED_API_BASE", "http://127.0.0.1:9/v1")
    with pytest.raises(Unavailable, match="INDX_EMBED_API_BASE"):
        embed("text")


def test_a_slow_server_is_not_waited_for(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_EMBED_TIMEOUT_SECONDS", "0.2")
    server.will(Response(wait=threading.Event()))
    with pytest.raises(Unavailable, match="INDX_EMBED_TIMEOUT_SECONDS"):
        embed("text")


def test_a_busy_server_is_asked_again_as_often_as_is_set(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_EMBED_RETRIES", "1")
    server.will(Response(status=503), plain)
    assert not embed("text").errors
    assert len(server.requests) == 2


def test_the_key_is_sent_and_the_model_named(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_EMBED_API_KEY", "the-key")
    embed("text")
    (asked,) = server.requests
    assert asked.path == "/v1/embeddings"
    assert asked.headers["authorization"] == "Bearer the-key"
    assert asked.body["model"] == "trial"


def test_it_goes_on_asking_the_model_that_was_declared(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = embedder()
    monkeypatch.setenv("INDX_EMBED_MODEL", "openai/another")
    monkeypatch.setenv("INDX_EMBED_API_BASE", "http://models.example.test/v1")
    made.embed(["text"], role="query", deadline=Deadline())  # type: ignore[union-attr]
    assert server.requests[0].body["model"] == "trial"
    assert {setting.read for setting in SETTINGS} == {"start"}, "as its settings say"


def test_a_passed_deadline_stops_between_calls(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_embedding, "MOST_TEXTS", 1)
    deadline = Deadline()

    def leave(asked: Asked) -> Response:
        deadline.cancel()
        return plain(asked)

    server.will(leave)
    with pytest.raises(TimedOut):
        embed("one", "two", "three", deadline=deadline)
    assert len(server.requests) == 1
