"""Summaries of a text's own sentences, chosen by term frequency."""

from indx_enrich_extractive.provider import ExtractiveEnricher, chunk, document, page

__all__ = ["ExtractiveEnricher", "chunk", "document", "page"]
