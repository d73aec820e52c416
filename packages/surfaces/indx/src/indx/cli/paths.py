"""Paths of the command line: an empty one names nothing, and least of all the current folder."""

from __future__ import annotations

from pathlib import Path

import typer

from indx_core.errors import UsageError
from indx_core.paths import named

__all__ = ["path"]


def path(given: str) -> Path:
    """A path as it was given; its name is what help shows of an option.

    Raises:
        BadParameter: It is empty, as where a variable of a script is not set.
    """
    try:
        return named(given)
    except UsageError as error:
        raise typer.BadParameter(error.message) from None
