"""A page's text becomes chunks of so many tokens, with exact offsets."""

from __future__ import annotations

import re
from typing import Final

from indx_chunker_text._tokens import QUARTERS, weight
from indx_core.cutting import place, split, trim
from indx_core.hiding import parted
from indx_core.ports import ChunkDraft, PageReading
from indx_core.text import grapheme_floor

__all__ = ["cut_page"]

_START: Final = re.compile(r"\n\s*|[.!?…][)\]\"'”’»]*\s+|[。！？][」』）】〕》”’)\"']*\s*")
_WORD: Final = re.compile(r"\s+")


def cut_page(page: PageReading, limit: int, overlap: int) -> list[ChunkDraft]:
    """The chunks of `page`: at most `limit` tokens each, `overlap` of them from the chunk before."""
    text = page.text
    drafts: list[ChunkDraft] = []
    before = 0
    for start, end in split(text, 0, len(text), limit=(limit - overlap) * QUARTERS, measure=weight):
        first = _earlier(text, before, start, overlap * QUARTERS) if overlap else start
        if trim(text, start, end) and (span := trim(text, first, end)):
            box, reason = place(page, (span,))
            draft = ChunkDraft(text[slice(*span)], spans=(span,), box=box, box_reason=reason)
            drafts += [part for part in parted(page, [draft]) if part.spans[-1][1] > start]
        before = start
    return drafts


def _earlier(text: str, before: int, start: int, allowed: int) -> int:
    """Where to begin so that what stands before `start` weighs at most `allowed`.

    That is a sentence, else a word; inside a run without either, any grapheme.
    """
    first = min(start, max(before + 1, start - allowed))  # never all of the chunk before
    while first < start and (size := weight(text[first:start])) > allowed:
        first = start - (start - first) * allowed * 31 // (size * 32)
    ends = [found.end() for pattern in (_START, _WORD) if (found := pattern.search(text, first, start))]
    if ends:
        first = next((end for end in ends if end < start), start)
    while first < start and grapheme_floor(text, first) != first:
        first += 1
    return first
