"""Declares the zero-shot classifier for documents, pages and chunks, where its engine is installed."""

from __future__ import annotations

from collections.abc import Sequence

from indx_classifier_zeroshot.settings import (
    HYPOTHESIS,
    LABELS,
    MAX_TOKENS,
    MINIMUM_CONFIDENCE,
    MODEL,
    MODEL_FILE,
    SETTINGS,
)
from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, Classification, LaneContext, LaneDeclaration

__all__ = ["ZeroShotClassifier", "chunks", "documents", "pages"]


class ZeroShotClassifier:
    """Asks an inference model, label by label, whether a text entails it; on this machine.

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
        """The lane's facts; its key names the model, the labels and the bounds."""
        from indx_model_onnx import identity, model_source

        try:
            facts = [HYPOTHESIS.get(), MINIMUM_CONFIDENCE.get(), MAX_TOKENS.get(), ",".join(LABELS.get())]
            key = "|".join(map(str, [identity(model_source(MODEL, MODEL_FILE)), *facts]))
        except ConfigurationError:
            key = "unusable"
        return LaneDeclaration(self._lane, self._unit, device="cpu", settings_key=key)

    def availability(self) -> Unavailability | None:
        """Which setting cannot be used, or what the model's folder lacks; the hub is not asked."""
        from indx_model_onnx import RUNNING, model_source

        for setting in (*SETTINGS, *RUNNING):
            try:
                setting.get()
            except ConfigurationError as error:
                return Unavailability(error.message, f"correct or unset {setting.name}")
        try:
            missing = model_source(MODEL, MODEL_FILE).missing()
        except ConfigurationError as error:
            return Unavailability(error.message, f"correct or unset {MODEL.name} and {MODEL_FILE.name}")
        if missing:
            return Unavailability(
                f"{MODEL.name}: the folder {MODEL.get()!r} lacks {', '.join(missing)}",
                f"put them there, or unset {MODEL.name}",
            )
        return None

    def classify(self, texts: Sequence[str], context: LaneContext) -> Answers[Classification]:  # noqa: ARG002
        """Labels of each text; where the model cannot be had, each text fails with the reason.

        Raises:
            ConfigurationError: `invalid_setting`.
        """
        from indx_classifier_zeroshot._inference import Question, classify
        from indx_model_onnx import model_source

        question = Question(HYPOTHESIS.get(), LABELS.get(), MAX_TOKENS.get(), MINIMUM_CONFIDENCE.get())
        return Answers(classify(texts, model_source(MODEL, MODEL_FILE), question))


def documents() -> ZeroShotClassifier | Unavailability:
    """The classifier of whole documents; without its engine there is nothing to advertise."""
    return _made("zeroshot", "document")


def pages() -> ZeroShotClassifier | Unavailability:
    """The classifier of pages; without its engine there is nothing to advertise."""
    return _made("zeroshot-page", "page")


def chunks() -> ZeroShotClassifier | Unavailability:
    """The classifier of chunks; without its engine there is nothing to advertise."""
    return _made("zeroshot-chunk", "chunk")


def _made(lane: str, unit: Unit) -> ZeroShotClassifier | Unavailability:
    from indx_model_onnx import lacking_engine

    return lacking_engine("indx-classifier-zeroshot", "zeroshot") or ZeroShotClassifier(lane, unit)
