"""The kit for job runners that run jobs in this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from indx_core.ports import StoreDeclaration
from indx_testkit._base import ProviderKit

__all__ = ["JobRunnerKit"]

_PATIENCE: Final = 30.0
"""Seconds after which a job that should have got somewhere counts as stuck."""


class Recorder:
    """A job that says when it starts, waits to be let go, and notes what it was called with."""

    def __init__(self) -> None:
        """Nothing has happened."""
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.started = threading.Event()
        self.release = threading.Event()
        self.cancelled = threading.Event()
        self.asked = threading.Semaphore(0)

    def __call__(self, key: str, payload: Mapping[str, Any], cancelled: Callable[[], bool]) -> None:
        """Run until released or cancelled."""
        self.calls.append((key, dict(payload)))
        self.started.set()
        while not self.release.wait(0.005):
            if cancelled():
                self.cancelled.set()
            self.asked.release()
            if self.cancelled.is_set():
                return


class JobRunnerKit(ProviderKit):
    """Rules of `JobRunner`."""

    declaration_type = StoreDeclaration

    @contextmanager
    def runner(self, **jobs: Any) -> Iterator[Any]:
        """A runner with `jobs` registered; closed at the end of the block."""
        runner = self.make()
        for name, work in jobs.items():
            runner.register(name, work)
        try:
            yield runner
        finally:
            for work in jobs.values():
                getattr(work, "release", threading.Event()).set()
            runner.close()

    def settle(self, runner: Any, key: str) -> None:
        """Wait until nothing runs under `key`."""
        pause = threading.Event()
        for _ in range(int(_PATIENCE / 0.005)):
            if not runner.running(key):
                return
            pause.wait(0.005)
        raise AssertionError(f"the job under {key!r} still runs after {_PATIENCE:g} seconds")

    def _await(self, event: threading.Event, what: str) -> None:
        assert event.wait(_PATIENCE), f"{what} did not happen within {_PATIENCE:g} seconds"

    def test_it_runs_a_job_with_its_key_and_payload(self) -> None:
        """The job gets what was submitted, and runs under its key until it ends."""
        work = Recorder()
        with self.runner(work=work) as runner:
            assert not runner.running("k")
            runner.submit("work", "k", {"n": 1, "names": ["a"]})
            self._await(work.started, "the job")
            assert runner.running("k")
            assert not runner.running("other")
            work.release.set()
            self.settle(runner, "k")
            assert work.calls == [("k", {"n": 1, "names": ["a"]})]

    def test_a_job_that_runs_goes_on_alone(self) -> None:
        """Submitting under a key that runs starts nothing; when it has ended, it does."""
        work = Recorder()
        with self.runner(work=work) as runner:
            runner.submit("work", "k", {"n": 1})
            self._await(work.started, "the job")
            runner.submit("work", "k", {"n": 2})
            work.release.set()
            self.settle(runner, "k")
            assert [payload["n"] for _, payload in work.calls] == [1]
            runner.submit("work", "k", {"n": 3})
            self.settle(runner, "k")
            assert [payload["n"] for _, payload in work.calls] == [1, 3]

    def test_a_cancelled_job_is_told(self) -> None:
        """The question that a job asks between steps turns true for its key alone."""
        work = Recorder()
        with self.runner(work=work) as runner:
            runner.submit("work", "k", {})
            self._await(work.started, "the job")
            runner.cancel("another")
            for _ in range(2):  # the first answer may be from before
                assert work.asked.acquire(timeout=_PATIENCE), "the job does not ask whether it was cancelled"
                assert not work.cancelled.is_set(), "cancelling one key cancelled another"
            runner.cancel("k")
            self._await(work.cancelled, "the cancellation")
            self.settle(runner, "k")

    def test_a_cancelled_key_may_run_again(self) -> None:
        """An old cancellation does not reach the next job under the key."""
        work, again = Recorder(), Recorder()
        with self.runner(work=work, again=again) as runner:
            runner.submit("work", "k", {})
            self._await(work.started, "the job")
            runner.cancel("k")
            self.settle(runner, "k")
            runner.submit("again", "k", {})
            self._await(again.started, "the job submitted after a cancellation")
            assert again.asked.acquire(timeout=_PATIENCE), "the job does not ask whether it was cancelled"
            assert not again.cancelled.is_set(), "a job was told of a cancellation before its time"

    def test_a_job_that_raises_ends_alone(self) -> None:
        """The runner goes on, and nothing runs under the key of the failed one."""

        def fail(key: str, payload: Mapping[str, Any], cancelled: Callable[[], bool]) -> None:
            raise RuntimeError(f"job {key} fails with {payload} ({cancelled()})")

        work = Recorder()
        with self.runner(fail=fail, work=work) as runner:
            runner.submit("fail", "bad", {})
            self.settle(runner, "bad")
            runner.submit("work", "good", {})
            self._await(work.started, "the job after a failed one")
            work.release.set()
            self.settle(runner, "good")

    def test_every_job_submitted_is_run(self) -> None:
        """More jobs than may run at once wait their turn."""
        work = Recorder()
        work.release.set()
        keys = [f"k{number}" for number in range(20)]
        with self.runner(work=work) as runner:
            for key in keys:
                runner.submit("work", key, {})
            for key in keys:
                self.settle(runner, key)
        assert sorted(key for key, _ in work.calls) == sorted(keys)

    def test_closing_waits_for_the_next_step(self) -> None:
        """A job in hand is asked to stop, and has stopped when `close()` returns."""
        work = Recorder()
        runner = self.make()
        runner.register("work", work)
        runner.submit("work", "k", {})
        self._await(work.started, "the job")
        runner.close()
        assert work.cancelled.is_set(), "close() returned while the job went on"
