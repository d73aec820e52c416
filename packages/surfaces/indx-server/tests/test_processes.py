"""`indx serve` as a process: its options, its log, several of it, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from indx.cli.main import run

CHUNKS = {"granularities": ["CHUNK"]}


def refused(*options, environment):
    indx = str(Path(sys.executable).with_name("indx"))
    return subprocess.run(
        [indx, "serve", *options], env=environment, capture_output=True, text=True, timeout=60
    )


def test_a_server_listens_on_this_machine_alone_and_says_where(running):
    assert running.lines[0]["message"] == "listening"
    assert running.lines[0]["host"] == "127.0.0.1"
    answer = running.client.get("/health")
    assert answer.status_code == 200
    assert "server" not in answer.headers
    assert all("text" not in line for line in running.lines)  # nothing that is no JSON


def test_a_caller_is_let_in_from_the_moment_the_log_says_so(monkeypatch):
    from indx_server import serving

    let_in = []

    def said(message, extra):
        at = (extra["fields"]["host"], extra["fields"]["port"])
        with socket.create_connection(at, 60):
            let_in.append(message)

    monkeypatch.setattr(serving._start, "info", said)
    with serving._bound(serving._config("none", "127.0.0.1", 0, "info")):
        assert let_in == ["listening"]


def test_a_server_of_this_machine_alone_is_not_asked_by_a_name_somebody_made_for_it(running):
    for host, status in (("localhost", 200), ("127.0.0.1:1", 200), ("[::1]:1", 200), ("evil.example", 404)):
        assert running.client.get("/health", headers={"Host": host}).status_code == status


def test_a_server_for_other_machines_says_what_their_callers_may_do(serve_apart, tmp_path):
    def warned(**told):
        server = serve_apart("--host", "0.0.0.0", **told)
        assert server.stop() == 0
        return [line["message"] for line in server.lines if line["level"].lower() == "warning"]

    open_ = warned()
    assert any("INDX_API_TOKENS" in line for line in open_)
    assert any("INDX_LOADER_FILE_ROOTS" in line for line in open_)
    assert warned(INDX_API_TOKENS="t", INDX_URI_SCHEMES="none") == []
    assert warned(INDX_API_TOKENS="t", INDX_LOADER_FILE_ROOTS=str(tmp_path)) == []


def test_what_is_kept_in_a_file_outlives_the_server(serve_apart, inline, tmp_path):
    place = f"sqlite:{tmp_path / 'kept.db'}"
    told = {"INDX_STORE_COOKIE_SECURE": "false"}
    first = serve_apart("--store", place, **told)
    answer = first.client.post("/v1/documents", json={"source": inline(), **CHUNKS})
    cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
    assert first.stop() == 0
    second = serve_apart("--store", place, **told)
    kept = second.client.get("/v1/documents", headers=cookie).json()["documents"]
    assert kept == [answer.json()["summary"]]
    hits = second.client.post("/v1/search", json={"query": "backups"}, headers=cookie).json()["hits"]
    assert hits


def test_options_and_settings_hold_in_every_one_of_several_processes(
    serve_apart, inline, tmp_path, envelope, until
):
    told = {"INDX_MAX_INPUT_BYTES": "1000", "INDX_WORKSPACE_TOKEN": "t"}
    server = serve_apart("--workers", "2", "--store", f"sqlite:{tmp_path / 'kept.db'}", **told)

    def ask(number):
        import httpx

        with httpx.Client(base_url=server.url, timeout=60) as client:  # a connection of its own
            assert client.get("/v1/capabilities").json()["limits"] == {"max_input_bytes": 1000}
            headers = {"Authorization": "Bearer t"}
            assert client.put(f"/v1/types/t{number}", json={"label": "T"}, headers=headers).status_code == 200
            return client.post("/v1/plan", json={"source": inline(b"# A" * 400, filename="a.md")}).status_code

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(ask, range(24))) == {413}
    assert len(server.client.get("/v1/types").json()["types"]) == 24
    counted = 'indx_requests_total{operation="plan",status="413"} 24.0'
    assert until(lambda: counted in server.client.get("/metrics").text)  # each once its answer is sent
    assert server.stop() == 0


def test_processes_end_with_the_one_that_started_them(serve_apart, until):
    import httpx

    server = serve_apart("--workers", "2")
    server.process.kill()
    server.process.wait(60)

    def refused():
        try:
            httpx.get(f"{server.url}/live", timeout=5)
        except httpx.TransportError:
            return True
        return False

    assert until(refused)


WRONG = {
    "a store of one process, for several": (
        ("--workers", "2", "--store", "memory"),
        {},
        3,
        "indx: --store memory names what lives in one process, and --workers 2 asks",
        "--store sqlite:PATH",
    ),
    "a store and a runner of one process, for several": (
        ("--workers", "2", "--store", "memory"),
        {"INDX_JOB_RUNNER": "memory"},
        3,
        "indx: --store memory, INDX_JOB_RUNNER name what lives in one process",
    ),
    "stores that variables name, for several": (
        ("--workers", "2"),
        {"INDX_SCHEMA_STORE": "memory", "INDX_ROUTER_STORE": "memory"},
        3,
        "INDX_SCHEMA_STORE",
        "INDX_ROUTER_STORE",
    ),
    "a runner of one process, for several": (
        ("--workers", "2"),
        {"INDX_JOB_RUNNER": "memory"},
        3,
        "INDX_JOB_RUNNER",
    ),
    "sqlite without a path": (("--store", "sqlite"), {}, 3, "INDX_STORE_SQLITE_PATH"),
    "postgres without an address": (("--store", "postgres"), {}, 3, "INDX_STORE_POSTGRES_URL"),
    "no such store": (("--store", "cloud:x"), {}, 2, "cloud"),
    "no such level": (("--log-level", "loud"), {}, 2, "loud"),
    "a port that is none": (("--port", "70000"), {}, 2, "--port"),
    "an address of somebody else": (("--host", "203.0.113.1"), {}, 3, "203.0.113.1"),
    "one store of two": ((), {"INDX_VECTOR_INDEX": "memory"}, 3, "INDX_DOCUMENT_STORE"),
    "an unknown store": ((), {"INDX_SCHEMA_STORE": "nope"}, 3, "INDX_SCHEMA_STORE"),
    "a chunker that is not installed": ((), {"INDX_CHUNKERS": "nope"}, 3, "INDX_CHUNKERS"),
    "a setting that is wrong": ((), {"INDX_MAX_QUEUE": "-1"}, 3, "INDX_MAX_QUEUE"),
    "a setting that is wrong, for several": (
        ("--workers", "2"),
        {"INDX_MAX_QUEUE": "x"},
        3,
        "INDX_MAX_QUEUE",
    ),
}


@pytest.fixture
def own_environment(monkeypatch):
    """What a command changes in the environment and the log is as it was afterwards."""
    before = dict(os.environ)
    monkeypatch.setattr("logging.config.dictConfig", lambda config: None)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_served_is_refused_at_start_in_one_line(own_environment, monkeypatch, capfd, case):
    options, told, code, *named = WRONG[case]
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert run(["serve", "--port", "0", *options]) == code
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    for name in named:
        assert name in said


def test_a_refusal_is_the_exit_code_of_the_process(environment):
    done = refused("--workers", "2", environment={**environment, "INDX_MAX_QUEUE": "x"})
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)


@pytest.mark.parametrize("place", ["sqlite:/a/b.db", "memory", "postgres:postgresql://x/y"])
def test_one_place_is_named_for_everything_that_is_kept(own_environment, place):
    from indx_workspace import keep_in
    from indx_workspace.stores import STORES

    keep_in(place)
    kind, _, where = place.partition(":")
    assert {os.environ[setting.name] for role, (setting, _) in STORES.items() if role != "runner"} == {kind}
    assert os.environ["INDX_JOB_RUNNER"] == "memory"
    if where:
        assert where in (os.environ.get("INDX_STORE_SQLITE_PATH"), os.environ.get("INDX_STORE_POSTGRES_URL"))


def test_a_port_that_is_taken_is_named(running, own_environment, capfd):
    port = running.url.rpartition(":")[2]
    assert run(["serve", "--port", port]) == 3
    assert port in capfd.readouterr().err


def test_a_request_in_hand_is_answered_before_the_server_ends(serve_apart, inline, pipe):
    server, held = serve_apart(), pipe()
    body = {"source": inline(f"hold {held}".encode(), media_type="text/x-slow")}
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(server.client.post, "/v1/encode", json=body)
        with held.open():
            server.process.send_signal(signal.SIGTERM)
            server.log(message="Shutting down")
        assert first.result().status_code == 200
    assert server.stop() == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("kind", ["text/x-slow-apart", "text/x-slow"])
def test_a_request_that_does_not_end_holds_nobody_up(serve_apart, inline, pipe, kind, how):
    server, held = serve_apart(INDX_SERVER_SHUTDOWN_SECONDS="0"), pipe()
    body = {"source": inline(f"hold {held}".encode(), media_type=kind)}
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(_status, server, body)
        with held.open():
            server.process.send_signal(how)
            server.log(message="Shutting down")
            if kind == "text/x-slow-apart":  # in a worker process, which is ended
                assert server.process.wait(60) == 0
        assert server.process.wait(60) == 0
        assert first.result() in (None, 503, 504 if kind == "text/x-slow-apart" else 200)


def _status(server, body):
    import httpx

    try:
        return server.client.post("/v1/encode", json=body).status_code
    except httpx.HTTPError:
        return None


def test_a_caller_who_hangs_up_frees_the_slot(running, inline, pipe, tmp_path):
    server, held, note = running, pipe(), tmp_path / "read"
    text = f"hold {held}\nnote {note}".encode()
    body = json.dumps({"source": inline(text, media_type="text/x-slow")}).encode()
    head = "POST /v1/encode HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"X-Request-ID: gone\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2]))) as caller:
        caller.sendall(head.encode() + body)
        writer = held.open()
    busy = {"source": inline()}
    assert server.client.post("/v1/plan", json=busy).status_code == 503
    writer.close()
    assert server.log(request_id="gone", message="request")[-1]["status"] == 504
    assert not note.exists()
    assert server.client.post("/v1/plan", json=busy).status_code == 200


@pytest.mark.parametrize("believed", [True, False])
def test_a_proxy_is_believed_only_where_it_is_named(running, serve_apart, believed):
    server = running if believed else serve_apart()
    headers = {"X-Forwarded-For": "198.51.100.7", "X-Request-ID": "through-a-proxy"}
    server.client.get("/health", headers=headers)
    told = server.log(request_id="through-a-proxy", message="request")
    assert told[0]["client"] == ("198.51.100.7" if believed else "127.0.0.1")


def test_the_command_shows_its_help_without_loading_what_serves(environment):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "indx", "serve", "--help"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert "--workers" in done.stdout
    assert "fastapi" not in done.stderr
    assert "uvicorn" not in done.stderr


def test_what_follows_a_body_that_ends_in_two_ways_is_not_answered(running):
    head = b"POST /v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    hidden = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    lengths = b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n" % (5 + len(hidden))
    with socket.create_connection(("127.0.0.1", int(running.url.rpartition(":")[2])), 60) as caller:
        caller.sendall(head + lengths + b"0\r\n\r\n" + hidden)
        answers = b""
        while more := caller.recv(65536):
            answers += more
    assert answers.count(b"HTTP/1.1 ") == 1
    assert answers.startswith(b"HTTP/1.1 422")
