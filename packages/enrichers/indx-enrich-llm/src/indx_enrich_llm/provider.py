"""Declares the enricher that asks a language model, where one is configured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, Enrichment, LaneDeclaration

__all__ = ["LlmEnricher", "chunks", "documents", "pages"]

_INSTALL: Final = 'pip install "indx-enrich-llm[llm]"'


class LlmEnricher:
    """Asks a language model for a summary and tags, and of chunks also which questions they answer.

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
        """The lane's facts: where its model runs, and in its key the model, and what is asked of it."""
        from indx_enrich_llm.settings import MAX_CHARACTERS, MODEL, SUMMARY_SENTENCES, TAGS
        from indx_model_litellm import HostedModel, device_of

        try:
            model = HostedModel.configured(MODEL).fingerprint
            numbers = (MAX_CHARACTERS.get(), SUMMARY_SENTENCES.get(), TAGS.get())
            key = "|".join((model, *map(str, numbers)))
        except ConfigurationError:
            key = "unusable"
        return LaneDeclaration(self._lane, self._unit, device=device_of(MODEL), settings_key=key)

    def availability(self) -> Unavailability | None:
        """What is missing: LiteLLM, a model, or a usable setting; no server is asked."""
        from indx_enrich_llm.settings import MAX_CHARACTERS, MODEL, SUMMARY_SENTENCES, TAGS
        from indx_model_litellm import unavailability

        return unavailability(MODEL, install=_INSTALL, also=(MAX_CHARACTERS, SUMMARY_SENTENCES, TAGS))

    def enrich(self, texts: Sequence[str]) -> Answers[Enrichment]:
        """Summary and tags of each text; a text that the model gives no usable answer on fails alone.

        Raises:
            ConfigurationError: `invalid_setting`.
        """
        from indx_enrich_llm._asking import enrich

        return enrich(texts, questions=self._unit == "chunk")


def documents() -> LlmEnricher | Unavailability:
    """The enricher of whole documents; without a model there is nothing to advertise."""
    return _made("enrich-llm", "document")


def pages() -> LlmEnricher | Unavailability:
    """The enricher of pages; without a model there is nothing to advertise."""
    return _made("enrich-llm-page", "page")


def chunks() -> LlmEnricher | Unavailability:
    """The enricher of chunks; without a model there is nothing to advertise."""
    return _made("enrich-llm-chunk", "chunk")


def _made(lane: str, unit: Unit) -> LlmEnricher | Unavailability:
    made = LlmEnricher(lane, unit)
    return made.availability() or made
