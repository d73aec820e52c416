"""Declares the classifier that asks a language model, where one is configured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, Classification, LaneContext, LaneDeclaration

__all__ = ["LlmClassifier", "chunks", "documents", "pages"]

_INSTALL: Final = 'pip install "indx-classifier-llm[llm]"'


class LlmClassifier:
    """Asks a language model which labels a text deserves.

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
        from indx_classifier_llm.settings import LABELS, MAX_CHARACTERS, MODEL
        from indx_model_litellm import HostedModel, device_of

        try:
            model = HostedModel.configured(MODEL).fingerprint
            key = "|".join((model, str(MAX_CHARACTERS.get()), ",".join(LABELS.get())))
        except ConfigurationError:
            key = "unusable"
        device = device_of(MODEL)
        return LaneDeclaration(self._lane, self._unit, device=device, settings_key=key, text_alone=True)

    def availability(self) -> Unavailability | None:
        """What is missing: LiteLLM, a model, or a usable setting; no server is asked."""
        from indx_classifier_llm.settings import LABELS, MAX_CHARACTERS, MODEL
        from indx_model_litellm import unavailability

        return unavailability(MODEL, install=_INSTALL, also=(MAX_CHARACTERS, LABELS))

    def classify(self, texts: Sequence[str], context: LaneContext) -> Answers[Classification]:  # noqa: ARG002
        """Labels of each text; a text that the model gives no usable answer on fails alone.

        Raises:
            ConfigurationError: `invalid_setting`.
        """
        from indx_classifier_llm._asking import classify

        return classify(texts)


def documents() -> LlmClassifier | Unavailability:
    """The classifier of whole documents; without a model there is nothing to advertise."""
    return _made("classifier-llm", "document")


def pages() -> LlmClassifier | Unavailability:
    """The classifier of pages; without a model there is nothing to advertise."""
    return _made("classifier-llm-page", "page")


def chunks() -> LlmClassifier | Unavailability:
    """The classifier of chunks; without a model there is nothing to advertise."""
    return _made("classifier-llm-chunk", "chunk")


def _made(lane: str, unit: Unit) -> LlmClassifier | Unavailability:
    made = LlmClassifier(lane, unit)
    return made.availability() or made
