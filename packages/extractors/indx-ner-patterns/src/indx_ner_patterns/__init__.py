"""Finds dates, amounts, addresses and numbers by patterns, and names by a list of your own."""

from indx_ner_patterns.provider import PatternsExtractor, chunk, page

__all__ = ["PatternsExtractor", "chunk", "page"]
