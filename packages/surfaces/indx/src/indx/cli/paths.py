"""Paths of the command line: an empty one names nothing, and least of all the current folder."""

from __future__ import annotations

from pathlib import Path

import typer

__all__ = ["path"]


def path(given: str) -> Path:
    """A path as it was given; its name is what help shows of an option.

    Raises:
        BadParameter: It is empty, as where a variable of a script is not set.
    """
    if not given:
        raise typer.BadParameter("the path is empty; name one, or '.' for the current folder")
    return Path(given)
