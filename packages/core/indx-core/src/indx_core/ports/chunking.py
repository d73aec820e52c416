"""The port that cuts pages into chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from indx_core.ports.reading import Box, PageReading, Raster, Session, Span, Table

__all__ = ["BoxReason", "ChunkDraft", "ChunkLayout", "Chunker", "ChunkerDeclaration", "DocumentReading"]

BoxReason: TypeAlias = Literal["no_geometry", "hidden", "unresolved"]


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """A document as read: the readings of its pages, in page order, read and unread ones alike."""

    media_type: str
    filename: str | None
    pages: Mapping[int, PageReading]


@dataclass(frozen=True, slots=True)
class ChunkLayout:
    """What a chunk is, when its chunker can tell.

    For a table, `table` has the cells this chunk carries, their rows and columns numbered as in the whole
    table, and `repeated` counts the header rows that an earlier chunk already carried.
    """

    role: Literal["paragraph", "table"]
    table: Table | None = None
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """One chunk of one page: a text or an image, where it came from and where it stands.

    Attributes:
        text: The text, or None for an image chunk.
        image: The pixels, or None for a text chunk.
        spans: The stretches of the page's text it carries, in order; a repeated table header is not one.
        box: Its place on the page, or None when `box_reason` says why there is none.
        box_reason: `no_geometry`, `hidden` or `unresolved`; None when `box` is set.
        layout: What it is, when known.
        section: The headings above it, outermost first.
    """

    text: str | None
    image: Raster | None = None
    spans: Sequence[Span] = ()
    box: Box | None = None
    box_reason: BoxReason | None = None
    layout: ChunkLayout | None = None
    section: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ChunkerDeclaration:
    """A chunker's facts. One version of a chunker is frozen behaviour; a change is a new version.

    Attributes:
        id: What requests name.
        version: Counted from 1.
        default: Whether this version is asked when a request names none.
        media_types: The types it cuts; empty means any.
        summary: What a chunk is under it, one phrase.
        rank: Its place in the installed order, lower is asked earlier; the page floor is last.
    """

    id: str
    version: int
    default: bool
    media_types: tuple[str, ...]
    summary: str
    rank: int = 100


class Chunker(Protocol):
    """Cuts pages into chunks. For each page the first chunker to answer wins."""

    port_version: int
    declaration: ChunkerDeclaration

    def chunk(
        self, document: DocumentReading, session: Session | None, pages: Sequence[int]
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Cut `pages` of `document`.

        Args:
            document: Every page as read; the pages to cut are among them.
            session: The open document, for a chunker that renders; None when it is no longer open.
            pages: The pages no chunker asked before has answered.

        Returns:
            Drafts by page, in reading order. A page that is absent is left to the next chunker; a page
            with an empty list has nothing to retrieve. What the page hides is in drafts of its own, as
            `indx_core.hiding.parted` sees to, unless one draft is the whole page.

        Raises:
            ConfigurationError: One of its settings is wrong; the chunker is then left out for the document.
        """
        ...
