"""Summaries, tags and questions by a language model."""

from indx_enrich_llm.provider import LlmEnricher, chunks, documents, pages

__all__ = ["LlmEnricher", "chunks", "documents", "pages"]
