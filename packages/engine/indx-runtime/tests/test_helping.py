"""Looking at a long document together: idle workers help, and nothing they do changes what comes out."""

import json
import os
import select
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from indx_core.contracts import EncodeRequest, InlineSource, PlanRequest
from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_runtime import Engine, Workers
from indx_runtime.process import WorkerEnded

LONG, STARTS = 25, 100  # pages from which idle workers help, and from which one is started for it


@pytest.fixture(autouse=True)
def meeting(tmp_path, monkeypatch):
    """Where workers tell each other, and the test, how far they are."""
    folder = tmp_path / "meeting"
    folder.mkdir()
    monkeypatch.setenv("MEETING_POINT", str(folder))
    monkeypatch.setenv("INDX_WORKER_HELP_PAGES", str(LONG))
    return folder


@pytest.fixture
def pool():
    with Workers(2, timeout=20.0, memory=300_000_000) as workers:
        yield workers


def document(first="await-help", last="who", between="who", pages=STARTS, head="shared who", met="helped"):
    """A shared document whose second page waits until somebody who began at the end has come to the third.

    Helpers are told of a few pages at a time, so that by then most of what they found is on its way.
    """
    return "\n".join([head, first, met, *[between] * (pages - 4), last])


def request(text, **more):
    source = InlineSource(data=text.encode(), media_type="text/x-fake")
    return EncodeRequest(source=source, granularities=["PAGE", "CHUNK"], **more)


def encode(installed, pool, text, **more):
    return Engine(installed, workers=pool).encode(request(text, **more))


def texts(result):
    return [b.text for b in result.blocks if b.scope == "PAGE"]


def lookers(result):
    return {text for text in texts(result) if text.startswith("looked at by")}


def masked(result):
    wire = result.model_dump(mode="json")
    wire["usage"]["latency_ms"] = wire["trace"]["actuals"]["latency_ms"] = 0
    for event in wire["trace"]["events"]:
        event["latency_ms"] = 0
    return wire


def until(holds):
    """Wait for what other processes do, up to twenty seconds."""
    for _ in range(2000):
        if holds():
            return True
        select.select([], [], [], 0.01)
    return False


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def processes(pool):
    return sorted(process.pid for process in pool._all)


def test_an_idle_worker_looks_at_pages_of_a_long_document(installed, pool):
    found = lookers(encode(installed, pool, document()))
    assert found == {f"looked at by {pid}" for pid in processes(pool)}
    assert len(found) == 2


@pytest.mark.parametrize("count", [2, 3, 5])
def test_who_looked_at_a_page_changes_nothing_of_what_comes_out(installed, count, meeting):
    text = document(between="a line\nscan this\nfail\n\nlast", head="shared", last="end")
    (meeting / "help").touch()
    alone = Engine(installed).encode(request(text))
    (meeting / "help").unlink()
    with Workers(count, timeout=20) as pool:
        together = encode(installed, pool, text)
    assert masked(together) == masked(alone)


def test_a_plan_is_made_with_help_and_a_document_read_by_a_plan_with_help(installed, pool, meeting):
    source = InlineSource(data=document().encode(), media_type="text/x-fake")
    engine = Engine(installed, workers=pool)
    plan = engine.plan(PlanRequest(source=source, granularities=["PAGE"])).plan
    assert (meeting / "help").exists()
    (meeting / "help").unlink()
    result = engine.encode(EncodeRequest(source=source, granularities=["PAGE"], plan=plan))
    assert (meeting / "help").exists()
    assert len(lookers(result)) == 2
    assert result.trace.status == "ok"


@pytest.mark.parametrize(
    ("poison", "said"),
    [
        ("help-segfault", "signal 11"),
        ("help-hang", ""),
        ("help-stop", ""),
        ("help-swell", ""),
        ("help-leave", ""),
        ("help-be-two", ""),
        ("help-rubbish", "what no worker sends"),
        ("help-half-a-message", ""),
        ("help-evil", "what no worker sends"),
        ("help-raises", ""),
        ("help-garbles", ""),
        ("help-is-odd", ""),
    ],
)
def test_a_worker_that_fails_at_helping_costs_the_document_nothing(
    installed, pool, poison, said, monkeypatch, tmp_path, caplog
):
    monkeypatch.setenv("EVIL_FILE", str(tmp_path / "evil"))
    between = "a line"
    result = encode(installed, pool, document(last=poison, between=between, head="shared", met=between))
    assert len(processes(pool)) <= 2 - (poison in ("help-hang", "help-stop"))  # nobody is at it any longer
    assert texts(result) == ["shared", "await-help", *[between] * (STARTS - 3), poison]
    assert result.trace.status == "ok"
    assert not (tmp_path / "evil").exists()
    assert texts(encode(installed, pool, "next")) == ["next"]
    assert until(lambda: said in caplog.text)
    assert lookers(encode(installed, pool, document()))  # and help comes as before


@pytest.mark.parametrize("bad", [2, STARTS // 2, STARTS - 1])
def test_a_page_that_ends_whoever_looks_at_it_fails_as_without_help(installed, pool, bad, meeting):
    lines = document(between="a line", head="shared", last="end").split("\n")
    lines[bad] = "segfault"
    text = "\n".join(lines)
    (meeting / "help").touch()  # who helps may not come as far as to say so
    together = encode(installed, pool, text)
    with Workers(1, timeout=20) as one:
        assert masked(together) == masked(encode(installed, one, text))
    reasons = [(e.pages, e.reason) for e in together.trace.events if e.outcome == "failed"]
    assert reasons == [((bad + 1,), "the worker was ended by signal 11")]
    assert texts(together)[:bad] == lines[:bad]
    assert texts(together)[bad + 1 :] == lines[bad + 1 :]


def both_up(installed, pool):
    """Start both workers of a pool."""
    encode(installed, pool, document())
    assert len(processes(pool)) == 2


def test_a_worker_that_is_up_helps_with_less_than_one_is_started_for(installed, pool, meeting):
    offered = []
    offer, pool._offer = pool._offer, offered.append
    for pages in (LONG - 1, LONG, STARTS - 1, STARTS):
        encode(installed, pool, document(first="who", pages=pages))
    assert [help_.starts for help_ in offered] == [False, False, True]
    pool._drop(pool._at_rest())
    up = [pool._for_help(help_) for help_ in offered]
    assert [process is None for process in up] == [True, True, False]
    pool._drop(up[-1])
    pool._offer = offer
    both_up(installed, pool)
    (meeting / "help").unlink()
    encode(installed, pool, document(pages=LONG))
    assert (meeting / "help").exists()


@pytest.mark.parametrize(("least", "pages"), [(0, STARTS), (101, STARTS), (None, LONG - 1)])
def test_nobody_helps_with_a_short_document_or_where_help_is_off(installed, meeting, least, pages):
    with Workers(2, timeout=20) as pool:
        both_up(installed, pool)
        (meeting / "help").unlink()
        pool._help_pages = Workers(1, help_pages=least)._help_pages
        assert len(lookers(encode(installed, pool, document(first="who", pages=pages)))) == 1
    assert not (meeting / "help").exists()


def test_a_pool_of_one_has_nobody_to_help(installed, meeting):
    with Workers(1, timeout=20) as pool:
        assert len(lookers(encode(installed, pool, document(first="who")))) == 1
    assert not (meeting / "help").exists()


def test_a_document_that_waits_goes_before_help_which_then_goes_on(installed, pool, meeting):
    lines = document(first="await-word", last="helped", head="shared", met="resumed").split("\n")
    lines[-2] = "pause"
    with ThreadPoolExecutor(2) as callers:
        long = callers.submit(encode, installed, pool, "\n".join(lines))
        assert until(lambda: (meeting / "help").exists())
        short = callers.submit(encode, installed, pool, "a short one")
        assert until(lambda: pool._waiting_documents == 1)
        (meeting / "more").touch()
        assert texts(short.result()) == ["a short one"]
        assert until(lambda: (meeting / "resumed").exists() and pool._idle.qsize() == 1)
        assert not long.done()
        (meeting / "word").touch()
        assert len(lookers(long.result())) == 1  # what was asked for and not looked at is asked for again


def test_documents_at_once_take_no_more_processes_than_there_are_workers(installed):
    seen = set()
    with Workers(2, timeout=20) as pool, ThreadPoolExecutor(6) as callers:
        engine = Engine(installed, workers=pool)
        before = pool._take

        def take():
            process = before()
            seen.add(len(pool._all))
            return process

        pool._take = take
        texts_of = [
            document(first=f"document {n}", between=f"line of {n}", head="shared", last="end")
            for n in range(12)
        ]
        results = list(callers.map(lambda text: engine.encode(request(text)), texts_of))
    assert [texts(result) for result in results] == [text.split("\n") for text in texts_of]
    assert max(seen) <= 2


def test_time_in_which_help_is_wanted_again_is_not_held_against_who_helps(pool, installed):
    encode(installed, pool, "one")
    (process,) = pool._all
    enough = [True, False, True, True]
    process._enough = lambda: enough.pop(0)
    for seconds in (1.0, 2.0, 3.0, 3.5):
        process._check(process._heard + seconds)
    process._enough = lambda: True
    with pytest.raises(WorkerEnded, match="not waited for"):
        process._check(process._heard + 4.5)


def test_word_about_a_job_that_is_over_is_not_sent(installed, pool, monkeypatch):
    for text in ("one", "two"):
        encode(installed, pool, text)
    (process,) = pool._all
    sent = []
    monkeypatch.setattr("indx_runtime.process.pack_word", lambda *word: sent.append(word) or b"")
    process.tell(process.number - 1, 1, b"late")
    process.tell(process.number, 2, b"now")
    assert sent == [(2, 2, b"now")]
    process.end()
    process.tell(process.number, 3, b"gone")
    assert len(sent) == 1


def test_a_deadline_ends_the_document_and_its_help(installed, pool, meeting):
    engine = Engine(installed, workers=pool)
    deadline = Deadline()
    with ThreadPoolExecutor(1) as callers:
        future = callers.submit(engine.encode, request(document(first="await-word")), deadline=deadline)
        assert until(lambda: (meeting / "help").exists())
        deadline.cancel()
        (meeting / "word").touch()
        assert isinstance(future.exception(), TimedOut)
    assert texts(encode(installed, pool, "next")) == ["next"]


@pytest.mark.parametrize("cancel", [True, False])
def test_closing_a_pool_that_helps_leaves_no_process(installed, meeting, cancel):
    pool = Workers(2, timeout=20)
    with ThreadPoolExecutor(1) as callers:
        future = callers.submit(encode, installed, pool, document(first="await-word", last="help-hang"))
        assert until(lambda: (meeting / "help").exists() and (meeting / "here").exists())
        pids = processes(pool)
        assert len(pids) == 2
        if not cancel:
            (meeting / "word").touch()
        pool.close(cancel=cancel)
        assert (future.exception() is None) is not cancel
    assert not any(map(lives, pids))


def test_whoever_helps_ends_with_a_parent_that_is_killed(parts, meeting):
    script = (
        "import sys, json, signal, threading; sys.path[:] = json.loads(sys.argv[1]); signal.alarm(120)\n"
        "from indx_core.contracts import *\n"
        "from indx_runtime import Engine, Workers\n"
        "text = sys.argv[2].encode()\n"
        "source = InlineSource(data=text, media_type='text/x-fake')\n"
        "pool = Workers(3, timeout=60)\n"
        "work = Engine(workers=pool).encode\n"
        "threading.Thread(target=work, args=(EncodeRequest(source=source),), daemon=True).start()\n"
        "while len(pool._all) < 3: pass\n"
        "print(*[process.pid for process in pool._all], flush=True)\n"
        "threading.Event().wait(60)\n"
    )
    text = document(first="await-word", between="who", last="help-hang")
    command = [sys.executable, "-c", script, json.dumps(sys.path), text]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as parent:
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(workers) == 3
        assert until(lambda: (meeting / "help").exists() and (meeting / "here").exists())
        parent.kill()
    assert until(lambda: not any(map(lives, workers)))
