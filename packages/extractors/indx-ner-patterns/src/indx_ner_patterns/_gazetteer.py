"""Names found literally, the longest first, however many there are."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_core.ports.lanes import EntitySpan
from indx_ner_patterns._places import Places

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

__all__ = ["Gazetteer"]

# Scripts that set no space between words, or set particles to them: Thai to Khmer, Hangul, kana, ideographs.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3105-\u318e\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_LETTER: Final = rf"[^\W{_UNSPACED}]"
_WITHIN_A_WORD: Final = re.compile(rf"(?<={_LETTER})(?=[\u0300-\u036f]|{_LETTER})")


class Gazetteer:
    """Labels and the surfaces that have them.

    Args:
        entries: Label and surface, in the order of the file; a surface may have several labels.
    """

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        labels: dict[str, list[str]] = {}
        for label, surface in entries:
            if label not in labels.setdefault(surface, []):
                labels[surface].append(label)
        self._surfaces = tuple(labels)
        self._labels = tuple(map(tuple, labels.values()))

    @cached_property
    def _automaton(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick

        return AhoCorasick(self._surfaces)

    def find(self, text: str) -> list[EntitySpan]:
        """Every surface that stands in `text`, longer ones before shorter ones that would overlap them.

        A surface that begins or ends with a letter or digit of a script with spaces does not begin or end
        within a word.
        """
        matches = self._automaton.find_matches_as_indexes(clean_text(text), overlapping=True)
        longest_first = sorted(
            (start - end, start, end, surface)
            for surface, start, end in matches
            if not (_WITHIN_A_WORD.match(text, start) or _WITHIN_A_WORD.match(text, end))
        )
        places = Places(len(text))
        return [
            EntitySpan(label, text[start:end], start, end, 1.0)
            for _, start, end, surface in longest_first
            if places.take(start, end)
            for label in self._labels[surface]
        ]
