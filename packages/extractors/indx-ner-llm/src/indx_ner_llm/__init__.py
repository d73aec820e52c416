"""Named entities by a language model."""

from indx_ner_llm.provider import LlmExtractor, chunks, pages

__all__ = ["LlmExtractor", "chunks", "pages"]
