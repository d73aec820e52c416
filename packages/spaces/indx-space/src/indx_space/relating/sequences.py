"""What goes on in what: chunks of one split unit, and files that are numbered parts of one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk

__all__ = ["continues", "numbered_parts"]

# "report part 2", "report (2 of 3)", "scan-02": a word, a total or a leading zero says that it is a part.
_WORDED: Final = re.compile(
    r"(?P<stem>.*?)[\s._\-(\[]*(?<![^\W_])(?:part|pt|teil|partie|parte)[\s._\-]*(?P<number>\d{1,3})"
    r"(?:\s*(?:of|/|-)\s*\d{1,3})?[)\]]?",
    re.IGNORECASE,
)
_OF: Final = re.compile(
    r"(?P<stem>.+?)[\s._\-(\[]+(?P<number>\d{1,3})\s*(?:of|von|de|／)\s*\d{1,3}[)\]]?", re.IGNORECASE
)
_PADDED: Final = re.compile(r"(?P<stem>.*[^\d\s._\-(])[\s._\-(]+(?P<number>0\d|[1-9]\d)\)?")
_JAPANESE: Final = re.compile(r"(?P<stem>.+?)[\s._\-]*(?:その|第)(?P<number>\d{1,3})(?:部|回|巻|章)?")
_DATED: Final = re.compile(r"(?:19|20)\d\d(?:[\s._\-]?(?:0[1-9]|1[0-2]|q[1-4]))?[\s._\-]*$", re.IGNORECASE)


def continues(before: Chunk, after: Chunk) -> bool:
    """Whether `after` is the next piece of the unit that `before` is a piece of.

    A unit is a section, or a page without one: chunks of one page under the same headings, and of a section
    that runs on over the page.
    """
    first, second = before.metadata, after.metadata
    section = first.get("section")
    if section != second.get("section"):
        return False
    page, following = first.get("page"), second.get("page")
    return page == following or (bool(section) and page is not None and following == page + 1)


def numbered_parts(paths: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of a part and the next one, among files of one folder and suffix."""
    groups: dict[tuple[str, str, str], dict[int, list[str]]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        stem, dot, suffix = name.rpartition(".")
        found = _part(stem if dot else name)
        if found is not None:
            numbers = groups.setdefault((folder, found[0].casefold(), suffix if dot else ""), {})
            numbers.setdefault(found[1], []).append(path)
    pairs: list[tuple[str, str]] = []
    for numbers in groups.values():
        if all(len(same) == 1 for same in numbers.values()):
            pairs += _consecutive(numbers)
    return pairs


def _part(stem: str) -> tuple[str, int] | None:
    for pattern in (_WORDED, _OF, _JAPANESE, _PADDED):
        found = pattern.fullmatch(stem)
        if found is not None:
            if pattern is _PADDED and _DATED.search(found["stem"]):
                return None  # a month or a day, not a part
            return found["stem"].rstrip(" ._-(["), int(found["number"])
    return None


def _consecutive(numbers: dict[int, list[str]]) -> Iterable[tuple[str, str]]:
    """The steps of a sequence that begins at 0 or 1."""
    ordered = sorted(numbers)
    if ordered[0] > 1:
        return
    for one, two in pairwise(ordered):
        if two != one + 1:
            return
        yield numbers[one][0], numbers[two][0]
