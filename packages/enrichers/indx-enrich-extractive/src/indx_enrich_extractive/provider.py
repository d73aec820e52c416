"""Declares the extractive enricher for documents, pages and chunks."""

from __future__ import annotations

from collections.abc import Sequence

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, Enrichment, LaneDeclaration
from indx_enrich_extractive.settings import MAX_CHARACTERS, SENTENCES

__all__ = ["ExtractiveEnricher", "chunk", "document", "page"]


class ExtractiveEnricher:
    """Summarises a text by those of its sentences that carry most of its own vocabulary. It coins no tags.

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
        """The lane's facts; its key holds both settings."""
        try:
            key = f"{SENTENCES.get()},{MAX_CHARACTERS.get()}"
        except ConfigurationError:
            key = "invalid"
        return LaneDeclaration(self._lane, self._unit, settings_key=key)

    def availability(self) -> Unavailability | None:
        """Which setting is wrong, if one is."""
        for setting in (SENTENCES, MAX_CHARACTERS):
            try:
                setting.get()
            except ConfigurationError as error:
                return Unavailability(error.message, f"correct {setting.name}, or unset it")
        return None

    def enrich(self, texts: Sequence[str]) -> Answers[Enrichment]:
        """A summary of each text; None for a blank one.

        Raises:
            ConfigurationError: `invalid_setting`, when a setting is wrong.
        """
        from indx_enrich_extractive._summary import summarise

        sentences, ceiling = SENTENCES.get(), MAX_CHARACTERS.get()
        summaries = (summarise(text, sentences, ceiling) for text in texts)
        return Answers([None if summary is None else Enrichment(summary=summary) for summary in summaries])


def document() -> ExtractiveEnricher:
    """The enricher of whole documents."""
    return ExtractiveEnricher("extractive", "document")


def page() -> ExtractiveEnricher:
    """The enricher of pages."""
    return ExtractiveEnricher("extractive-page", "page")


def chunk() -> ExtractiveEnricher:
    """The enricher of chunks."""
    return ExtractiveEnricher("extractive-chunk", "chunk")
