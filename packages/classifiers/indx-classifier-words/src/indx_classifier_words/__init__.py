"""Classifies by word lists: document type, business unit, industry, in Japanese and English."""

from indx_classifier_words.provider import WordsClassifier, chunk, document, page

__all__ = ["WordsClassifier", "chunk", "document", "page"]
