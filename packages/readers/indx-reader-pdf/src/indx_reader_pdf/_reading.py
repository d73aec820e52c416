"""From what a page holds to a reading of it, or to the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, Session
from indx_format_pdf import PageContent, PdfDocument
from indx_reader_pdf._session import PdfSession

__all__ = ["read"]


def read(session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
    """Read `pages` of a document; a session of somebody else only lends its source.

    Raises:
        TimedOut: The deadline passed before a page was begun.
    """
    if isinstance(session, PdfSession):
        yield from _pages(session.document, pages, deadline)
        return
    document = PdfDocument(session.source)
    try:
        yield from _pages(document, pages, deadline)
    finally:
        document.close()


def _pages(document: PdfDocument, pages: Sequence[int], deadline: Deadline) -> Iterator[PageReading]:
    for number in pages:
        deadline.check()
        yield _reading(document, number)


def _reading(document: PdfDocument, number: int) -> PageReading:
    """The reading of one page."""
    page = document.page(number)
    reason = _unread_reason(document, page)
    metadata = _metadata(document, page)
    if reason is not None:
        return PageReading(number, reason=reason, metadata=metadata or None)
    if not page.characters:
        metadata["blank"] = True
    return PageReading(
        number,
        page.text,
        page.line_starts,
        page.line_ends,
        page.boxes,
        page.tables,
        links=page.links,
        headings=document.headings(number),
        roles=page.roles,
        hidden=page.hidden,
        metadata=metadata or None,
        part_starts=page.part_starts,
        part_ends=page.part_ends,
        part_boxes=page.part_boxes,
    )


def _unread_reason(document: PdfDocument, page: PageContent) -> str | None:
    """Why a page cannot be read by its text layer; None when it can, or when it is truly blank."""
    if not page.opened:
        return "page_unreadable"
    if not page.plausible:
        return "implausible_text"
    if page.characters:
        return None
    if page.images or page.drawings:
        return "no_text_layer"
    # A page of which nothing could be decoded looks like one on which nothing is drawn.
    return "nothing_decoded" if document.encrypted or document.damaged else None


def _metadata(document: PdfDocument, page: PageContent) -> dict[str, Any]:
    """Facts of the page, and of the document on its first page."""
    facts: dict[str, Any] = dict(document.information) if page.number == 1 else {}
    members = [*(document.member_names if page.number == 1 else ()), *page.attachments]
    if members:
        facts["members"] = [{"name": name} for name in members]
    if page.number == 1 and (more := document.member_count - len(document.member_names)):
        facts["members_unnamed"] = more
    label = document.label(page.number)
    if label not in {"", str(page.number)}:
        facts["page_label"] = label
    if page.unmapped:
        facts["unmapped_glyphs"] = page.unmapped
    if page.off_page:
        facts["off_page_characters"] = page.off_page
    if page.form:
        facts["form"] = page.form
    return facts
