"""What is advertised, and where its model runs: told without LiteLLM and without asking anyone."""

from __future__ import annotations

from indx_classifier_llm.provider import LlmClassifier, chunks, documents, pages
from indx_classifier_llm.settings import LABELS, MAX_CHARACTERS, SETTINGS
from indx_testkit.asking import DeclaredLaneKit


class TestDeclared(DeclaredLaneKit):
    lanes = (
        ("classifier-llm", "document", documents),
        ("classifier-llm-page", "page", pages),
        ("classifier-llm-chunk", "chunk", chunks),
    )
    made = LlmClassifier
    settings = SETTINGS
    prefix = "INDX_CLASSIFIER_LLM"
    extra = "indx-classifier-llm[llm]"
    telling = ((LABELS, "a,b"), (MAX_CHARACTERS, "100"))
