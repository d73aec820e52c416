"""The settings of the classifier that asks a language model."""

from __future__ import annotations

from indx_core.settings import Setting, integer, names
from indx_model_litellm import model_settings

__all__ = ["LABELS", "MAX_CHARACTERS", "MODEL", "SETTINGS"]

MODEL = model_settings("INDX_CLASSIFIER_LLM", purpose="classifies texts")
MAX_CHARACTERS: Setting[int] = Setting(
    "INDX_CLASSIFIER_LLM_MAX_CHARACTERS",
    integer(minimum=1),
    6000,
    "The most characters of a text that the model is shown, from its beginning.",
)
LABELS: Setting[tuple[str, ...]] = Setting(
    "INDX_CLASSIFIER_LLM_LABELS",
    names,
    (
        "invoice",
        "receipt",
        "quotation",
        "purchase_order",
        "delivery_note",
        "contract",
        "policy",
        "report",
        "minutes",
        "manual",
        "resume",
        "presentation",
        "letter",
        "form",
        "financial_statement",
        "press_release",
        "specification",
        "faq",
    ),
    "The labels to choose among, by comma.",
)

SETTINGS = (*MODEL, MAX_CHARACTERS, LABELS)
