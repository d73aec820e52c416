"""One worker process and the conversation with it: supervised, bounded, and believed in nothing."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NoReturn

from indx_core.deadline import Deadline
from indx_core.errors import explain
from indx_runtime.hearing import MOST_RECORDS, ending, log_record
from indx_runtime.messages import Garbled, Inbox, Kind, pack_job, pack_word
from indx_runtime.progress import DocumentJob, Frame, Progress

__all__ = ["WorkerEnded", "WorkerProcess"]

_BOOT: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from indx_runtime.worker import main; main(int(sys.argv[2]), float(sys.argv[3]))"
)
_TICK: Final = 0.05  # seconds between looks at what the process is and how large it is
_STARTUP: Final = 60.0  # seconds to come up at least: a busy machine is no document's fault
_GRACE: Final = 1.0  # seconds a process that closed its pipe has to end, so that we learn how
_LAST_WORDS: Final = 2_000
_BACKLOG: Final = 1 << 24  # bytes that may wait for a process to read them, before word to it is dropped
_PIPE: Final = 1 << 20  # bytes a process may be ahead of us, where the system lets us say so
_SET_SIZE: Final = getattr(fcntl, "F_SETPIPE_SZ", None)
_FEW: Final = 12  # messages of a document that are looked at one by one; of those behind, many at a time
_PAUSE: Final = 0.004  # seconds in which messages gather: to be woken for each costs more than to read it
_LONGEST_PAUSE: Final = 0.016  # the same of a document of very many
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class WorkerEnded(Exception):
    """A worker process ended, or was ended, before it finished its document.

    Attributes:
        by_document: Whether what it did then may be what ended it; not when it was spoilt before.
    """

    def __init__(self, reason: str, *, by_document: bool = True) -> None:
        super().__init__(reason)
        self.by_document = by_document


class WorkerProcess:
    """A process that works on one document at a time, spoken to by one thread at a time.

    Args:
        memory: Resident bytes it may hold.
        timeout: Seconds it may go without a frame.

    Raises:
        OSError: No process can be started.
    """

    def __init__(self, memory: int, timeout: float) -> None:
        """Start the process; it says itself when it is up."""
        self._memory, self._timeout = memory, timeout
        self._ready = self._large = self._waits = False
        self._job = self._reads = 0
        self._records_left = MOST_RECORDS
        self._snapshot_id = ""
        paths = json.dumps([os.path.abspath(entry) for entry in sys.path])  # noqa: PTH100  (may be a zip)
        self._child = subprocess.Popen(  # noqa: S603  (our own interpreter and our own code)
            # -P: what lies in the current folder, where documents are, is nothing to import.
            [sys.executable, "-P", "-c", _BOOT, paths, str(memory), str(timeout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # an interrupt at the terminal is the parent's to handle
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._in, self._out, self._err = (
            stream.fileno() for stream in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        self._poll = select.poll()
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
        self._holds = 1 << 16  # bytes in its pipe at most; a guess where the system does not say
        if _SET_SIZE is not None:
            for stream in (self._in, self._out):
                with contextlib.suppress(OSError):
                    fcntl.fcntl(stream, _SET_SIZE, _PIPE)
            self._holds = fcntl.fcntl(self._out, fcntl.F_GETPIPE_SZ)
        for stream in (self._out, self._err):
            self._poll.register(stream, select.POLLIN)
        self._reaping, self._sending = threading.Lock(), threading.Lock()
        self._outgoing = bytearray()
        self._writing = self._closed = False
        self._enough: Callable[[], bool] | None = None
        self._spared = 0.0
        self._inbox = Inbox(memory)
        self._room = bytearray(_PIPE)  # the system may write a message here without finding memory for it
        self._last_words = b""
        self._looked = self._heard = time.monotonic()

    @property
    def pid(self) -> int:
        """The process's ID."""
        return self._child.pid

    @property
    def number(self) -> int:
        """The number of the job it has, or had last."""
        return self._job

    @property
    def last_words(self) -> str:
        """The end of what the process wrote to standard error, for the log."""
        return self._last_words.decode("utf-8", "replace").strip()

    def run(
        self,
        job: DocumentJob,
        progress: Progress,
        deadline: Deadline,
        on_frame: Callable[[Frame], None],
        enough: Callable[[], bool] | None = None,
    ) -> None:
        """Work on `job`, handing over each frame.

        Args:
            job: What to do.
            progress: Where it stands.
            deadline: The time it has.
            on_frame: Takes each frame.
            enough: Tells when nobody waits for the job any longer; it then has a second to end.

        After an exception other than `IndxError` the process must not be used again.

        Raises:
            WorkerEnded: The process ended or was ended; its message says why.
            MemoryError: The process ran out of memory and said so.
            IndxError: What the work itself refused.
            Exception: What the work raised and nobody foresaw; or `on_frame`.
        """
        self._heard = time.monotonic()
        self._come_up()
        self._heard = time.monotonic()
        self._enough, self._spared = enough, 0.0
        if enough is not None and enough():
            return
        self._begin(job, progress, deadline)
        while True:
            kind, payload = self._next()
            if kind == "frame":
                on_frame(payload)
                self._heard = time.monotonic()
            elif kind == "log":
                self._log(payload)
            elif kind == "done":
                return
            elif kind == "memory":
                raise MemoryError
            else:
                self._fail(kind, payload)

    def _come_up(self) -> None:
        """Wait until the process says that it is up."""
        while not self._ready:
            kind, payload = self._next()
            if kind == "log":
                self._log(payload)
            elif kind == "ready":
                self._ready = True
            else:
                self._disbelieve("it is not up yet")

    def _begin(self, job: DocumentJob, progress: Progress, deadline: Deadline) -> None:
        left = deadline.remaining()
        if left is not None:
            left = max(left, 0.001)  # none left would mean no deadline
        self._reads, self._records_left = 0, MOST_RECORDS
        known, self._snapshot_id = self._snapshot_id == job.snapshot.snapshot_id, job.snapshot.snapshot_id
        with self._sending:
            self._job += 1
            self._outgoing += pack_job(self._job, job, progress, left, known=known)

    def _log(self, payload: Any) -> None:
        """Log a record, while the document may cause more of them."""
        try:
            logger, level, text = log_record(payload)
        except Exception as error:
            self._disbelieve(explain(error))
        self._records_left -= 1
        if self._records_left >= 0:
            logger.log(level, "%s", text)

    def _fail(self, kind: Any, payload: Any) -> NoReturn:
        """Raise what the document was refused by, or failed of."""
        try:
            error = ending(kind, payload)
        except Exception as odd:
            self._disbelieve(explain(odd))
        raise error

    def _disbelieve(self, why: str) -> NoReturn:
        """End a process that says what none of ours does."""
        self.end()
        raise WorkerEnded(f"the worker sent what no worker sends ({why})") from None

    def tell(self, job: int, page: int, packed: bytes = b"") -> None:
        """Send word about a job, from any thread; nothing when the process has another, or does not listen.

        Args:
            job: The number of the job.
            page: The page it is about.
            packed: What another process found there.
        """
        with self._sending:
            if not self._closed and job == self._job and len(self._outgoing) < _BACKLOG:
                self._outgoing += pack_word(job, page, packed)
                with contextlib.suppress(OSError):  # its own thread finds out
                    self._push()

    def _push(self) -> None:
        """Write what can be written at once."""
        with contextlib.suppress(BlockingIOError):
            while self._outgoing:
                del self._outgoing[: os.write(self._in, self._outgoing[: 1 << 16])]

    def _next(self) -> tuple[Kind, Any]:
        """The next message, within the time, memory and size allowed."""
        try:
            while (message := self._inbox.take()) is None:
                self._exchange()
        except Garbled as error:
            self._disbelieve(str(error))
        job, kind, payload = message
        if job != self._job:  # an earlier document made it two processes, and both speak
            self.end()
            raise WorkerEnded("the worker went on with an earlier document", by_document=False)
        return kind, payload

    def _exchange(self) -> None:
        """Move what bytes can be moved within a tick; end the process when it is past its bounds."""
        heard = False
        if self._outgoing and not self._writing:
            self._writing = True
            self._poll.register(self._in, select.POLLOUT)
        for stream, _ in self._poll.poll(_TICK * 1000):
            if stream == self._in:
                self._write()
            elif stream == self._out:
                heard = True
                self._read()
            elif not self._listen():
                self._poll.unregister(stream)
        if not heard and self._exited() and not self._has_output():
            self._over()
        now = time.monotonic()
        if now - self._looked >= _TICK:
            self._looked = now
            self._check(now)

    def _has_output(self) -> bool:
        """Whether it wrote what was not read yet; it may have between a look at that and its end."""
        return any(stream == self._out for stream, _ in self._poll.poll(0))

    def _read(self) -> None:
        self._reads += 1
        if self._reads > _FEW and not self._waits:
            time.sleep(min(_PAUSE * self._reads / _FEW, _LONGEST_PAUSE))
        if not (size := os.readv(self._out, [self._room])):
            self._over()
        self._waits = 2 * size > self._holds  # it may wait for us to read
        self._inbox.feed(memoryview(self._room)[:size])

    def _write(self) -> None:
        try:
            with self._sending:
                self._push()
        except OSError:
            self._over()
        if not self._outgoing:
            self._writing = False
            self._poll.unregister(self._in)

    def _listen(self) -> bool:
        """Take in what it says on standard error; False when it can say no more."""
        try:
            said = os.read(self._err, 1 << 16)
        except BlockingIOError:
            return True
        self._last_words = (self._last_words + said)[-_LAST_WORDS:]
        return bool(said)

    def _check(self, now: float) -> None:
        patience = self._timeout if self._ready else max(self._timeout, _STARTUP)
        if now - self._heard > patience:
            self.end()
            raise WorkerEnded(f"no progress for {patience:g} seconds (INDX_WORKER_TIMEOUT_SECONDS)")
        # Twice in a row: what it held a moment ago may be that of a page which is done.
        before, self._large = self._large, self.resident() > self._memory
        if before and self._large:
            self.end()
            raise WorkerEnded(f"more than {self._memory} bytes of memory (INDX_WORKER_MEMORY_BYTES)")
        if self._enough is not None and self._enough():
            self._spared = self._spared or now
            if now - self._spared > _GRACE:
                self.end()
                raise WorkerEnded("the worker was not waited for any longer", by_document=False)
        else:
            self._spared = 0.0

    def resident(self) -> int:
        """Resident bytes of the process; 0 where that is not known."""
        try:
            with open(f"/proc/{self.pid}/statm", "rb", buffering=0) as statm:  # noqa: PTH123  (often read)
                return int(statm.read(200).split()[1]) * _PAGE
        except OSError:
            return 0

    @property
    def at_rest(self) -> bool:
        """Whether the process can be given another document: alive, silent, and not grown large."""
        silent = not len(self._inbox) and not self._has_output()
        return silent and not self._exited() and 2 * self.resident() <= self._memory

    def _exited(self) -> bool:
        """Whether the process has ended; it is not reaped, so that its group can still be ended."""
        if self._child.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return False
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            return os.waitid(os.P_PID, self.pid, flags) is not None
        except ChildProcessError:
            return True

    def _over(self) -> NoReturn:
        """Raise `WorkerEnded` for a process that ended, or closed its pipe."""
        give_up = time.monotonic() + _GRACE
        while not self._exited() and time.monotonic() < give_up:
            time.sleep(0.01)
        exited = self._exited()
        self.end()
        code = self._child.returncode
        if not exited:
            raise WorkerEnded("the worker closed its pipe")
        how = f"was ended by signal {-code}" if code < 0 else f"exited with code {code}"
        raise WorkerEnded(f"the worker {how}")

    def kill(self) -> None:
        """End the process from another thread; its own finds out."""
        with self._reaping:
            if self._child.returncode is None:  # its ID is still its own
                with contextlib.suppress(OSError):
                    os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> None:
        """End the process and those it started, whatever they do, and leave nothing of it behind."""
        if self._child.returncode is not None:
            return
        self.kill()
        with self._reaping:
            self._child.wait()
        with contextlib.suppress(OSError):
            self._listen()
        with self._sending:  # nobody may be writing: the descriptor is soon another file's
            self._closed = True
            for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
