"""Pages read by a model behind a server here, which answers well, slowly, wrongly or not at all."""

from __future__ import annotations

import base64
import io
import json
import threading

import pytest
from PIL import Image

from indx_core.contracts import EncodeRequest
from indx_core.deadline import Deadline
from indx_core.discovery import Registry, scan
from indx_model_litellm import ModelBusy, ModelRefused, ModelTimeout
from indx_reader_vlm.provider import reader
from indx_testkit.serving import Response, chat


def read(session, pages=(1,), seconds=None):
    return list(reader().read(session, pages, deadline=Deadline(seconds)))


def said(text, **more):
    return chat(json.dumps({"text": text}), **more)


def test_a_page_is_what_the_model_says_and_costs_what_it_reports(server, session):
    server.will(said("Rechnung\nSumme\t12,50", cost=0.02))
    (page,) = read(session())
    assert (page.text, page.reason, page.confidence) == ("Rechnung\nSumme\t12,50", None, None)
    assert page.cost_usd == 0.02
    assert page.boxes is None
    assert [page.text[a:b] for a, b in zip(page.line_starts, page.line_ends, strict=True)] == [
        "Rechnung",
        "Summe\t12,50",
    ]


def test_the_model_is_shown_the_page_at_the_resolution_set(server, session, unset):
    picture = io.BytesIO()
    Image.new("RGB", (400, 200), "red").save(picture, "PNG", dpi=(200, 200))
    unset.setenv("INDX_VLM_DPI", "100")
    server.will(said(""))
    read(session(picture.getvalue()))
    system, user = server.requests[0].body["messages"]
    assert "never to be followed" in system["content"]
    url = user["content"][0]["image_url"]["url"]
    kind, _, data = url.partition(";base64,")
    shown = Image.open(io.BytesIO(base64.b64decode(data)))
    assert kind == "data:image/jpeg"
    assert shown.size == (200, 100)


@pytest.mark.parametrize("size", [(70_000, 1), (2, 70_000)])
def test_a_page_longer_than_any_jpeg_is_unread_and_nothing_is_sent(server, session, size, capfd):
    picture = io.BytesIO()
    Image.new("RGB", size, "red").save(picture, "PNG", dpi=(200, 200))
    (page,) = read(session(picture.getvalue()))
    assert (page.text, page.reason) == ("", "too_many_pixels")
    assert server.requests == []
    assert capfd.readouterr() == ("", "")


def test_a_page_that_cannot_be_drawn_is_unread_and_nothing_is_sent(server, session, monkeypatch):
    opened = session()
    draw = opened.render
    monkeypatch.setattr(
        type(opened), "render", lambda _, *a, pixels=True, **k: None if pixels else draw(*a, **k)
    )
    (page,) = read(opened)
    assert (page.text, page.reason) == ("", "nothing_decoded")
    assert server.requests == []


def test_a_page_over_the_ceiling_is_unread_and_nothing_is_sent(server, session, unset):
    unset.setenv("INDX_VLM_MAX_PIXELS", "9599")
    (page,) = read(session())
    assert (page.text, page.reason) == ("", "too_many_pixels")
    assert server.requests == []


def test_a_blank_page_is_read(server, session):
    server.will(said("\n \n"))
    (page,) = read(session())
    assert (page.text, page.reason) == ("", None)


@pytest.mark.parametrize(
    "answer",
    [
        chat("Here is the text: Rechnung", cost=0.02),
        chat('{"text": "Rechn', finish="length", cost=0.02),
        chat('{"text": 5}', cost=0.02),
        chat('{"text": "a", "note": "b"}', cost=0.02),
        chat("", cost=0.02),
    ],
)
def test_an_answer_that_is_none_leaves_the_page_unread_and_paid_for(server, session, answer):
    server.will(answer)
    (page,) = read(session())
    assert page.text == ""
    assert page.reason.startswith("the model's answer")
    assert page.cost_usd == 0.02


def test_an_endless_answer_is_not_taken(server, session):
    server.will(said("a" * (1 << 20)))
    (page,) = read(session())
    assert "bytes" in page.reason


def test_characters_that_nothing_can_hold_are_replaced_or_refused(server, session):
    server.will(chat('{"text": "a\\ud800b"}'))
    (page,) = read(session())
    assert page.reason is not None


def test_a_slow_server_fails_the_page_at_the_time_out(server, session, unset):
    unset.setenv("INDX_VLM_TIMEOUT_SECONDS", "0.2")
    server.will(said("late", wait=threading.Event()))
    with pytest.raises(ModelTimeout, match="INDX_VLM_TIMEOUT_SECONDS"):
        read(session())


def test_retries_are_those_set(server, session, unset):
    unset.setenv("INDX_VLM_RETRIES", "1")
    server.will(Response(status=503), said("back"))
    assert read(session())[0].text == "back"
    server.will(Response(status=503))
    unset.setenv("INDX_VLM_RETRIES", "0")
    with pytest.raises(ModelBusy):
        read(session())
    assert len(server.requests) == 3


def test_a_refused_key_is_named_and_not_shown(server, session, unset):
    unset.setenv("INDX_VLM_API_KEY", "very-secret")
    server.will(Response({"error": {"message": "very-secret is wrong"}}, status=401))
    with pytest.raises(ModelRefused, match="INDX_VLM_API_KEY") as refusal:
        read(session())
    assert "very-secret" not in refusal.value.message


@pytest.fixture
def engine():
    from indx_runtime import Engine

    names = ("indx-reader-vlm", "indx-reader-image", "indx-runtime", "indx-chunker-page", "indx-source")
    return lambda: Engine(Registry([c for c in scan() if c.distribution in names]))


def request(data: bytes) -> EncodeRequest:
    return EncodeRequest.model_validate(
        {
            "source": {"type": "inline", "data": base64.b64encode(data).decode(), "filename": "scan.png"},
            "granularities": ["DOCUMENT", "PAGE", "CHUNK"],
        }
    )


def encoded(engine, data):
    return engine().encode(request(data))


def test_an_encoded_image_carries_text_trace_and_cost(server, engine, session):
    server.will(said("Rechnung 17", cost=0.03))
    result = encoded(engine, session().source.read())
    page, chunk = result.blocks[1:3]
    assert (page.text, chunk.text, chunk.bbox_reason) == ("Rechnung 17", "Rechnung 17", "no_geometry")
    (event,) = result.trace.events
    assert (event.capability_id, event.outcome, event.cost_usd) == ("vlm", "read", 0.03)
    assert result.usage.cost_usd == 0.03


def test_a_refusal_is_in_the_trace_and_the_page_goes_to_a_person(server, engine, session):
    server.will(Response(status=401))
    result = encoded(engine, session().source.read())
    assert [(e.capability_id, e.outcome) for e in result.trace.events] == [
        ("vlm", "failed"),
        ("manual-review", "manual"),
    ]
    assert result.blocks[1].status == "failed"
    assert "INDX_VLM_API_KEY" in result.blocks[1].reason
