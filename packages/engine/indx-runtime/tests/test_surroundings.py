"""What a reader does to its worker beside reading is undone for the next document, or ends with it."""

import json
import select
import subprocess
import sys
from pathlib import Path

import pytest

from indx_core.contracts import EncodeRequest, InlineSource
from indx_runtime import Engine, Workers


@pytest.fixture
def read(installed):
    """Read a document of one page in the only worker: `read("spoil")` gives its text and the worker's ID."""
    with Workers(1, timeout=20) as pool:

        def call(line):
            source = InlineSource(data=f"shared\n{line}".encode(), media_type="text/x-fake")
            result = Engine(installed, workers=pool).encode(
                EncodeRequest(source=source, granularities=["PAGE"])
            )
            (process,) = pool._all
            return result.blocks[-1].text, process.pid

        yield call


def test_umask_folder_and_settings_are_for_every_document_as_they_were(read, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before, _ = read("surroundings")
    assert str(tmp_path) in before
    spoilt, _ = read("spoil surroundings")
    assert spoilt.startswith("777 /proc ")
    assert "INDX_MAX_PAGES" in spoilt
    assert read("surroundings")[0] == before.replace("None", "1")  # what is a library's own stays


def test_a_folder_that_is_gone_is_gone_back_to(read, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    _, worker = read("one")
    (tmp_path / "here").rename(tmp_path / "there")
    read("spoil")
    text, same = read("surroundings")
    assert str(tmp_path / "there") in text
    assert same == worker


def test_a_worker_that_cannot_go_back_is_replaced(read, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, worker = read("one")
    read("lose-the-folder")
    text, other = read("surroundings")
    assert str(tmp_path) in text
    assert other != worker


@pytest.mark.parametrize("words", ["fork-and-hang", "fork-and-hang hang"])
def test_what_a_reader_left_behind_ends_with_a_worker_whose_parent_is_gone(parts, words):
    script = (
        "import sys, json, os, threading; sys.path[:] = json.loads(sys.argv[1])\n"
        "from indx_core.contracts import *\n"
        "from indx_runtime import Engine, Workers\n"
        f"source = InlineSource(data=b'{words}', media_type='text/x-fake')\n"
        "pool = Workers(1, timeout=60)\n"
        "asked = EncodeRequest(source=source, granularities=['PAGE'])\n"
        "work = threading.Thread(target=Engine(workers=pool).encode, args=(asked,), daemon=True)\n"
        "work.start()\n"
        "while not pool._all: pass\n"
        "print(next(iter(pool._all)).pid, flush=True)\n"
        "threading.Event().wait(60)\n"
    )
    command = [sys.executable, "-c", script, json.dumps(sys.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        worker = int(parent.stdout.readline())
        assert until(lambda: len(group(worker)) == 2)
        parent.kill()
    assert until(lambda: not group(worker))


def until(holds):
    """Wait for what other processes do, up to ten seconds."""
    for _ in range(1000):
        if holds():
            return True
        select.select([], [], [], 0.01)
    return False


def group(leader):
    """The processes of a group that live."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == leader and fields[0] != "Z":
                found.append(int(entry.name))
    return found
