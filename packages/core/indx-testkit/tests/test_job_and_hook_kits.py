"""The rules of job runners and hook objects bite."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from indx_core.hooks import hookimpl
from indx_core.ports import StoreDeclaration
from indx_testkit import HooksKit, JobRunnerKit, jobs


class ThreadRunner:
    port_version = 1
    declaration = StoreDeclaration("threads", shared=False)

    def __init__(self):
        self.pool = ThreadPoolExecutor(2)
        self.jobs = {}
        self.active = {}
        self.lock = threading.Lock()

    def register(self, job, work):
        self.jobs[job] = work

    def submit(self, job, key, payload):
        with self.lock:
            if key in self.active:
                return
            self.active[key] = threading.Event()
        self.pool.submit(self.run, self.jobs[job], key, payload, self.active[key])

    def run(self, work, key, payload, cancelled):
        try:
            work(key, payload, cancelled.is_set)
        finally:
            with self.lock:
                del self.active[key]

    def cancel(self, key):
        with self.lock:
            if key in self.active:
                self.active[key].set()

    def running(self, key):
        return key in self.active

    def close(self):
        with self.lock:
            for cancelled in self.active.values():
                cancelled.set()
        self.pool.shutdown()


class ThreadRunnerKit(JobRunnerKit):
    factory = staticmethod(ThreadRunner)
    module = "indx_core.ports"


class TestThreadRunner(ThreadRunnerKit):
    pass


def runner_kit(**changes):
    provider = type("Changed", (ThreadRunner,), changes)
    return type("Kit", (ThreadRunnerKit,), {"factory": staticmethod(provider)})


def cancels_all(self, key):
    for cancelled in self.active.values():
        cancelled.set()


def keeps_key(self, work, key, payload, cancelled):
    work(key, payload, cancelled.is_set)
    self.active.pop(key)


def queues(self, job, key, payload):
    cancelled = self.active.setdefault(key, threading.Event())
    self.pool.submit(self.again, self.jobs[job], key, payload, cancelled)


def again(self, work, key, payload, cancelled):
    work(key, payload, cancelled.is_set)
    if payload.get("n") != 1:
        self.active.pop(key, None)


def stale(self, job, key, payload):
    with self.lock:
        first = getattr(self, "first", threading.Event())
        self.first = first
        self.active[key] = first
    self.pool.submit(self.run, self.jobs[job], key, payload, first)


RUNS = "test_it_runs_a_job_with_its_key_and_payload"


@pytest.fixture
def impatient(monkeypatch):
    """Waits for what will never happen end soon."""
    monkeypatch.setattr(jobs, "_PATIENCE", 0.3)


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"running": lambda self, key: bool(self.active)}, RUNS, ""),
        ({"running": lambda self, key: False}, RUNS, ""),
        ({"submit": queues, "again": again}, "test_a_job_that_runs_goes_on_alone", ""),
        ({"cancel": cancels_all}, "test_a_cancelled_job_is_told", "another"),
        ({"submit": stale}, "test_a_cancelled_key_may_run_again", "before its time"),
    ],
)
def test_a_bad_runner_is_refused(changes, rule, reason, refuted):
    refuted(runner_kit(**changes), rule, reason)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"submit": lambda self, job, key, payload: None}, RUNS, "did not happen"),
        ({"cancel": lambda self, key: None}, "test_a_cancelled_job_is_told", "did not happen"),
        ({"run": keeps_key}, "test_a_job_that_raises_ends_alone", "still runs"),
    ],
)
def test_a_runner_that_never_gets_there_is_refused(changes, rule, reason, refuted):
    refuted(runner_kit(**changes), rule, reason)


def test_a_runner_that_drops_jobs_is_refused(refuted):
    def busy(self, job, key, payload):
        if int(key[1:]) < 3:
            ThreadRunner.submit(self, job, key, payload)

    refuted(runner_kit(submit=busy), "test_every_job_submitted_is_run")


def test_a_runner_that_does_not_wait_is_refused(refuted):
    made = []

    def begin(self):
        ThreadRunner.__init__(self)
        made.append(self)

    rule = "test_closing_waits_for_the_next_step"
    refuted(runner_kit(__init__=begin, close=lambda self: None), rule, "went on")
    ThreadRunner.close(made[0])


class Watcher:
    def __init__(self):
        self.seen = 0

    @hookimpl
    def indx_document_kept(self, digest, chunks):
        self.seen += 1


class WatcherKit(HooksKit):
    plugin = Watcher()
    module = "indx_core.hooks"


class TestWatcher(WatcherKit):
    pass


class Raises:
    @hookimpl
    def indx_stage_progress(self, done, total):
        return done / total


class Unknown:
    @hookimpl
    def indx_document_lost(self, digest):
        pass


class Greedy:
    @hookimpl
    def indx_document_kept(self, digest, pages):
        pass


class Unmarked:
    def indx_document_kept(self, digest, chunks):
        pass


@pytest.mark.parametrize(
    ("plugin", "rule", "reason"),
    [
        (Raises(), "test_it_takes_every_notification", "indx_stage_progress"),
        (Unknown(), "test_it_fits_the_specifications", "indx_document_lost"),
        (Greedy(), "test_it_fits_the_specifications", "pages"),
        (Unmarked(), "test_it_fits_the_specifications", "no hook is marked"),
    ],
)
def test_a_bad_hook_object_is_refused(plugin, rule, reason, refuted):
    refuted(type("Kit", (WatcherKit,), {"plugin": plugin}), rule, reason)


def test_a_heavy_hook_module_is_refused(refuted):
    refuted(
        type("Kit", (WatcherKit,), {"module": "indx_testkit.hooks"}), "test_its_module_is_light", "pytest"
    )
