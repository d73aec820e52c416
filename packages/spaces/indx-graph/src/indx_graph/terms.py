"""Names in texts: the terms that tie chunks together. They are found by form and by counting, in any script.

A name is a run of words that begin with a capital, joined by small words such as `of` or `van`; in scripts
without capitals, a run of katakana or what stands in quotation marks. Which words merely begin a sentence is
learned from the texts themselves: a word that is written small more often than not begins no name. Code
names (`snake_case`, `CamelCase`, `INDX_PLUGINS`) are names. Numbers and dates are none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from indx_core.text import fold_for_search

__all__ = ["CaseCounts", "Titles", "Word", "names_in", "title_key", "words_of"]

_WORD: Final = re.compile(r"[^\W_]+(?:['’.\-&_][^\W_]+)*")
_QUOTED: Final = re.compile(r"[「『《“]([^「」『』《》“”\n]{2,40})[」』》”]")
_KATAKANA: Final = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}(?:・[\u30a1-\u30fa\u30fc]+)*")
_CODE: Final = re.compile(r"\w+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*")
_BRACKETED: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_SMALL: Final = frozenset(
    {
        *("of", "the", "and", "in", "on", "for", "&", "to", "a", "at"),
        *("de", "la", "le", "du", "des", "et", "di", "da", "dos", "del", "e", "y", "el"),
        *("von", "van", "der", "den", "und", "al", "bin", "ibn"),
    }
)
_MOST_SMALL: Final = 2
_LONGEST_TITLE: Final = 12
_SHORTEST_TITLE: Final = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written, as it is compared, and what stands between it and the word before."""

    text: str
    key: str
    joined: bool

    @property
    def capital(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[0].isupper()


def words_of(text: str) -> list[Word]:
    """The words of a text; `joined` tells that only a space parts a word from the one before."""
    folded = _fold_words(text)
    found: list[Word] = []
    end = -1
    for match, key in zip(_WORD.finditer(text), folded, strict=True):
        gap = text[end : match.start()] if end >= 0 else "\n"
        found.append(Word(match.group(), key, gap in (" ", "\u00a0")))
        end = match.end()
    return found


def _fold_words(text: str) -> list[str]:
    found = _WORD.findall(text)
    fold = str.lower if text.isascii() else fold_for_search
    folded = [fold(word) for word in found]
    return [word[:-2] if word.endswith(("'s", "’s")) else word for word in folded]


@dataclass(slots=True)
class CaseCounts:
    """How often each word is written small and how often with a capital."""

    small: Counter[str] = field(default_factory=Counter)
    large: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, texts: Iterable[Sequence[Word]]) -> CaseCounts:
        """Count over texts."""
        counts = cls()
        for words in texts:
            counts.small.update(word.key for word in words if word.text[0].islower())
            counts.large.update(word.key for word in words if word.capital)
        return counts

    def mostly_small(self, key: str) -> bool:
        """Whether a word is rather written small."""
        return self.small[key] > self.large[key]


def names_in(text: str, words: Sequence[Word], case: CaseCounts) -> dict[str, None]:
    """The names of a text in order, each once."""
    names: dict[str, None] = {}
    for run in _runs(words):
        while run and (case.mostly_small(run[0].key) or run[0].key in _SMALL):
            run = run[1:]
        if not run or (len(run) == 1 and len(run[0].key) == 1):
            continue
        names[" ".join(word.key for word in run)] = None
    names.update(dict.fromkeys(fold_for_search(found) for found in _CODE.findall(text)))
    if not text.isascii():
        for pattern in (_KATAKANA, _QUOTED):
            names.update(dict.fromkeys(fold_for_search(found) for found in pattern.findall(text)))
    return names


def _runs(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Runs of capitalised words, small words between them included."""
    run: list[Word] = []
    between: list[Word] = []
    for word in words:
        if run and not word.joined:
            yield run
            run, between = [], []
        if word.capital:
            run += [*between, word] if run else [word]
            between = []
        elif run and word.key in _SMALL and len(between) < _MOST_SMALL:
            between.append(word)
        elif run:
            yield run
            run, between = [], []
    if run:
        yield run


def title_key(title: str) -> tuple[str, ...]:
    """A title as it is compared: its words folded, without what stands in brackets at its end."""
    return tuple(_fold_words(_BRACKETED.sub("", title) or title))


class Titles:
    """The titles that chunks bear, found where a text mentions them.

    Args:
        titles: The title of each chunk; empty where it has none.
    """

    def __init__(self, titles: Sequence[str]) -> None:
        """Index the titles."""
        self.bearers: dict[tuple[str, ...], list[int]] = {}
        for place, title in enumerate(titles):
            for key in _title_keys(title):
                self.bearers.setdefault(key, []).append(place)
        lengths: dict[str, set[int]] = {}
        for key in self.bearers:
            lengths.setdefault(key[0], set()).add(len(key))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def mentioned(self, words: Sequence[Word], *, asked: bool = False) -> list[tuple[str, ...]]:
        """The titles that a text mentions, in order, the longest at each place.

        Words written small throughout mention no title: `the house` is not The House. In a question, where
        people write everything small, two or more do.

        Args:
            words: The text's words.
            asked: Whether it is a question.
        """
        found: dict[tuple[str, ...], None] = {}
        place = 0
        while place < len(words):
            step = 1
            for length in self._lengths.get(words[place].key, ()):
                span = words[place : place + length]
                key = tuple(word.key for word in span)
                written = (asked and length > 1) or any(not word.text[0].islower() for word in span)
                if key in self.bearers and written:
                    found[key] = None
                    step = length
                    break
            place += step
        return list(found)


def _title_keys(title: str) -> list[tuple[str, ...]]:
    """The forms a title is mentioned by: whole, and its part before a comma where that is two words."""
    keys = [title_key(title)]
    head, comma, _ = title.partition(",")
    if comma and len(short := title_key(head)) > 1:
        keys.append(short)
    return [
        key for key in keys if key and len(key) <= _LONGEST_TITLE and len("".join(key)) >= _SHORTEST_TITLE
    ]
