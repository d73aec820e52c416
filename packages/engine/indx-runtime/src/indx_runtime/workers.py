"""Isolation: documents are worked on in processes that may die, hang or swell without hurting this one.

Each slot is a thread here and a process there. The thread sends a document, takes frames as they come, and
watches: no frame for the time-out, or more resident memory than allowed, ends the process. A process that
ended in the middle is replaced, what was in flight is recorded as failed, and the rest goes on.
"""

from __future__ import annotations

import logging
import os
import queue
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final, Self

from indx_core.deadline import Deadline
from indx_core.errors import IndxError, InternalError, TimedOut, Unavailable, explain
from indx_core.ports import SourceContent
from indx_runtime.ceilings import told_limits
from indx_runtime.helping import Help, is_to_be_looked_at
from indx_runtime.incoming import accept
from indx_runtime.losses import WorkerLost, after_crash, give_up
from indx_runtime.process import WorkerEnded, WorkerProcess
from indx_runtime.progress import DocumentJob, Frame, Opened, Progress
from indx_runtime.reading import unfinished
from indx_runtime.settings import WORKER_HELP_PAGES, WORKER_MEMORY, WORKER_TIMEOUT, WORKERS, worker_count

__all__ = ["WorkerEnded", "WorkerLost", "Workers"]

_log = logging.getLogger("indx.workers")

_INLINE: Final = 65_536  # sources up to this many bytes travel in the message, larger ones as a file
_RETRIES: Final = 2
_WORTH_STARTING: Final = 4  # times as many pages are worth a process that is not up yet
_MOST_VISITS: Final = 100  # of one document: what a reader, a parser or looking may end is far below
_MOST_FRAMES: Final = 25_000  # of a visit, twice as many as members are listed; whoever sends more never ends
_MOST_FRAMES_A_PAGE: Final = 100  # more
_OWN_FILES: Final = Path("/proc/self/fd")  # where open files of a process can be opened by others


class Workers:
    """A pool of worker processes.

    Args:
        count: How many; INDX_WORKERS or the number of cores by default.
        timeout: Seconds without progress before a worker is ended; INDX_WORKER_TIMEOUT_SECONDS by default.
        memory: Resident bytes a worker may hold; INDX_WORKER_MEMORY_BYTES by default.
        help_pages: Pages from which idle workers help with a document, 0 for never; INDX_WORKER_HELP_PAGES by
            default.
    """

    def __init__(
        self,
        count: int | None = None,
        *,
        timeout: float | None = None,
        memory: int | None = None,
        help_pages: int | None = None,
    ) -> None:
        """Start nothing yet: processes start with their first document."""
        self.count = count or worker_count()
        self._timeout = WORKER_TIMEOUT.get() if timeout is None else timeout
        self._memory = WORKER_MEMORY.get() if memory is None else memory
        self._help_pages = WORKER_HELP_PAGES.get() if help_pages is None else help_pages
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="indx-worker")
        self._idle: queue.SimpleQueue[WorkerProcess] = queue.SimpleQueue()
        self._all: set[WorkerProcess] = set()
        self._lock = threading.Lock()
        self._waiting_documents = 0
        self._closed = False
        self._owner = os.getpid()

    @property
    def limits(self) -> str:
        """The time-out and the memory that its processes are held to."""
        return told_limits(self._timeout, self._memory)

    def submit(
        self, job: DocumentJob, deadline: Deadline | None = None, progress: Progress | None = None
    ) -> Future[Progress]:
        """Work on a document in the next free process, from wherever `progress` stands.

        The future's result is everything that was learned; its exception is what `work_on` raises, a
        `SourceError` when the document ended the worker that opened it, or `Unavailable` when the pool is
        closed meanwhile.

        Raises:
            InternalError: This process was forked from the one that made the pool.
        """
        if os.getpid() != self._owner:  # its threads are not here, and its workers listen to the other
            raise InternalError("workers belong to the process that made them; make others after a fork")
        self._count(1)
        try:
            # In the caller's context, so that what is logged can be told from other documents.
            future = self._threads.submit(
                copy_context().run, self._run, job, deadline or Deadline(None), progress
            )
        except RuntimeError:
            self._count(-1)
            raise _closing() from None
        future.add_done_callback(lambda done: self._count(-1) if done.cancelled() else None)
        return future

    def _count(self, more: int) -> None:
        """Count the documents that wait for a worker."""
        with self._lock:
            self._waiting_documents += more

    def run(self, job: DocumentJob, deadline: Deadline, progress: Progress | None = None) -> Progress:
        """Work on a document and wait for it, as long as the deadline allows it to wait for a process.

        Raises:
            TimedOut: The deadline passed before a process was free, or between attempts.
        """
        future = self.submit(job, deadline, progress)
        try:
            return future.result(deadline.remaining())
        except TimeoutError:
            if future.cancel():  # it never began
                raise TimedOut("past the deadline before a worker was free; try again later") from None
            return future.result()  # it stops by itself, between attempts
        except BaseException:
            future.cancel()
            raise

    def _run(self, job: DocumentJob, deadline: Deadline, progress: Progress | None) -> Progress:
        self._count(-1)
        with _spooled(job.content) as content:
            return self._work(replace(job, content=content), deadline, progress or Progress())

    def _work(self, job: DocumentJob, deadline: Deadline, progress: Progress) -> Progress:
        """Visit one process after another until the document is done."""
        unexplained = 0
        for _ in range(_MOST_VISITS):
            deadline.check()
            reason = self._visit(job, progress, deadline)
            if reason is None:
                return progress
            if self._closed:  # in the middle of what it did: nothing is to blame but who closed the pool
                raise _closing()
            if progress.in_flight is None:  # it ended between steps: nothing of the document is to blame
                _log.warning("a worker ended between two steps: %s", reason)
                if (unexplained := unexplained + 1) <= _RETRIES:
                    continue
                if progress.observer is None:
                    raise InternalError("workers end before they open a document; the log says how")
                break
            if after_crash(progress, reason):
                return progress
        else:
            reason = f"it ended {_MOST_VISITS} workers"
        give_up(job, progress, reason)
        return progress

    def _visit(self, job: DocumentJob, progress: Progress, deadline: Deadline) -> str | None:
        """Work in one process until the document is done (None) or the process is (why it ended)."""
        called, frames = list[Help](), count(1)

        def take_in(frame: Frame) -> None:
            _check_count(next(frames), progress)
            try:
                progress.apply(accept(frame, job, progress))
            except Exception as error:  # whatever a worker makes up
                raise WorkerEnded(f"the worker sent what no worker sends ({explain(error)})") from error
            if deadline.cancelled:
                deadline.check()
            if called:
                called[0].learn(frame)
            elif (
                isinstance(frame, Opened)
                and frame.shared is True
                and (help_ := self._call_for_help(process, job, progress))
            ):
                called.append(help_)

        process = self._take()
        try:
            process.run(job, progress, deadline, take_in)
            _check_done(job, progress)
        except WorkerEnded as ended:
            self._drop(process)
            if not ended.by_document:
                progress.in_flight = None
            if process.last_words:
                _log.warning("worker %d, at the end: %r", process.pid, process.last_words)
            return str(ended)
        except MemoryError:
            self._drop(process)
            return "out of memory"
        except IndxError:
            if deadline.cancelled:  # the process may not have stopped
                self._drop(process)
            else:
                self._give_back(process)
            raise
        except BaseException:
            self._drop(process)
            raise
        finally:
            for help_ in called:
                help_.finish()
                help_.wait()
        self._give_back(process)
        return None

    def _call_for_help(self, lead: WorkerProcess, job: DocumentJob, progress: Progress) -> Help | None:
        """Have workers without a document look at the last pages of a long one; None where that is no use."""
        least = self._help_pages
        long_enough = self.count > 1 and 0 < least <= progress.page_count
        if not (long_enough and is_to_be_looked_at(job, progress)):
            return None
        help_ = Help(lead, job, progress, lambda: self._waiting_documents > 0)
        help_.starts = progress.page_count >= _WORTH_STARTING * least
        for _ in range(self.count - 1):
            self._offer(help_)
        return help_

    def _offer(self, help_: Help) -> None:
        with suppress(RuntimeError):  # the pool is being closed
            self._threads.submit(copy_context().run, self._help, help_)

    def _help(self, help_: Help) -> None:
        """Help with a document in a process at rest; whatever becomes of that, the document is not harmed."""
        if help_.wanted:
            try:
                process = self._for_help(help_)
            except Unavailable:
                return
            if process is None or not self._has_helped(help_, process):
                return
        if help_.unfinished:  # it goes on when the documents that wait are under way
            self._offer(help_)

    def _has_helped(self, help_: Help, process: WorkerProcess) -> bool:
        """Have a process help; False when it cannot, and would not the next time."""
        try:
            help_.by(process)
        except IndxError:
            self._give_back(process)
            return False
        except Exception as error:
            self._drop(process)
            if getattr(error, "by_document", True) and not self._closed:
                _log.warning("a worker that helped ended: %s %r", explain(error), process.last_words)
                return False
        else:
            self._give_back(process)
        return True

    def _for_help(self, help_: Help) -> WorkerProcess | None:
        """A process at rest that waits, or a new one where that is worth it."""
        return self._take() if help_.starts else self._at_rest()

    def _take(self) -> WorkerProcess:
        """A process at rest: one that waits, or a new one."""
        return self._at_rest() or self._started()

    def _at_rest(self) -> WorkerProcess | None:
        while (process := self._waiting()) is not None:
            if process.at_rest:
                break
            self._drop(process)
        return process

    def _started(self) -> WorkerProcess:
        try:
            process = WorkerProcess(self._memory, self._timeout)
        except OSError as error:
            message = f"no worker can be started ({error.strerror}); try again later, or with a lower "
            raise Unavailable(f"{message}{WORKERS.name} than {self.count}", code="busy") from error
        with self._lock:
            self._all.add(process)
            closed = self._closed
        if closed:  # meanwhile, and this one was not seen
            self._drop(process)
            raise _closing()
        return process

    def _waiting(self) -> WorkerProcess | None:
        with self._lock:
            if self._closed:
                raise _closing()
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return None

    def _give_back(self, process: WorkerProcess) -> None:
        with self._lock:
            closed = self._closed
        if not closed and process.at_rest:
            self._idle.put(process)
        else:
            self._drop(process)

    def _drop(self, process: WorkerProcess) -> None:
        process.end()
        with self._lock:
            self._all.discard(process)

    def close(self, *, cancel: bool = False) -> None:
        """End the processes; with `cancel`, in the middle of what they do, else after it.

        A process forked from the one that made the pool ends nothing.
        """
        if os.getpid() != self._owner:
            return
        if cancel:
            with self._lock:
                self._closed = True
                busy = list(self._all)
            for process in busy:
                process.kill()
        self._threads.shutdown(wait=True, cancel_futures=cancel)
        with self._lock:
            self._closed = True
            left, self._all = list(self._all), set()
        for process in left:
            process.end()

    def __enter__(self) -> Self:
        """Use as a block that closes the pool at its end."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(cancel=kind is not None)


@contextmanager
def _spooled(content: SourceContent) -> Iterator[SourceContent]:
    """The source as it travels: a large one as a file that is gone with this process, however that ends."""
    if content.data is None or content.size <= _INLINE:
        yield content
        return
    make = tempfile.TemporaryFile if _OWN_FILES.is_dir() else tempfile.NamedTemporaryFile
    with make(prefix="indx-") as file:
        file.write(content.data)
        file.flush()
        name = file.name if isinstance(file.name, str) else f"/proc/{os.getpid()}/fd/{file.fileno()}"
        yield replace(content, data=None, path=Path(name))


def _check_count(frames: int, progress: Progress) -> None:
    """End a worker that would never end by itself."""
    if frames > _MOST_FRAMES + _MOST_FRAMES_A_PAGE * progress.page_count:
        raise WorkerEnded(f"the worker sent what no worker sends ({frames} frames)")


def _check_done(job: DocumentJob, progress: Progress) -> None:
    """End a worker that says it is done, and is not."""
    if why := unfinished(job, progress):
        raise WorkerEnded(f"the worker sent what no worker sends ({why})")


def _closing() -> Unavailable:
    return Unavailable("the workers are being closed; try again later", code="busy")
