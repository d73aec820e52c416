"""Declares the patterns extractor for pages and chunks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, EntitySpan, LaneDeclaration
from indx_ner_patterns.settings import GAZETTEER

__all__ = ["PatternsExtractor", "chunk", "page"]


class PatternsExtractor:
    """Finds entities by the shipped patterns, and those that a gazetteer names.

    Args:
        lane: The lane's ID.
        unit: What it is shown.
    """

    port_version = PORT_VERSION

    def __init__(self, lane: str, unit: Unit) -> None:
        self._lane = lane
        self._unit = unit

    @property
    def declaration(self) -> LaneDeclaration:
        """The lane's facts; its key is the digest of the gazetteer, where one is named."""
        source = GAZETTEER.get()
        key = ""
        if source is not None:
            try:
                key = hashlib.sha256(source.read_bytes()).hexdigest()
            except OSError:
                key = "unreadable"
        return LaneDeclaration(self._lane, self._unit, settings_key=key)

    def availability(self) -> Unavailability | None:
        """What is wrong with the gazetteer that INDX_NER_PATTERNS_GAZETTEER names, if one is."""
        if GAZETTEER.get() is None:
            return None
        from indx_ner_patterns._reading import current

        try:
            current()
        except ConfigurationError as error:
            return Unavailability(error.message, f"correct that file, or unset {GAZETTEER.name}")
        return None

    def extract(self, texts: Sequence[str]) -> Answers[Sequence[EntitySpan]]:
        """Entities of each text in order of their start; None for one that holds none.

        Raises:
            ConfigurationError: `invalid_setting`, when the gazetteer of the settings cannot be used.
        """
        from indx_ner_patterns._extraction import extract
        from indx_ner_patterns._reading import current

        gazetteer = current()
        return Answers([extract(text, gazetteer) or None for text in texts])


def page() -> PatternsExtractor:
    """The extractor of pages."""
    return PatternsExtractor("patterns", "page")


def chunk() -> PatternsExtractor:
    """The extractor of chunks."""
    return PatternsExtractor("patterns-chunk", "chunk")
