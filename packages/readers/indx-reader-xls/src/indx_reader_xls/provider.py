"""What this distribution offers: a sniffer, an observer and a reader of binary Excel workbooks."""

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

__all__ = ["MEDIA_TYPES", "XlsObserver", "XlsReader", "XlsSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = ("application/vnd.ms-excel",)


class XlsSniffer:
    """Tells binary Excel workbooks by their content."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("xls", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type of binary Excel workbooks, None for everything else."""
        from indx_reader_xls._sniff import sniff

        return sniff(head)


class XlsObserver:
    """Opens binary Excel workbooks; the format is old and its parser large."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("xls", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_xls._session import XlsSession

        return XlsSession(source)


class XlsReader:
    """Reads binary Excel workbooks; a page is a worksheet."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("xls-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_format_office.session import read_pages
        from indx_reader_xls._session import XlsSession

        return read_pages(XlsSession, session, pages, deadline)


def sniffer() -> XlsSniffer:
    """The sniffer of binary Excel workbooks."""
    return XlsSniffer()


def observer() -> XlsObserver:
    """The observer of binary Excel workbooks."""
    return XlsObserver()


def reader() -> XlsReader:
    """The reader of binary Excel workbooks."""
    return XlsReader()
