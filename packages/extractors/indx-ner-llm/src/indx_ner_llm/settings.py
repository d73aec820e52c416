"""The settings of the extractor that asks a language model."""

from __future__ import annotations

from indx_core.settings import Setting, integer, names
from indx_model_litellm import model_settings

__all__ = ["LABELS", "MAX_CHARACTERS", "MODEL", "SETTINGS"]

MODEL = model_settings("INDX_NER_LLM", purpose="finds entities")
MAX_CHARACTERS: Setting[int] = Setting(
    "INDX_NER_LLM_MAX_CHARACTERS",
    integer(minimum=1),
    6000,
    "The most characters of a text that the model is shown, from its beginning.",
)
LABELS: Setting[tuple[str, ...]] = Setting(
    "INDX_NER_LLM_LABELS",
    names,
    ("person", "organization", "location", "date", "money", "invoice_number"),
    "The labels that the model is asked for, by comma.",
)

SETTINGS = (*MODEL, MAX_CHARACTERS, LABELS)
