"""Labels by a language model."""

from indx_classifier_llm.provider import LlmClassifier, chunks, documents, pages

__all__ = ["LlmClassifier", "chunks", "documents", "pages"]
