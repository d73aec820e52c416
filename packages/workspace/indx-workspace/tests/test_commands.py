"""The commands: JSON on standard output, on stores or through a server, a refusal with its envelope."""

import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import typer
from typer.testing import CliRunner

from indx_core import discovery
from indx_core.contracts import EncodeRequest, InlineSource
from indx_core.discovery import Registry, scan
from indx_core.errors import (
    ConfigurationError,
    ExperimentConflict,
    InternalError,
    InvalidRecord,
    InvalidRequest,
    NotFound,
    StoreDisabled,
    Unauthorized,
    Unavailable,
    UsageError,
)
from indx_runtime import Engine
from indx_testkit.kept import digest_of
from indx_testkit.lazy import assert_light_import
from indx_workspace import Workspace
from indx_workspace.commands import datasets, experiments, labels, routers, runner, types
from indx_workspace.stores import STORES

MODULES = {
    "types": types,
    "labels": labels,
    "datasets": datasets,
    "routers": routers,
    "experiments": experiments,
}
PLUGINS = (
    "indx-store-sqlite",
    "indx-store-memory",
    "indx-runner-memory",
    "indx-runtime",
    "indx-reader-text",
    "indx-classifier-words",
)
LABEL = {
    "digest": digest_of("a"),
    "document_name": "a",
    "target": {"kind": "facet", "unit": "document", "facet": "kind", "label": "x"},
    "verdict": "approved",
}


@pytest.fixture(autouse=True)
def plugins(monkeypatch):
    """What a process finds that has no more than this installed; worker processes find the same."""
    monkeypatch.setenv("INDX_PLUGINS", ",".join(PLUGINS))
    found = Registry([candidate for candidate in scan() if candidate.distribution in PLUGINS])
    monkeypatch.setattr(discovery, "_default", found)
    return found


@pytest.fixture
def indx(tmp_path, monkeypatch):
    """Run a command: what it wrote as JSON, or the error it raised with what it wrote."""

    def run(noun, *arguments, spec=None, where=("--store", f"sqlite:{tmp_path}/indx.db")):
        with monkeypatch.context() as own:  # what a command sets is its process's
            own.setenv("INDX_STORE_SQLITE_PATH", "")
            given = [*arguments, *(("--spec", "-") if spec is not None else ()), *where]
            found = CliRunner().invoke(
                MODULES[noun].app, given, input=None if spec is None else json.dumps(spec)
            )
        written = json.loads(found.stdout) if found.stdout else None
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            found.exception.written = written
            raise found.exception
        assert found.exit_code == 0, found.output
        return written

    return run


@pytest.mark.parametrize("name", [*MODULES, "runner"])
def test_finding_a_command_imports_nothing_heavy(name):
    assert_light_import(
        f"indx_workspace.commands.{name}",
        allow=(
            "typer",
            "click",
            "rich",
            "shellingham",
            "typing_extensions",
            "annotated_doc",
            "markdown_it",
            "mdurl",
            "pygments",
        ),
    )


def test_a_command_keeps_where_store_says_and_finds_it_again(indx):
    made = indx("types", "put", "invoice", spec={"label": "Invoice"})
    assert (made["id"], made["label"]) == ("invoice", "Invoice")
    assert indx("types", "get", "invoice") == made
    assert indx("types", "list") == {"types": [made], "writable": False}
    assert indx("types", "delete", "invoice") is None
    assert indx("types", "list")["types"] == []


def test_every_noun_can_be_written_and_read(indx):
    indx("types", "put", "invoice", spec={"label": "Invoice"})
    label = indx("labels", "put", spec=LABEL)
    assert indx("labels", "list", "--digest", digest_of("a"))["labels"] == [label]
    assert indx("labels", "list", "--type", "invoice")["labels"] == []
    document = {"digest": digest_of("a"), "name": "a"}
    made = indx(
        "datasets",
        "put",
        "d",
        "--owner",
        "ann",
        spec={"label": "D", "purpose": "training", "documents": [document]},
    )
    assert (made["examples"], made["readable"]) == (1, 0)
    assert indx("datasets", "get", "d") == made
    assert indx("datasets", "list")["datasets"] == [made]
    assert indx("datasets", "labels", "d")["labels"] == [label]
    router = indx("routers", "put", "r", spec={"label": "R", "default": {}})
    assert indx("routers", "get", "r", "1") == router
    assert indx("routers", "versions", "r")["versions"] == [router]
    assert indx("routers", "list")["routers"] == [router]
    assert indx("experiments", "list") == {"experiments": [], "writable": False}
    for noun, key in (("labels", label["id"]), ("datasets", "d"), ("routers", "r"), ("experiments", "e")):
        assert indx(noun, "delete", key) is None


@pytest.mark.parametrize("arguments", [("get", "e"), ("run", "e"), ("stop", "e"), ("promote", "e", "c")])
def test_what_is_not_there_is_an_error_whose_envelope_is_the_answer(indx, arguments):
    indx("types", "put", "invoice", spec={"label": "Invoice"})
    with pytest.raises(NotFound) as refused:
        indx("experiments", *arguments)
    assert refused.value.written == refused.value.envelope()
    assert refused.value.written["code"] == "experiment_not_found"


def test_an_experiment_runs_here_until_it_ends(monkeypatch, tmp_path, indx, plugins):
    with monkeypatch.context() as own:
        for name in ("DOCUMENT_STORE", "VECTOR_INDEX", "SOURCE_STORE"):
            own.setenv(f"INDX_{name}", "sqlite")
        own.setenv("INDX_STORE_SQLITE_PATH", f"{tmp_path}/indx.db")
        with Workspace.open(Engine(plugins)) as workspace:
            source = InlineSource(data=b"Invoice: invoice date, bill to, amount due", media_type="text/plain")
            kept = workspace.documents.keep(
                "ann", workspace.engine.encode(EncodeRequest(source=source)), source=source
            )
    digest = kept.summary.digest
    indx("types", "put", "invoice", spec={"label": "Invoice"})
    target = {"kind": "facet", "unit": "document", "facet": "document_type", "label": "invoice"}
    indx("labels", "put", spec=LABEL | {"digest": digest, "target": target})
    documents = [{"digest": digest, "name": "a"}]
    graded = {"label": "D", "purpose": "evaluation", "type_id": "invoice", "documents": documents}
    assert indx("datasets", "put", "d", "--owner", "ann", spec=graded)["readable"] == 1
    indx("routers", "put", "r", spec={"label": "R", "default": {}})
    branch = {"classification": {"document_ids": ["words"]}}
    tried = [{"key": "words", "label": "Words", "branch": branch}]
    made = indx(
        "experiments",
        "put",
        "e",
        spec={"label": "E", "dataset_id": "d", "router_id": "r", "candidates": tried},
    )
    assert made["state"] == "stopped"
    report = indx("experiments", "run", "e")
    assert (report["state"], report["done"]) == ("complete", 2)
    assert [c["right"] for c in report["candidates"]] == [0, 1]
    assert indx("experiments", "stop", "e") is None
    assert indx("experiments", "promote", "e", "words")["version"] == 2


READS = [
    ("types", "list"),
    ("types", "get", "k"),
    ("types", "delete", "k"),
    ("labels", "list"),
    ("labels", "delete", "sha256:1"),
    ("datasets", "list"),
    ("datasets", "labels", "d"),
    ("routers", "list"),
    ("routers", "versions", "r"),
    ("routers", "get", "r", "1"),
    ("experiments", "list"),
    ("experiments", "run", "e"),
    ("experiments", "promote", "e", "c"),
]


@pytest.mark.parametrize("arguments", READS)
def test_a_store_that_is_not_there_is_made_by_no_command_that_needs_what_is_in_it(indx, tmp_path, arguments):
    with pytest.raises(
        ConfigurationError, match=r"'.*/kpet\.db' does not exist, .*: indx types put KEY "
    ) as refused:
        indx(*arguments, where=("--store", f"sqlite:{tmp_path}/kpet.db"))
    assert (refused.value.code, refused.value.exit_code) == ("store_not_configured", 3)
    assert refused.value.written == refused.value.envelope()
    assert list(tmp_path.glob("kpet*")) == []


def test_a_store_below_the_home_folder_is_there_where_it_was_made(indx, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    where = ("--store", "sqlite:~/kept.db")
    indx("types", "put", "k", spec={"label": "K"}, where=where)
    assert (tmp_path / "kept.db").exists()
    assert len(indx("types", "list", where=where)["types"]) == 1


@pytest.mark.parametrize("file", ["a" * 300, "a/" * 3000, "~nobody-is-called-so/kept.db", "a\udcff"])
def test_a_name_that_no_file_can_have_is_of_none_that_is_there(indx, file):
    with pytest.raises(ConfigurationError, match="does not exist, or may not be looked at") as refused:
        indx("types", "list", where=("--store", f"sqlite:{file}"))
    assert refused.value.written["code"] == "store_not_configured"


@pytest.mark.parametrize(
    ("arguments", "spec"),
    [
        (("types", "put", "k"), {"label": "K"}),
        (("labels", "put"), LABEL),
        (("datasets", "put", "d"), {"label": "D", "purpose": "training"}),
        (("routers", "put", "r"), {"label": "R", "default": {}}),
    ],
)
def test_the_first_record_makes_the_store(indx, arguments, spec):
    indx(*arguments, spec=spec)
    assert len(indx(arguments[0], "list")[arguments[0]]) == 1


@pytest.mark.parametrize("store", ["nowhere", "memory:x", "mysql:x", ""])
def test_what_is_no_store_is_refused(indx, store):
    with pytest.raises(UsageError, match="--store"):
        indx("types", "list", where=("--store", store))


def test_without_store_and_server_the_settings_decide(indx):
    with pytest.raises(
        StoreDisabled, match=r"INDX_SCHEMA_STORE, or name one .*: --store sqlite:PATH"
    ) as refused:
        indx("types", "list", where=())
    assert refused.value.written["message"] == refused.value.message


def test_a_record_that_is_none_is_refused(indx):
    with pytest.raises(InvalidRequest) as refused:
        indx("types", "put", "invoice", spec={"label": 7})
    assert refused.value.written["param"] == "label"
    with pytest.raises(UsageError, match=r"cannot be read: .*; check its path"):
        indx("types", "put", "invoice", "--spec", "/nowhere/at/all.json")


# Through a server


class Server(ThreadingHTTPServer):
    """Answers what it is told to, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self):
        self.asked, self.answer = [], (200, {})
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: self.headers[name] for name in ("Authorization", "Cookie") if self.headers[name]}
        self.server.asked.append((self.command, self.path, json.loads(body) if body else None, headers))
        status, answer = self.server.answer
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if status != 204:
            self.wfile.write(data)

    do_GET = do_PUT = do_DELETE = answer  # noqa: N815

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def test_a_server_is_asked_on_the_routes_of_the_contract(indx, server):
    where = ("--server", server.url + "/", "--token", "secret")
    spec = {"label": "R", "default": {}}
    tried = {"label": "E", "dataset_id": "d", "router_id": "r", "candidates": []}
    calls = [
        (("types", "list"), None, "GET", "/v1/types"),
        (("types", "get", "a/b c"), None, "GET", "/v1/types/a%2Fb%20c"),
        (("types", "put", "k"), {"label": "K"}, "PUT", "/v1/types/k"),
        (("labels", "list", "--digest", "x"), None, "GET", "/v1/labels?digest=x"),
        (("labels", "put"), LABEL, "PUT", "/v1/labels"),
        (("labels", "delete", "sha256:1"), None, "DELETE", "/v1/labels/sha256%3A1"),
        (("datasets", "labels", "d"), None, "GET", "/v1/datasets/d/labels"),
        (("datasets", "put", "d"), {"label": "D", "purpose": "training"}, "PUT", "/v1/datasets/d"),
        (("routers", "versions", "r"), None, "GET", "/v1/routers/r/versions"),
        (("routers", "get", "r", "3"), None, "GET", "/v1/routers/r/versions/3"),
        (("routers", "put", "r"), spec, "PUT", "/v1/routers/r"),
        (("experiments", "put", "e"), tried, "PUT", "/v1/experiments/e"),
        (("experiments", "run", "e"), None, "PUT", "/v1/experiments/e/run"),
        (("experiments", "stop", "e"), None, "DELETE", "/v1/experiments/e/run"),
        (("experiments", "promote", "e", "c"), None, "PUT", "/v1/experiments/e/promotion"),
    ]
    for arguments, record, method, path in calls:
        server.answer = (200, {"answered": path})
        assert indx(*arguments, spec=record, where=where) == {"answered": path}
        asked = server.asked[-1]
        assert asked[:2] == (method, path)
        assert asked[3]["Authorization"] == "Bearer secret"
        assert (asked[2] is not None) == (record is not None or "promotion" in path)
    assert server.asked[-1][2] == {"candidate": "c"}


def test_the_owner_is_the_cookie_of_a_server(indx, server):
    spec = {"label": "D", "purpose": "training"}
    indx("datasets", "put", "d", "--owner", "tok;en", spec=spec, where=("--server", server.url))
    assert server.asked[-1][3] == {"Cookie": "indx_owner=tok%3Ben"}


def test_nothing_is_written_where_a_server_answers_nothing(indx, server):
    server.answer = (204, b"")
    assert indx("types", "delete", "k", where=("--server", server.url)) is None


@pytest.mark.parametrize(
    ("status", "kind", "code", "error"),
    [
        (404, "not_found", "type_not_found", NotFound),
        (401, "unauthorized", "unauthorized", Unauthorized),
        (422, "invalid_type", "invalid_type", InvalidRecord),
        (422, "invalid_request", "validation_error", InvalidRequest),
        (409, "experiment_conflict", "experiment_stale", ExperimentConflict),
        (503, "unavailable", "busy", Unavailable),
        (418, "teapot", "short_and_stout", InternalError),
    ],
)
def test_a_refusal_of_a_server_is_the_error_it_is(indx, server, status, kind, code, error):
    envelope = {"type": kind, "code": code, "message": "this is why", "param": "label"}
    server.answer = (status, envelope)
    with pytest.raises(error, match="this is why") as refused:
        indx("types", "get", "k", where=("--server", server.url))
    if error is not InternalError:
        assert refused.value.written == envelope


@pytest.mark.parametrize("answer", [(500, b"<html>"), (404, {}), (404, []), (500, b""), (302, {})])
def test_what_is_no_envelope_is_an_error_all_the_same(indx, server, answer):
    server.answer = answer
    with pytest.raises(InternalError, match=str(answer[0])):
        indx("types", "list", where=("--server", server.url))
    assert len(server.asked) == 1


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b"\xff"])
def test_an_answer_that_is_no_json_object_is_no_answer(indx, server, answer):
    server.answer = (200, answer)
    with pytest.raises(InternalError, match="JSON"):
        indx("types", "list", where=("--server", server.url))


@pytest.mark.parametrize("url", ["file:///etc/passwd", "localhost:8000", "", "http://", "http://[::1"])
def test_what_is_no_address_of_a_server_is_refused(indx, url):
    with pytest.raises(UsageError, match="--server"):
        indx("types", "list", where=("--server", url))


def test_a_server_that_is_not_there_cannot_be_reached(indx, server):
    gone = Server()
    gone.server_close()
    with pytest.raises(Unavailable, match=r"cannot be reached: .*; start it with `indx serve`"):
        indx("types", "list", where=("--server", gone.url))


def test_store_and_server_are_two_places(indx, server):
    with pytest.raises(UsageError, match="two places"):
        indx("types", "list", where=("--server", server.url, "--store", "memory"))


# The runner


def run_runner(*arguments):
    app = typer.Typer()
    app.command()(runner.app)
    found = CliRunner().invoke(app, arguments)
    if found.exception is not None:
        raise found.exception


def test_a_runner_process_needs_a_runner_that_is_shared(monkeypatch):
    with pytest.raises(StoreDisabled, match="INDX_JOB_RUNNER"):
        run_runner()
    monkeypatch.setenv("INDX_JOB_RUNNER", "memory")
    with pytest.raises(ConfigurationError, match="INDX_JOB_RUNNER"):
        run_runner()


@pytest.fixture
def told(monkeypatch):
    """Settings of which a test changes some: a command puts its own into the environment."""
    for setting, _ in STORES.values():
        monkeypatch.setenv(setting.name, "sqlite")
    monkeypatch.delenv("INDX_JOB_RUNNER")
    return monkeypatch


@pytest.mark.parametrize("place", ["option", "settings"])
@pytest.mark.parametrize(
    ("runner", "refusal", "said"),
    [
        (None, (StoreDisabled, ConfigurationError), "INDX_JOB_RUNNER"),
        ("memory", ConfigurationError, "INDX_JOB_RUNNER"),
        ("nowhere", ConfigurationError, "no 'nowhere' is installed"),
    ],
)
def test_a_runner_process_that_is_refused_makes_no_store(told, tmp_path, place, runner, refusal, said):
    file = tmp_path / "kept.db"
    told.setenv("INDX_STORE_SQLITE_PATH", str(file))
    if runner is not None:
        told.setenv("INDX_JOB_RUNNER", runner)
    with pytest.raises(refusal, match=said):
        run_runner(*(("--store", f"sqlite:{file}") if place == "option" else ()))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("missing", ["INDX_EXPERIMENT_STORE", "INDX_LABEL_STORE"])
def test_a_runner_process_without_what_its_jobs_are_of_makes_no_store(told, tmp_path, plugins, missing):
    runner = type(plugins.find("indx.job_runners", "memory").item)
    told.setattr(runner, "declaration", replace(runner.declaration, shared=True))
    told.setenv("INDX_JOB_RUNNER", "memory")
    told.setenv("INDX_STORE_SQLITE_PATH", str(tmp_path / "kept.db"))
    told.delenv(missing)
    with pytest.raises(StoreDisabled, match=missing):
        run_runner()
    assert list(tmp_path.iterdir()) == []
