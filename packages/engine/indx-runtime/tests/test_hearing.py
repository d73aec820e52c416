"""What a worker may say beside frames, log records and how it ended, as whatever runs in its place may."""

import logging

import pytest

from indx_core.contracts import EncodeRequest, EncodeRequestPart, InlineSource
from indx_core.deadline import Deadline
from indx_core.errors import InternalError, SourceError
from indx_core.ports import SourceContent
from indx_runtime import Engine, Workers
from indx_runtime.hearing import LONGEST_RECORD, MOST_RECORDS
from indx_runtime.messages import pack
from indx_runtime.process import WorkerEnded, WorkerProcess
from indx_runtime.progress import InFlight, Opened, Planned, Progress
from indx_runtime.worker import _LogRecords

IMPOSTOR = """
import os, struct, sys
for before, data in {!r}:
    if before:
        size, = struct.unpack("<Q", os.read(0, 8))
        while size:
            size -= len(os.read(0, size))
    while data:
        data = data[os.write(1, data):]
sys.stdin.read()
"""
UP = pack(0, "ready")


@pytest.fixture
def job(installed):
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"one", media_type="text/x-fake")
    return engine.job(content, EncodeRequestPart(), engine.capabilities())


@pytest.fixture
def heard(job, monkeypatch):
    """Run the job once for each answer of a process that stands in a worker's place; the process."""
    started = []

    def run(*answers, up=UP):
        turns = [(False, up), *((True, answer) for answer in answers)]
        monkeypatch.setattr("indx_runtime.process._BOOT", IMPOSTOR.format(turns))
        started.append(WorkerProcess(10**9, 20.0))
        for _ in answers:
            started[-1].run(job, Progress(), Deadline(), lambda frame: None)
        return started[-1]

    run.started = started
    yield run
    for process in started:
        process.end()


def test_what_a_worker_says_is_heard(heard, caplog):
    with caplog.at_level(logging.INFO, "indx.work"):
        heard(pack(1, "log", ("indx.work", logging.INFO, "so far")) + pack(1, "done"))
    assert caplog.record_tuples == [("indx.work", logging.INFO, "so far")]


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("log", None),
        ("log", 7),
        ("log", ("indx.work", 20)),
        ("log", ("indx.work", 20, "text", "more")),
        ("log", ("root", 20, "text")),
        ("log", (["indx.work"], 20, "text")),
        ("log", ("indx.work", 20, ["text"])),
        ("log", ("indx.work", 10**30, "text")),
        ("log", ("indx.work", 0, "text")),
        ("log", ("indx.work", True, "text")),
        ("log", ("indx.work", "20", "text")),
        ("refused", None),
        ("refused", ("SourceError",)),
        ("refused", ("SourceError", "text", "source_unreadable", None, "more")),
        ("refused", ("SourceError", "text", ["source_unreadable"], None, None)),
        ("refused", ("SourceError", "text", "no_such_code", None, None)),
        ("refused", ("SourceError", {"a": 1}, "source_unreadable", None, None)),
        ("refused", ("SourceError", "text", "source_unreadable", 5, None)),
        ("refused", (["SourceError"], "text", "source_unreadable", None, None)),
        ("refused", ("NoSuchError", "text", "source_unreadable", None, None)),
        ("refused", ("explain", "text", "source_unreadable", None, None)),
        ("failed", None),
        ("failed", ["text"]),
        ("ready", None),
        ("odd", None),
        (["frame"], None),
        (None, "text"),
    ],
    ids=str,
)
def test_what_no_worker_says_ends_it_and_reaches_nobody(heard, kind, payload):
    with pytest.raises(WorkerEnded, match="the worker sent what no worker sends"):
        heard(pack(1, kind, payload))
    (process,) = heard.started
    assert process._child.returncode is not None


@pytest.mark.parametrize("kind", ["frame", "done", "refused", "memory", "odd"])
def test_nothing_is_believed_of_a_worker_that_is_not_up(heard, kind):
    with pytest.raises(WorkerEnded, match="not up yet"):
        heard(b"", up=pack(0, kind, Opened(1, "fake") if kind == "frame" else None))


def test_a_record_is_one_line_and_no_longer_than_a_worker_makes_it(heard, caplog):
    forged = "honest\nERROR:root:forged\u2028\x1b[31m" + "x" * LONGEST_RECORD
    heard(pack(1, "log", ("indx.work", logging.ERROR, forged)) + pack(1, "done"))
    (text,) = (record.getMessage() for record in caplog.records)
    assert text.startswith("honest ERROR:root:forged  [31mxxx")
    assert len(text) == LONGEST_RECORD


def test_a_document_causes_so_many_records_and_the_next_one_as_many(heard, caplog):
    def records(number, count):
        packed = b"".join(pack(number, "log", ("indx.work", 40, f"{number}.{n}")) for n in range(count))
        return packed + pack(number, "done")

    heard(records(1, MOST_RECORDS + 50), records(2, MOST_RECORDS + 1))
    assert [record.getMessage() for record in caplog.records] == [
        f"{number}.{n}" for number in (1, 2) for n in range(MOST_RECORDS)
    ]


def test_a_worker_makes_no_loggers(heard, caplog):
    before = set(logging.Logger.manager.loggerDict)
    names = [f"indx.made.up\n{'x' * 300}{n}" for n in range(20)]
    heard(b"".join(pack(1, "log", (name, 40, "text")) for name in names) + pack(1, "done"))
    assert set(logging.Logger.manager.loggerDict) == before
    assert {record.name for record in caplog.records} == {"indx.worker"}
    assert {len(record.getMessage()) for record in caplog.records} == {200 + len(": text")}
    assert caplog.records[0].getMessage().startswith("indx.made.up xxx")


def test_a_refusal_is_one_line_of_the_tree(heard):
    told = "no\nsuch \x1b[31mthing" + "x" * 10_000
    with pytest.raises(SourceError, match=r"^no such  \[31mthingxxx") as refused:
        heard(pack(1, "refused", ("SourceError", told, "source_unreadable", "source\nuri", None)))
    assert (refused.value.param, len(refused.value.message)) == ("source uri", LONGEST_RECORD)


def test_what_nobody_foresaw_is_told_in_one_line(heard):
    with pytest.raises(RuntimeError, match=r"^KeyError: a b$"):
        heard(pack(1, "failed", "KeyError: a\nb"))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (pack(1, "done"), "done without a plan"),
        (pack(1, "frame", Opened(1, "fake")) + pack(1, "done"), "done without a plan"),
        (pack(1, "frame", InFlight("plan")) * 21, "21 frames"),
    ],
)
def test_a_worker_that_is_done_with_nothing_or_never_is_ended(installed, monkeypatch, caplog, answer, why):
    monkeypatch.setattr("indx_runtime.process._BOOT", IMPOSTOR.format([(False, UP), (True, answer)]))
    monkeypatch.setattr("indx_runtime.workers._MOST_FRAMES", 20)
    request = EncodeRequest(source=InlineSource(data=b"one", media_type="text/x-fake"))
    with Workers(1, timeout=5.0) as pool, pytest.raises((SourceError, InternalError)):
        Engine(installed, workers=pool).encode(request)
    assert f"the worker sent what no worker sends ({why})" in caplog.text


@pytest.mark.parametrize(
    ("frames", "why"),
    [
        ((), "done with pages left to read"),
        ((InFlight("read", "fake-reader", 1),), "done while fake-reader reads"),
    ],
)
def test_a_worker_that_is_done_before_the_pages_are_read_is_blamed_for_it(
    installed, monkeypatch, caplog, frames, why
):
    request = EncodeRequest(source=InlineSource(data=b"one", media_type="text/x-fake"))
    planned = (Opened(1, "fake"), Planned(Engine(installed).encode(request).plan), *frames)
    answer = b"".join(pack(1, "frame", frame) for frame in planned) + pack(1, "done")
    monkeypatch.setattr("indx_runtime.process._BOOT", IMPOSTOR.format([(False, UP), (True, answer)]))
    monkeypatch.setattr("indx_runtime.workers._MOST_VISITS", 5)
    with Workers(1, timeout=5.0) as pool, pytest.raises(SourceError):
        Engine(installed, workers=pool).encode(request)
    assert f"the worker sent what no worker sends ({why})" in caplog.text


def test_a_document_ends_so_many_workers_whatever_they_were_at(installed, monkeypatch):
    read = pack(1, "frame", Opened(1, "fake")) + pack(1, "frame", InFlight("read", "fake-reader", 1))
    answer = read + pack(1, "memory")
    monkeypatch.setattr("indx_runtime.process._BOOT", IMPOSTOR.format([(False, UP), (True, answer)]))
    monkeypatch.setattr("indx_runtime.workers._MOST_VISITS", 5)
    request = EncodeRequest(source=InlineSource(data=b"one", media_type="text/x-fake"))
    with Workers(1, timeout=5.0) as pool, pytest.raises(SourceError, match="it ended 5 workers"):
        Engine(installed, workers=pool).encode(request)


def test_a_level_of_somebodys_own_travels_as_one_that_is_believed():
    sent = []
    stand_in = type("Outbox", (), {"send": lambda self, kind, payload: sent.append(payload)})()
    _LogRecords(stand_in).emit(logging.LogRecord("indx.x", 99, "", 0, "text", None, None))
    assert sent == [("indx.x", logging.CRITICAL, "text")]


@pytest.mark.parametrize(("timeout", "patience"), [(0.1, 60), (90.0, 90)])
def test_a_worker_has_a_minute_to_come_up_at_least(monkeypatch, timeout, patience):
    monkeypatch.setattr("indx_runtime.process._BOOT", "import sys; sys.stdin.read()")
    process = WorkerProcess(10**9, timeout)
    try:
        process._check(process._heard + patience - 1)
        with pytest.raises(WorkerEnded, match=f"no progress for {patience} seconds"):
            process._check(process._heard + patience + 1)
    finally:
        process.end()
