"""A process is killed in the middle of a run: what it measured stays, and is not measured again."""

import base64
import os
import signal
import threading
from collections import Counter

import pytest

PARTS = '''
import os
from pathlib import Path

from indx_core.ports import (
    CapabilityDeclaration, Observation, ObserverDeclaration, PageEvidence, PageReading, line_columns,
)

KIND = "text/x-held"


class Session:
    media_type, page_count = KIND, 1

    def __init__(self, source):
        self.source, self.text = source, source.read().decode()

    def observe(self):
        return Observation(KIND, (PageEvidence(1, len(self.text)),))

    def render(self, page, *, dpi, max_pixels, pixels=True):
        return None

    def members(self):
        return iter(())

    def close(self):
        pass


class Observer:
    port_version = 1
    declaration = ObserverDeclaration("held", (KIND,), hostile=False)

    def open(self, source):
        return Session(source)


class Reader:
    """Notes who reads what, and waits where there is a pipe of the document's name."""

    port_version = 1
    declaration = CapabilityDeclaration("held-reader", "native", (KIND,), hostile=False)

    def availability(self):
        return None

    def read(self, session, pages, *, deadline):
        place = Path(os.environ["HELD"])
        with (place / "notes").open("a") as notes:
            notes.write(f"{os.getpid()} {session.text}\\n")
        pipe = place / session.text
        if pipe.exists():
            pipe.read_bytes()
        yield PageReading(1, session.text, *line_columns(session.text))
'''
ENTRY_POINTS = "[indx.observers]\nheld = held_parts:Observer\n[indx.capabilities]\nheld = held_parts:Reader\n"
NAMES = ("one", "two", "three")
NEEDED = "held-parts,indx-runtime,indx-server,indx-workspace,indx-classifier-words,indx-store-sqlite"
NEEDED += ",indx-store-postgres,indx-runner-memory,indx-runner-procrastinate"


@pytest.fixture
def held(tmp_path, environment):
    """The folder with a reader that notes what it reads, installed for every process of the test."""
    info = tmp_path / "site" / "held_parts-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: held-parts\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "site" / "held_parts.py").write_text(PARTS)
    place = str(tmp_path / "site")
    environment |= {"PYTHONPATH": place, "HELD": place, "INDX_PLUGINS": NEEDED}
    return tmp_path / "site"


def notes(held):
    """Which process read which document, in order."""
    return [tuple(line.split()) for line in (held / "notes").read_text().splitlines()]


def prepared(server):
    """An experiment on three documents with two candidates beside the branch in use: nine cells."""
    documents = []
    for name in NAMES:
        source = {"type": "inline", "data": base64.b64encode(name.encode()).decode(), "filename": name}
        kept = server.post("documents", {"source": {**source, "media_type": "text/x-held"}})["summary"]
        documents.append({"digest": kept["digest"], "name": kept["name"]})
        target = {"kind": "facet", "unit": "document", "facet": "document_type", "label": "note"}
        label = {"digest": kept["digest"], "document_name": name, "target": target, "verdict": "approved"}
        server.put("labels", label)
    server.put("types/note", {"label": "Note"})
    dataset = {"label": "Notes", "purpose": "evaluation", "type_id": "note", "documents": documents}
    assert server.put("datasets/notes", dataset)["readable"] == 3
    server.put("routers/r", {"label": "R", "default": {}})
    words = {"classification": {"document_ids": ["words"]}}
    tried = [{"key": key, "label": key, "branch": words} for key in ("first", "second")]
    spec = {"label": "E", "dataset_id": "notes", "router_id": "r", "candidates": tried}
    report = server.put("experiments/e", spec)
    assert (report["state"], report["cells"]) == ("stopped", 9)


def opened(pipe):
    """The pipe open for writing, once somebody waits for what is written."""
    pause = threading.Event()
    for _ in range(6000):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody yet
            pause.wait(0.01)
    raise AssertionError(f"nobody reads {pipe}")


def held_at(held, name):
    """A pipe that whoever reads a document next waits at."""
    os.mkfifo(held / name)
    (held / "notes").write_text("")
    return held / name


def let_go(pipe):
    """Let who waits at a pipe go on, and nobody wait there again."""
    writing = opened(pipe)
    pipe.unlink()
    os.close(writing)


def each_cell_once(report, read):
    """Every cell is there, and only the document in hand when the process died was read once more."""
    cells = Counter((result["digest"], result["candidate"]) for result in report["results"])
    assert (report["done"], len(cells), set(cells.values())) == (9, 9, {1})
    assert all("error" not in result for result in report["results"])
    assert [name for _, name in read] == ["one", "two", "two", "three", *NAMES, *NAMES]


def test_a_server_killed_in_a_run_comes_back_with_it_stopped_and_resumes_it(start, held, tmp_path):
    place = f"sqlite:{tmp_path / 'kept.db'}"
    server = start("serve", "--store", place)
    prepared(server)
    pipe = held_at(held, "two")
    assert server.put("experiments/e/run")["state"] == "running"
    writing = opened(pipe)
    assert server.stop(signal.SIGKILL) == -signal.SIGKILL
    os.close(writing)
    server = start("serve", "--store", place)
    report = server.get("experiments/e")
    assert (report["state"], report["done"]) == ("stopped", 1)
    server.put("experiments/e/run")
    let_go(pipe)
    each_cell_once(server.settled("experiments/e", "complete"), notes(held))
    assert server.stop() == 0


def test_of_two_runners_the_one_left_finishes_the_run_of_the_one_that_was_killed(start, held, in_postgres):
    told = {**in_postgres, "INDX_RUNNER_PROCRASTINATE_PATIENCE_SECONDS": "3"}
    server = start("serve", "--store", "postgres", **told)
    prepared(server)
    pipe = held_at(held, "two")
    runners = {}
    for _ in range(2):
        runner = start("runner", "--store", "postgres", **told)
        assert "procrastinate" in runner.said("running the jobs")
        runners[str(runner.process.pid)] = runner
    assert server.put("experiments/e/run")["state"] == "running"
    writing = opened(pipe)
    killed = notes(held)[-1][0]
    assert runners.pop(killed).stop(signal.SIGKILL) == -signal.SIGKILL
    os.close(writing)
    assert server.get("experiments/e")["state"] == "running"
    let_go(pipe)
    each_cell_once(server.settled("experiments/e", "complete"), notes(held))
    ((left, runner),) = runners.items()
    assert [pid for pid, _ in notes(held)] == [killed] * 2 + [left] * 8
    assert runner.stop() == 0
    assert server.stop() == 0


def test_a_runner_told_to_stop_gives_its_run_to_the_next_at_once(start, held, in_postgres, indx, environment):
    server = start("serve", "--store", "postgres", **in_postgres)
    prepared(server)
    pipe = held_at(held, "two")
    server.put("experiments/e/run")
    first = start("runner", "--store", "postgres", **in_postgres)
    writing = opened(pipe)
    first.process.send_signal(signal.SIGTERM)
    os.close(writing)  # it is read, and the run ends in the middle of the document or after it
    assert first.process.wait(60) == 0
    pipe.unlink()
    assert server.get("experiments/e")["state"] == "running"
    done = indx("experiments", "run", "e", "--store", "postgres", **environment, **in_postgres)
    assert (done.code, done.json["state"]) == (0, "complete"), done.err
    report = server.get("experiments/e")
    cells = Counter((result["digest"], result["candidate"]) for result in report["results"])
    assert (len(cells), set(cells.values())) == (9, {1})
    assert len(notes(held)) in (9, 10)
