"""What is advertised, and where its model runs: told without LiteLLM and without asking anyone."""

from __future__ import annotations

from indx_enrich_llm.provider import LlmEnricher, chunks, documents, pages
from indx_enrich_llm.settings import MAX_CHARACTERS, SETTINGS, SUMMARY_SENTENCES, TAGS
from indx_testkit.asking import DeclaredLaneKit


class TestDeclared(DeclaredLaneKit):
    lanes = (
        ("enrich-llm", "document", documents),
        ("enrich-llm-page", "page", pages),
        ("enrich-llm-chunk", "chunk", chunks),
    )
    made = LlmEnricher
    settings = SETTINGS
    prefix = "INDX_ENRICH_LLM"
    extra = "indx-enrich-llm[llm]"
    telling = ((MAX_CHARACTERS, "100"), (SUMMARY_SENTENCES, "1"), (TAGS, "2"))
