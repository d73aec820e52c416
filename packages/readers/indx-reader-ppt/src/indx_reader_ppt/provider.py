"""What this distribution offers: a sniffer, an observer and a reader of binary presentations."""

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

__all__ = ["MEDIA_TYPES", "PptObserver", "PptReader", "PptSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = ("application/vnd.ms-powerpoint",)


class PptSniffer:
    """Tells binary presentations by their content."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("ppt", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type of binary presentations, None for everything else."""
        from indx_reader_ppt._sniff import sniff

        return sniff(head)


class PptObserver:
    """Opens binary presentations; the format is old and its records point anywhere."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("ppt", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_ppt._session import PptSession

        return PptSession(source)


class PptReader:
    """Reads binary presentations; each slide is a page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("ppt-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read the slides `pages`."""
        from indx_format_office.session import read_pages
        from indx_reader_ppt._session import PptSession

        return read_pages(PptSession, session, pages, deadline)


def sniffer() -> PptSniffer:
    """The sniffer of binary presentations."""
    return PptSniffer()


def observer() -> PptObserver:
    """The observer of binary presentations."""
    return PptObserver()


def reader() -> PptReader:
    """The reader of binary presentations."""
    return PptReader()
