"""The page chunker: the floor that cuts every readable page no other chunker has answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import isnan
from typing import TYPE_CHECKING

from indx_core.ports import PORT_VERSION, ChunkDraft, ChunkerDeclaration, DocumentReading, Session

if TYPE_CHECKING:
    from indx_core.ports import Box, BoxReason, PageReading

__all__ = ["PageChunker", "chunker"]


class PageChunker:
    """One chunk per page that was read and holds text, whatever its media type."""

    port_version = PORT_VERSION
    declaration = ChunkerDeclaration(
        id="page",
        version=1,
        default=True,
        media_types=(),
        summary="one chunk per readable page",
        rank=1000,
    )

    def chunk(
        self,
        document: DocumentReading,
        session: Session | None,  # noqa: ARG002  nothing is rendered
        pages: Sequence[int],
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """One draft a page with text, none for a blank page, no answer for an unread one."""
        readings = ((page, document.pages[page]) for page in pages)
        return {page: _drafts(reading) for page, reading in readings if reading.reason is None}


def chunker() -> PageChunker:
    """The page chunker, version 1."""
    return PageChunker()


def _drafts(reading: PageReading) -> list[ChunkDraft]:
    text = reading.text.strip()
    if not text:
        return []
    start = reading.text.index(text)
    box, reason = _place(reading)
    return [ChunkDraft(text, spans=((start, start + len(text)),), box=box, box_reason=reason)]


def _place(reading: PageReading) -> tuple[Box | None, BoxReason | None]:
    """The box around all lines that hold text, or why there is none."""
    if _all_hidden(reading):
        return None, "hidden"
    if reading.boxes is None:
        return None, "no_geometry"
    boxes = [
        reading.boxes[4 * line : 4 * line + 4]
        for line, (start, end) in enumerate(zip(reading.line_starts, reading.line_ends, strict=True))
        if not reading.text[start:end].isspace() and end > start
    ]
    if not boxes or any(map(isnan, chain.from_iterable(boxes))):
        return None, "unresolved"
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom)), None


def _all_hidden(reading: PageReading) -> bool:
    """Whether the document hides every character that is not white space."""
    position = 0
    for start, end in reading.hidden:
        if reading.text[position:start].strip():
            return False
        position = max(position, end)
    return position > 0 and not reading.text[position:].strip()
