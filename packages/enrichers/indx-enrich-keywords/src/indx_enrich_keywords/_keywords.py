"""Which words and phrases of a text stand out.

Terms are words of letters, and runs of ideographs and katakana; pairs of words that follow each other with
nothing between them are phrases. A term counts as often as it stands, more in a heading, most in a short
first line, and a little more the longer it is. Of singular and plural the rarer counts for the other.
Labels are lower case, NFKC. Equal scores are ordered alphabetically. Only the first characters of a text are
looked at, code and comments left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from heapq import merge
from itertools import pairwise
from typing import Final, NamedTuple

from indx_core.canonical import clean_text
from indx_core.ports.lanes import Enrichment, Scored
from indx_enrich_keywords._stop import AMBIGUOUS, STOP, WEAK

__all__ = ["LOOKED_AT", "TAGS", "TOPICS", "keywords"]

LOOKED_AT: Final = 6_000
TOPICS: Final = 5
TAGS: Final = 8

TITLE_CHARACTERS: Final = 80  # a longer first line is no title
SENTENCE_ENDS: Final = ".。!?！？"  # neither is a sentence
IN_TITLE: Final = 3.0
IN_HEADING: Final = 2.0
PHRASE: Final = 2.5  # what a phrase of two is worth over a word
DOMINANT: Final = 0.6  # the share of a word's places that makes a phrase stand for it

# Tokens: words, runs of ideographs and katakana, and, one for each, what parts phrases: hiragana,
# punctuation other than quotes and marks of emphasis, the ends of lines.
_RUN: Final = "\u3005\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff"
_LETTER: Final = "[^\\W_\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]"
_GAP: Final = "[^\\w\\s`*_'’\"-]|\n"
_ASCII_TOKEN: Final = re.compile(f"[a-z][a-z0-9]*(?:(?:[-_]|'(?!s\\b))[a-z0-9]+)*|{_GAP}")

_FRONT_MATTER: Final = re.compile(r"\A\n---[ \t]*\n.*?\n---[ \t]*(?=\n|\Z)", re.DOTALL)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"\n[ \t>]*(?:`{3}|~{3})[^\n]*")
_ADDRESS: Final = re.compile(r"://[^\s)>\]\"'`]+")
_TARGET: Final = re.compile(r"\]\([^()\s]*\)")
_TAG: Final = re.compile(r"</?[a-z][^<>\n]{0,200}>")
_HEADING: Final = re.compile(r"\n#{1,6}[ \t]+(.+)")


class _Term(NamedTuple):
    """A word, or a phrase of two, in the order of what it is worth."""

    rank: float  # less is better
    words: tuple[str, ...]
    times: int

    @property
    def label(self) -> str:
        return " ".join(self.words)


def keywords(text: str) -> Enrichment | None:
    """Topics and tags of `text`; None where no term stands out."""
    prose = _prose(text)
    tokens = _tokens(prose)
    first = prose.strip(" \t\n#").partition("\n")[0]
    title = _tokens(first) if len(first) <= TITLE_CHARACTERS and first[-1:] not in SENTENCE_ENDS else []
    headings = Counter(_tokens("\n".join(_HEADING.findall(prose))))
    counts = _counts(tokens, headings.keys() | title)
    plurals = _plurals(counts)
    words = _words(counts, frozenset(title), headings, plurals)
    phrases = _phrases(tokens, title, counts, plurals)
    tags = _tags(words, phrases)
    if not tags:
        return None
    return Enrichment(tags=tags, topics=_topics(words, phrases))


def _prose(text: str) -> str:
    """The head of `text` in lower case, without code, comments, addresses and tags of markup."""
    head = "\n" + clean_text(text[:LOOKED_AT])
    if head.startswith("\n---"):
        head = _FRONT_MATTER.sub("", head)
    if "<!--" in head:
        head = _COMMENT.sub("", head)
    head = "\n".join(_FENCE.split(head)[::2])  # every second part stands between two fences
    head = head.lower() if head.isascii() else unicodedata.normalize("NFKC", head).lower()
    return _TAG.sub(" ", _ADDRESS.sub(" ", _TARGET.sub(" ", head)))


def _tokens(prose: str) -> list[str]:
    return (_ASCII_TOKEN if prose.isascii() else _token()).findall(prose)


@cache
def _token() -> re.Pattern[str]:
    return re.compile(
        f"[{_RUN}]{{2,12}}|(?!\\d){_LETTER}+(?:(?:[-_]|['’](?!s\\b)){_LETTER}+)*|[\u3041-\u309f]+|{_GAP}"
    )


def _counts(tokens: list[str], marked: AbstractSet[str]) -> dict[str, int]:
    """How often each word stands, for words that mean something and stand twice or in a marked place."""
    counts = Counter(tokens)
    articles = counts["the"]  # an English text: some words of other languages mean something
    return {
        word: count
        for word, count in counts.items()
        if (count > 1 or word in marked)
        and len(word) > 1
        and word[0].isalpha()
        and not "\u3041" <= word[0] <= "\u309f"
        and (word not in STOP or (word in AMBIGUOUS and count < articles))
    }


def _plurals(counts: Mapping[str, int]) -> dict[str, str]:
    """The rarer of singular and plural, where both stand in the text, and the other it counts for."""
    pairs: dict[str, str] = {}
    for plural in counts:
        if len(plural) > 3 and plural[-1] == "s" and plural[-2] != "s":
            stems = [plural[:-1], plural[:-2] if plural.endswith("es") else "", f"{plural[:-3]}y"]
            for singular in stems if plural.endswith("ies") else stems[:2]:
                if singular in counts:
                    by_count = sorted((plural, singular), key=counts.__getitem__)
                    pairs[by_count[0]] = by_count[1]
                    break
    return pairs


def _length(label: str) -> float:
    """A little more for longer terms; a character of a run counts for three."""
    return 1 + min(len(label) * (3 if _is_run(label) else 1), 12) / 24


def _is_run(word: str) -> bool:
    return "\u3005" <= word[0] <= "\u9fff"


def _words(
    counts: Mapping[str, int],
    title: AbstractSet[str],
    headings: Mapping[str, int],
    plurals: Mapping[str, str],
) -> list[_Term]:
    """Every word that stands out, alone or as part of a phrase, best first."""
    total: dict[str, int] = {}
    score: dict[str, float] = {}
    for word, count in counts.items():
        kept = plurals.get(word, word)
        total[kept] = total.get(kept, 0) + count
        worth = count + IN_TITLE if word in title else float(count)
        if word in headings:
            worth += IN_HEADING * min(headings[word], 3)
        score[kept] = score.get(kept, 0.0) + worth
    return sorted(_Term(-score[word] * _length(word), (word,), times) for word, times in total.items())


def _phrases(
    tokens: list[str], title: list[str], counts: Mapping[str, int], plurals: Mapping[str, str]
) -> list[_Term]:
    """Every phrase that stands twice or in the first line, best first."""
    total: dict[tuple[str, str], int] = defaultdict(int)
    for (one, two), count in Counter(_pairs(tokens, counts)).items():
        total[one, plurals.get(two, two)] += count
    titled = {(one, plurals.get(two, two)) for one, two in _pairs(title, counts)}
    return sorted(
        _Term(-(count + IN_TITLE * (pair in titled)) * PHRASE * _length(" ".join(pair)), pair, count)
        for pair, count in total.items()
        if (count > 1 or pair in titled) and pair[0] != pair[1] and any(map(_stands_alone, pair))
    )


def _pairs(tokens: list[str], known: Mapping[str, int]) -> list[tuple[str, str]]:
    """Known words that follow each other; runs never do without something between them."""
    pairs = [pair for pair in pairwise(tokens) if pair[0] in known and pair[1] in known]
    if any(map(_is_run, known)):
        return [(one, two) for one, two in pairs if not (_is_run(one) and _is_run(two))]
    return pairs


def _tags(words: list[_Term], phrases: list[_Term]) -> list[Scored]:
    """Words, each replaced by the phrase in which it nearly always stands."""
    leading: dict[str, _Term] = {}
    for phrase in phrases:
        for word in phrase.words:
            if word not in leading or phrase.times > leading[word].times:
                leading[word] = phrase
    chosen: dict[str, float] = {}
    for term in words:
        word = term.words[0]
        held = leading.get(word)
        if held is not None and held.times >= max(2, DOMINANT * term.times):
            chosen.setdefault(held.label, -term.rank)
        elif _stands_alone(word):
            chosen.setdefault(word, -term.rank)
        if len(chosen) == TAGS:
            break
    best = max(chosen.values(), default=0.0)
    return [Scored(label, round(score / best, 3)) for label, score in chosen.items()]


def _topics(words: list[_Term], phrases: list[_Term]) -> list[str]:
    """Phrases and words by score, no word of a phrase again, no phrase that only runs on from another."""
    topics: list[_Term] = []
    for term in merge(phrases, (word for word in words if _stands_alone(word.words[0]))):
        said = {word for topic in topics for word in topic.words}
        runs_on = any(term.words[0] == one.words[-1] or term.words[-1] == one.words[0] for one in topics)
        if not said.issuperset(term.words) and not runs_on:
            topics.append(term)
            if len(topics) == TOPICS:
                break
    return [topic.label for topic in topics]


def _stands_alone(word: str) -> bool:
    return word not in WEAK and (len(word) > 2 or _is_run(word))
