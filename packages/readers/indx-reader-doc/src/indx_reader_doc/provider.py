"""What this distribution offers: a sniffer, an observer and a reader of binary Word documents."""

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

__all__ = ["MEDIA_TYPES", "DocObserver", "DocReader", "DocSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = ("application/msword",)


class DocSniffer:
    """Tells binary Word documents by their content."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("doc", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type of binary Word documents, None for everything else."""
        from indx_reader_doc._sniff import sniff

        return sniff(head)


class DocObserver:
    """Opens binary Word documents; the format is old and its tables point anywhere."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("doc", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_doc._session import DocSession

        return DocSession(source)


class DocReader:
    """Reads binary Word documents; each is one page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("doc-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_format_office.session import read_pages
        from indx_reader_doc._session import DocSession

        return read_pages(DocSession, session, pages, deadline)


def sniffer() -> DocSniffer:
    """The sniffer of binary Word documents."""
    return DocSniffer()


def observer() -> DocObserver:
    """The observer of binary Word documents."""
    return DocObserver()


def reader() -> DocReader:
    """The reader of binary Word documents."""
    return DocReader()
