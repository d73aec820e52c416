"""The settings of the enricher that asks a language model."""

from __future__ import annotations

from indx_core.settings import Setting, integer
from indx_model_litellm import model_settings

__all__ = ["MAX_CHARACTERS", "MODEL", "SETTINGS", "SUMMARY_SENTENCES", "TAGS"]

MODEL = model_settings("INDX_ENRICH_LLM", purpose="summarises and tags texts")
MAX_CHARACTERS: Setting[int] = Setting(
    "INDX_ENRICH_LLM_MAX_CHARACTERS",
    integer(minimum=1),
    6000,
    "The most characters of a text that the model is shown, from its beginning.",
)
SUMMARY_SENTENCES: Setting[int] = Setting(
    "INDX_ENRICH_LLM_SUMMARY_SENTENCES",
    integer(minimum=1),
    2,
    "How many sentences the model is asked to summarise a text in.",
)
TAGS: Setting[int] = Setting("INDX_ENRICH_LLM_TAGS", integer(minimum=0), 5, "The most tags a text is given.")

SETTINGS = (*MODEL, MAX_CHARACTERS, SUMMARY_SENTENCES, TAGS)
