"""The worker's side of isolation: a process that takes documents one by one from its standard input.

Its standard output carries messages only: anything native code prints goes to standard error. The parent
is trusted, the document is not. Whatever a reader did to the umask, the current folder or a setting in
`os.environ` is undone before the next document. What a reader started and left behind ends with the worker,
whether that is ended or its parent is, unless it made a process group or a session of its own.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import gc
import logging
import os
import signal
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from indx_runtime.ceilings import address_space
from indx_runtime.hearing import LONGEST_RECORD, MOST_RECORDS

if TYPE_CHECKING:
    from indx_core.contracts import Snapshot
    from indx_core.errors import IndxError
    from indx_runtime.messages import Kind, Mailbox
    from indx_runtime.progress import DocumentJob, Progress

__all__ = ["main"]

_LONGEST_WAIT = 1_000_000.0
_AT_ONCE = 1 << 20  # bytes of messages that are held and sent together
_COLLECT_AFTER = 200_000  # objects; what is made of a document is a tree, which no collector need look at


class _Outbox:
    """Sends messages to the parent, whole ones, from whichever thread."""

    def __init__(self, stream: BinaryIO) -> None:
        self.job = 0
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, kind: Kind, payload: Any = None, *, hold: bool = False) -> None:
        """Send a message; one held goes with the next, or when there is much to send."""
        from indx_runtime.messages import pack

        data = pack(self.job, kind, payload)
        with self._lock:
            self._stream.write(data)
            if not hold:
                self._stream.flush()


class _LogRecords(logging.Handler):
    """Sends log records of this process to the parent, which has the log."""

    def __init__(self, outbox: _Outbox) -> None:
        super().__init__(logging.INFO)
        self._outbox = outbox
        self.left = MOST_RECORDS

    def emit(self, record: logging.LogRecord) -> None:
        self.left -= 1
        if self.left < 0:
            return
        try:
            from indx_core.scrubbing import scrubbed

            # Before it is cut: a part of a secret is not known as one.
            text = scrubbed(record.getMessage())[:LONGEST_RECORD]
            self._outbox.send("log", (record.name, min(record.levelno, logging.CRITICAL), text))
        except Exception:
            self.handleError(record)


def _settings() -> dict[str, str]:
    """The settings of indx in the environment."""
    return {name: value for name, value in os.environ.items() if name.startswith("INDX_")}


class _Surroundings:
    """What every document finds as the first one did, whatever the reader of one before made of it.

    Of the environment these are the settings of indx. Other variables are left alone: libraries set some when
    they are loaded, and look at them for every document.
    """

    def __init__(self) -> None:
        self._mask = os.umask(0o077)
        os.umask(self._mask)
        self._settings = _settings()
        self._folder: int | None = None
        try:
            # Held open: it may be moved, or removed.
            self._folder = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
            self._status = os.stat(".")  # noqa: PTH116
        except OSError:  # one that may not be looked at cannot be gone back to
            self._folder = None

    def restore(self) -> None:
        """Put back what is no longer as it was; end this process where there is no way back."""
        os.umask(self._mask)
        if (found := _settings()) != self._settings:
            for name in found.keys() - self._settings.keys():
                del os.environ[name]
            os.environ.update(self._settings)
        if self._folder is not None and not self._is_back():
            with contextlib.suppress(OSError):
                os.fchdir(self._folder)
            if not self._is_back():
                os.write(2, b"the current folder is another, and the way back to the first is lost")
                os._exit(1)

    def _is_back(self) -> bool:
        try:
            return os.path.samestat(os.stat("."), self._status)  # noqa: PTH116
        except OSError:
            return False


def main(memory: int, timeout: float) -> None:
    """Serve jobs until standard input ends.

    Args:
        memory: Resident bytes allowed; the address space is limited to twice as many.
        timeout: Seconds an attempt may take; the process ends itself at twice that if nobody else did.
    """
    _limit(memory)
    outbox = _Outbox(os.fdopen(os.dup(1), "wb", _AT_ONCE))
    os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    deserted = threading.Event()
    atexit.register(lambda: _end_group() if deserted.is_set() else None)  # the last: others clean up first
    _preload()
    gc.freeze()  # what is loaded stays: no collection need look at it
    gc.set_threshold(_COLLECT_AFTER, 20, 50)
    from indx_runtime.messages import Mailbox

    records = _LogRecords(outbox)
    logging.getLogger("indx").addHandler(records)
    outbox.send("ready")
    snapshot: Snapshot | None = None
    surroundings = _Surroundings()
    mailbox = Mailbox(sys.stdin.fileno())
    while (task := mailbox.job()) is not None:
        records.left = MOST_RECORDS
        outbox.job, job, progress, seconds = task
        snapshot = job.snapshot or snapshot
        job = replace(job, snapshot=snapshot)
        _serve(job, progress, seconds, outbox, mailbox, memory, min(2 * timeout, _LONGEST_WAIT))
        surroundings.restore()
    deserted.set()


def _serve(
    job: DocumentJob,
    progress: Progress,
    seconds: float | None,
    outbox: _Outbox,
    mailbox: Mailbox,
    memory: int,
    patience: float,
) -> None:
    """Work on one document and say how it ended."""
    from indx_core.errors import IndxError, explain

    try:
        _work(job, progress, seconds, outbox, mailbox, memory, patience)
        outbox.send("done")
    except IndxError as error:
        told = (_known_kind(error), error.message, error.code, error.param, error.lapse)
        outbox.send("refused", told)
    except MemoryError:
        outbox.send("memory")
    except Exception as error:
        outbox.send("failed", explain(error))
    finally:
        faulthandler.cancel_dump_traceback_later()


def _known_kind(error: IndxError) -> str:
    """The name of its class in the tree, the nearest one above a class that a provider made of it."""
    from indx_core import errors

    return next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in errors.__all__)


def _work(
    job: DocumentJob,
    progress: Progress,
    seconds: float | None,
    outbox: _Outbox,
    mailbox: Mailbox,
    memory: int,
    patience: float,
) -> None:
    from indx_core.deadline import Deadline
    from indx_core.discovery import default_registry
    from indx_runtime.progress import Found, InFlight
    from indx_runtime.sharing import Words
    from indx_runtime.work import work_on

    armed = _arm(patience)
    words = Words(partial(mailbox.words, outbox.job), memory)
    for frame in work_on(job, progress, default_registry(), Deadline(seconds), words):
        progress.apply(frame)
        # What was done goes with word of what is next, so that the parent wakes once.
        outbox.send("frame", frame, hold=not isinstance(frame, InFlight | Found))
        if time.monotonic() - armed > patience / 4:
            armed = _arm(patience)


def _arm(patience: float) -> float:
    """End this process unless this is called again in time; the time now. A thread each time: not often."""
    faulthandler.dump_traceback_later(patience, exit=True, file=2)  # sys.stderr may be another's by now
    return time.monotonic()


def _preload() -> None:
    """Load what every document needs, so that the first one does not pay for it."""
    from indx_core.discovery import default_registry
    from indx_runtime import work  # noqa: F401

    for group in ("indx.observers", "indx.capabilities", "indx.chunkers"):
        default_registry().providers(group)


def _limit(memory: int) -> None:
    limits = address_space(memory)
    if limits is None:  # not on this platform; the parent still watches the resident size
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, limits)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_parent(parent: int) -> None:
    """End this process when the one that started it is gone, even in the middle of a document."""
    while os.getppid() == parent:
        time.sleep(1.0)
    _end_group()
    os._exit(0)


def _end_group() -> None:
    """End this process and what was started in its group, as its parent would have done."""
    if os.getpgrp() == os.getpid():  # else the group is another's
        os.killpg(0, signal.SIGKILL)
