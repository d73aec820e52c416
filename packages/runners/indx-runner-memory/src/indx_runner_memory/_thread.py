"""Jobs one after another on one thread, in the order in which they were submitted."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from indx_core.errors import ConfigurationError, Unavailable
from indx_core.ports import StoreDeclaration
from indx_core.ports.declarations import PORT_VERSION

__all__ = ["ThreadRunner"]

_log = logging.getLogger("indx.jobs")

Work: TypeAlias = Callable[[str, Mapping[str, Any], Callable[[], bool]], None]


@dataclass(eq=False, slots=True)
class _Job:
    name: str
    key: str
    payload: Mapping[str, Any]
    cancelled: threading.Event = field(default_factory=threading.Event)


class ThreadRunner:
    """Runs jobs on one thread, started with the first of them. What it was given ends with the process."""

    port_version = PORT_VERSION
    declaration = StoreDeclaration(id="memory", shared=False)

    def __init__(self) -> None:
        """Start nothing."""
        self._work: dict[str, Work] = {}
        self._jobs: deque[_Job] = deque()  # the one in hand stands first
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def register(self, job: str, work: Work) -> None:
        """Say what `job` does; the last to say so has the word."""
        with self._changed:
            self._work[job] = work
            self._closed = False

    def submit(self, job: str, key: str, payload: Mapping[str, Any]) -> None:
        """Start the job under `key` when its turn comes.

        A job under `key` that runs or waits goes on alone; behind one that was cancelled the new one waits.

        Raises:
            ConfigurationError: Nothing is registered under `job`.
            Unavailable: `busy`: the runner is closed.
        """
        with self._changed:
            if job not in self._work:
                raise ConfigurationError(f"no job {job!r} is registered; known: {', '.join(self._work)}")
            if self._closed:
                raise Unavailable("jobs are no longer taken: the process is ending", code="busy")
            if any(known.key == key and not known.cancelled.is_set() for known in self._jobs):
                return
            self._jobs.append(_Job(job, key, dict(payload)))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="indx-jobs", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def cancel(self, key: str) -> None:
        """Ask what runs under `key` to stop at its next step; what waits under it never starts."""
        with self._changed:
            for job in list(self._jobs):
                if job.key == key:
                    job.cancelled.set()

    def running(self, key: str) -> bool:
        """Whether a job runs or waits under `key`."""
        with self._changed:
            return any(job.key == key for job in self._jobs)

    def close(self) -> None:
        """Take no more jobs, ask the one in hand to stop, and wait until it has."""
        with self._changed:
            self._closed = True
            for job in self._jobs:
                job.cancelled.set()
            thread, self._thread = self._thread, None
            self._changed.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._jobs:
                    if self._closed:
                        return
                    self._changed.wait()
                job = self._jobs[0]
                work = self._work[job.name]
            try:
                if not job.cancelled.is_set():
                    work(job.key, job.payload, job.cancelled.is_set)
            except Unavailable as error:
                _log.info("job %s under %r ends: %s", job.name, job.key, error.message)
            except BaseException:  # a job may fail in any way; the next one has its turn
                _log.exception("job %s under %r failed", job.name, job.key)
            with self._changed:
                self._jobs.remove(job)
