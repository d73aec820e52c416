"""The settings of the zero-shot classifier."""

from __future__ import annotations

from indx_core.settings import Kind, Setting, integer, names, number, string

__all__ = ["HYPOTHESIS", "LABELS", "MAX_TOKENS", "MINIMUM_CONFIDENCE", "MODEL", "MODEL_FILE", "SETTINGS"]


def _hypothesis(text: str) -> str:
    if text.count("{}") != 1:
        raise ValueError("a sentence with one {} in it, the label's place")
    return text.strip()


MODEL: Setting[str] = Setting(
    "INDX_CLASSIFIER_ZEROSHOT_MODEL",
    string,
    "Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7",
    "The inference model: a repository of the Hugging Face hub, or a folder.",
)
MODEL_FILE: Setting[str] = Setting(
    "INDX_CLASSIFIER_ZEROSHOT_MODEL_FILE",
    string,
    "onnx/model_quantized.onnx",
    "The graph's file in the model.",
)
HYPOTHESIS: Setting[str] = Setting(
    "INDX_CLASSIFIER_ZEROSHOT_HYPOTHESIS",
    Kind("template", _hypothesis),
    "This document is a {}.",
    "What is asked of each label, which takes the place of `{}`.",
)
MINIMUM_CONFIDENCE: Setting[float] = Setting(
    "INDX_CLASSIFIER_ZEROSHOT_MINIMUM_CONFIDENCE",
    number(minimum=0, maximum=1),
    0.5,
    "The probability of entailment that a label needs.",
)
MAX_TOKENS: Setting[int] = Setting(
    "INDX_CLASSIFIER_ZEROSHOT_MAX_TOKENS",
    integer(minimum=16),
    512,
    "The most tokens the model is shown, text and hypothesis together: the head of a text.",
)
LABELS: Setting[tuple[str, ...]] = Setting(
    "INDX_CLASSIFIER_ZEROSHOT_LABELS",
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

SETTINGS = (MODEL, MODEL_FILE, HYPOTHESIS, MINIMUM_CONFIDENCE, MAX_TOKENS, LABELS)
