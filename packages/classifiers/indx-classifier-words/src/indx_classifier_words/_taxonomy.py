"""Taxonomies and their votes: which labels' words a text holds.

A word of letters is looked for on word boundaries, whatever punctuation stands between the parts of a
phrase. A word with kana or ideographs is looked for anywhere in the text without its white space, because
such scripts set no spaces between words and forms set them between characters. Both sides are folded
(NFKC, case), and only the head of a text is looked at.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indx_core.ports.lanes import Scored
from indx_core.text import fold

__all__ = ["MAX_CHARACTERS", "Label", "Taxonomy", "normal"]

MAX_CHARACTERS: Final = 20_000

_CJK: Final = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_CJK: Final = re.compile(f"[{_CJK}]")
_WORD: Final = re.compile(f"[^\\W{_CJK}]+")
_ASCII_GAPS: Final = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}


@dataclass(frozen=True, slots=True)
class Label:
    """A label of a facet.

    Attributes:
        facet: The facet.
        label: The label's key.
        names: What people call it, by `ja` and `en`.
        words: The words that vote for it, normalised, each once.
        threshold: How many distinct words give it.
    """

    facet: str
    label: str
    names: dict[str, str]
    words: frozenset[str]
    threshold: int


def normal(word: str) -> str:
    """The form in which a word is compared; empty when it holds no letter and no digit."""
    folded = fold(word)
    if _HAS_CJK.search(folded):
        return "".join(folded.split())
    return " ".join(_latin_words(folded))


def _latin_words(folded: str) -> list[str]:
    return folded.translate(_ASCII_GAPS).split() if folded.isascii() else _WORD.findall(folded)


class Taxonomy:
    """Labels, compiled into one look-up for all of them.

    Args:
        labels: In the order in which equal shares are answered.
    """

    def __init__(self, labels: Sequence[Label]) -> None:
        self.labels = tuple(labels)
        words = sorted(frozenset[str]().union(*(label.words for label in labels)))
        self._cjk = [word for word in words if _HAS_CJK.search(word)]
        latin = [word for word in words if not _HAS_CJK.search(word)]
        self._single = frozenset(word for word in latin if " " not in word)
        phrases: defaultdict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
        for word in latin:
            parts = word.split(" ")
            if len(parts) > 1:  # asked for only where its longest part stands, which is rarely so
                phrases[max(parts, key=len)].append((f" {word} ", frozenset(parts)))
        self._phrases = dict(phrases)
        self._phrase_keys = frozenset(phrases)

    def found(self, text: str) -> set[str]:
        """The words of the taxonomy that stand in the head of `text`, normalised."""
        folded = fold(text[:MAX_CHARACTERS])
        words = _latin_words(folded)
        distinct = set(words)
        found = distinct & self._single
        phrases = [
            phrase
            for key in distinct & self._phrase_keys
            for phrase, parts in self._phrases[key]
            if parts <= distinct
        ]
        if phrases:
            line = f" {' '.join(words)} "
            found.update(phrase[1:-1] for phrase in phrases if phrase in line)
        if not folded.isascii() and _HAS_CJK.search(folded):
            run = "".join(folded.split())
            found.update(word for word in self._cjk if word in run)
        return found

    def classify(self, text: str) -> dict[str, list[Scored]]:
        """Labels by facet whose threshold `text` reaches, the highest share of its list first."""
        found = self.found(text)
        facets: dict[str, list[Scored]] = {}
        if not found:
            return facets
        for label in self.labels:
            votes = len(found & label.words)
            if votes >= label.threshold:
                facets.setdefault(label.facet, []).append(Scored(label.label, votes / len(label.words)))
        for scores in facets.values():
            scores.sort(key=lambda scored: -scored.confidence)
        return facets
