"""Japanese named entities by morphological analysis."""

from indx_ner_vibrato.provider import VibratoExtractor, chunks, pages

__all__ = ["VibratoExtractor", "chunks", "pages"]
