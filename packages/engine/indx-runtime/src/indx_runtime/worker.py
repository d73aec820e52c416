"""The worker's side of isolation: a process that takes documents one by one from its standard input.

Messages are pickles with their length before them. Standard output carries frames only: anything native
code prints goes to standard error. The parent is trusted, the document is not.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import pickle
import struct
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias

if TYPE_CHECKING:
    from indx_runtime.progress import DocumentJob, Progress

__all__ = ["Message", "main", "read_message", "write_message"]

Message: TypeAlias = "tuple[Literal['frame', 'error', 'done', 'log'], Any]"

_LENGTH = struct.Struct("<Q")


def write_message(stream: BinaryIO, message: Any) -> None:
    """Write one message and flush it."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """The next message, or None when the stream ends before it is whole."""
    head = _read(stream, _LENGTH.size)
    if head is None:
        return None
    data = _read(stream, *_LENGTH.unpack(head))
    return None if data is None else pickle.loads(data)  # noqa: S301  (our own child or parent)


def _read(stream: BinaryIO, size: int) -> bytes | None:
    """Exactly `size` bytes, or None; an unbuffered stream gives fewer than asked at a time."""
    parts: list[bytes] = []
    while size > 0:
        part = stream.read(min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class _LogFrames(logging.Handler):
    """Sends log records of this process to the parent, which has the log."""

    def __init__(self, out: BinaryIO) -> None:
        super().__init__(logging.INFO)
        self._out = out

    def emit(self, record: logging.LogRecord) -> None:
        write_message(self._out, ("log", (record.name, record.levelno, record.getMessage())))


def main(memory: int, timeout: float) -> None:
    """Serve jobs until standard input ends.

    Args:
        memory: Resident bytes allowed; the address space is limited to twice as many.
        timeout: Seconds an attempt may take; the process ends itself at twice that if nobody else did.
    """
    _limit(memory)
    source, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    logging.getLogger("indx").addHandler(_LogFrames(out))
    _preload()
    while (task := read_message(source)) is not None:
        job, progress, seconds = task
        try:
            _serve(job, progress, seconds, out, timeout)
            write_message(out, ("done", None))
        except MemoryError:
            write_message(out, ("error", MemoryError("out of memory")))
        except Exception as error:
            write_message(out, ("error", _portable(error)))
        finally:
            faulthandler.cancel_dump_traceback_later()


def _serve(
    job: DocumentJob, progress: Progress, seconds: float | None, out: BinaryIO, timeout: float
) -> None:
    from indx_core.deadline import Deadline
    from indx_core.discovery import default_registry
    from indx_runtime.work import work_on

    for frame in work_on(job, progress, default_registry(), Deadline(seconds)):
        progress.apply(frame)
        write_message(out, ("frame", frame))
        faulthandler.dump_traceback_later(2 * timeout, exit=True)


def _portable(error: Exception) -> Exception:
    """An error that can travel: itself, or its text when its class cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _preload() -> None:
    """Load what every document needs, so that the first one does not pay for it."""
    from indx_core.discovery import default_registry
    from indx_runtime import work  # noqa: F401

    for group in ("indx.observers", "indx.capabilities", "indx.chunkers"):
        default_registry().providers(group)


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # not on this platform; the parent still watches the resident size
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    ceiling = 2 * memory if hard == resource.RLIM_INFINITY else min(2 * memory, hard)
    resource.setrlimit(resource.RLIMIT_AS, (ceiling, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_parent(parent: int) -> None:
    """End this process when the one that started it is gone, even in the middle of a document."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)
