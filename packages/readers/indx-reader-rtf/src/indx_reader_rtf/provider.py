"""What this distribution offers: a sniffer, an observer and a reader of Rich Text documents."""

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

__all__ = ["MEDIA_TYPES", "RtfObserver", "RtfReader", "RtfSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = (
    "application/rtf",
    "text/rtf",
)


class RtfSniffer:
    """Tells Rich Text documents by their content."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("rtf", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type of Rich Text documents, None for everything else."""
        from indx_reader_rtf._sniff import sniff

        return sniff(head)


class RtfObserver:
    """Opens Rich Text documents; what it wraps may be anything."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("rtf", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_rtf._session import RtfSession

        return RtfSession(source)


class RtfReader:
    """Reads Rich Text documents; each is one page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("rtf-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_format_office.session import read_pages
        from indx_reader_rtf._session import RtfSession

        return read_pages(RtfSession, session, pages, deadline)


def sniffer() -> RtfSniffer:
    """The sniffer of Rich Text documents."""
    return RtfSniffer()


def observer() -> RtfObserver:
    """The observer of Rich Text documents."""
    return RtfObserver()


def reader() -> RtfReader:
    """The reader of Rich Text documents."""
    return RtfReader()
