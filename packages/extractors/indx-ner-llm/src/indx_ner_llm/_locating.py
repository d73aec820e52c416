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
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
_LETTER: Final = f"[^\\W{_UNSPACED}]"
_STARTS: Final = re.compile(_LETTER)


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
    taken: list[tuple[int, int]] = []
    spans = []
    for surface in sorted(wanted, key=lambda one: (-len(one), one)):
        for start, end in _places(text, surface):
            place = bisect_left(taken, (start, end))
            before = place > 0 and taken[place - 1][1] > start
            if before or (place < len(taken) and taken[place][0] < end):
                continue
            taken.insert(place, (start, end))
            spans.append(EntitySpan(wanted[surface], text[start:end], start, end, CONFIDENCE))
    return sorted(spans, key=lambda span: span.start)


def _places(text: str, surface: str) -> Iterator[tuple[int, int]]:
    words = surface.split(" ")
    # The longest word stands in the text or the surface does not: far cheaper to ask than the pattern.
    if max(words, key=len) not in text:
        return
    before = f"(?<!{_LETTER})" if _STARTS.match(surface) else ""
    after = f"(?!{_LETTER})" if _STARTS.match(surface[-1]) else ""
    pattern = before + r"\s{1,8}".join(map(re.escape, words)) + after
    for found in re.finditer(pattern, text):
        yield found.span()
