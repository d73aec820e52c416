"""What this distribution offers: a sniffer, an observer and a reader of OpenDocument files."""

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
    "OpenDocumentObserver",
    "OpenDocumentReader",
    "OpenDocumentSniffer",
    "observer",
    "reader",
    "sniffer",
]

_START: Final = "application/vnd.oasis.opendocument."
MEDIA_TYPES: Final = (
    *(f"{_START}text{form}" for form in ("", "-template", "-flat-xml", "-master", "-web")),
    *(
        f"{_START}{kind}{form}"
        for kind in ("presentation", "spreadsheet", "graphics")
        for form in ("", "-template", "-flat-xml")
    ),
)


class OpenDocumentSniffer:
    """Tells OpenDocument files by the type that stands in them."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("opendocument", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type of an OpenDocument file, None for everything else."""
        from indx_reader_opendocument._sniff import sniff

        return sniff(head)


class OpenDocumentObserver:
    """Opens OpenDocument files; their XML is parsed by native code."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("opendocument", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_opendocument._session import OpenDocumentSession

        return OpenDocumentSession(source)


class OpenDocumentReader:
    """Reads OpenDocument files: a text is one page, a slide, drawing or worksheet is one each."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("opendocument-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_format_office.session import read_pages
        from indx_reader_opendocument._session import OpenDocumentSession

        return read_pages(OpenDocumentSession, session, pages, deadline)


def sniffer() -> OpenDocumentSniffer:
    """The sniffer of OpenDocument files."""
    return OpenDocumentSniffer()


def observer() -> OpenDocumentObserver:
    """The observer of OpenDocument files."""
    return OpenDocumentObserver()


def reader() -> OpenDocumentReader:
    """The reader of OpenDocument files."""
    return OpenDocumentReader()
