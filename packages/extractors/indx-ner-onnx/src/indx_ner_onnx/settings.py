"""The settings of the ONNX extractor."""

from __future__ import annotations

from indx_core.settings import Setting, integer, number, string

__all__ = [
    "MAX_TOKENS",
    "MINIMUM_CONFIDENCE",
    "MODEL",
    "MODEL_FILE",
    "SETTINGS",
    "WINDOW_CHARACTERS",
]

MODEL: Setting[str] = Setting(
    "INDX_NER_ONNX_MODEL",
    string,
    "Xenova/bert-base-multilingual-cased-ner-hrl",
    "The token classification model: a repository of the Hugging Face hub, or a folder.",
)
MODEL_FILE: Setting[str] = Setting(
    "INDX_NER_ONNX_MODEL_FILE", string, "onnx/model_quantized.onnx", "The graph's file in the model."
)
MAX_TOKENS: Setting[int] = Setting(
    "INDX_NER_ONNX_MAX_TOKENS", integer(minimum=8), 512, "The most tokens the model is shown at once."
)
WINDOW_CHARACTERS: Setting[int] = Setting(
    "INDX_NER_ONNX_WINDOW_CHARACTERS",
    integer(minimum=8),
    400,
    "The most characters the model is shown at once, cut at white space.",
)
MINIMUM_CONFIDENCE: Setting[float] = Setting(
    "INDX_NER_ONNX_MINIMUM_CONFIDENCE",
    number(minimum=0, maximum=1),
    0.5,
    "The mean score of its tokens that an entity needs.",
)

SETTINGS = (MODEL, MODEL_FILE, MAX_TOKENS, WINDOW_CHARACTERS, MINIMUM_CONFIDENCE)
