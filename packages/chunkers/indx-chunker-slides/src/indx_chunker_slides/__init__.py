"""The text of a slide in one chunk, its tables and its speaker's notes apart."""

from indx_chunker_slides.provider import chunker

__all__ = ["chunker"]
