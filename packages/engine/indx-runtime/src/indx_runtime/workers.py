"""Isolation: documents are worked on in processes that may die, hang or swell without hurting this one.

Each slot is a thread here and a process there. The thread sends a document, takes frames as they come, and
watches: no frame for the time-out, or more resident memory than allowed, ends the process. A process that
ended in the middle is replaced, what was in flight is recorded as failed, and the rest goes on.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import Member, SourceContent
from indx_runtime.progress import Attempt, Attempted, DocumentJob, Frame, InFlight, LeftOut, Progress
from indx_runtime.settings import WORKER_MEMORY, WORKER_TIMEOUT, worker_count
from indx_runtime.worker import read_message, write_message

__all__ = ["WorkerEnded", "Workers"]

_log = logging.getLogger("indx.workers")

_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from indx_runtime.worker import main; main(int(sys.argv[2]), float(sys.argv[3]))"
)
_INLINE = 65_536  # sources up to this many bytes travel in the message, larger ones as a file
_TICK = 0.05
_RETRIES = 2


class WorkerEnded(Exception):
    """A worker process ended, or was ended, before it finished its document."""


class _Process:
    """One worker process and the conversation with it."""

    def __init__(self, memory: int, timeout: float) -> None:
        self._memory, self._timeout = memory, timeout
        paths = json.dumps([os.path.abspath(entry) for entry in sys.path])  # noqa: PTH100  (may be a zip)
        self._child = subprocess.Popen(  # noqa: S603  (our own interpreter and our own code)
            [sys.executable, "-c", _BOOT, paths, str(memory), str(timeout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # an interrupt at the terminal is the parent's to handle
        )
        assert self._child.stdout is not None
        # Unbuffered, so that `select` sees every byte that has not been taken yet.
        self._frames: BinaryIO = self._child.stdout.raw  # type: ignore[attr-defined]

    def run(
        self, job: DocumentJob, progress: Progress, deadline: Deadline, on_frame: Callable[[Frame], None]
    ) -> None:
        """Work on `job`, handing over each frame.

        Raises:
            WorkerEnded: The process ended or was ended; its message says why.
            Exception: What the work itself raised.
        """
        assert self._child.stdin is not None
        try:
            write_message(cast("BinaryIO", self._child.stdin), (job, progress, deadline.remaining()))
        except OSError:
            raise WorkerEnded(self._obituary()) from None
        while True:
            kind, payload = self._next()
            if kind == "frame":
                on_frame(payload)
            elif kind == "log":
                name, level, message = payload
                logging.getLogger(name).log(level, "%s", message)
            elif kind == "done":
                return
            else:
                raise payload

    def _next(self) -> tuple[str, Any]:
        """Wait for the next message, within the time and memory allowed."""
        give_up = time.monotonic() + self._timeout
        while not select.select([self._frames], [], [], _TICK)[0]:
            if time.monotonic() > give_up:
                self.end()
                raise WorkerEnded(f"no progress for {self._timeout:g} seconds (INDX_WORKER_TIMEOUT_SECONDS)")
            if self._resident() > self._memory:
                self.end()
                raise WorkerEnded(f"more than {self._memory} bytes of memory (INDX_WORKER_MEMORY_BYTES)")
        message = read_message(self._frames)
        if message is None:
            raise WorkerEnded(self._obituary())
        return message  # type: ignore[no-any-return]

    def _resident(self) -> int:
        try:
            fields = Path(f"/proc/{self._child.pid}/statm").read_text().split()
        except OSError:
            return 0
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def _obituary(self) -> str:
        code = self._child.wait()
        self.end()
        return (
            f"the worker was ended by signal {-code}" if code < 0 else f"the worker exited with code {code}"
        )

    def end(self) -> None:
        """End the process, whatever it is doing, and leave nothing of it behind."""
        with contextlib.suppress(OSError):
            self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Workers:
    """A pool of worker processes.

    Args:
        count: How many; INDX_WORKERS or the number of cores by default.
        timeout: Seconds without progress before a worker is ended; INDX_WORKER_TIMEOUT_SECONDS by default.
        memory: Resident bytes a worker may hold; INDX_WORKER_MEMORY_BYTES by default.
    """

    def __init__(
        self, count: int | None = None, *, timeout: float | None = None, memory: int | None = None
    ) -> None:
        """Start nothing yet: processes start with their first document."""
        self.count = count or worker_count()
        self._timeout = WORKER_TIMEOUT.get() if timeout is None else timeout
        self._memory = WORKER_MEMORY.get() if memory is None else memory
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="indx-worker")
        self._idle: queue.SimpleQueue[_Process] = queue.SimpleQueue()
        self._all: set[_Process] = set()
        self._lock = threading.Lock()
        self._spool = tempfile.TemporaryDirectory(prefix="indx-", ignore_cleanup_errors=True)
        self._closed = False

    def submit(self, job: DocumentJob, deadline: Deadline | None = None) -> Future[Progress]:
        """Work on a document in the next free process.

        The future's result is everything that was learned; its exception is what `work_on` raises, or a
        `SourceError` when the document ended the worker that opened it.
        """
        return self._threads.submit(self._run, job, deadline or Deadline(None))

    def _run(self, job: DocumentJob, deadline: Deadline) -> Progress:
        content, spooled = self._spooled(job.content)
        job, progress, unexplained = replace(job, content=content), Progress(), 0
        try:
            while True:
                reason = self._visit(job, progress, deadline)
                if reason is None:
                    return progress
                if progress.in_flight is None and (unexplained := unexplained + 1) <= _RETRIES:
                    continue  # it ended between steps: nothing of the document is to blame
                if _after_crash(progress, reason):
                    return progress
        finally:
            if spooled is not None:
                spooled.unlink(missing_ok=True)

    def _visit(self, job: DocumentJob, progress: Progress, deadline: Deadline) -> str | None:
        """Work in one process until the document is done (None) or the process is (why it ended)."""
        process = self._take()
        try:
            process.run(job, progress, deadline, progress.apply)
        except WorkerEnded as ended:
            self._drop(process)
            return str(ended)
        except MemoryError:
            self._drop(process)
            return "out of memory"
        except BaseException:
            self._give_back(process)
            raise
        self._give_back(process)
        return None

    def _spooled(self, content: SourceContent) -> tuple[SourceContent, Path | None]:
        if content.data is None or content.size <= _INLINE:
            return content, None
        with tempfile.NamedTemporaryFile(dir=self._spool.name, delete=False) as file:
            file.write(content.data)
        path = Path(file.name)
        return replace(content, data=None, path=path), path

    def _take(self) -> _Process:
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is closed")
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            process = _Process(self._memory, self._timeout)
            with self._lock:
                self._all.add(process)
            return process

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            keep = not self._closed
        if keep:
            self._idle.put(process)
        else:
            self._drop(process)

    def _drop(self, process: _Process) -> None:
        process.end()
        with self._lock:
            self._all.discard(process)

    def close(self, *, cancel: bool = False) -> None:
        """End the processes; with `cancel`, in the middle of what they do, else after it."""
        if cancel:
            with self._lock:
                self._closed = True
                busy = list(self._all)
            for process in busy:
                process.end()
        self._threads.shutdown(wait=True, cancel_futures=cancel)
        with self._lock:
            self._closed = True
            left, self._all = list(self._all), set()
        for process in left:
            process.end()
        self._spool.cleanup()

    def __enter__(self) -> Self:
        """Use as a block that closes the pool at its end."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(cancel=kind is not None)


def _after_crash(progress: Progress, reason: str) -> bool:
    """Record what was in flight as failed, so that the next worker goes on behind it.

    Returns:
        Whether nothing more can be learned of the document, and what there is stands.
    """
    flight = progress.in_flight or InFlight("open")
    progress.in_flight = None
    _log.warning("a worker ended during %s %s: %s", flight.step, flight.who or flight.page, reason)
    if flight.step == "read":
        progress.apply(Attempted(Attempt(flight.who, flight.page, "failed", reason, None, 0.0, 0.0)))
    elif flight.step == "chunk":
        progress.apply(LeftOut(flight.who, reason))
    elif flight.step == "members":
        progress.members.append(Member("", None, b"", reason=f"the rest could not be listed: {reason}"))
        return True
    else:
        raise SourceError(f"the document could not be opened: {reason}")
    return False
