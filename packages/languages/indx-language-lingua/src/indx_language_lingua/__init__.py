"""Names the languages of pages, with the detection engine lingua."""

from indx_language_lingua.provider import LinguaDetector, detector

__all__ = ["LinguaDetector", "detector"]
