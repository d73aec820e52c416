"""Fetching from a hub: a server of this test answers as the hub does, well or badly."""

from __future__ import annotations

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from indx_model_onnx import ModelFailure
from indx_model_onnx._hub import located

COMMIT = "c" * 40


class Hub(BaseHTTPRequestHandler):
    """Serves the files of one repository; `server.fault` spoils what is sent."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def answer(self, *, body):
        server = self.server
        server.seen.append((self.command, self.path))
        prefix, _, name = self.path.partition("/resolve/")
        revision, _, name = name.partition("/")
        data = server.files.get(name) if prefix == "/owner/tiny" else None
        if data is None or revision not in ("main", COMMIT):
            code = "EntryNotFound" if prefix == "/owner/tiny" else "RepoNotFound"
            self.send_response(404)
            self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        large = name.endswith(".onnx")
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        etag = hashlib.sha256(data).hexdigest() if large else git
        sent = data
        if server.fault == "altered" and large:
            sent = data[:-1] + b"!"
        self.send_response(200)
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{etag}"')
        if large:
            self.send_header("X-Linked-Etag", f'"{etag}"')
            self.send_header("X-Linked-Size", str(len(data)))
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        if body:
            self.wfile.write(sent)

    def log_message(self, *args):
        """Nothing is printed."""


@pytest.fixture
def hub(monkeypatch, stand_ins):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.daemon_threads = True
    server.files, server.fault, server.seen = dict(stand_ins), "", []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_cold_cache_is_filled_once(hub, source, stand_ins):
    assert [path.read_bytes() for path in located(source)] == list(stand_ins.values())
    asked = len(hub.seen)
    assert asked
    located(source)
    assert len(hub.seen) == asked


def test_what_was_fetched_serves_offline(hub, source, monkeypatch):
    first = located(source)
    hub.shutdown()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert located(source) == first


def test_weights_altered_on_the_way_are_refused_and_not_kept(hub, source):
    hub.fault = "altered"
    with pytest.raises(ModelFailure, match="does not arrive whole"):
        located(source)
    hub.fault = ""
    assert located(source)[2].read_bytes() == hub.files["onnx/model.onnx"]


def test_a_file_the_repository_lacks_is_named(hub, source):
    del hub.files["onnx/model.onnx"]
    with pytest.raises(ModelFailure, match=r"onnx/model\.onnx.*has no such file"):
        located(source)


def test_a_repository_that_is_not_there_is_said_to_be(hub, source):
    from dataclasses import replace

    with pytest.raises(ModelFailure, match="no such repository"):
        located(replace(source, name="owner/other", repository="owner/other"))


def test_where_nobody_answers_one_request_tells(source, monkeypatch):
    import huggingface_hub

    calls = []
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", lambda *a, **k: calls.append(a))
    with pytest.raises(ModelFailure, match=r"could not be fetched from the hub: ConnectError"):
        located(source)  # port 9 of this machine refuses
    assert not calls, "the client that tries again and again was not asked"
