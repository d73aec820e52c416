"""The entries of an account of a build, as a person is told them: what several have in common, once."""

from __future__ import annotations

from collections.abc import Iterable

from indx.cli.output import shown
from indx.cli.remedies import with_remedy
from indx_core.text import counted

__all__ = ["entry_lines"]


def entry_lines(entries: Iterable[tuple[str, str]], most: int) -> list[str]:
    """Lines that tell entries, each a path and what is to be said of it.

    A wrong setting, say, is one fault and not as many as there are documents.

    Args:
        entries: The entries, in the order they are told in.
        most: So many different ones are told, and of the rest how many there are.
    """
    alike: dict[tuple[str, bool], list[str]] = {}
    for path, message in entries:
        alike.setdefault((message, not path), []).append(path)
    told = list(alike.items())
    lines = [shown(f"  {_places(paths)}{with_remedy(message)}") for (message, _), paths in told[:most]]
    left = sum(len(paths) for _, paths in told[most:])
    return [*lines, f"  and {left} more"] if left else lines


def _places(paths: list[str]) -> str:
    """The paths of equal entries, before a message; nothing for what is about the whole input."""
    first, *others = dict.fromkeys(paths)
    if others:
        return f"{first} and {counted(len(others), 'other')}: "
    return f"{first}: " if first else ""
