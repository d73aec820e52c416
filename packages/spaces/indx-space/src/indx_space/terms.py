"""Texts as numbered terms: each is cut once, for the index of words and for relating, which compares texts.

Relating takes words, which are cheaper than search terms wherever spaces part words.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from indx_core.text import index_terms, query_terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["TermTable", "Words", "runs_on", "words_of"]

_RUN_ON: Final = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]"

_WORD: Final = re.compile(r"\w+")


class Words(NamedTuple):
    """Words in order, by number; `cut` says that runs without spaces were cut into pairs of characters."""

    numbers: npt.NDArray[np.int32]
    cut: bool


class TermTable:
    """Terms by number, and where among all terms those of each text stand.

    A text is known by its characters, so that the same text is cut once wherever it is met.
    """

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._tokens = array("i")
        self._spans: dict[str, tuple[int, int]] = {}

    def number(self, term: str) -> int:
        """The number of a term, its own from now on."""
        return self._numbers[term]

    def terms(self) -> list[str]:
        """All terms so far by number."""
        return list(self._numbers)

    def index(self, texts: Iterable[str]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The terms by which texts are found, one text's after another's, and how many each has."""
        import numpy as np

        spans = [self._span(text) for text in texts]
        tokens = np.array(self._tokens, dtype=np.int32)
        parts = [tokens[start:end] for start, end in spans]
        lengths = np.array([end - start for start, end in spans], dtype=np.int64)
        return np.concatenate([tokens[:0], *parts]), lengths

    def words(self, texts: Sequence[str]) -> Words:
        """The words of the texts of one document.

        They are the terms of the index where a text is ASCII; of others they keep accents, and single
        characters beside pairs are no words.
        """
        import numpy as np

        cut = any(map(runs_on, texts))
        numbers = array("i")
        for text in texts:
            if text.isascii():
                start, end = self._span(text)
                numbers += self._tokens[start:end]
            else:
                numbers.extend(map(self._numbers.__getitem__, words_of(text, cut=cut)))
        return Words(np.array(numbers, dtype=np.int32), cut)

    def _span(self, text: str) -> tuple[int, int]:
        span = self._spans.get(text)
        if span is None:
            start = len(self._tokens)
            self._tokens.extend(map(self._numbers.__getitem__, index_terms(text)))
            span = self._spans[text] = (start, len(self._tokens))
        return span


def runs_on(text: str) -> bool:
    """Whether a text holds a character of a script whose words run on without spaces."""
    return not text.isascii() and _run_on().search(text) is not None


@cache
def _run_on() -> re.Pattern[str]:
    return re.compile(_RUN_ON)


def words_of(text: str, *, cut: bool) -> list[str]:
    """The words of a text, in lower case.

    Args:
        text: The text.
        cut: Whether runs without spaces are cut into pairs of characters, as where any text of its document
            holds such a run.
    """
    return query_terms(text) if cut or text.isascii() else _WORD.findall(text.lower())
