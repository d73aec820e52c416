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

__all__ = ["CaseCounts", "Titles", "Words", "names_in", "title_key", "words_of"]

_WORD: Final = re.compile(r"[^\W_]+(?:['’.\-&_][^\W_]+)*")
_QUOTED: Final = re.compile(r"[「『《“]([^「」『』《》“”\n]{2,40})[」』》”]")
_KATAKANA: Final = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}(?:・[\u30a1-\u30fa\u30fc]+)*")
_CODE: Final = re.compile(r"\w+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*")
_BRACKETED: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_SMALL: Final = frozenset(
    {"of", "the", "de", "la", "le", "du", "des", "di", "da", "dos", "del", "el", "al", "von", "van", "der"}
    | {"den", "bin", "ibn"}
)
"""What stands within names. `and` parts two of them."""
_POSSESSIVE: Final = ("'s", "’s")
_MOST_SMALL: Final = 2
_LONGEST_TITLE: Final = 12
_SHORTEST_TITLE: Final = 3


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, in columns.

    Attributes:
        texts: As written.
        keys: As they are compared: folded, without a possessive `'s`.
        joined: Whether only a space parts each from the word before.
    """

    texts: Sequence[str]
    keys: Sequence[str]
    joined: Sequence[bool]

    def has_capital(self, start: int, end: int) -> bool:
        """Whether a word of a span begins otherwise than small."""
        return any(not text[0].islower() for text in self.texts[start:end])


def words_of(text: str) -> Words:
    """The words of a text."""
    texts = _WORD.findall(text)
    joined = [gap in (" ", "\u00a0") for gap in _WORD.split(text)[: len(texts)]]
    return Words(texts, _folded(texts, plain=text.isascii()), joined)


def _folded(texts: Sequence[str], *, plain: bool) -> list[str]:
    fold = str.lower if plain else fold_for_search
    keys = [fold(text) for text in texts]
    return [key[:-2] if key.endswith(_POSSESSIVE) else key for key in keys]


@dataclass(slots=True)
class CaseCounts:
    """How often each word is written small and how often with a capital."""

    small: Counter[str] = field(default_factory=Counter)
    large: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, texts: Iterable[str]) -> CaseCounts:
        """Count over texts."""
        counts = cls()
        for text in texts:
            words = words_of(text)
            counts.small.update(k for k, t in zip(words.keys, words.texts, strict=True) if t[0].islower())
            counts.large.update(k for k, t in zip(words.keys, words.texts, strict=True) if t[0].isupper())
        return counts

    def mostly_small(self, key: str) -> bool:
        """Whether a word is rather written small."""
        return self.small[key] > self.large[key]


def names_in(text: str, words: Words, case: CaseCounts) -> dict[str, None]:
    """The names of a text in order, each once."""
    names: dict[str, None] = {}
    keys = words.keys
    for start, end in _runs(words):
        while start < end and (keys[start] in _SMALL or case.mostly_small(keys[start])):
            start += 1
        if end - start > 1 or (end - start == 1 and len(keys[start]) > 1):
            names[" ".join(keys[start:end])] = None
    names.update(dict.fromkeys(fold_for_search(found) for found in _CODE.findall(text)))
    if not text.isascii():
        for pattern in (_KATAKANA, _QUOTED):
            names.update(dict.fromkeys(fold_for_search(found) for found in pattern.findall(text)))
    return names


def _runs(words: Words) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words, small words between them included."""
    start, end, between = -1, -1, 0
    for place, text in enumerate(words.texts):
        joined = words.joined[place]
        if start >= 0 and not joined:
            yield start, end
            start = -1
        if text[0].isupper():
            start = place if start < 0 else start
            end, between = place + 1, 0
        elif start >= 0:
            between += 1
            if between > _MOST_SMALL or words.keys[place] not in _SMALL:
                yield start, end
                start = -1
    if start >= 0:
        yield start, end


def title_key(title: str) -> tuple[str, ...]:
    """A title as it is compared: its words folded, without what stands in brackets at its end."""
    return tuple(words_of(_BRACKETED.sub("", title) or title).keys)


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

    def mentioned(self, words: Words, *, asked: bool = False) -> list[tuple[str, ...]]:
        """The titles that a text mentions, in order, the longest at each place.

        Words written small throughout mention no title: `the house` is not The House. In a question, where
        people write everything small, two or more do.

        Args:
            words: The text's words.
            asked: Whether it is a question.
        """
        found: dict[tuple[str, ...], None] = {}
        lengths, following = self._lengths, 0
        for place, first in enumerate(words.keys):
            if place < following or first not in lengths:
                continue
            for length in lengths[first]:
                key = tuple(words.keys[place : place + length])
                if key not in self.bearers:
                    continue
                if (asked and length > 1) or words.has_capital(place, place + length):
                    found[key] = None
                    following = place + length
                    break
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
