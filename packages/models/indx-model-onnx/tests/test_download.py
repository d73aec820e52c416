"""Fetching from a hub: a server of this test answers as the hub does, well or badly."""

from __future__ import annotations

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_model_onnx import ModelFailure, ModelSource, identity, is_cached, located
from indx_model_onnx._models import Models
from indx_testkit.lazy import run_python

COMMIT = "c" * 40


class Hub(BaseHTTPRequestHandler):
    """Serves the files of one repository; `server.fault` spoils what is sent of the weights."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def answer(self, *, body):
        server = self.server
        server.seen.append((self.command, self.path, self.headers.get("Range")))
        server.tokens.append(self.headers.get("Authorization"))
        prefix, _, name = self.path.partition("/resolve/")
        revision, _, name = name.partition("/")
        data = server.files.get(name) if prefix == "/owner/tiny" else None
        if data is None or revision not in ("main", COMMIT):
            code = "EntryNotFound" if prefix == "/owner/tiny" else "RepoNotFound"
            return self.begin(404, 0, {"X-Error-Code": code})
        large = name.endswith(".onnx")
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        etag = hashlib.sha256(data).hexdigest() if large else git
        headers = {"X-Repo-Commit": COMMIT, "ETag": f'"{etag}"'}
        if server.fault == "nameless":
            del headers["ETag"]
        if large:
            headers |= {"X-Linked-Etag": f'"{etag}"', "X-Linked-Size": server.size or str(len(data))}
        if large and server.elsewhere:
            return self.begin(302, 0, headers | {"Location": server.elsewhere})
        if not body:
            return self.begin(200, len(data), headers)
        return self.send(data, headers, server.fault if large else "")

    def send(self, data, headers, fault):
        start, status = 0, 200
        asked = self.headers.get("Range")
        if asked and fault == "no more":
            self.begin(416, 0, {})
            return
        if asked and fault != "whole again":
            start, status = int(asked.removeprefix("bytes=").removesuffix("-")), 206
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        spoilt = {"altered": data[:-1] + b"!", "longer": data + b"!" * 100, "cut": data[:-50]}
        sent = spoilt.get(fault, data)[start:]
        self.begin(status, len(sent) + (50 if fault == "cut" else 0), headers)
        self.close_connection = fault in ("cut", "drips")
        if fault == "drips":
            half = len(sent) // 2
            self.wfile.write(sent[:half])
            for byte in sent[half:-1]:  # and never the last one
                if self.server.enough.wait(0.01):
                    return
                self.wfile.write(bytes([byte]))
            self.server.enough.wait(30)
            return
        self.wfile.write(sent)

    def begin(self, status, length, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def log_message(self, *args):
        """Nothing is printed."""


def served(files):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # whoever asked has left
    server.files, server.fault, server.elsewhere, server.seen, server.tokens = dict(files), "", "", [], []
    server.size = ""
    server.enough = threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.enough.set()
        server.shutdown()
        thread.join()
        server.server_close()


def address(server):
    return f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def hub(monkeypatch, stand_ins):
    stand_ins["onnx/model.onnx"] = bytes(range(256)) * 400
    for server in served(stand_ins):
        monkeypatch.setenv("HF_ENDPOINT", address(server))
        yield server


@pytest.fixture
def store(hub):
    """Where the weights lie: another host than the hub."""
    for server in served({name: data for name, data in hub.files.items() if name.endswith(".onnx")}):
        hub.elsewhere = f"http://localhost:{server.server_port}/owner/tiny/resolve/main/onnx/model.onnx"
        yield server


def until_sent(hub):
    """A deadline that passes as soon as the weights are asked for."""
    asked = lambda: any(how == "GET" and path.endswith(".onnx") for how, path, _ in hub.seen)  # noqa: E731
    return Deadline(1, clock=lambda: 100.0 if asked() else 0.0)


def blobs(cache):
    return sorted(path.name for path in (cache / "models--owner--tiny/blobs").iterdir())


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


def test_a_server_that_drips_is_left_at_the_time_and_what_came_is_no_model(hub, source, cache):
    hub.fault = "drips"
    with pytest.raises(ModelFailure, match="no more time"):
        located(source, until_sent(hub))
    assert not is_cached(source)
    assert [name for name in blobs(cache) if len(name) == 64] == []


def test_the_next_try_goes_on_where_the_last_one_ended(hub, source, cache):
    hub.fault = "drips"
    with pytest.raises(ModelFailure):
        located(source, until_sent(hub))
    (part,) = [name for name in blobs(cache) if name.endswith(".incomplete")]
    had = (cache / "models--owner--tiny/blobs" / part).stat().st_size
    hub.fault = ""
    assert located(source)[2].read_bytes() == hub.files["onnx/model.onnx"]
    assert had
    assert hub.seen[-1] == ("GET", f"/owner/tiny/resolve/{COMMIT}/onnx/model.onnx", f"bytes={had}-")
    assert part not in blobs(cache)


@pytest.mark.parametrize("fault", ["", "whole again", "no more"])
def test_what_an_earlier_try_left_is_not_believed(hub, source, cache, fault):
    data = hub.files["onnx/model.onnx"]
    located(source)
    (graph,) = [path.resolve() for path in located(source) if path.name == "model.onnx"]
    graph.unlink()
    graph.with_name(f"{graph.name}.incomplete").write_bytes(b"!" * 1000)
    hub.fault = fault
    if fault != "whole again":  # a server that goes on from there makes no whole of it
        with pytest.raises(ModelFailure, match="does not arrive whole"):
            located(source)
    assert located(source)[2].read_bytes() == data


@pytest.mark.parametrize("fault", ["cut", "longer"])
def test_an_answer_of_another_length_is_no_file(hub, source, fault):
    hub.fault = fault
    if fault == "cut":
        with pytest.raises(ModelFailure, match="could not be fetched"):
            located(source)
        hub.fault = ""
    assert located(source)[2].read_bytes() == hub.files["onnx/model.onnx"]


def test_a_hub_that_does_not_say_which_file_it_is_is_not_believed(hub, source):
    hub.fault = "nameless"
    with pytest.raises(ModelFailure, match="does not say which file"):
        located(source)


@pytest.mark.parametrize("size", ["-5", str(2**60)])
def test_a_size_that_no_model_has_is_not_waited_for(hub, source, size):
    hub.size = size
    with pytest.raises(ModelFailure, match=f"is said to have {size} bytes"):
        located(source)
    assert not [path for command, path, _ in hub.seen if command == "GET" and path.endswith(".onnx")]


def test_a_hub_that_sends_on_for_ever_is_left(hub, source):
    hub.elsewhere = f"{address(hub)}/owner/tiny/resolve/main/onnx/model.onnx"
    with pytest.raises(ModelFailure, match="could not be fetched"):
        located(source)


def test_a_password_in_the_hubs_address_is_not_told(hub, source, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", address(hub).replace("//", "//me:hunter2hunter2@"))
    for hub.fault in ("nameless", "altered"):
        with pytest.raises(ModelFailure) as caught:
            located(source)
        assert "hunter2" not in caught.value.message


def test_a_file_is_put_in_its_place_in_one_step(hub, source, cache, monkeypatch):
    located(source)
    place = located(source)[2]
    place.resolve().unlink()  # the link stays, and another process may be about to follow it
    unlinked = []
    unlink = type(place).unlink
    monkeypatch.setattr(
        type(place), "unlink", lambda self, **how: (unlinked.append(self), unlink(self, **how))[1]
    )
    assert located(source)[2].read_bytes() == hub.files["onnx/model.onnx"]
    assert place not in unlinked
    assert [path.name for path in place.parent.iterdir()] == ["model.onnx"]


def test_models_that_share_a_file_may_be_fetched_at_once(hub, source, monkeypatch):
    """Of two graphs of one repository each needs its config.json."""
    from pathlib import Path

    symlink = Path.symlink_to
    others = []

    def interrupted(self, target):
        symlink(self, target)
        if not others:
            others.append(threading.Thread(target=located, args=(source,)))
            others[0].start()
            others[0].join(30)

    monkeypatch.setattr(Path, "symlink_to", interrupted)
    assert len(located(source)) == 3
    assert is_cached(source)


def test_who_waits_for_another_process_waits_no_longer_than_the_time(hub, source, cache):
    from filelock import FileLock

    digest = hashlib.sha256(hub.files["onnx/model.onnx"]).hexdigest()
    lock = cache / ".locks/models--owner--tiny" / f"{digest}.lock"
    lock.parent.mkdir(parents=True)
    with FileLock(lock), pytest.raises(ModelFailure, match="no more time"):
        located(source, Deadline(0.2))
    assert len(located(source)) == 3


def test_the_token_is_shown_to_the_hub_and_not_to_where_the_weights_lie(hub, store, source, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    assert located(source)[2].read_bytes() == hub.files["onnx/model.onnx"]
    assert set(hub.tokens) == {"Bearer hf_secret"}
    assert store.tokens == [None]


def test_weights_are_not_taken_from_a_file_of_this_machine(hub, source, tmp_path):
    (tmp_path / "graph").write_bytes(hub.files["onnx/model.onnx"])
    hub.elsewhere = (tmp_path / "graph").as_uri()
    with pytest.raises(ModelFailure, match="could not be fetched"):
        located(source)


def test_a_model_is_told_by_its_commit_once_it_is_here(hub, source):
    assert identity(source) == "owner/tiny@main/onnx/model.onnx"
    located(source)
    assert identity(source) == f"owner/tiny@{COMMIT}/onnx/model.onnx"


def test_a_file_whose_digest_is_known_beforehand_has_to_have_it(hub, source, cache):
    class Known(ModelSource):
        def digest(self, name):
            return "0" * 64 if name.endswith(".onnx") else None

    known = Known(source.name, source.repository, source.revision, None, source.graph)
    with pytest.raises(ModelFailure, match="does not arrive whole"):
        located(known)
    assert [name for name in blobs(cache) if len(name) == 64] == []


def test_a_caller_without_time_leaves_and_the_next_one_finds_the_model(hub, source, tiny, monkeypatch):
    hub.files.update(tiny)
    hub.fault = "drips"
    models = Models()
    with pytest.raises(TimedOut):
        models.load(source, Deadline(0.3))
    hub.fault = ""
    hub.enough.set()  # the one that dripped is cut off, and fails
    for thread in threading.enumerate():
        if thread.name == "indx-model-onnx":
            thread.join()
    with pytest.raises(ModelFailure):
        models.load(source)
    later = Models()
    assert later.load(source).labels == ("yes", "no")


def test_nobody_waits_for_a_model_longer_than_is_set(hub, source, monkeypatch):
    monkeypatch.setenv("INDX_MODEL_ONNX_DOWNLOAD_SECONDS", "0.2")
    hub.fault = "drips"
    models = Models()
    for _ in range(2):
        with pytest.raises(ModelFailure, match="INDX_MODEL_ONNX_DOWNLOAD_SECONDS"):
            models.load(source)
    assert len([path for _, path, _ in hub.seen if path.endswith(".onnx")]) <= 2, "it was tried once"


def test_where_nobody_answers_one_request_tells(source, monkeypatch):
    import httpx

    calls = []
    monkeypatch.setattr(httpx, "stream", lambda *a, **k: calls.append(a))
    with pytest.raises(
        ModelFailure, match=r"could not be fetched from the hub: ConnectError.*; run 'hf down"
    ):
        located(source)  # port 9 of this machine refuses
    assert not calls, "nothing was asked for after that"


def test_an_empty_address_of_the_hub_is_none(source, monkeypatch):
    from huggingface_hub import file_download

    asked = []

    def refuse(url, **_):
        asked.append(url)
        raise OSError("no network in a test")

    monkeypatch.setattr(file_download, "get_hf_file_metadata", refuse)
    monkeypatch.setenv("HF_ENDPOINT", "")
    with pytest.raises(ModelFailure):
        located(source)
    assert asked == ["https://huggingface.co/owner/tiny/resolve/main/config.json"]


@pytest.mark.parametrize(
    "wrong", [{"HF_ENDPOINT": "http://[wrong"}, {"HF_HUB_DOWNLOAD_TIMEOUT": "soon"}], ids=str
)
def test_a_wrong_variable_of_the_hubs_client_is_told_and_not_printed(wrong):
    program = (
        "from indx_model_onnx import ModelFailure, ModelSource, located\n"
        "try: located(ModelSource('owner/tiny', 'owner/tiny', 'main', None, 'model.onnx'))\n"
        "except ModelFailure as error: print(error.message)\n"
        "except ValueError as error: print('ValueError')\n"
    )
    (line,) = run_python(program, **wrong).splitlines()
    assert "could not be fetched" in line
