"""The one failure of this library; lanes turn it into a failure of the texts they were asked about."""

from __future__ import annotations

from indx_model_onnx.settings import DOWNLOAD_SECONDS

__all__ = ["ModelFailure", "too_slow"]


class ModelFailure(Exception):
    """A model cannot be had, loaded, or believed; the message says why and what would help."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def too_slow(name: str, seconds: float) -> ModelFailure:
    """The failure of a model that was not here in time."""
    return ModelFailure(
        f"{name} was not here after {seconds:g} s; try again later, or raise {DOWNLOAD_SECONDS.name}"
    )
