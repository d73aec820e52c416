"""What this distribution offers: a sniffer, an observer and a reader of EPUB books."""

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

__all__ = ["MEDIA_TYPES", "EpubObserver", "EpubReader", "EpubSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = ("application/epub+zip",)


class EpubSniffer:
    """Tells EPUB books by their content."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("epub", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type of EPUB books, None for everything else."""
        from indx_reader_epub._sniff import sniff

        return sniff(head)


class EpubObserver:
    """Opens EPUB books; their XML is parsed by native code."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("epub", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_epub._session import EpubSession

        return EpubSession(source)


class EpubReader:
    """Reads EPUB books; each is one page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("epub-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_format_office.session import read_pages
        from indx_reader_epub._session import EpubSession

        return read_pages(EpubSession, session, pages, deadline)


def sniffer() -> EpubSniffer:
    """The sniffer of EPUB books."""
    return EpubSniffer()


def observer() -> EpubObserver:
    """The observer of EPUB books."""
    return EpubObserver()


def reader() -> EpubReader:
    """The reader of EPUB books."""
    return EpubReader()
