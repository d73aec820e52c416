"""What becomes of a command whose standard output takes nothing, and what it says of parts that failed."""

import json
import os
import subprocess
import sys

import pytest

from indx_core.discovery import Candidate, Registry, scan
from indx_core.ports import CapabilityDeclaration, LaneDeclaration, SnifferDeclaration

FULL = "indx: cannot write to standard output: No space left on device\n"
COMMANDS = [
    "--version",
    "--help",
    "graph --help",
    "capabilities",
    "encode note.md --granularity CHUNK",
    "doctor",
    "doctor --json",
    "inspect space",
    "inspect space --json",
    "query space data --mode lexical",
    "docs --dry-run",
    "docs --out space --no-embed --json",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a note, and a space made of it."""
    folder = tmp_path_factory.mktemp("place")
    (folder / "docs").mkdir()
    for file in (folder / "note.md", folder / "docs" / "note.md"):
        file.write_text("# Retention\n\nData is kept for 90 days.\n", "utf-8")
    made = indx(folder, "docs --out space --no-embed --quiet")
    assert made.returncode == 0, made.stderr
    return folder


def indx(folder, line, **more):
    environment = {**os.environ, "INDX_CACHE_DIR": str(folder / "cache"), **more.pop("environment", {})}
    more.setdefault("stdout", subprocess.DEVNULL)
    return subprocess.run(
        [sys.executable, "-m", "indx", *line.split()],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def full(folder, line, **environment):
    with open("/dev/full", "w") as output:  # noqa: PTH123  (a device, not a file)
        return indx(folder, line, stdout=output, environment=environment)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_full_disk_behind_standard_output_is_one_line_and_no_traceback(place, line):
    ran = full(place, line)
    assert (ran.returncode, ran.stderr.splitlines(keepends=True)[-1:]) == (1, [FULL])
    assert "Traceback" not in ran.stderr
    assert "unexpected" not in ran.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told_however_python_writes(place, unbuffered):
    assert full(place, "capabilities", PYTHONUNBUFFERED=unbuffered).stderr == FULL


def test_an_error_is_told_before_that_there_is_no_place_for_its_json(place):
    ran = full(place, "encode missing.md")
    assert ran.returncode == 1
    assert "missing.md" in ran.stderr
    assert ran.stderr.endswith(FULL)


@pytest.mark.parametrize("line", COMMANDS[::2])
def test_a_reader_that_went_away_is_nothing_to_complain_of(place, line):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = indx(place, line, stdout=writing)
    finally:
        os.close(writing)
    assert "cannot write" not in ran.stderr
    assert "Traceback" not in ran.stderr
    assert "unexpected" not in ran.stderr


def test_standard_output_that_is_closed_takes_anything(place):
    ran = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -m indx capabilities >&-'],
        cwd=place,
        env={**os.environ, "INDX_CACHE_DIR": str(place / "cache")},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


# What failed


class Lane:
    port_version = 1
    declaration = LaneDeclaration("down", "page")

    def availability(self):
        return None

    def classify(self, texts, context):
        raise RuntimeError("the server\x1b[31m is gone")


class Parser:
    port_version = 1
    declaration = CapabilityDeclaration("odd-parser", "parser", ("text/markdown",), hostile=False)

    def availability(self):
        return None

    def recognise(self, observation, session):
        raise ValueError("not today")

    def read(self, session, pages, *, deadline):
        yield from ()


class Sniffer:
    port_version = 1
    declaration = SnifferDeclaration("nose", ("text/markdown",))

    def sniff(self, head, *, filename, declared):
        raise ValueError("a cold")


class Chunker:
    """Fails on every document."""

    port_version = 1

    def __init__(self):
        from indx_core.ports import ChunkerDeclaration

        self.declaration = ChunkerDeclaration("torn", 2, True, (), "torn", 0)

    def chunk(self, document, session, pages):
        raise ValueError("no scissors")


@pytest.fixture
def failing(monkeypatch):
    """All that is installed, with a lane, a parser and a chunker that fail."""
    made = [
        ("indx.classifiers", Lane()),
        ("indx.capabilities", Parser()),
        ("indx.chunkers", Chunker()),
        ("indx.sniffers", Sniffer()),
    ]
    extra = [
        Candidate(group, f"n{n}", "x:x", f"odd-{n}", "1", lambda item=item: lambda: item)
        for n, (group, item) in enumerate(made)
    ]
    monkeypatch.setattr("indx_core.discovery._default", Registry([*scan(), *extra]))


LOGS = {"indx.chunking", "indx.lanes", "indx.parsers", "indx.sniffers"}
BEFORE = ["indx: odd-parser failed: ValueError: not today", "indx: nose failed: ValueError: a cold"]


def test_what_failed_stands_in_the_answer_and_a_person_is_told_once(command, note, failing, caplog):
    ran = command(
        "encode", note, "--granularity", "CHUNK", "--classify-pages", "down", "--signature-detection"
    )
    assert ran.code == 0
    assert [(f["role"], f["id"]) for f in ran.json["trace"]["failures"]] == [
        ("chunker", "torn"),
        ("classifier", "down"),
    ]
    assert not {record.name for record in caplog.records} & LOGS
    assert ran.err.splitlines() == [
        *BEFORE,
        "indx: chunker torn@2 failed on the document: ValueError: no scissors",
        r"indx: classifier down failed on 1 of 1 page: RuntimeError: the server\x1b[31m is gone",
    ]


def test_what_failed_before_a_plan_stands_in_it_and_is_told_once(command, note, failing, caplog):
    ran = command("plan", note, "--signature-detection")
    assert ran.code == 0
    assert [r["code"] for r in ran.json["plan"]["reasons"]][-2:] == ["parser_failed", "sniffer_failed"]
    assert not {record.name for record in caplog.records} & LOGS
    assert ran.err.splitlines() == BEFORE


def test_under_a_plan_that_is_given_the_log_tells_what_fails_now(command, note, failing, tmp_path, caplog):
    planned = command("plan", note, "--signature-detection")
    (tmp_path / "plan.json").write_text(json.dumps(planned.json["plan"]), "utf-8")
    caplog.clear()
    ran = command("encode", note, "--plan", tmp_path / "plan.json")
    assert (ran.code, ran.json["plan"]) == (0, planned.json["plan"])
    assert [record.name for record in caplog.records] == ["indx.sniffers"]


def test_where_there_is_no_answer_the_log_tells_what_failed(command, tmp_path, failing, caplog):
    (tmp_path / "odd.bin").write_bytes(b"\0\1\2")
    ran = command("plan", tmp_path / "odd.bin")
    assert ran.json["code"] == "unsupported_media_type"
    assert ran.json["message"].endswith("; nose failed: ValueError: a cold")
    assert [record.name for record in caplog.records] == ["indx.sniffers"]


def test_where_nothing_failed_nothing_is_said(command, note):
    ran = command("encode", note, "--granularity", "CHUNK", "--classify", "words")
    assert "failures" not in ran.json["trace"]
    assert ran.err == ""


# Secrets

LEAKY = """
import sys
from indx.cli.main import main
from indx_core import discovery
from indx_core.errors import SourceError, Unavailable
from indx_core.ports import EmbedderDeclaration, LoaderDeclaration, Space

said = "no key-0123456789\\x1b at http://ann:pw-in-address@h/ with Bearer abcdefgh.ijkl"


class Embedder:
    port_version = 1
    declaration = EmbedderDeclaration("e", Space("leaky", 2, "cosine", True), ("document",), ("text",))

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        raise Unavailable(said, code="embedder_unavailable")


class Loader:
    port_version = 1
    declaration = LoaderDeclaration("leaky", ("leak",))

    def availability(self):
        return None

    def load(self, uri, *, limit, deadline):
        raise (SourceError if "typed" in uri else RuntimeError)(said)


made = [("indx.loaders", Loader), ("indx.embedders", Embedder)]
found = [discovery.Candidate(g, "leaky", "x:x", "odd", "1", lambda part=part: part) for g, part in made]
discovery._default = discovery.Registry([*discovery.scan(), *found])
main()
"""
QUOTED = ("key-0123456789", "pw-in-address", "abcdefgh", "\x1b")


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("encode leak:typed", 1, '"source_unreadable"'),
        ("encode leak:any", 1, '"source_unreadable"'),
        ("encode note.md --granularity CHUNK --space leaky", 1, '"embedder_unavailable"'),
        ("docs --out leaky --space leaky --json", 0, '"embedder_unavailable"'),
    ],
)
def test_no_secret_leaves_the_command_by_its_answer_its_error_or_its_log(place, line, code, told):
    ran = subprocess.run(
        [sys.executable, "-c", LEAKY, *line.split()],
        cwd=place,
        env={**os.environ, "INDX_CACHE_DIR": str(place / "cache"), "INDX_FAKE_API_KEY": "key-0123456789"},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, told in ran.stdout) == (code, True)
    said = ran.stderr + ran.stdout
    assert "no ***" in said
    assert [secret for secret in QUOTED if secret in said] == []
    for file in (place / "leaky").glob("*.json"):  # what a build keeps
        assert [secret for secret in QUOTED if secret in file.read_text("utf-8")] == []


KILLER = """
import os, signal
from indx_core.ports import PORT_VERSION, CapabilityDeclaration

def end(*_, **__): os.kill(os.getpid(), signal.SIGKILL)

class Killer:
    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("killer", KIND, ("text/markdown",), hostile=True)
    def availability(self): return None
    read = end
    recognise = end

def provider(): return Killer()
"""
SIGNAL = "the worker was ended by signal 9"


@pytest.fixture
def killing(tmp_path):
    """A line with a provider that ends the process it works in: `killing("native", "note.md")`."""

    def run(kind, configuration, line):
        site, docs = tmp_path / "site", tmp_path / "docs"
        (site / "killer-1.dist-info").mkdir(parents=True)
        (site / "killer.py").write_text(KILLER.replace("KIND", repr(kind)), "utf-8")
        (site / "killer-1.dist-info/METADATA").write_text("Name: killer\nVersion: 1\n", "utf-8")
        points = "[indx.capabilities]\nkiller = killer:provider\n"
        (site / "killer-1.dist-info/entry_points.txt").write_text(points, "utf-8")
        docs.mkdir()
        (docs / "note.md").write_text("# Retention\n\nData is kept for 90 days.\n", "utf-8")
        (docs / "indx.toml").write_text(f"[parse]\n{configuration}\n", "utf-8")
        (tmp_path / "signed.json").write_text('{"signature_detection": true}')
        ran = indx(tmp_path, line, environment={"PYTHONPATH": str(site)}, stdout=subprocess.PIPE)
        assert ran.returncode == 0, ran.stderr
        return ran

    return run


BUILD = "docs --out space --no-embed --no-cache"


@pytest.mark.parametrize(
    ("kind", "configuration", "told"),
    [
        ("parser", "signature_detection = true", f"  note.md: the parser killer was not asked on: {SIGNAL}"),
        ("native", 'readers = ["killer"]', f"  note.md: the page was not read: {SIGNAL}"),
        ("native", "", f"a worker ended during read killer: {SIGNAL}"),
    ],
)
def test_what_ends_a_worker_is_told_once_in_a_build(killing, kind, configuration, told):
    ran = killing(kind, configuration, BUILD)
    assert [line for line in ran.stderr.splitlines() if SIGNAL in line] == [told]


def test_a_build_that_tells_nothing_else_logs_what_ended_a_worker(killing):
    assert killing("native", 'readers = ["killer"]', f"{BUILD} --quiet").stderr.count(SIGNAL) == 1


@pytest.mark.parametrize("command", ["plan", "encode"])
def test_a_parser_that_ends_a_worker_is_told_once_beside_the_answer(killing, command):
    ran = killing("parser", "", f"{command} docs/note.md --request signed.json")
    assert ran.stderr.splitlines() == [f"indx: killer failed: {SIGNAL}"]
    assert "parser_failed" in ran.stdout
