"""Asks the engine: one built for each choice of candidates, about a bounded sample of a text."""

from __future__ import annotations

import re
import time
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

_SHORT: Final = 120
"""Letters below which the engine looks at more than groups of three."""

_PLAIN: Final = "internationale"
"""Letters of every language in Latin ones, so that the engine rules none out before it loads its models."""

_TURN: Final = 0.01
"""Seconds in which others go on between two loads: letting go of the lock alone gives each a single step."""

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
    text = clean_text(sample(text))
    if not low_accuracy and _is_short_latin(text):
        _load(tuple(codes))
    values = engine.compute_language_confidence_values(text)
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


def _is_short_latin(text: str) -> bool:
    """Whether the engine needs its large models for a text in Latin letters, of which it has very many."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum(letter.isascii() for letter in letters)
    return len(letters) < _SHORT and 2 * latin > len(letters)


@lru_cache(maxsize=4)
def _load(codes: tuple[str, ...]) -> None:
    """Have the large models of the candidates in Latin letters loaded, of two languages at a time.

    The engine holds the interpreter's lock as long as it is asked, and would for seconds while it loads them
    all: nothing else in the process would run, and who watches over the process might take it for dead. What
    one engine has loaded, every other one uses.
    """
    from lingua import Language

    known = sorted(language.iso_code_639_1.name.lower() for language in Language.all_with_latin_script())
    latin = [code for code in known if not codes or code in codes]
    for start in range(0, len(latin), 2):
        pair = latin[start : start + 2] if start + 1 < len(latin) else latin[-2:]
        if len(pair) == 2:
            _built(tuple(pair), low_accuracy=False).compute_language_confidence_values(_PLAIN)
            time.sleep(_TURN)


@lru_cache(maxsize=4)
def _engine(codes: tuple[str, ...], low_accuracy: bool) -> LanguageDetector:
    """An engine, built once for each choice."""
    return _built(codes, low_accuracy=low_accuracy)


def _built(codes: tuple[str, ...], *, low_accuracy: bool) -> LanguageDetector:
    """An engine, which loads the models of a language when a text first needs them, and then keeps them."""
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    if codes:
        builder = LanguageDetectorBuilder.from_iso_codes_639_1(*map(IsoCode639_1.from_str, codes))
    else:
        builder = LanguageDetectorBuilder.from_all_languages()
    return (builder.with_low_accuracy_mode() if low_accuracy else builder).build()
