"""Isolation: a document may kill, hang or swell its worker; the caller keeps what was read and lives."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from indx_core.contracts import EncodeRequest, InlineSource
from indx_core.errors import SourceError
from indx_runtime import Engine, Workers


@pytest.fixture
def pool():
    with Workers(1, timeout=1.0, memory=300_000_000) as workers:
        yield workers


def encode(installed, pool, text, **more):
    request = EncodeRequest(
        source=InlineSource(data=text.encode(), media_type="text/x-fake"),
        granularities=["PAGE", "CHUNK"],
        **more,
    )
    return Engine(installed, workers=pool).encode(request)


def pages(result):
    return [(b.status, b.text, b.reason) for b in result.blocks if b.scope == "PAGE"]


@pytest.mark.parametrize(
    ("poison", "reason"),
    [
        ("segfault", "signal 11"),
        ("hang", "INDX_WORKER_TIMEOUT_SECONDS"),
        ("swell", "memory"),
        ("huge", "out of memory"),
    ],
)
def test_a_page_that_ends_its_worker_fails_and_the_others_are_kept(installed, pool, poison, reason):
    constraints = {"capability_ids": ["fake-reader"]}
    result = encode(installed, pool, f"one\n{poison}\nthree", constraints=constraints)
    first, poisoned, last = pages(result)
    assert first == ("ok", "one", None)
    assert last == ("ok", "three", None)
    assert poisoned[0] == "failed"
    assert reason in poisoned[2]
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["one", "three"]
    failed = [e for e in result.trace.events if e.outcome == "failed"]
    assert [e.pages for e in failed] == [(2,)]


def test_the_next_rung_reads_the_page_that_ended_its_worker(installed, pool):
    result = encode(installed, pool, "one\nsegfault\nthree")
    assert pages(result)[1] == ("ok", "segfault", None)
    assert [(e.capability_id, e.outcome, e.pages) for e in result.trace.events] == [
        ("fake-reader", "read", (1, 3)),
        ("fake-reader", "failed", (2,)),
        ("fake-ocr", "read", (2,)),
    ]


def test_a_document_that_ends_its_worker_on_opening_is_a_typed_refusal_and_the_pool_lives_on(installed, pool):
    with pytest.raises(SourceError, match=r"could not be opened.*code 3"):
        encode(installed, pool, "die-on-open")
    assert pages(encode(installed, pool, "fine")) == [("ok", "fine", None)]


def test_what_the_work_raises_arrives_typed(installed, pool):
    with pytest.raises(SourceError, match="not a fake document"):
        encode(installed, pool, "unopenable")


def test_a_chunker_that_ends_its_worker_is_left_out_and_the_next_one_cuts(installed, pool):
    result = encode(installed, pool, "one\nkill-chunker")
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["one", "kill-chunker"]


def test_members_found_before_the_worker_ended_are_kept_and_the_loss_is_said(installed, pool, parts):
    engine = Engine(installed, workers=pool)
    from indx_core.contracts import EncodeRequestPart
    from indx_core.ports import SourceContent

    content = SourceContent.of_bytes(b"member a\nmember die", media_type=parts.TYPE)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities(), members=True)
    progress = engine.work(job)
    assert [(m.name, m.data) for m in progress.members[:1]] == [("member a", b"member a")]
    assert "code 9" in progress.members[1].reason


def test_isolated_and_in_process_work_give_the_same_answer(installed, pool):
    text = "one\nscan two\nfail three\n\nfive"
    request = EncodeRequest(
        source=InlineSource(data=text.encode(), media_type="text/x-fake"), granularities=["PAGE", "CHUNK"]
    )

    def masked(result):
        wire = result.model_dump(mode="json")
        wire["usage"]["latency_ms"] = wire["trace"]["actuals"]["latency_ms"] = 0
        for event in wire["trace"]["events"]:
            event["latency_ms"] = 0
        return wire

    assert masked(Engine(installed, workers=pool).encode(request)) == masked(
        Engine(installed).encode(request)
    )


def test_a_large_source_travels_as_a_file_that_is_gone_afterwards(installed, pool):
    text = "\n".join(["x" * 999] * 100)
    assert len(pages(encode(installed, pool, text))) == 100
    assert list(Path(pool._spool.name).iterdir()) == []


def test_closing_leaves_no_process_behind(installed):
    with Workers(2, timeout=5) as workers:
        encode(installed, workers, "one")
        (process,) = workers._all
        pid = process._child.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_worker_ends_when_its_parent_is_gone():
    script = (
        "import sys, json, os; sys.path[:] = json.loads(sys.argv[1])\n"
        "from indx_runtime.workers import _Process\n"
        "print(_Process(10**9, 5.0)._child.pid, flush=True); os._exit(0)"
    )
    command = [sys.executable, "-c", script, json.dumps(sys.path)]
    worker = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for _ in range(200):
        if not _lives(worker):
            return
        select.select([], [], [], 0.05)
    pytest.fail("the worker outlived its parent")


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False
