"""What stands before paragraphs: what their level sets them in by, and automatic numbers.

Which have a number is said beside the shape, by stretches of its text.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from indx_format_office.automatic import NO_NUMBER, SCHEMES, Counting, Kind

__all__ = ["indents", "labels"]

_MOST_RUNS, _MOST_ENTRIES, _DEEPEST = 100_000, 16, 8
_PARAGRAPH_FIELDS: Final = (
    (0x0F, 2), (0x80, 2), (0x10, 2), (0x40, 2), (0x20, 4), (0x800, 2), (0x1000, 2), (0x2000, 2), (0x4000, 2),
    (0x100, 2), (0x400, 2), (0x8000, 2), (0x100000, -1), (0x10000, 2), (0xE0000, 2), (0x200000, 2),
)  # fmt: skip
"""What is said of paragraphs, by the bits that say that it is there, and how long it is; -1 for stops."""
_CHARACTER_FIELDS: Final = (
    (0x3EB7, 2), (0x10000, 2), (0x200000, 2), (0x400000, 2), (0x800000, 2), (0x20000, 2), (0x40000, 4),
    (0x80000, 2),
)  # fmt: skip
_BULLET, _ENTRY, _LANGUAGES = 0x01, 0x3C00, 0x47
_PICTURE, _SCHEME, _NUMBERED, _EXTENDED = 0x800000, 0x1000000, 0x2000000, 0x100000
_USUAL: Final = Kind(SCHEMES[3], 1)


class _Runs(NamedTuple):
    """Stretches of one text: where each ends, its level and whether it has a bullet; its entry."""

    paragraphs: list[tuple[int, int, bool]]
    characters: list[tuple[int, int]]


def indents(characters: str, styles: bytes) -> dict[int, str]:
    """What paragraphs below the first level are set in by, by where these start.

    Args:
        characters: The text, whose paragraphs end with a carriage return.
        styles: What is said of its stretches.
    """
    try:
        runs = _runs(styles, len(characters)).paragraphs
    except struct.error:
        return {}
    if not any(level for _, level, _ in runs):
        return {}
    found: dict[int, str] = {}
    at = start = 0
    for paragraph in characters.split("\r"):
        while at < len(runs) - 1 and runs[at][0] <= start:
            at += 1
        if level := runs[at][1]:
            found[start] = "  " * level
        start += len(paragraph) + 1
    return found


def labels(characters: str, styles: bytes, beside: bytes) -> dict[int, str]:
    """The labels of paragraphs by where these start, each with the space after it.

    Args:
        characters: The text, whose paragraphs end with a carriage return.
        styles: What is said of its stretches.
        beside: What is said of numbers, which stretches name.
    """
    try:
        entries, runs = _entries(beside), _runs(styles, len(characters))
    except struct.error:
        return {}
    found: dict[int, str] = {}
    numbers = Counting()
    paragraph_at = character_at = start = 0
    for paragraph in characters.split("\r"):
        begin, start = start, start + len(paragraph) + 1
        while paragraph_at < len(runs.paragraphs) - 1 and runs.paragraphs[paragraph_at][0] <= begin:
            paragraph_at += 1
        while character_at < len(runs.characters) - 1 and runs.characters[character_at][0] <= begin:
            character_at += 1
        if not paragraph.strip() or not runs.paragraphs or not runs.characters:
            continue
        _, level, bullet = runs.paragraphs[paragraph_at]
        entry = runs.characters[character_at][1]
        kind = entries[entry] if bullet and entry < len(entries) else NO_NUMBER
        if label := numbers.label(level, kind):
            found[begin] = label
    return found


def _entries(beside: bytes) -> list[Kind]:
    """How the paragraphs of each entry are numbered."""
    entries: list[Kind] = []
    at = 0
    while at + 12 <= len(beside) and len(entries) < _MOST_ENTRIES:
        (said,) = struct.unpack_from("<L", beside, at)
        at += 4 + 2 * bool(said & _PICTURE)
        numbered = 0
        if said & _NUMBERED:
            (numbered,) = struct.unpack_from("<H", beside, at)
            at += 2
        kind = _USUAL
        if said & _SCHEME:
            scheme, first = struct.unpack_from("<HH", beside, at)
            kind, at = Kind(SCHEMES[scheme] if scheme < len(SCHEMES) else "?", first), at + 4
        (said,) = struct.unpack_from("<L", beside, at)
        at += 4 + 4 * bool(said & _EXTENDED)
        (said,) = struct.unpack_from("<L", beside, at)
        at += 4 + 2 * (said & _LANGUAGES).bit_count() + 4 * bool(said & 0x20)
        entries.append(kind if numbered else NO_NUMBER)
    return entries


def _runs(styles: bytes, length: int) -> _Runs:
    runs = _Runs([], [])
    at = end = 0
    while end <= length and len(runs.paragraphs) < _MOST_RUNS:
        count, level, said = struct.unpack_from("<LHL", styles, at)
        bullet = True
        if said & _BULLET:
            bullet = bool(struct.unpack_from("<H", styles, at + 10)[0] & 1)
        at = _after(styles, at + 10, said, _PARAGRAPH_FIELDS)
        end += max(count, 1)
        runs.paragraphs.append((end, min(level, _DEEPEST), bullet))
    end = 0
    while end <= length and len(runs.characters) < _MOST_RUNS:
        count, said = struct.unpack_from("<LL", styles, at)
        entry = 0
        if said & _ENTRY:
            entry = struct.unpack_from("<H", styles, at + 8)[0] >> 10 & 0xF
        at = _after(styles, at + 8, said, _CHARACTER_FIELDS)
        end += max(count, 1)
        runs.characters.append((end, entry))
    return runs


def _after(styles: bytes, at: int, said: int, fields: tuple[tuple[int, int], ...]) -> int:
    """Where the fields end that `said` says are there."""
    for bits, size in fields:
        if said & bits:
            at += size if size > 0 else 2 + 4 * struct.unpack_from("<H", styles, at)[0]
    return at
