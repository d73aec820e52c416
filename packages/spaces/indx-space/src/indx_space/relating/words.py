"""The words of a text, as relating compares texts: cheaper than search terms wherever spaces part words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from indx_core.text import query_terms

__all__ = ["RUN_ON", "Words", "words_of"]

RUN_ON: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A character of a script whose words run on without spaces."""

_WORD: Final = re.compile(r"\w+")


class Words(NamedTuple):
    """Words in order; `cut` says that runs without spaces were cut into pairs of characters."""

    terms: Sequence[str]
    cut: bool


def words_of(text: str) -> Words:
    """The words of a text, in lower case."""
    if text.isascii():
        return Words(query_terms(text), cut=False)
    if RUN_ON.search(text):
        return Words(query_terms(text), cut=True)
    return Words(_WORD.findall(text.lower()), cut=False)
