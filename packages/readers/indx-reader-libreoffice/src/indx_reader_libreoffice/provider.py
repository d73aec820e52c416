"""What this distribution offers: a sniffer, an observer and a reader of what LibreOffice opens."""

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

__all__ = [
    "MEDIA_TYPES",
    "LibreOfficeObserver",
    "LibreOfficeReader",
    "LibreOfficeSniffer",
    "observer",
    "reader",
    "sniffer",
]

MEDIA_TYPES: Final = (
    "application/msword",
    "application/vnd.apple.keynote",
    "application/vnd.apple.numbers",
    "application/vnd.apple.pages",
    "application/vnd.corel-draw",
    "application/vnd.lotus-1-2-3",
    "application/vnd.lotus-wordpro",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-visio.drawing",
    "application/vnd.ms-works",
    "application/vnd.stardivision.calc",
    "application/vnd.stardivision.draw",
    "application/vnd.stardivision.impress",
    "application/vnd.stardivision.writer",
    "application/vnd.sun.xml.calc",
    "application/vnd.sun.xml.draw",
    "application/vnd.sun.xml.impress",
    "application/vnd.sun.xml.writer",
    "application/vnd.visio",
    "application/vnd.wordperfect",
    "application/x-abiword",
    "application/x-aportisdoc",
    "application/x-dif",
    "application/x-fictionbook+xml",
    "application/x-hwp",
    "application/x-mspublisher",
    "application/x-mswrite",
    "application/x-pagemaker",
    "application/x-quattropro",
    "application/x-t602",
    "text/spreadsheet",
)
"""Types named and read here; where one has a reader of its own, what that refuses as unreadable."""


class LibreOfficeSniffer:
    """Tells old and rare office formats by their content."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("libreoffice", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type, None for everything else and for what needs LibreOffice to be more than text."""
        from indx_reader_libreoffice._finding import lack
        from indx_reader_libreoffice._kinds import recognise

        kind = recognise(head, filename)
        if kind is None or (kind.textual and lack() is not None):
            return None
        return Sniffed(kind.media_type, "strong")


class LibreOfficeObserver:
    """Opens documents by having them drawn as PDF in a process of its own."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("libreoffice", MEDIA_TYPES, rank=900)

    def availability(self) -> Unavailability | None:
        """Whether there is a LibreOffice, and the settings can be used."""
        from indx_reader_libreoffice._finding import lack

        return lack()

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_libreoffice._session import ConvertedSession

        return ConvertedSession(source)


class LibreOfficeReader:
    """Reads the pages of what LibreOffice draws, with a box a line."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("libreoffice", "native", MEDIA_TYPES, converts=True)

    def availability(self) -> Unavailability | None:
        """Whether there is a LibreOffice, and the settings can be used."""
        from indx_reader_libreoffice._finding import lack

        return lack()

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_reader_libreoffice._reading import read

        return read(session, pages, deadline=deadline)


def sniffer() -> LibreOfficeSniffer:
    """The sniffer of what LibreOffice opens."""
    return LibreOfficeSniffer()


def observer() -> LibreOfficeObserver:
    """The observer of what LibreOffice opens."""
    return LibreOfficeObserver()


def reader() -> LibreOfficeReader:
    """The reader of what LibreOffice opens."""
    return LibreOfficeReader()
