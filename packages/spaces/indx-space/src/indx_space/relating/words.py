"""The words of a text, as relating compares texts: cheaper than search terms wherever spaces part words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from indx_core.text import query_terms

__all__ = ["Words", "runs_on", "words_of"]

_RUN_ON: Final = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]"

_WORD: Final = re.compile(r"\w+")

_AT_ONCE: Final = 1 << 20  # characters


class Words(NamedTuple):
    """Words in order; `cut` says that runs without spaces were cut into pairs of characters."""

    terms: Sequence[str]
    cut: bool


def runs_on(text: str) -> bool:
    """Whether a text holds a character of a script whose words run on without spaces."""
    return not text.isascii() and _run_on().search(text) is not None


@cache
def _run_on() -> re.Pattern[str]:
    return re.compile(_RUN_ON)


def words_of(text: str) -> Words:
    """The words of a text, in lower case."""
    cut = runs_on(text)
    if len(text) <= _AT_ONCE:
        return Words(_words(text, cut=cut), cut=cut)
    known: dict[str, str] = {}  # the words of a long text are mostly the same ones again
    terms: list[str] = []
    start = 0
    while start < len(text):
        end = text.find("\n", start + _AT_ONCE) + 1 or len(text)
        terms += [known.setdefault(term, term) for term in _words(text[start:end], cut=cut)]
        start = end
    return Words(terms, cut=cut)


def _words(text: str, *, cut: bool) -> list[str]:
    return query_terms(text) if cut or text.isascii() else _WORD.findall(text.lower())
