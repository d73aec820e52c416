"""Topics and tags from a text's own words, with no model."""

from indx_enrich_keywords.provider import KeywordsEnricher, chunk, document, page

__all__ = ["KeywordsEnricher", "chunk", "document", "page"]
