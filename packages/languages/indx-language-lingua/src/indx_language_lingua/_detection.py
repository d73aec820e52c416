"""Asks the engine: one built for each choice of candidates, about a bounded sample of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_core.ports.lanes import Scored

if TYPE_CHECKING:
    from lingua import LanguageDetector

__all__ = ["MAX_CHARACTERS", "PIECES", "detect", "sample"]

MAX_CHARACTERS: Final = 20_000
PIECES: Final = 20

_SAYING_NOTHING: Final = re.compile(r"[\s\d!-&(-/:-@\[-`{-~]+")


def detect(text: str, codes: Sequence[str], *, low_accuracy: bool, floor: float) -> list[Scored]:
    """The languages of `text` from `floor` up, highest confidence first, equal ones by code; to six places.

    Args:
        text: Any text.
        codes: The candidates; empty for all that the engine knows.
        low_accuracy: Whether short texts are judged by the small models too.
        floor: The lowest confidence to state. A language of which nothing shows is never stated.
    """
    engine = _engine(tuple(codes), low_accuracy)
    if len(text) > MAX_CHARACTERS:
        text = _SAYING_NOTHING.sub(" ", text)  # of a long table a sample could be figures alone
    values = engine.compute_language_confidence_values(clean_text(sample(text)))
    # The engine adds in an order of its own each time, so that the last digits differ.
    scores = [Scored(one.language.iso_code_639_1.name.lower(), round(one.value, 6)) for one in values]
    stated = [scored for scored in scores if scored.confidence >= floor and scored.confidence > 0]
    return sorted(stated, key=lambda scored: (-scored.confidence, scored.label))


def sample(text: str) -> str:
    """`text`, or of a longer one than `MAX_CHARACTERS` as much in pieces evenly spaced over it."""
    if len(text) <= MAX_CHARACTERS:
        return text
    length = MAX_CHARACTERS // PIECES
    starts = [(len(text) - length) * n // (PIECES - 1) for n in range(PIECES)]
    return "\n".join(text[start : start + length] for start in starts)


@lru_cache(maxsize=4)
def _engine(codes: tuple[str, ...], low_accuracy: bool) -> LanguageDetector:
    """An engine, which loads the models of a language when a text first needs them, and then keeps them."""
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    if codes:
        builder = LanguageDetectorBuilder.from_iso_codes_639_1(*map(IsoCode639_1.from_str, codes))
    else:
        builder = LanguageDetectorBuilder.from_all_languages()
    return (builder.with_low_accuracy_mode() if low_accuracy else builder).build()
