"""The settings of the language detector, and the codes that its engine knows."""

from __future__ import annotations

from typing import Final

from indx_core.settings import Kind, Setting, boolean, number

__all__ = ["CANDIDATES", "KNOWN", "LOW_ACCURACY", "MINIMUM_CONFIDENCE", "SETTINGS"]

_ENGINE: Final = (
    "af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gu he hi hr hu hy id is it ja ka kk "
    "ko la lg lt lv mi mk mn mr ms nb nl nn pa pl pt ro ru sk sl sn so sq sr st sv sw ta te th tl tn tr ts "
    "uk ur vi xh yo zh zu"
)
KNOWN: Final = tuple(_ENGINE.split())
"""The ISO 639-1 codes of the engine's languages, stated here so that reading a setting loads nothing."""


def _codes(text: str) -> tuple[str, ...]:
    codes = tuple(sorted({part.strip().lower() for part in text.split(",") if part.strip()}))
    for code in codes:
        if code not in KNOWN:
            raise ValueError(f"a list of ISO 639-1 codes by comma: {code!r} is none of {', '.join(KNOWN)}")
    if len(codes) < 2:
        raise ValueError("at least two ISO 639-1 codes by comma, such as en,ja: one alone leaves no question")
    return codes


CANDIDATES: Setting[tuple[str, ...]] = Setting(
    "INDX_LANGUAGE_CANDIDATES",
    Kind("list", _codes),
    (),
    "The languages to choose among, ISO 639-1 codes by comma; unset, all seventy-five.",
)
MINIMUM_CONFIDENCE = Setting(
    "INDX_LANGUAGE_MINIMUM_CONFIDENCE",
    number(minimum=0, maximum=1),
    0.05,
    "Languages below this confidence are left out of an answer.",
)
LOW_ACCURACY = Setting(
    "INDX_LANGUAGE_LOW_ACCURACY",
    boolean,
    False,
    "Whether texts under 120 characters are judged by the small models alone: less memory, more errors.",
)

SETTINGS = (CANDIDATES, MINIMUM_CONFIDENCE, LOW_ACCURACY)
