"""The pages of a document as the reader of its format reads them, whoever opened it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from indx_core.ports import PageReading, Session, SourceContent
from indx_parser_invoice.provider import PDF, WORD

if TYPE_CHECKING:
    from indx_format_office.session import OfficeSession
    from indx_format_pdf import PageContent, PdfDocument

__all__ = ["Pages", "opened"]


class Pages(Protocol):
    """The pages of an open document."""

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    def reading(self, page: int) -> PageReading:
        """The reading of one of them."""
        ...


@contextmanager
def opened(session: Session) -> Iterator[Pages]:
    """The pages of `session`: what it holds open is used where it is of a known kind, else its source.

    Raises:
        SourceError: The source is not of its media type, or a password locks it.
        InputTooLarge: It passes a bound of its format.
    """
    if session.media_type == PDF:
        with _pdf(session) as document:
            yield _PdfPages(document)
    elif session.media_type in WORD:
        with _office(session) as office:
            yield _OfficePages(office)
    else:
        yield _HtmlPage(session.source, session.media_type)


@contextmanager
def _pdf(session: Session) -> Iterator[PdfDocument]:
    from indx_format_pdf import PdfDocument

    held = getattr(session, "document", None)
    if isinstance(held, PdfDocument):
        yield held
        return
    document = PdfDocument(session.source)
    try:
        yield document
    finally:
        document.close()


@contextmanager
def _office(session: Session) -> Iterator[OfficeSession]:
    from indx_format_office.session import OfficeSession
    from indx_parser_invoice._word import WordTexts

    if isinstance(session, OfficeSession) and session.family == WordTexts.family:
        yield session
        return
    own = WordTexts(session.source)
    try:
        yield own
    finally:
        own.close()


class _OfficePages:
    """A Word document as its session reads it."""

    def __init__(self, office: OfficeSession) -> None:
        self._office = office
        self.count = office.page_count

    def reading(self, page: int) -> PageReading:
        return self._office.reading(page)


class _PdfPages:
    """The text layer of a PDF document."""

    def __init__(self, document: PdfDocument) -> None:
        self._document = document
        self.count = document.page_count

    def reading(self, page: int) -> PageReading:
        content = self._document.page(page)
        reason = self._unread(content)
        if reason is not None:
            return PageReading(page, reason=reason)
        return PageReading(
            page,
            content.text,
            content.line_starts,
            content.line_ends,
            content.boxes,
            links=content.links,
            headings=self._document.headings(page),
            roles=content.roles,
            hidden=content.hidden,
            metadata=self._facts(content) or None,
        )

    def _unread(self, content: PageContent) -> str | None:
        """Why the text layer of a page is of no use."""
        if not content.opened:
            return "page_unreadable"
        if not content.plausible:
            return "implausible_text"
        return None if content.characters else "no_text_layer"

    def _facts(self, content: PageContent) -> dict[str, Any]:
        first = content.number == 1
        facts: dict[str, Any] = dict(self._document.information) if first else {}
        members = [*(self._document.member_names if first else ()), *content.attachments]
        if members:
            facts["members"] = [{"name": name} for name in members]
        counts = {"unmapped_glyphs": content.unmapped, "off_page_characters": content.off_page}
        return facts | {name: count for name, count in counts.items() if count}


class _HtmlPage:
    """An HTML document, one page."""

    count = 1

    def __init__(self, source: SourceContent, media_type: str) -> None:
        self._source = source
        self._media_type = media_type

    @cached_property
    def _read(self) -> PageReading:
        from indx_format_html import read_html

        return read_html(self._source.read(), media_type=self._media_type).reading()

    def reading(self, page: int) -> PageReading:  # noqa: ARG002  there is one
        return self._read
