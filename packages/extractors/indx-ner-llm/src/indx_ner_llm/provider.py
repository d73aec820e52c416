"""Declares the extractor that asks a language model, where one is configured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, EntitySpan, LaneDeclaration

__all__ = ["LlmExtractor", "chunks", "pages"]

_INSTALL: Final = 'pip install "indx-ner-llm[llm]"'


class LlmExtractor:
    """Asks a language model for the names in a text, and finds them there itself.

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
        """The lane's facts: where its model runs, and in its key the model, the labels and the bound."""
        from indx_model_litellm import HostedModel, device_of
        from indx_ner_llm.settings import LABELS, MAX_CHARACTERS, MODEL

        try:
            model = HostedModel.configured(MODEL).fingerprint
            key = "|".join((model, str(MAX_CHARACTERS.get()), ",".join(LABELS.get())))
        except ConfigurationError:
            key = "unusable"
        return LaneDeclaration(self._lane, self._unit, device=device_of(MODEL), settings_key=key)

    def availability(self) -> Unavailability | None:
        """What is missing: LiteLLM, a model, or a usable setting; no server is asked."""
        from indx_model_litellm import unavailability
        from indx_ner_llm.settings import LABELS, MAX_CHARACTERS, MODEL

        return unavailability(MODEL, install=_INSTALL, also=(MAX_CHARACTERS, LABELS))

    def extract(self, texts: Sequence[str]) -> Answers[Sequence[EntitySpan]]:
        """Entities of each text; a text that the model gives no usable answer on fails alone.

        Raises:
            ConfigurationError: `invalid_setting`.
        """
        from indx_ner_llm._asking import extract

        return extract(texts)


def pages() -> LlmExtractor | Unavailability:
    """The extractor of pages; without a model there is nothing to advertise."""
    return _made("ner-llm", "page")


def chunks() -> LlmExtractor | Unavailability:
    """The extractor of chunks; without a model there is nothing to advertise."""
    return _made("ner-llm-chunk", "chunk")


def _made(lane: str, unit: Unit) -> LlmExtractor | Unavailability:
    made = LlmExtractor(lane, unit)
    return made.availability() or made
