"""Declares the language detector `lingua`, where its engine is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.lanes import Answers, LanguageDetectorDeclaration, Scored
from indx_language_lingua.settings import CANDIDATES, LOW_ACCURACY, MINIMUM_CONFIDENCE, SETTINGS

__all__ = ["LinguaDetector", "detector"]


class LinguaDetector:
    """Names the languages of texts, each with the engine's confidence, highest first."""

    port_version = PORT_VERSION
    declaration = LanguageDetectorDeclaration("lingua")

    def availability(self) -> Unavailability | None:
        """Which of its settings cannot be used, if one cannot."""
        for setting in SETTINGS:
            try:
                setting.get()
            except ConfigurationError as error:
                return Unavailability(error.message, f"correct or unset {setting.name}")
        return None

    def detect(self, texts: Sequence[str]) -> Answers[Sequence[Scored]]:
        """Languages of each text; None for one in which no language shows.

        Raises:
            ConfigurationError: `invalid_setting`; a variable names a language the engine does not know, or a
                value out of range.
        """
        from indx_language_lingua._detection import detect

        codes, low, floor = CANDIDATES.get(), LOW_ACCURACY.get(), MINIMUM_CONFIDENCE.get()
        return Answers([detect(text, codes, low_accuracy=low, floor=floor) or None for text in texts])


def detector() -> LinguaDetector | Unavailability:
    """The detector; without its engine there is nothing to advertise."""
    if importlib.util.find_spec("lingua") is None:
        return Unavailability(
            "its engine, lingua-language-detector, is not installed",
            'pip install "indx-language-lingua[lang]"',
        )
    return LinguaDetector()
