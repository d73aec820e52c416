"""From the drawn pages to readings, by a session of this distribution or of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, Final

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, Session, line_columns
from indx_format_pdf import PageContent, PdfDocument
from indx_reader_libreoffice._session import ConvertedSession

__all__ = ["read"]

_BULLETS: Final = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓", 0xF076: "❖", 0xF0A8: "◻"}
"""Signs before items of lists, as symbol fonts of Windows number them; each stays one character."""


def read(session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
    """Read `pages`.

    Another's session may count otherwise: a reader to which a document is one page gets all drawn pages as
    that one, without places. Pages that do not correspond are unread.

    Raises:
        IndxError: The document cannot be converted.
        TimedOut: The deadline passed before a page was begun.
    """
    if isinstance(session, ConvertedSession):
        yield from _pages(session.document, pages, deadline)
        return
    if not pages:
        return
    with closing(ConvertedSession(session.source, deadline)) as own:
        if own.page_count == session.page_count:
            yield from _pages(own.document, pages, deadline)
        elif session.page_count == 1:
            yield _joined([_reading(own.document, n) for n in range(1, own.page_count + 1)])
        else:
            for page in pages:
                yield PageReading(page, reason="pages_differ")


def _pages(document: PdfDocument, pages: Sequence[int], deadline: Deadline) -> Iterator[PageReading]:
    for number in pages:
        deadline.check()
        yield _reading(document, number)


def _reading(document: PdfDocument, number: int) -> PageReading:
    page = document.page(number)
    metadata: dict[str, Any] = dict(document.information) if number == 1 else {}
    reason = _unread_reason(page)
    if reason is not None:
        return PageReading(number, reason=reason, metadata=metadata or None)
    return PageReading(
        number,
        page.text.translate(_BULLETS),
        page.line_starts,
        page.line_ends,
        page.boxes,
        links=page.links,
        headings=document.headings(number),
        roles=page.roles,
        hidden=page.hidden,
        metadata=metadata or None,
        part_starts=page.part_starts,
        part_ends=page.part_ends,
        part_boxes=page.part_boxes,
    )


def _unread_reason(page: PageContent) -> str | None:
    """Why a drawn page cannot be read; None when it can, or when it is blank."""
    if not page.opened:
        return "page_unreadable"
    if not page.plausible:
        return "implausible_text"
    return "no_text_layer" if page.images and not page.characters else None


def _joined(readings: Sequence[PageReading]) -> PageReading:
    """All pages as one, in their order; unread only where each of them is."""
    if all(reading.reason for reading in readings):
        return PageReading(1, reason=readings[0].reason)
    text = "\n".join(reading.text for reading in readings if reading.text)
    starts, ends = line_columns(text)
    return PageReading(1, text, starts, ends, metadata=readings[0].metadata)
