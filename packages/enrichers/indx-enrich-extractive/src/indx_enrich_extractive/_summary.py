"""A summary: the sentences whose terms are the text's most frequent ones, without saying things twice.

A term is a word of at least three letters that is no stop word, or a run of ideographs or katakana. A
sentence is worth the sum of the frequencies of its distinct terms over the root of their number, and the
less, the larger the share of its terms that one chosen sentence already holds. Only the first characters of
a text are looked at, which bounds the cost of a long one.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import chain
from math import sqrt
from typing import Final

from indx_core.canonical import clean_text
from indx_core.text import fold, grapheme_floor
from indx_enrich_extractive._sentences import leading_lines, sentences

__all__ = ["LOOKED_AT", "summarise"]

LOOKED_AT: Final = 6_000

_ASCII_TERM: Final = re.compile("[a-z]{3,}")
_STOP_WORDS: Final = """
about above after again all also and any are because been before being between both but can could did
does doing down during each few for from further had has have having her here him his how into its itself
just may more most must not now off once only other our out over own same shall she should some such than
that the their them then there these they this those through too under until use used using very was were
what when where which while who why will with would you your
"""
_STOP: Final = frozenset(_STOP_WORDS.split())


def summarise(text: str, count: int, ceiling: int) -> str | None:
    """At most `count` sentences and `ceiling` characters of `text`; None when it is blank."""
    head = clean_text(text[:LOOKED_AT])
    chosen = _choose(sentences(head), count)
    summary = ""
    for sentence in chosen:
        summary += ("" if not summary or summary[-1] in "。！？」』）" else " ") + sentence
    return _cut(summary or leading_lines(head, count), ceiling) or None


def _choose(candidates: list[str], count: int) -> list[str]:
    """The best `count` of the candidates, in their order."""
    if len(candidates) <= count:
        return candidates
    terms = [_terms(fold(sentence)) for sentence in candidates]
    times = Counter(chain.from_iterable(terms))
    worth = [sum(map(times.__getitem__, own)) / sqrt(len(own) or 1) for own in terms]
    said = [0.0] * len(candidates)
    left = [place for place, own in enumerate(terms) if own]
    chosen: list[int] = []
    while left and len(chosen) < count:
        best = max(left, key=lambda place: (worth[place] * (1 - said[place] ** 2), -place))
        left.remove(best)
        chosen.append(best)
        for place in left:
            said[place] = max(said[place], len(terms[place] & terms[best]) / len(terms[place]))
    return [candidates[place] for place in sorted(chosen)]


def _terms(folded: str) -> frozenset[str]:
    pattern = _ASCII_TERM if folded.isascii() else _term()
    return frozenset(pattern.findall(folded)) - _STOP


@cache
def _term() -> re.Pattern[str]:
    return re.compile(
        "[\u3400-\u4dbf\u4e00-\u9fff\u3005]{2,}|[\u30a1-\u30fa\u30fc]{2,}|[^\\W\\d_\u3005-\u30ff\u3400-\u9fff]{3,}"
    )


def _cut(summary: str, ceiling: int) -> str:
    """`summary` up to the last white space within the ceiling; where there is none, up to a grapheme."""
    if len(summary) <= ceiling:
        return summary
    head = summary[: ceiling + 1]
    spaces = [place for place in map(head.rfind, " \n\t\u3000") if place > 0]
    return summary[: max(spaces)].rstrip() if spaces else summary[: grapheme_floor(summary, ceiling)]
