"""Where the surfaces that a model names stand in the text; what stands nowhere is invented and dropped."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from indx_core.ports.lanes import EntitySpan

__all__ = ["located"]

CONFIDENCE: Final = 0.8
"""The model states none."""
MAX_SURFACE: Final = 500
MAX_GAP: Final = 8
"""The most white space between two words of one name."""
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
_LETTER: Final = f"[^\\W{_UNSPACED}]"
_STARTS: Final = re.compile(_LETTER)
_ENDS: Final = re.compile(f"[\\W{_UNSPACED}]")
_STRETCHES: Final = re.compile(r"\s+|\S+")


def located(text: str, named: Sequence[tuple[str, str]], labels: Sequence[str]) -> list[EntitySpan]:
    """Every place of every surface, the longest first; none within or across another.

    A surface is found as it is written, or with other white space where it has some, since models set lines
    anew. Where it begins or ends with a letter or digit it does so on a word's edge, except in scripts that
    set no spaces.

    Args:
        text: The text.
        named: Labels and surfaces, as the model gave them.
        labels: The labels that count.
    """
    known = {label.casefold(): label for label in reversed(labels)}
    wanted: dict[str, str] = {}
    for label, surface in named:
        name, plain = known.get(label.strip().casefold()), " ".join(surface.split())
        if name is not None and 0 < len(plain) <= MAX_SURFACE:
            wanted.setdefault(plain, name)
    flat, places = _flat(text)
    taken: list[tuple[int, int]] = []
    spans = []
    for surface in sorted(wanted, key=lambda one: (-len(one), one)):
        for first, last in _places(flat, surface):
            start, end = places[first], places[last - 1] + 1
            place = bisect_left(taken, (start, end))
            before = place > 0 and taken[place - 1][1] > start
            if before or (place < len(taken) and taken[place][0] < end):
                continue
            taken.insert(place, (start, end))
            spans.append(EntitySpan(wanted[surface], text[start:end], start, end, CONFIDENCE))
    return sorted(spans, key=lambda span: span.start)


def _flat(text: str) -> tuple[str, list[int]]:
    """The text with each stretch of white space as one sign, and where each of its signs stands."""
    pieces: list[str] = []
    places: list[int] = []
    for found in _STRETCHES.finditer(text):
        start, end = found.span()
        if text[start].isspace():
            pieces.append(" " if end - start <= MAX_GAP else "\n")
            places.append(start)
        else:
            pieces.append(text[start:end])
            places += range(start, end)
    return "".join(pieces), places


def _places(flat: str, surface: str) -> Iterator[tuple[int, int]]:
    opens, closes = _STARTS.match(surface[0]), _STARTS.match(surface[-1])
    start = flat.find(surface)
    while start >= 0:
        end = start + len(surface)
        within = opens and start > 0 and _STARTS.match(flat[start - 1])
        if not within and not (closes and _STARTS.match(flat, end)):
            yield start, end
            start = flat.find(surface, end)
            continue
        # No word begins before this one ends: to look on within it would cost its square.
        after = _ENDS.search(flat, start) if opens else None
        if opens and after is None:
            return
        start = flat.find(surface, after.end() if after else start + 1)
