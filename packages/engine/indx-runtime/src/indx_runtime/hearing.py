"""What a worker says beside its frames, held to its form before it is heard: log records, and its end."""

from __future__ import annotations

import logging
from typing import Any, Final, TypeAlias

from indx_core import errors
from indx_core.errors import IndxError
from indx_runtime.values import check_lapse

__all__ = ["LONGEST_RECORD", "MOST_RECORDS", "Record", "ending", "log_record"]

MOST_RECORDS: Final = 200
"""Log records a document may cause; what follows says the same."""
LONGEST_RECORD: Final = 2_000
"""Characters of a log record."""
_LONGEST_NAME: Final = 200

Record: TypeAlias = "tuple[logging.Logger, int, str]"
"""The logger of a log record, its level and its one line."""

_others = logging.getLogger("indx.worker")  # a worker makes no loggers here


def log_record(payload: Any) -> Record:
    """A log record, for the logger it names where that is known here.

    Raises:
        ValueError: No worker sends such a record; one made of the wrong things may raise anything.
    """
    name, level, message = payload
    if not (_is_text(name) and name.partition(".")[0] == "indx" and _is_text(message)):
        raise ValueError("a log record of somebody else")
    if type(level) is not int or not logging.INFO <= level <= logging.CRITICAL:
        raise ValueError("a log record of no such level")
    text = _in_one_line(message, LONGEST_RECORD)
    logger = logging.Logger.manager.loggerDict.get(name)
    if isinstance(logger, logging.Logger):
        return logger, level, text
    return _others, level, f"{_in_one_line(name, _LONGEST_NAME)}: {text}"


def ending(kind: Any, payload: Any) -> Exception:
    """What to raise for a document that was refused, or failed of what nobody foresaw.

    Raises:
        ValueError: No worker ends a document so; a message made of the wrong things may raise anything.
    """
    if kind == "failed" and _is_text(payload):
        return RuntimeError(_in_one_line(payload, LONGEST_RECORD))
    if kind != "refused":
        raise ValueError("no such kind of message")
    name, message, code, param, lapse = payload
    error = getattr(errors, name) if name in errors.__all__ else None
    if not (isinstance(error, type) and issubclass(error, IndxError)) or code not in error.codes:
        raise ValueError("an error that does not exist")
    if not _is_text(message) or not (param is None or _is_text(param)):
        raise ValueError("an error that says nothing")
    param = None if param is None else _in_one_line(param, _LONGEST_NAME)
    return error(_in_one_line(message, LONGEST_RECORD), code=code, param=param, lapse=check_lapse(lapse))


def _is_text(value: Any) -> bool:
    return type(value) is str


def _in_one_line(text: str, most: int) -> str:
    """What can be printed of a text: no line break or escape by which it would look like another."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:most])
