"""Samples to hand to a provider: documents as bytes, readings and whole readings of documents, sessions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from indx_core.ports import (
    Cell,
    DocumentReading,
    Heading,
    Link,
    Member,
    Observation,
    PageReading,
    Raster,
    RoleSpan,
    SourceContent,
    Span,
    Table,
    line_columns,
)

__all__ = ["DocumentSample", "SniffSample", "StubSession", "document", "picture", "reading", "table"]

BoxLike = Sequence[float] | None


@dataclass(frozen=True)
class DocumentSample:
    """A document for observers and capabilities.

    Attributes:
        data: Its bytes.
        media_type: What it is opened as.
        filename: The name it comes with.
        pages: How many pages it has, when the kit shall check that.
        expected: Snippets its text holds: anywhere, or by page when this is a mapping.
        unread: Pages that must stay unread, with their reason.
        renders: Whether its pages are drawn; None when the kit shall not check that.
        members: Names of the documents inside it, when the kit shall check them.
    """

    data: bytes
    media_type: str
    filename: str | None = None
    pages: int | None = None
    expected: Sequence[str] | Mapping[int, Sequence[str]] = ()
    unread: Mapping[int, str] = field(default_factory=dict)
    renders: bool | None = None
    members: Sequence[str] | None = None

    @property
    def label(self) -> str:
        """Words for a failure message."""
        return f"{self.filename or self.media_type} ({len(self.data)} bytes)"

    def source(self, data: bytes | None = None) -> SourceContent:
        """The sample as a source in memory, or `data` in its place."""
        content = self.data if data is None else data
        return SourceContent.of_bytes(content, media_type=self.media_type, filename=self.filename)

    def file(self, folder: Path) -> SourceContent:
        """The sample as a source in a new file of `folder`, under a name that says nothing."""
        target = folder / f"source-{len(list(folder.iterdir()))}"
        target.write_bytes(self.data)
        content = SourceContent.of_file(target, media_type=self.media_type)
        return SourceContent(None, target, content.size, content.digest, self.media_type, self.filename)


@dataclass(frozen=True)
class SniffSample:
    """Bytes for a sniffer and the media type it must answer, None for no answer.

    `strength` is checked when it is given.
    """

    data: bytes
    expected: str | None
    filename: str | None = None
    declared: str | None = None
    strength: str | None = None


class StubSession:
    """A session of somebody else: a media type, a source, a page count, and nothing to look into."""

    def __init__(self, source: SourceContent, page_count: int = 1) -> None:
        """Stand for `source`."""
        self.media_type = source.media_type
        self.source = source
        self.page_count = page_count

    def observe(self) -> Observation:
        """An observation without pages."""
        return Observation(self.media_type, ())

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing is drawn."""
        return None

    def members(self) -> Iterator[Member]:
        """Nothing is inside."""
        return iter(())

    def close(self) -> None:
        """Nothing to release."""


def picture(width: int = 8, height: int = 8, *, dpi: int = 72) -> Raster:
    """A small picture with a colour gradient."""
    pixels = bytes(
        value % 256 for y in range(height) for x in range(width) for value in (x * 16, y * 16, (x + y) * 8)
    )
    return Raster(width, height, pixels, dpi)


def table(
    rows: Sequence[Sequence[str]],
    *,
    start: int = 0,
    header_rows: int = 1,
    spans: Mapping[tuple[int, int], tuple[int, int]] | None = None,
    caption: str | None = None,
) -> tuple[str, Table]:
    r"""The page text of a table and the table itself, its offsets counted from `start`.

    Args:
        rows: The texts of the cells; every row has as many. A cell that a merged one covers is "".
        start: Where the text will stand in its page.
        header_rows: How many rows head the others.
        spans: Rows and columns that a merged cell covers, by its row and column counted from 1.
        caption: The caption.

    Returns:
        The text, a line a row with tabs between cells and line breaks inside them made spaces; the table.
    """
    merged = dict(spans or {})
    covered = {
        (row + down, column + right)
        for (row, column), (height, width) in merged.items()
        for down in range(height)
        for right in range(width)
        if down or right
    }
    cells: list[Cell] = []
    lines: list[str] = []
    position = start
    for row, texts in enumerate(rows, start=1):
        printed = [" ".join(text.split()) for text in texts]
        for column, (text, shown) in enumerate(zip(texts, printed, strict=True), start=1):
            if (row, column) not in covered:
                height, width = merged.get((row, column), (1, 1))
                cells.append(Cell(row, column, height, width, text, position, position + len(shown)))
            position += len(shown) + 1
        lines.append("\t".join(printed))
    text = "\n".join(lines)
    columns = len(rows[0]) if rows else 0
    return text, Table(start, start + len(text), len(rows), columns, header_rows, tuple(cells), caption)


def reading(
    text: str = "",
    *,
    page: int = 1,
    boxes: Sequence[BoxLike] | None = None,
    headings: Sequence[tuple[str, int]] = (),
    tables: Sequence[Table] = (),
    links: Sequence[tuple[str, str]] = (),
    roles: Sequence[tuple[str, Any]] = (),
    hidden: Sequence[str] = (),
    metadata: Mapping[str, Any] | None = None,
    confidence: float | None = None,
    reason: str | None = None,
) -> PageReading:
    r"""A reading of one page whose lines are those of `text` between line breaks.

    Headings, links, roles and hidden stretches are given by their text and found in the page from left to
    right, each after the one before.

    Args:
        text: The page's text.
        page: Its number.
        boxes: One box a line, None for an unresolved one; omit it for a page without geometry.
        headings: Texts and levels.
        tables: Tables, made by `table` with the offset at which their text stands.
        links: Texts and targets.
        roles: Texts and roles.
        hidden: Texts the document hides.
        metadata: Facts for the page's block.
        confidence: The reader's claim.
        reason: Why the page is unread.
    """
    starts, ends = line_columns(text)
    return PageReading(
        page=page,
        text=text,
        line_starts=starts,
        line_ends=ends,
        boxes=None if boxes is None else _columns(boxes, len(starts)),
        tables=tuple(tables),
        links=tuple(Link(*span, target) for span, target in _marks(text, links)),
        headings=tuple(Heading(*span, level) for span, level in _marks(text, headings)),
        roles=tuple(RoleSpan(*span, role) for span, role in _marks(text, roles)),
        hidden=tuple(span for span, _ in _marks(text, [(part, None) for part in hidden])),
        metadata=metadata,
        confidence=confidence,
        reason=reason,
    )


def _columns(boxes: Sequence[BoxLike], lines: int) -> array[float]:
    if len(boxes) != lines:
        raise ValueError(f"{len(boxes)} boxes for {lines} lines; give one a line")
    return array("d", [value for box in boxes for value in (box or (float("nan"),) * 4)])


def _marks(text: str, parts: Sequence[tuple[str, Any]]) -> list[tuple[Span, Any]]:
    """Where each part stands, from left to right, with what was said of it."""
    found: list[tuple[Span, Any]] = []
    position = 0
    for part, value in parts:
        start = text.find(part, position)
        if start < 0:
            raise ValueError(f"{part!r} does not stand in the text after offset {position}")
        position = start + len(part)
        found.append(((start, position), value))
    return found


def document(
    *pages: PageReading | str, media_type: str = "text/plain", filename: str | None = None
) -> DocumentReading:
    """A document as read. A string is a page of that text; pages are numbered in the order given."""
    readings: dict[int, PageReading] = {}
    for number, page in enumerate(pages, start=1):
        one = reading(page) if isinstance(page, str) else page
        one.page = number
        readings[number] = one
    return DocumentReading(media_type, filename, readings)
