"""Recognises invoices in documents, and reads their pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from indx_core.deadline import Deadline
from indx_core.ports import Observation, PageReading, Session, Signature
from indx_parser_invoice._cells import without
from indx_parser_invoice._invoices import Invoice, invoices_in
from indx_parser_invoice._pages import Pages, opened
from indx_parser_invoice.provider import HTML

__all__ = ["read", "recognise"]

SIGNATURE: Final = "invoice"
MOST_BYTES: Final = 8 << 20
"""HTML of more bytes is not looked into: it is one page, and no invoice is as long."""


def recognise(observation: Observation, session: Session) -> list[Signature]:
    """A signature for each invoice: of the document, where it covers all pages, else of those it covers.

    Raises:
        SourceError: The source is not of its media type.
        InputTooLarge: It passes a bound of its format.
    """
    if session.media_type in HTML and session.source.size > MOST_BYTES:
        return []
    blank = {seen.page for seen in observation.pages if not (seen.text_characters and seen.plausible)}
    with opened(session) as pages:
        return [
            Signature(
                SIGNATURE,
                "DOCUMENT" if len(found.pages) == pages.count else "PAGE",
                tuple(found.pages),
                tuple(found.evidence()),
                found.confidence,
            )
            for found in _invoices(pages, blank)
        ]


def read(session: Session, pages: Sequence[int], deadline: Deadline) -> Iterator[PageReading]:
    """Read pages of invoices as the reader of their format does, with the fields on the page of the number.

    Raises:
        SourceError: The source is not of its media type.
        InputTooLarge: It passes a bound of its format.
        TimedOut: The deadline passed before a page was begun.
    """
    if not pages:
        return
    with opened(session) as document:
        found = {page: one for one in _invoices(document, frozenset(), deadline) for page in one.pages}
        for page in pages:
            deadline.check()
            yield _reading(document, page, found.get(page))


def _reading(document: Pages, page: int, invoice: Invoice | None) -> PageReading:
    if not 1 <= page <= document.count:
        return PageReading(page, reason="no_such_page")
    reading = document.reading(page)
    if reading.reason is not None:
        return reading
    if invoice is None:
        return PageReading(page, reason="no_invoice")
    if page != invoice.home:
        return reading
    return replace(reading, metadata={**(reading.metadata or {}), "invoice": invoice.as_json()})


def _invoices(
    pages: Pages, blank: frozenset[int] | set[int], deadline: Deadline | None = None
) -> Iterator[Invoice]:
    """The invoices of a document; pages in `blank` are known to say nothing."""

    def texts() -> Iterator[tuple[int, str]]:
        for page in range(1, pages.count + 1):
            if deadline is not None:
                deadline.check()
            yield page, "" if page in blank else _text(pages.reading(page))

    return invoices_in(texts())


def _text(reading: PageReading) -> str:
    """What a page says to whoever looks at it: what it hides, or strikes out, is left out."""
    gone = [(role.start, role.end) for role in reading.roles if role.role in ("deleted", "comment")]
    return without(reading.text, [*reading.hidden, *gone])
