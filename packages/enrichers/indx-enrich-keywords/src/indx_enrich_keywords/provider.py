"""Declares the keywords enricher for documents, pages and chunks."""

from __future__ import annotations

from collections.abc import Sequence

from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, Enrichment, LaneDeclaration

__all__ = ["KeywordsEnricher", "chunk", "document", "page"]


class KeywordsEnricher:
    """Gives a text topics and tags out of its own words. It writes no summary.

    Args:
        lane: The lane's ID.
        unit: What it is shown.
    """

    port_version = PORT_VERSION

    def __init__(self, lane: str, unit: Unit) -> None:
        self.declaration = LaneDeclaration(lane, unit)

    def availability(self) -> Unavailability | None:
        """None: it can always run."""
        return None

    def enrich(self, texts: Sequence[str]) -> Answers[Enrichment]:
        """Topics and tags of each text; None for one in which no word stands out."""
        from indx_enrich_keywords._keywords import keywords

        return Answers([keywords(text) for text in texts])


def document() -> KeywordsEnricher:
    """The enricher of whole documents."""
    return KeywordsEnricher("keywords", "document")


def page() -> KeywordsEnricher:
    """The enricher of pages."""
    return KeywordsEnricher("keywords-page", "page")


def chunk() -> KeywordsEnricher:
    """The enricher of chunks."""
    return KeywordsEnricher("keywords-chunk", "chunk")
