"""What stands before paragraphs: the labels of lists and numbered headings, the numbers of notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from indx_reader_opendocument._names import DC, TEXT

if TYPE_CHECKING:
    from indx_format_office.container import Element
    from indx_reader_opendocument._styles import Level

__all__ = ["Counter", "told"]

_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST: Final = 100_000
_TELLING: Final = (TEXT + "note-citation", DC + "creator")


class Counter:
    """Counts the items of one list, level by level."""

    def __init__(self, levels: Mapping[int, Level]) -> None:
        """Count by `levels`."""
        self.levels = levels
        self._counts: dict[int, int] = {}

    def label(self, depth: int, start: int | None = None) -> str:
        """Count one item at `depth` and say its label, with the space after it."""
        level = self.levels.get(depth)
        if start is not None:
            self._counts[depth] = start
        else:
            first = 1 if level is None else level.start
            self._counts[depth] = min(self._counts.get(depth, first - 1) + 1, _MOST)
        for below in [place for place in self._counts if place > depth]:
            del self._counts[below]
        if level is None:
            return ""
        if level.bullet:
            return f"{level.bullet} "
        shown = [self._spelled(place) for place in range(max(1, depth - level.shown + 1), depth + 1)]
        number = ".".join(filter(None, shown)) if shown and shown[-1] else ""
        return f"{level.prefix}{number}{level.suffix}".strip() + " " if number else ""

    def _spelled(self, depth: int) -> str:
        level = self.levels.get(depth)
        if level is None:
            return ""
        count = self._counts.get(depth, level.start)
        if level.format in ("i", "I") and 0 < count < 5000:
            return _roman(count) if level.format == "i" else _roman(count).upper()
        if level.format in ("a", "A") and 0 < count <= 2600:
            times, place = divmod(count - 1, 26)
            return chr(ord(level.format) + place) * (times + 1)
        return str(count) if level.format else ""


def _roman(count: int) -> str:
    spelled = ""
    for value, sign in _ROMAN:
        times, count = divmod(count, value)
        spelled += sign * times
    return spelled


def told(note: Element) -> str:
    """What a note begins with: the number that is shown for it; of a comment, who wrote it."""
    number, name = (" ".join((note.findtext(tag) or "").split()) for tag in _TELLING)
    if number:
        return f"[{number}] "
    return f"{name}: " if name else ""
