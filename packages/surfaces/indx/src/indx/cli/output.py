"""Where things go: what was asked for to standard output, what is said beside it to standard error."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from indx.cli.remedies import with_remedy
from indx_core.scrubbing import scrubbed

if TYPE_CHECKING:
    from rich.console import Console

    from indx_core.errors import IndxError

__all__ = [
    "OutputLost",
    "console",
    "fail",
    "said_in_the_answer",
    "shown",
    "use_utf8",
    "watch_logs",
    "watch_output",
    "write_json",
    "write_line",
]

_MOST_HELD: Final = 1_000
_WORKERS: Final = "indx.workers"
_CONTROLS: Final = {
    **{code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))},
    **{code: f"\\u{code:04x}" for code in (0x2028, 0x2029, 0x202D, 0x202E)},  # lines, and reversed names
}


class _Harmless(logging.Formatter):
    """Log lines as they are, without secrets and without what a terminal would obey."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        return "\n".join(map(shown, scrubbed(super().format(record)).splitlines()))


class OutputLost(OSError):
    """Standard output takes nothing more, for another reason than that its reader went away."""


class _Watched(io.FileIO):
    """A file whose failures to be written say that it was this one."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.errno, error.strerror) from None


def watch_output() -> None:
    """Tell a full disk behind standard output from one behind anything else, whoever writes there."""
    plain = sys.stdout
    buffer = getattr(plain, "buffer", None)
    file = getattr(buffer, "raw", buffer)  # unbuffered, it is the file itself
    if plain is sys.__stdout__ and isinstance(plain, io.TextIOWrapper) and isinstance(file, io.FileIO):
        plain.flush()
        watched = io.BufferedWriter(_Watched(plain.fileno(), "wb", closefd=False))
        sys.stdout = io.TextIOWrapper(
            watched, encoding=plain.encoding, errors=plain.errors, line_buffering=plain.line_buffering
        )


def watch_logs() -> None:
    """Let no secret out by a log that nothing else was told to write."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_Harmless())


@contextmanager
def said_in_the_answer(*more: str, told: Callable[[], Iterable[str]] = tuple) -> Iterator[None]:
    """A block during which no log repeats what the answer, or the account of a build, says of failures.

    Where there is no answer for an error, what was held back is logged after all.

    Args:
        more: Further logs of which that is so.
        told: What a person is told of failures, asked when the block is done. A log of workers that ended
            has more than that, as where another reader took over: what is not told is logged then.
    """
    held: deque[logging.LogRecord] = deque(maxlen=_MOST_HELD)
    ended: deque[logging.LogRecord] = deque(maxlen=_MOST_HELD)

    def hold(record: logging.LogRecord) -> bool:
        (ended if record.name == _WORKERS else held).append(record)
        return False

    names = (_WORKERS, "indx.chunking", "indx.lanes", "indx.parsers", *more)
    logs = [logging.getLogger(name) for name in names]
    for log in logs:
        log.addFilter(hold)
    try:
        yield
    except BaseException as error:
        _let_go(logs, hold)
        _log_all([*held, *_untold(ended, [str(error)])])
        raise
    _let_go(logs, hold)
    _log_all(_untold(ended, told()))


def _untold(ended: Iterable[logging.LogRecord], told: Iterable[str]) -> list[logging.LogRecord]:
    """The records whose reason, which is the last thing they say, stands in nothing that is told."""
    known = list(told)
    reasons = [str(record.args[-1]) if isinstance(record.args, tuple) else "" for record in ended]
    return [
        record
        for record, reason in zip(ended, reasons, strict=True)
        if not reason or not any(reason in message for message in known)
    ]


def _log_all(records: Iterable[logging.LogRecord]) -> None:
    for record in records:
        logging.getLogger(record.name).handle(record)


def _let_go(logs: Iterable[logging.Logger], hold: Callable[[logging.LogRecord], bool]) -> None:
    for log in logs:
        log.removeFilter(hold)


def use_utf8() -> None:
    """Read and write UTF-8 whatever the locale; a character that cannot be written never ends a command.

    An output that was closed before the command began takes anything and keeps nothing; a closed input is
    empty. What is read and is not UTF-8 is refused where it is used.
    """
    sys.stdin = sys.stdin or Path(os.devnull).open()  # noqa: SIM115  (as long as the process)
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    streams = {sys.stdin: "surrogateescape", sys.stdout: "backslashreplace", sys.stderr: "backslashreplace"}
    for stream, errors in streams.items():
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def write_json(value: Any) -> None:
    """Write a contract model, or JSON data, as one line of JSON on standard output."""
    if hasattr(value, "model_dump_json"):
        write_line(value.model_dump_json())
        return
    import orjson

    write_line(orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode())


def write_line(text: str) -> None:
    """Write a line of results on standard output."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def shown(text: str) -> str:
    """Text of a document or a file's name on one line, and nothing that a terminal would obey."""
    return text.translate(_CONTROLS)


def console(*, asked: bool = False) -> Console:
    """The console for what a person reads.

    Args:
        asked: Whether it is what the command was called for, and so for standard output.
    """
    from rich.console import Console

    return Console(stderr=not asked, highlight=False, soft_wrap=True)


def fail(error: IndxError, *, as_json: bool) -> None:
    """Say what went wrong: a line for a person, the typed envelope for a program that asked for JSON."""
    told = error.envelope()
    sys.stderr.write(f"indx: {shown(with_remedy(' '.join(told['message'].split())))}\n")
    if as_json:
        write_json(told)
