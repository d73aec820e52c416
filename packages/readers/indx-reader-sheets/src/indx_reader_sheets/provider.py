"""What this distribution offers: a sniffer, an observer and a reader of workbooks."""

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

__all__ = ["MEDIA_TYPES", "SheetsObserver", "SheetsReader", "SheetsSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = (
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
    "application/vnd.ms-excel.sheet.macroenabled.12",
    "application/vnd.ms-excel.template.macroenabled.12",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12",
)


class SheetsSniffer:
    """Tells workbooks by their list of content types."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("sheets", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
        """The media type of a workbook, None for everything else."""
        from indx_format_office import sniff

        return sniff("sheets", head, filename=filename, declared=declared)


class SheetsObserver:
    """Opens workbooks."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("sheets", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_sheets._session import SheetsSession

        return SheetsSession(source)


class SheetsReader:
    """Reads workbooks; each worksheet is a page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("sheets-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read the worksheets `pages`."""
        from indx_format_office.session import read_pages
        from indx_reader_sheets._session import SheetsSession

        return read_pages(SheetsSession, session, pages, deadline)


def sniffer() -> SheetsSniffer:
    """The sniffer of workbooks."""
    return SheetsSniffer()


def observer() -> SheetsObserver:
    """The observer of workbooks."""
    return SheetsObserver()


def reader() -> SheetsReader:
    """The reader of workbooks."""
    return SheetsReader()
