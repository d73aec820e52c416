"""Isolation: a document may kill, hang or swell its worker; the caller keeps what was read and lives."""

import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from indx_core.contracts import EncodeRequest, EncodeRequestPart, InlineSource, PlanRequest
from indx_core.deadline import Deadline
from indx_core.discovery import Registry
from indx_core.errors import InternalError, SourceError, TimedOut, Unavailable
from indx_core.ports import SourceContent
from indx_runtime import Engine, Workers, process
from indx_runtime.losses import WorkerLost
from indx_runtime.messages import pack_job
from indx_runtime.process import WorkerProcess

ONLY_READER = {"capability_ids": ["fake-reader"]}


@pytest.fixture
def pool():
    with Workers(1, timeout=3.0, memory=300_000_000) as workers:
        yield workers


def request(text, **more):
    source = InlineSource(data=text.encode(), media_type="text/x-fake")
    return EncodeRequest(source=source, granularities=["PAGE", "CHUNK"], **more)


def encode(installed, pool, text, **more):
    return Engine(installed, workers=pool).encode(request(text, **more))


def pages(result):
    return [(b.status, b.text, b.reason) for b in result.blocks if b.scope == "PAGE"]


def until(holds):
    """Wait for what other processes do, up to ten seconds."""
    for _ in range(1000):
        if holds():
            return True
        select.select([], [], [], 0.01)
    return False


def test_modules_in_the_current_folder_are_not_run(installed, tmp_path, monkeypatch):
    for name in ("json", "indx_core", "encodings", "os"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    with Workers(1, timeout=3.0, memory=300_000_000) as pool:
        assert pages(encode(installed, pool, "plain"))
    assert not (tmp_path / "ran").exists()


def processes(pool):
    return sorted(process.pid for process in pool._all)


@pytest.mark.parametrize(
    ("poison", "reason"),
    [
        ("segfault", "signal 11"),
        ("hang", "INDX_WORKER_TIMEOUT_SECONDS"),
        ("hang-with-the-gil", "INDX_WORKER_TIMEOUT_SECONDS"),
        ("stop", "INDX_WORKER_TIMEOUT_SECONDS"),
        ("swell", "memory"),
        ("ask-for-everything", "out of memory"),
        ("leave", "SystemExit: 5"),
        ("fork-and-die", "code 7"),
        ("close-the-pipe", "closed its pipe"),
        ("half-a-message", "INDX_WORKER_TIMEOUT_SECONDS"),
        ("endless-message", "what no worker sends"),
        ("rubbish", "what no worker sends"),
        ("evil", "what no worker sends"),
        ("done", "what no worker sends (done while fake-reader reads)"),
    ],
)
def test_a_page_that_ends_its_worker_fails_and_the_others_are_kept(
    installed, pool, poison, reason, monkeypatch, tmp_path
):
    monkeypatch.setenv("EVIL_FILE", str(tmp_path / "evil"))
    result = encode(installed, pool, f"one\n{poison}\nthree", constraints=ONLY_READER)
    first, poisoned, last = pages(result)
    assert first == ("ok", "one", None)
    assert last == ("ok", "three", None)
    assert poisoned[0] == "failed"
    assert reason in poisoned[2]
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["one", "three"]
    failed = [e for e in result.trace.events if e.outcome == "failed"]
    assert [e.pages for e in failed] == [(2,)]
    assert not (tmp_path / "evil").exists()
    assert pages(encode(installed, pool, "next")) == [("ok", "next", None)]


def test_what_a_worker_prints_disturbs_nothing(installed, pool):
    assert pages(encode(installed, pool, "one\nnoise\nthree")) == [
        ("ok", "one", None), ("ok", "noise", None), ("ok", "three", None),
    ]  # fmt: skip


def test_a_worker_whose_standard_error_was_taken_away_reads_the_next_document(installed, pool):
    encode(installed, pool, "one")
    before = processes(pool)
    assert pages(encode(installed, pool, "one\nno-stderr"))[0] == ("ok", "one", None)
    assert pages(encode(installed, pool, "next")) == [("ok", "next", None)]
    assert processes(pool) == before


def test_a_worker_that_waits_for_us_to_read_is_not_let_wait(installed, monkeypatch):
    naps = []
    monkeypatch.setattr("indx_runtime.process._SET_SIZE", None)  # as where a pipe stays as small as it was
    monkeypatch.setattr(process.time, "sleep", naps.append)
    text = "\n".join(f"{number} {'word ' * 20_000}" for number in range(40))  # 4 MB in pieces of 64 KiB
    with Workers(1, timeout=20) as pool:
        assert len(pages(encode(installed, pool, text))) == 40
    assert len(naps) < 20


def test_a_worker_that_becomes_two_spoils_no_other_document(installed, pool):
    encode(installed, pool, "one\nbe-two\nthree")
    for number in range(5):
        assert pages(encode(installed, pool, f"next {number}")) == [("ok", f"next {number}", None)]


def test_a_document_is_not_blamed_for_what_an_earlier_one_did_to_the_worker(installed, pool, monkeypatch):
    encode(installed, pool, "one")
    (process,) = pool._all
    odd = iter([7, 0])  # the worker takes the first job for another, and answers so
    monkeypatch.setattr(
        "indx_runtime.process.pack_job", lambda job, *rest, **more: pack_job(job + next(odd), *rest, **more)
    )
    assert pages(encode(installed, pool, "two")) == [("ok", "two", None)]
    assert processes(pool) != [process.pid]


def test_a_worker_is_told_once_what_is_installed_and_a_new_one_again(installed, pool, monkeypatch):
    told = []

    def packed(*job, known):
        told.append(known)
        return pack_job(*job, known=known)

    monkeypatch.setattr("indx_runtime.process.pack_job", packed)
    first, second = encode(installed, pool, "one"), encode(installed, pool, "one")
    assert told == [False, True]
    assert first.plan == second.plan
    encode(installed, pool, "one\nsegfault")
    assert told[2:] == [True, False]


class EndsFirst:
    """A poll that finds nothing once, as the process ends only then."""

    def __init__(self, process):
        self._poll, self._pid, self._waits = process._poll, process.pid, True

    def __getattr__(self, name):
        return getattr(self._poll, name)

    def poll(self, timeout):
        if timeout and self._waits:
            self._waits = False
            os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
            return []
        return self._poll.poll(timeout)


def test_what_a_worker_wrote_before_it_ended_is_read(installed, pool, monkeypatch, caplog):
    exchange, late = WorkerProcess._exchange, []

    def exchange_late(process):
        if process._ready and not process._outgoing and not late:
            late.append(process)
            process._poll = EndsFirst(process)
        exchange(process)

    monkeypatch.setattr(WorkerProcess, "_exchange", exchange_late)
    result = encode(installed, pool, "one\nsegfault\nthree")
    assert pages(result)[1] == ("ok", "segfault", None)
    assert "between two steps" not in caplog.text


def test_a_worker_is_told_anew_when_something_else_is_installed(installed, pool):
    fewer = Registry([one for one in installed.candidates if "ocr" not in one.name])
    ladders = []
    for registry in (installed, fewer, installed):
        plan = encode(registry, pool, "one").plan
        assert plan == Engine(registry).encode(request("one")).plan
        ladders.append(plan.default)
    assert ladders[0] != ladders[1]


def test_the_next_rung_reads_the_page_that_ended_its_worker(installed, pool):
    result = encode(installed, pool, "one\nsegfault\nthree")
    assert pages(result)[1] == ("ok", "segfault", None)
    assert [(e.capability_id, e.outcome, e.pages) for e in result.trace.events] == [
        ("fake-reader", "read", (1, 3)),
        ("fake-reader", "failed", (2,)),
        ("fake-ocr", "read", (2,)),
    ]


def test_a_capability_that_goes_on_ending_workers_is_not_asked_for_ever(installed, pool):
    result = encode(installed, pool, "\n".join(["segfault"] * 20), constraints=ONLY_READER)
    reasons = [reason for _, _, reason in pages(result)]
    assert sum("signal 11" in reason for reason in reasons) == 8
    assert sum(reason.startswith("not asked again: fake-reader ended 8") for reason in reasons) == 12


def test_a_document_that_ends_its_worker_on_opening_is_a_typed_refusal_and_the_pool_lives_on(installed, pool):
    with pytest.raises(SourceError, match=r"could not be opened.*code 3"):
        encode(installed, pool, "die-on-open")
    assert pages(encode(installed, pool, "fine")) == [("ok", "fine", None)]


def test_a_document_that_asks_its_worker_for_too_much_on_opening_may_be_tried_again(installed, pool):
    with pytest.raises(WorkerLost, match=r"could not be opened: out of memory"):
        encode(installed, pool, "too-much-on-open")
    assert pages(encode(installed, pool, "fine")) == [("ok", "fine", None)]
    with pytest.raises(SourceError, match=r"could not be opened: out of memory"):
        Engine(installed).encode(request("too-much-on-open"))


@pytest.mark.parametrize("text", ["unopenable", "odd-error", "own-error"])
def test_what_the_work_raises_arrives_typed_and_as_without_workers(installed, pool, text):
    with pytest.raises(SourceError) as isolated:
        encode(installed, pool, text)
    with pytest.raises(SourceError) as here:
        Engine(installed).encode(request(text))
    assert isolated.value.envelope() == here.value.envelope()


def test_a_chunker_that_ends_its_worker_is_left_out_and_the_next_one_cuts(installed, pool):
    result = encode(installed, pool, "one\nkill-chunker")
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["one", "kill-chunker"]


def test_a_parser_that_ends_its_worker_nominates_nothing_and_the_document_is_read(installed, pool):
    result = encode(installed, pool, "one\nkill-parser", signature_detection=True)
    assert [text for _, text, _ in pages(result)] == ["one", "kill-parser"]
    assert result.plan.signature_matches == ()


@pytest.mark.parametrize(("end", "reason"), [(b"die", "code 9"), (b"too much", "out of memory")])
def test_members_found_before_the_worker_ended_are_kept_and_the_loss_is_said(
    installed, pool, parts, end, reason
):
    engine = Engine(installed, workers=pool)
    content = SourceContent.of_bytes(b"member a\nmember " + end, media_type=parts.TYPE)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities(), members=True)
    progress = engine.work(job)
    assert [(m.name, m.data) for m in progress.members[:1]] == [("member a", b"member a")]
    assert reason in progress.members[1].reason
    assert progress.lapse == "ended"  # another time all of them may be found


def test_isolated_and_in_process_work_give_the_same_answer(installed, pool):
    asked = request("one\nscan two\nfail three\n\nfive")

    def masked(result):
        wire = result.model_dump(mode="json")
        wire["usage"]["latency_ms"] = wire["trace"]["actuals"]["latency_ms"] = 0
        for event in wire["trace"]["events"]:
            event["latency_ms"] = 0
        return wire

    assert masked(Engine(installed, workers=pool).encode(asked)) == masked(Engine(installed).encode(asked))


@pytest.mark.parametrize("nameless", [True, False])
def test_a_large_source_travels_as_a_file_that_is_gone_afterwards(
    installed, pool, monkeypatch, tmp_path, nameless
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    if not nameless:
        monkeypatch.setattr("indx_runtime.workers._OWN_FILES", tmp_path / "not-here")
    text = "\n".join(["x" * 999] * 100)
    assert len(pages(encode(installed, pool, text))) == 100
    assert [file.name for file in tmp_path.iterdir()] == ["cache"]


def test_a_large_source_is_gone_with_a_process_that_is_killed(parts, tmp_path):
    spool = tmp_path / "spool"
    spool.mkdir()
    script = (
        "import sys, json, signal, threading; sys.path[:] = json.loads(sys.argv[1]); signal.alarm(120)\n"
        "from indx_core.contracts import *\n"
        "from indx_runtime import Engine, Workers\n"
        "source = InlineSource(data=b'x' * 100_000 + b' hang', media_type='text/x-fake')\n"
        "pool = Workers(1, timeout=60)\n"
        "work = Engine(workers=pool).encode\n"
        "threading.Thread(target=work, args=(EncodeRequest(source=source),), daemon=True).start()\n"
        "while not pool._all: pass\n"
        "print(next(iter(pool._all)).pid, flush=True)\n"
        "threading.Event().wait(60)\n"
    )
    environment = {**os.environ, "TMPDIR": str(spool)}
    command = [sys.executable, "-c", script, json.dumps(sys.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    assert list(spool.iterdir()) == []
    assert until(lambda: not _lives(worker))


# The pool


def test_workers_killed_while_idle_are_replaced_and_no_document_is_blamed(installed):
    with Workers(4, timeout=20) as pool, ThreadPoolExecutor(8) as callers:
        list(callers.map(lambda n: encode(installed, pool, f"text {n}"), range(16)))
        for pid in processes(pool):
            os.kill(pid, signal.SIGKILL)
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert pages(encode(installed, pool, "after")) == [("ok", "after", None)]


def test_many_documents_at_once_get_each_its_own_answer(installed):
    with Workers(2, timeout=20) as pool, ThreadPoolExecutor(8) as callers:
        engine = Engine(installed, workers=pool)
        texts = [f"page {n}\nof {n}" + ("\nsegfault" if n % 9 == 0 else "") for n in range(40)]
        results = list(callers.map(lambda text: engine.encode(request(text)), texts))
    assert [[text for _, text, _ in pages(result)] for result in results] == [t.split("\n") for t in texts]


def test_two_hundred_documents_leave_no_descriptor_thread_process_or_file(installed, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def held():
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    before = held()
    with Workers(1, timeout=20) as pool:
        engine = Engine(installed, workers=pool)
        engine.encode(request("warm"))
        warm = held()
        for number in range(200):
            engine.encode(request("x" * 70_000 if number % 2 else "short"))
        assert held() == warm
        assert len(processes(pool)) == 1
    assert held() == before
    assert [file.name for file in tmp_path.iterdir()] == ["cache"]


def test_a_worker_that_has_grown_large_is_replaced_after_its_document(installed):
    with Workers(1, timeout=20, memory=10**9) as pool:
        encode(installed, pool, "one")
        (process,) = pool._all
        process._memory = 2 * process.resident() - 1
        encode(installed, pool, "two")
        encode(installed, pool, "three")
        assert processes(pool) != [process.pid]


def test_closing_leaves_no_process_behind(installed):
    with Workers(2, timeout=5) as workers:
        encode(installed, workers, "one")
        (pid,) = processes(workers)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_closing_a_busy_pool_ends_the_work_at_once_and_says_so(installed, caplog):
    workers = Workers(1, timeout=60)
    with ThreadPoolExecutor(2) as callers:
        busy = [callers.submit(encode, installed, workers, "hang") for _ in range(2)]
        assert until(lambda: processes(workers))
        workers.close(cancel=True)
        outcomes = [future.exception() for future in busy]
    assert processes(workers) == []
    assert all(isinstance(e, Unavailable) and e.code == "busy" for e in outcomes if type(e) is Unavailable)
    assert any(isinstance(e, Unavailable) for e in outcomes)
    assert not caplog.messages  # no worker is blamed, and no document
    with pytest.raises(Unavailable, match="being closed"):
        encode(installed, workers, "late")


def test_what_a_worker_started_ends_with_it(installed):
    with Workers(1, timeout=20) as pool:
        encode(installed, pool, "fork-and-hang")
        (leader,) = processes(pool)
        group = _group(leader)
    assert len(group) == 2
    assert until(lambda: not _group(leader))


def _group(leader):
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


def test_workers_that_do_not_start_are_no_fault_of_the_document(installed, monkeypatch, caplog):
    monkeypatch.setattr("indx_runtime.process._BOOT", "import sys; sys.exit('cannot start here')")
    with Workers(1, timeout=20) as pool, pytest.raises(InternalError):
        encode(installed, pool, "one")
    assert "cannot start here" in caplog.text
    assert caplog.text.count("a worker ended between two steps: the worker exited with code 1") == 3


def test_workers_that_no_process_is_left_for_are_too_many(installed, monkeypatch):
    def refuse(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("indx_runtime.process.subprocess.Popen", refuse)
    said = r"started \(Resource temporarily unavailable\); .* lower INDX_WORKERS than 3$"
    with Workers(3, timeout=20) as pool, pytest.raises(Unavailable, match=said) as caught:
        encode(installed, pool, "one")
    assert caught.value.code == "busy"


def test_more_descriptors_than_select_can_watch_are_no_hindrance(installed):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        with Workers(1, timeout=20) as pool:
            assert pages(encode(installed, pool, "one")) == [("ok", "one", None)]
    finally:
        for number in held:
            os.close(number)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_forked_process_neither_uses_nor_ends_the_workers_of_its_parent(installed, pool):
    encode(installed, pool, "one")
    before = processes(pool)
    child = os.fork()
    if child == 0:
        code = 1
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # that of the tests would have to wait for its turn
        signal.alarm(120)
        try:
            encode(installed, pool, "two")
        except InternalError:
            pool.close(cancel=True)
            code = 7
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert pages(encode(installed, pool, "three")) == [("ok", "three", None)]
    assert processes(pool) == before


# Deadlines


class Clock:
    """Stands still until it is told otherwise."""

    now = 0.0

    def __call__(self):
        return self.now


def job_of(engine, text):
    content = SourceContent.of_bytes(text.encode(), media_type="text/x-fake")
    return engine.job(content, EncodeRequestPart(), engine.capabilities())


def test_a_deadline_that_passed_in_the_queue_is_a_deadline_in_the_worker_too(installed, pool):
    engine, clock = Engine(installed), Clock()
    deadline = Deadline(5, clock=clock)
    future_of_the_past = Deadline(5, clock=clock)
    clock.now = 6
    with pytest.raises(TimedOut):
        pool.submit(job_of(engine, "one"), deadline).result()
    with pytest.raises(TimedOut):
        pool.run(job_of(engine, "one"), future_of_the_past)


def test_a_caller_does_not_wait_for_a_busy_pool_past_its_deadline(installed, pool):
    engine = Engine(installed)
    first = pool.submit(job_of(engine, "hang"))
    with pytest.raises(TimedOut, match="before a worker was free"):
        pool.run(job_of(engine, "one"), Deadline(0.05))
    first.result()


def test_a_worker_heeds_the_deadline_between_pages(installed):
    with Workers(1, timeout=20) as pool:
        engine = Engine(installed)
        text = "\n".join(["noise"] * 2000)
        with pytest.raises(TimedOut):
            pool.run(job_of(engine, text), Deadline(0.3))
        assert len(processes(pool)) == 1  # it said so itself


# The parent


def test_an_interrupted_caller_leaves_with_the_pool(parts, tmp_path):
    script = (
        "import sys, json, os, signal, threading; sys.path[:] = json.loads(sys.argv[1])\n"
        # Ignored signals are inherited: a run in the background would never be interrupted.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from indx_core.contracts import *\n"
        "from indx_runtime import Engine, Workers\n"
        "source = InlineSource(data=b'hang', media_type='text/x-fake')\n"
        "with Workers(1, timeout=60) as pool:\n"
        "    engine = Engine(workers=pool)\n"
        "    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    engine.encode(EncodeRequest(source=source))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(sys.path)], capture_output=True, text=True, timeout=120
    )
    assert "KeyboardInterrupt" in done.stderr
    assert done.returncode == -signal.SIGINT


def test_a_worker_ends_when_its_parent_is_gone():
    script = (
        "import sys, json, os; sys.path[:] = json.loads(sys.argv[1])\n"
        "from indx_runtime.process import WorkerProcess\n"
        "print(WorkerProcess(10**9, 5.0).pid, flush=True); os._exit(0)"
    )
    command = [sys.executable, "-c", script, json.dumps(sys.path)]
    worker = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert until(lambda: not _lives(worker))


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def test_planning_is_isolated_as_reading_is(installed, pool):
    source = InlineSource(data=b"die-on-open", media_type="text/x-fake")
    with pytest.raises(SourceError, match="code 3"):
        Engine(installed, workers=pool).plan(PlanRequest(source=source))
