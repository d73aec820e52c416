"""What this distribution offers for PDF: a sniffer, an observer and the reader of the text layer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from indx_core.ports import (
    PORT_VERSION,
    Buffer,
    CapabilityDeclaration,
    ObserverDeclaration,
    PageReading,
    Session,
    Sniffed,
    SnifferDeclaration,
    SourceContent,
    Unavailability,
)

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["PdfObserver", "PdfReader", "PdfSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPE: Final = "application/pdf"
_HEADER: Final = re.compile(rb"%PDF-\d")
_REACH: Final = 1024  # readers of PDF accept as much before the header
_OBJECT: Final = re.compile(rb"%PDF-\d[^\r\n]*[\r\n].*?\d obj\b", re.DOTALL)
_TEXT: Final = re.compile(rb"[\t\n\r -~\x80-\xff]*")


class PdfSniffer:
    """Knows a PDF by its header, which may stand anywhere in the first kilobyte."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration(id="pdf", media_types=(MEDIA_TYPE,))

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """A strong answer where the header stands, none elsewhere, nor where a text merely names it."""
        beginning = bytes(head[: 2 * _REACH])
        header = _HEADER.search(beginning, 0, _REACH)
        if header is None:
            return None
        before = beginning[: header.start()].removeprefix(b"\xef\xbb\xbf").strip()
        is_text = before and _TEXT.fullmatch(before)
        if is_text and not _OBJECT.match(beginning, header.start()):
            return None
        return Sniffed(MEDIA_TYPE, "strong")


class PdfObserver:
    """Opens PDF documents."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration(id="pdf", media_types=(MEDIA_TYPE,), hostile=True)

    def open(self, source: SourceContent) -> Session:
        """Open a document; see `indx_format_pdf.PdfDocument` for what it refuses."""
        from indx_reader_pdf._session import PdfSession

        return PdfSession(source)


class PdfReader:
    """Reads the text layer of pages, with a box a line, links, comments and headings of the outline."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration(
        id="pdf-reader", kind="native", media_types=(MEDIA_TYPE,), device="cpu", hostile=True
    )

    def availability(self) -> Unavailability | None:
        """It runs wherever it is installed."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages`; one without a usable text layer is unread and says why."""
        from indx_reader_pdf._reading import read

        return read(session, pages, deadline=deadline)


def sniffer() -> PdfSniffer:
    """The sniffer of PDF."""
    return PdfSniffer()


def observer() -> PdfObserver:
    """The observer of PDF."""
    return PdfObserver()


def reader() -> PdfReader:
    """The reader of the text layer."""
    return PdfReader()
