"""What is advertised, and where its model runs: told without LiteLLM and without asking anyone."""

from __future__ import annotations

from indx_ner_llm.provider import LlmExtractor, chunks, pages
from indx_ner_llm.settings import LABELS, MAX_CHARACTERS, SETTINGS
from indx_testkit.asking import DeclaredLaneKit


class TestDeclared(DeclaredLaneKit):
    lanes = (
        ("ner-llm", "page", pages),
        ("ner-llm-chunk", "chunk", chunks),
    )
    made = LlmExtractor
    settings = SETTINGS
    prefix = "INDX_NER_LLM"
    extra = "indx-ner-llm[llm]"
    telling = ((LABELS, "a,b"), (MAX_CHARACTERS, "100"))
