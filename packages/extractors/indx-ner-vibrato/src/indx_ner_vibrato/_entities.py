"""From words and their parts of speech to entities.

The dictionary marks proper nouns as people, organizations and places; neighbours join: a family name and a
given name, the parts of an address, a company's name and its legal form. Confidences are set by rule: the
analysis has none to give. Words that the dictionary does not know are guesses of the analyser, and count
only beside a legal form.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import explain
from indx_core.ports.lanes import EntitySpan, LaneError
from indx_ner_vibrato._dictionary import tokenizer
from indx_ner_vibrato._errors import DictionaryFailure

__all__ = ["extract"]

MAX_RUN: Final = 4000
"""What is analysed at once, in characters: the analyser counts positions in 16 bits."""
_AGAIN: Final = 8
_LINE: Final = re.compile(r"[^\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_FORMS: Final = frozenset(
    {
        "株式会社",
        "有限会社",
        "合同会社",
        "合資会社",
        "合名会社",
        "財団法人",
        "社団法人",
        "学校法人",
        "医療法人",
    }
)
_COMPANY_WORDS: Final = 5
_ENTITY_WORDS: Final = 12
_JOINERS: Final = frozenset("・＝= \u3000")
_KINDS: Final = {"人名": "person", "組織": "organization", "地域": "location", "地名": "location"}
_OTHER: Final = "miscellaneous"
_NAMING: Final = frozenset({"固有名詞", "一般", "サ変接続"})
"""The nouns that make names."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word: where it stands, what kind of entity it is part of, and how it joins others."""

    start: int
    end: int
    surface: str
    kind: str
    part: str
    """`姓` or `名` of a person, `接尾` of a place's suffix."""
    noun: bool
    name: bool
    """Whether it may be the name in a company's name."""


def extract(texts: Sequence[str]) -> list[Sequence[EntitySpan] | LaneError | None]:
    """Entities of each text, None where there are none."""
    if not texts:
        return []
    try:
        engine = tokenizer()
    except DictionaryFailure as error:
        return [LaneError(error.message)] * len(texts)
    return [_of(text, engine) for text in texts]


def _of(text: str, engine: Any) -> list[EntitySpan] | LaneError | None:
    found: list[EntitySpan] = []
    try:
        for line in _LINE.finditer(text):
            found += _spans(text, list(_of_line(text, line.start(), line.end(), engine)))
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic of the engine is an exception of no usual class
        return LaneError(f"the analysis failed: {explain(error)}")
    return found or None


def _of_line(text: str, start: int, end: int, engine: Any) -> Iterator[_Word]:
    """The words of a line. The last of a run that ends within it are analysed again with the next."""
    while start < end:
        stop = min(end, start + MAX_RUN)
        words = _words(text, start, stop, engine)
        if stop < end and len(words) > 2 * _AGAIN:
            words = words[:-_AGAIN]
        yield from words
        start = words[-1].end if words else stop


def _words(text: str, start: int, end: int, engine: Any) -> list[_Word]:
    tokens = engine.tokenize(clean_text(text[start:end]))
    return [
        _word(start + token.start(), start + token.end(), token.surface(), token.feature().split(","))
        for token in tokens
    ]


def _word(start: int, end: int, surface: str, features: list[str]) -> _Word:
    head = (*features, "", "", "", "")[:4]
    noun = head[0] == "名詞"
    proper = noun and head[1] == "固有名詞"
    known = len(features) > 7 and features[6] != "*" and not surface.isascii()
    kind, part = "", head[3]
    if proper and known:
        kind = _KINDS.get(head[2], _OTHER)
    elif head[:3] == ("名詞", "接尾", "地域"):
        part = "接尾"
    return _Word(start, end, surface, kind, part, noun and head[1] in _NAMING, proper or (noun and not known))


def _spans(text: str, words: list[_Word]) -> Iterator[EntitySpan]:
    companies = {low: (high, confidence) for low, high, confidence in _companies(words)}
    place = 0
    while place < len(words):
        end = place + 1
        if place in companies:
            end, confidence = companies[place]
            yield _span(text, "organization", words[place:end], confidence)
        elif words[place].kind:
            end = _joined(words, place, companies)
            yield _span(text, words[place].kind, words[place:end], _confidence(words[place:end]))
        place = end


def _span(text: str, label: str, words: Sequence[_Word], confidence: float) -> EntitySpan:
    start, end = words[0].start, words[-1].end
    return EntitySpan(label, text[start:end], start, end, confidence)


def _companies(words: list[_Word]) -> Iterator[tuple[int, int, float]]:
    """Where a company's name and legal form begin and end, as places in `words`, and how sure that is.

    A form has its name before it, any nouns; or after it, where at least one must be a name, since
    "株式会社設立" is none.
    """
    taken = 0
    for place in range(len(words)):
        width = _form(words, place)
        if not width or place < taken:
            continue
        low, high = place, place + width
        while low > taken and place - low < _COMPANY_WORDS and words[low - 1].noun:
            low -= 1
        named = any(word.name for word in words[low:place])
        if low == place:
            while high < len(words) and high - place - width < _COMPANY_WORDS and words[high].noun:
                high += 1
            named = any(word.name for word in words[place + width : high])
        if named or low < place:
            taken = high
            yield low, high, 0.9 if named else 0.7


def _form(words: list[_Word], place: int) -> int:
    """How many words are a legal form here: 0, 1, or 2 where the dictionary takes it apart."""
    if words[place].surface in _FORMS:
        return 1
    pair = "".join(word.surface for word in words[place : place + 2])
    return 2 if pair in _FORMS else 0


def _joined(words: list[_Word], place: int, companies: Collection[int]) -> int:
    """Where the entity that begins at `place` ends."""
    end = place + 1
    while end < len(words) and end not in companies and end - place < _ENTITY_WORDS:
        step = _step(words, place, end)
        if not step or end + step - 1 in companies:
            break
        end += step
    return end


def _step(words: list[_Word], place: int, end: int) -> int:
    """How many of the next words go on with the entity of `words[place:end]`: 0, 1, or 2 over a joiner."""
    first, last, following = words[place], words[end - 1], words[end]
    if first.kind == "person":
        if following.kind == "person":
            return int(last.part == "姓" and following.part == "名")
        after = words[end + 1] if end + 1 < len(words) else None
        if following.surface not in _JOINERS or after is None or after.kind != "person":
            return 0
        spaced = following.surface.isspace()
        return 2 if not spaced or (last.part == "姓" and after.part == "名") else 0
    if first.kind == "location":
        return int(following.kind == "location" or following.part == "接尾")
    return int(first.kind == "organization" and following.kind == "organization")


def _confidence(words: Sequence[_Word]) -> float:
    kind = words[0].kind
    if kind == _OTHER:
        return 0.6
    if kind == "person":
        return 0.9 if len(words) > 1 else 0.7
    return 0.9 if len(words) > 1 else 0.8
