"""Declares the ONNX extractor for pages and chunks, where its engine is installed."""

from __future__ import annotations

from collections.abc import Sequence

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, EntitySpan, LaneDeclaration
from indx_ner_onnx.settings import (
    MAX_TOKENS,
    MINIMUM_CONFIDENCE,
    MODEL,
    MODEL_FILE,
    SETTINGS,
    WINDOW_CHARACTERS,
)

__all__ = ["OnnxExtractor", "chunks", "pages"]


class OnnxExtractor:
    """Finds entities by a model that labels tokens, on this machine.

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
        """The lane's facts; its key names the model and its bounds."""
        from indx_model_onnx import identity, model_source

        try:
            bounds = [MAX_TOKENS.get(), WINDOW_CHARACTERS.get(), MINIMUM_CONFIDENCE.get()]
            key = "|".join(map(str, [identity(model_source(MODEL, MODEL_FILE)), *bounds]))
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

    def extract(self, texts: Sequence[str]) -> Answers[Sequence[EntitySpan]]:
        """Entities of each text; where the model cannot be had, each text fails with the reason.

        Raises:
            ConfigurationError: `invalid_setting`.
        """
        from indx_model_onnx import model_source
        from indx_ner_onnx._extraction import Bounds, extract

        bounds = Bounds(MAX_TOKENS.get(), WINDOW_CHARACTERS.get(), MINIMUM_CONFIDENCE.get())
        return Answers(extract(texts, model_source(MODEL, MODEL_FILE), bounds))


def pages() -> OnnxExtractor | Unavailability:
    """The extractor of pages; without its engine there is nothing to advertise."""
    return _made("ner-onnx", "page")


def chunks() -> OnnxExtractor | Unavailability:
    """The extractor of chunks; without its engine there is nothing to advertise."""
    return _made("ner-onnx-chunk", "chunk")


def _made(lane: str, unit: Unit) -> OnnxExtractor | Unavailability:
    from indx_model_onnx import lacking_engine

    return lacking_engine("indx-ner-onnx", "ner") or OnnxExtractor(lane, unit)
