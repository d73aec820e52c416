"""Paths as they are given: an empty one names nothing, and least of all the current folder."""

from __future__ import annotations

import os
from pathlib import Path

from indx_core.errors import UsageError

__all__ = ["named"]


def named(path: str | os.PathLike[str]) -> Path:
    """A path that was given, which `Path` alone takes for the current folder where it is empty.

    Raises:
        UsageError: It is empty, as where a variable of a script is not set.
    """
    if not os.fspath(path):
        raise UsageError("the path is empty; name one, or '.' for the current folder")
    return Path(path)
