"""The line before the workers: bounded, left by who is late or gone, and free again afterwards."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_runtime import Workers


@pytest.fixture
def line(serve_here, monkeypatch):
    """A server with one worker and room for one more request."""
    return serve_here(INDX_WORKERS="1", INDX_MAX_QUEUE="1")


def slow(inline, text, *, apart=False):
    return {"source": inline(text.encode(), media_type="text/x-slow-apart" if apart else "text/x-slow")}


@pytest.mark.parametrize("apart", [False, True])
def test_a_request_too_many_is_refused_with_when_to_come_back_and_the_others_are_answered(
    line, inline, envelope, pipe, until, apart
):
    one, two = pipe("one"), pipe("two")
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(line.post, "/v1/encode", json=slow(inline, f"hold {one}", apart=apart))
        with one.open():  # the first is being read
            second = threads.submit(line.post, "/v1/encode", json=slow(inline, f"hold {two}", apart=apart))
            until(lambda: line.service._documents.admitted == 2)
            refused = line.post("/v1/encode", json=slow(inline, "third"))
            envelope(refused, 503, "busy", type="unavailable")
            assert 1 <= int(refused.headers["retry-after"]) <= 60
            assert line.get("/health").status_code == 200
            assert line.get("/v1/capabilities").status_code == 200
            assert 'indx_line{gate="documents",state="waiting"} 1.0' in line.get("/metrics").text
        two.open().close()
        assert first.result().status_code == second.result().status_code == 200
    assert line.post("/v1/encode", json=slow(inline, "fourth")).status_code == 200
    assert line.service._documents.admitted == 0


def test_past_the_deadline_work_stops_between_pages_and_the_slot_is_free(
    line, inline, envelope, site, tmp_path
):
    import slow_parts

    now, note = [0.0], tmp_path / "read"
    line.service.engine._clock = lambda: now[0]
    slow_parts.CALLS["late"] = lambda: now.__setitem__(0, now[0] + 100)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "50")
        asked = {**slow(inline, f"note {note}\ncall late\nnote {note}"), "request_id": "mine"}
        answer = line.post("/v1/encode", json=asked)
    envelope(answer, 504, "deadline_exceeded", type="timeout", request_id="mine")
    assert note.read_text() == "read\n"
    assert line.service._documents.admitted == 0
    assert line.post("/v1/encode", json=slow(inline, "next")).status_code == 200


def test_who_waits_too_long_in_the_line_is_told_while_the_other_is_still_read(
    line, inline, envelope, pipe, monkeypatch
):
    held = pipe()
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(line.post, "/v1/encode", json=slow(inline, f"hold {held}"))
        with held.open():
            monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "0.05")
            answer = line.post("/v1/encode", json=slow(inline, "second"))
            envelope(answer, 504, "deadline_exceeded")
            assert line.service._documents.admitted == 1
        assert first.result().status_code == 200


def asgi(client, body, leave):
    """Ask the application as a caller who leaves when `leave` is done."""
    told = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]

    async def receive():
        if told:
            return told.pop()
        await asyncio.to_thread(leave)
        return {"type": "http.disconnect"}

    status = []

    async def send(message):
        if message["type"] == "http.response.start":
            status.append(message["status"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/encode",
        "raw_path": b"/v1/encode",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("x", 80),
        "client": ("x", 1),
        "root_path": "",
    }

    async def call():
        await client.app(scope, receive, send)

    asyncio.run(call())
    return status


@pytest.mark.parametrize("apart", [False, True])
def test_when_the_caller_leaves_work_stops_between_pages(line, inline, pipe, tmp_path, monkeypatch, apart):
    held, never, note, left = pipe("held"), pipe("never"), tmp_path / "read", []
    plain = Deadline.cancel

    def cancel(self):
        plain(self)
        if left:
            left.pop().close()  # lets the reader go on, now that nobody waits

    monkeypatch.setattr(Deadline, "cancel", cancel)
    body = slow(inline, f"note {note}\nhold {held}\nhold {never}\nnote {note}", apart=apart)
    status = asgi(line, body, lambda: left.append(held.open()))
    assert status == [504]
    assert note.read_text() == "read\n"
    assert line.service._documents.admitted == 0
    assert line.post("/v1/encode", json=slow(inline, "next", apart=apart)).status_code == 200


def test_who_leaves_the_line_is_never_worked_on(line, inline, pipe, tmp_path):
    held, note = pipe(), tmp_path / "read"
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(line.post, "/v1/encode", json=slow(inline, f"hold {held}"))
        with held.open():
            assert asgi(line, slow(inline, f"note {note}"), lambda: None) == [504]
            assert line.service._documents.admitted == 1
        assert first.result().status_code == 200
    assert not note.exists()


def test_a_caller_who_leaves_is_no_reason_to_ask_another_reader(line, inline, registry):
    deadline = Deadline()
    deadline.cancel()
    from indx_core.contracts import EncodeRequest
    from indx_core.contracts.parsing import parse

    with pytest.raises(TimedOut):
        line.service.engine.encode(parse(EncodeRequest, slow(inline, "a\nb")), deadline=deadline)


def test_workers_are_as_many_as_the_setting_says(serve_here):
    assert serve_here(INDX_WORKERS="3").service._documents.slots == 3 != Workers(1).count


@pytest.mark.parametrize("operation", ["plan", "encode", "embed", "documents"])
def test_the_deadline_bounds_every_operation_and_nothing_is_kept_past_it(
    keeping, inline, envelope, operation, monkeypatch
):
    monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "0.000001")
    query = {"embedding_space_id": "default-text", "input": {"type": "text", "text": "words"}}
    answer = keeping.post(f"/v1/{operation}", json=query if operation == "embed" else {"source": inline()})
    envelope(answer, 504, "deadline_exceeded", type="timeout")
    assert "set-cookie" not in answer.headers
    monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "0")
    again = keeping.post(f"/v1/{operation}", json=query if operation == "embed" else {"source": inline()})
    assert again.status_code in (200, 201)
