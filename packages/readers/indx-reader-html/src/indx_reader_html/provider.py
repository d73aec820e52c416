"""What this distribution offers: a sniffer, an observer and a reader of HTML and XHTML."""

from __future__ import annotations

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

__all__ = ["MEDIA_TYPES", "HtmlObserver", "HtmlReader", "HtmlSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = ("text/html", "application/xhtml+xml")


class HtmlSniffer:
    """Tells HTML by how it begins."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("html", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
        """`text/html` or `application/xhtml+xml`, None for everything else."""
        from indx_reader_html._sniff import sniff

        return sniff(head, filename, declared)


class HtmlObserver:
    """Opens HTML; the parser is native code."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("html", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_html._session import HtmlSession

        return HtmlSession(source)


class HtmlReader:
    """Reads HTML; a document is one page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("html-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_reader_html._session import HtmlSession

        own = session if isinstance(session, HtmlSession) else None
        for page in pages:
            deadline.check()
            if page != 1:
                yield PageReading(page, reason="no_such_page")
                continue
            own = own or HtmlSession(session.source)
            yield own.reading(page)


def sniffer() -> HtmlSniffer:
    """The sniffer of HTML."""
    return HtmlSniffer()


def observer() -> HtmlObserver:
    """The observer of HTML."""
    return HtmlObserver()


def reader() -> HtmlReader:
    """The reader of HTML."""
    return HtmlReader()
