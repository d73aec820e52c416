"""Bodies are bounded while they come, spooled, and gone afterwards on every path."""

import json
import tempfile
from types import SimpleNamespace

import pytest


@pytest.fixture
def small(serve_here):
    """A server that takes a thousand bytes."""
    return serve_here(INDX_MAX_INPUT_BYTES="1000")


@pytest.fixture
def spooled(tmp_path, monkeypatch):
    """The folder in which temporary files are made."""
    folder = tmp_path / "spooled"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def chunks(count, size=65_536):
    taken = []

    def stream():
        for number in range(count):
            taken.append(number)
            yield b"x" * size

    return stream(), taken


def form(data, head=b'name="file"; filename="a.md"', more=b""):
    start = b"--b\r\nContent-Disposition: form-data; " + head + b"\r\n" + more + b"\r\n"
    return start + data + b"\r\n--b--\r\n"


def both(told):
    """A file and a request."""
    return form(b"x")[:-7] + form(told, b'name="request"')


FORM = {"content-type": "multipart/form-data; boundary=b"}
JSON = {"content-type": "application/json"}


def test_the_limit_is_that_of_decoded_bytes_to_the_byte(small, inline, envelope):
    assert small.get("/v1/capabilities").json()["limits"] == {"max_input_bytes": 1000}
    for size, status in ((1000, 200), (1001, 413)):
        data = b"a" * size
        whole = small.post("/v1/plan", json={"source": inline(data, filename="a.md"), "request_id": "mine"})
        apart = small.post("/v1/plan", files={"file": ("a.md", data)})
        assert (whole.status_code, apart.status_code) == (status, status)
    told = [
        envelope(whole, 413, "input_too_large", type="input_too_large", request_id="mine"),
        envelope(apart, 413, "input_too_large", type="input_too_large", param="file"),
    ]
    assert "INDX_MAX_INPUT_BYTES raises that" in told[1]["message"]


def test_a_file_that_is_too_large_is_refused_while_it_comes(small, envelope):
    body, taken = chunks(1000)

    def stream():
        yield form(b"")[: -len(b"\r\n--b--\r\n")]
        yield from body

    async def arriving():
        for chunk in stream():
            yield chunk

    answer = ask_raw(small, "/v1/encode", FORM, stream())
    assert (answer["status"], answer["code"]) == (413, "input_too_large")
    assert len(taken) < 20


def test_json_that_is_too_large_is_refused_while_it_comes(small):
    body, taken = chunks(1000)
    answer = ask_raw(small, "/v1/encode", JSON, body)
    assert (answer["status"], answer["code"]) == (413, "input_too_large")
    assert answer["message"].endswith("; send less, or have INDX_MAX_INPUT_BYTES raised")
    assert len(taken) < 200


def test_a_length_that_is_too_large_is_refused_before_a_byte_comes(small):
    body, taken = chunks(1000)
    answer = ask_raw(small, "/v1/encode", {**JSON, "content-length": "1000000000"}, body)
    assert (answer["status"], answer["code"], taken) == (413, "input_too_large", [])


def ask_raw(client, path, headers, stream):
    """Ask the application itself, which says how much of a body it took."""
    import anyio

    async def call():
        got = {}

        async def receive():
            chunk = next(stream, None)
            return {"type": "http.request", "body": chunk or b"", "more_body": chunk is not None}

        async def send(message):
            nonlocal got
            if message["type"] == "http.response.start":
                got["status"] = message["status"]
            else:
                got |= json.loads(message["body"])

        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "http_version": "1.1",
            "scheme": "http",
            "server": ("x", 80),
            "client": ("x", 1),
            "root_path": "",
        }
        await client.app(scope, receive, send)
        return got

    return anyio.run(call)


WRONG = {
    "no boundary": ({"content-type": "multipart/form-data"}, b"", "body"),
    "no parts": (FORM, b"--b--\r\n", "file"),
    "garbage": (FORM, b"nothing of the kind", "body"),
    "no file": (FORM, form(b"{}", b'name="request"'), "file"),
    "no name": (FORM, form(b"x", b'filename="a"'), "body"),
    "another part": (FORM, form(b"x", b'name="other"; filename="a"'), "other"),
    "cut off": (FORM, form(b"x")[:-12], "file"),
    "part is no JSON": (FORM, both(b"{"), "body"),
    "part is no UTF-8": (FORM, both(b'"\xff"'), "body"),
    "part with a source": (
        FORM,
        both(b'{"source": 1}'),
        "source",
    ),
}


@pytest.mark.parametrize("charset", ["undefined", "punycode"])
def test_a_charset_that_no_name_can_be_read_in_is_the_callers_fault(client, envelope, charset):
    headers = {"content-type": f"{FORM['content-type']}; charset={charset}"}
    answer = client.post("/v1/plan", content=form(b"x"), headers=headers)
    envelope(answer, 422, "validation_error", param="body")


@pytest.mark.parametrize("case", WRONG)
def test_a_multipart_body_of_the_wrong_parts_is_refused_by_name(client, envelope, case):
    headers, body, param = WRONG[case]
    answer = client.post("/v1/plan", content=body, headers=headers)
    envelope(answer, 422, "validation_error", type="invalid_request", param=param)


def test_a_part_twice_is_refused(client, envelope):
    files = [("file", ("a.md", b"a")), ("file", ("b.md", b"b"))]
    envelope(client.post("/v1/plan", files=files), 422, "validation_error", param="file")


def test_many_parts_are_refused_before_they_are_kept(client, envelope):
    body = b"".join(form(b"x", b'name="file"; filename="a"')[:-7] for _ in range(1000)) + b"--b--\r\n"
    envelope(client.post("/v1/plan", content=body, headers=FORM), 422, "validation_error", param="body")


def test_an_identifier_in_a_part_comes_back_with_its_refusal(client, envelope):
    files = {"file": ("a.md", b"a"), "request": (None, '{"request_id": "mine", "granularities": []}')}
    envelope(client.post("/v1/plan", files=files), 422, "validation_error", request_id="mine")


def test_nothing_spooled_is_left_whatever_became_of_it(serve_here, inline, spooled):
    client = serve_here(INDX_MAX_INPUT_BYTES="3000000")
    large = b"# A\n\n" + b"word " * 500_000
    told = (None, '{"granularities": ["PAGE"]}')
    answers = [
        client.post("/v1/plan", files={"file": ("a.md", large), "request": told}),
        client.post("/v1/plan", json={"source": inline(large, filename="a.md")}),
        client.post("/v1/plan", files={"file": ("a.md", large * 2), "request": told}),
        client.post("/v1/plan", files={"file": ("a.md", large), "request": (None, "{")}),
        client.post("/v1/plan", files={"file": ("a.md", large), "other": ("b", large)}),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 413, 422, 422]
    assert list(spooled.iterdir()) == []


def test_a_record_is_bounded_too(keeping, operator, envelope):
    body, headers = b'{"label": "' + b"a" * 9_000_000 + b'"}', {**operator, **JSON}
    told = envelope(keeping.put("/v1/types/a", content=body, headers=headers), 413, "input_too_large")
    assert told["message"].endswith("; send less"), "no setting raises that"


@pytest.mark.parametrize("trickle", [False, True])
def test_a_sender_who_falls_silent_or_trickles_is_given_up(client, monkeypatch, trickle):
    import anyio

    from indx_server import bodies

    now = [0.0]
    monkeypatch.setattr(bodies, "_SILENCE", 30.0 if trickle else 0.01)
    monkeypatch.setattr(bodies, "time", SimpleNamespace(monotonic=lambda: now[0]))

    async def call():
        got = []

        async def receive():
            if not trickle:
                await anyio.sleep_forever()
            now[0] += 10
            assert now[0] < 100, "it holds its place however slowly it comes"
            return {"type": "http.request", "body": b" ", "more_body": True}

        async def send(message):
            nonlocal got
            got.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/v1/plan",
            "raw_path": b"/v1/plan",
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
            "http_version": "1.1",
            "scheme": "http",
            "server": ("x", 80),
            "client": ("x", 1),
            "root_path": "",
        }
        await client.app(scope, receive, send)
        return got[0]["status"]

    assert anyio.run(call) == 504
    assert client.service._documents.admitted == 0
