"""What a reader does to its worker beside reading is undone for the next document, or ends with it."""

import json
import os
import select
import subprocess
import sys

import pytest

from indx_core.contracts import EncodeRequest, InlineSource
from indx_runtime import Engine, Workers


@pytest.fixture
def read(installed):
    """Read a page in the only worker: `read("spoil")` gives its text, and which process the document had."""
    with Workers(1, timeout=20) as pool:

        def call(line):
            source = InlineSource(data=f"shared\n{line}\nwho".encode(), media_type="text/x-fake")
            result = Engine(installed, workers=pool).encode(
                EncodeRequest(source=source, granularities=["PAGE"])
            )
            return tuple(block.text for block in result.blocks[-2:])

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


@pytest.fixture
def held(tmp_path, monkeypatch):
    """What processes hold open for writing as long as they live: `held()` waits for a sign, or their end."""
    pipe = tmp_path / "held"
    os.mkfifo(pipe)
    monkeypatch.setenv("HELD_OPEN", str(pipe))
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def call():
        (ready,) = select.select([reader], [], [], 20)[0] or [None]
        assert ready is not None, "nothing happened for 20 seconds"
        return os.read(reader, 1)

    yield call
    os.close(reader)


@pytest.mark.parametrize("words", ["fork-and-hang", "fork-and-hang hang"])
def test_what_a_reader_left_behind_ends_with_a_worker_whose_parent_is_gone(parts, held, words):
    script = (
        "import sys, json, threading; sys.path[:] = json.loads(sys.argv[1])\n"
        "from indx_core.contracts import *\n"
        "from indx_runtime import Engine, Workers\n"
        f"source = InlineSource(data=b'{words}', media_type='text/x-fake')\n"
        "asked = EncodeRequest(source=source, granularities=['PAGE'])\n"
        "Engine(workers=Workers(1, timeout=60)).encode(asked)\n"
        "print('read', flush=True)\n"
        "threading.Event().wait(60)\n"
    )
    command = [sys.executable, "-c", script, json.dumps(sys.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert held() == b"."
        if words == "fork-and-hang":  # the worker is at rest
            assert parent.stdout.readline() == b"read\n"
        parent.kill()
    assert held() == b""
