"""A dictionary is first read by a process that may end on it.

A compiled dictionary states the lengths of its tables, and the engine asks for as much memory as is stated:
where one length is damaged there is never so much, and the engine ends its process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

from indx_core.canonical import clean_text
from indx_core.deadline import Deadline

__all__ = ["why_unreadable"]

_REFUSED: Final = 3
_NOT_TRIED: Final = frozenset({0, 1, 2})
"""How it ends when it went well, and how Python ends where it never came to try."""

_PROGRAM: Final = f"""
import sys, vibrato
try:
    vibrato.Vibrato(sys.stdin.buffer.read())
except BaseException as error:
    sys.stdout.buffer.write((type(error).__name__ + ": " + str(error)).encode("utf-8", "replace")[:500])
    sys.exit({_REFUSED})
"""


def why_unreadable(data: bytes, own: Deadline) -> str | None:
    """Why the engine cannot read a compiled dictionary; None when it can, or where no process can be had.

    Args:
        data: The dictionary.
        own: The time for it.
    """
    path = os.pathsep.join(entry for entry in sys.path if entry)
    try:
        ran = subprocess.run(  # noqa: S603  our own program, by this interpreter, and nothing of the folder we are in
            [sys.executable, "-P", "-c", _PROGRAM],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # where the engine reports a panic, and says it again as an error
            env={**os.environ, "PYTHONPATH": path},
            timeout=own.remaining(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "reading it takes too long"
    except (OSError, ValueError):
        return None
    if ran.returncode in _NOT_TRIED:
        return None
    if ran.returncode == _REFUSED:
        return clean_text(" ".join(ran.stdout.decode("utf-8", "replace").split()))[:200]
    return "its tables are damaged, and whoever reads it ends"
