"""The settings of the hosted embedder."""

from __future__ import annotations

from typing import Final

from indx_core.settings import Kind, Setting, integer
from indx_model_litellm import model_settings

__all__ = ["DIMENSION", "MODEL", "SETTINGS"]

_MOST: Final = 65_536


def _dimension(text: str) -> int:
    value = integer(minimum=1).parse(text)
    if value > _MOST:
        raise ValueError(f"a whole number from 1 to {_MOST}")
    return value


MODEL = model_settings("INDX_EMBED", purpose="makes the vectors of `hosted-text`", read="start")
DIMENSION: Setting[int | None] = Setting(
    "INDX_EMBED_DIMENSION",
    Kind("integer", _dimension),
    None,
    "How many numbers a vector of the model has; needed with the model, since asking it costs a fee.",
    read="start",
)

SETTINGS = (*MODEL, DIMENSION)
