"""What this distribution offers: a sniffer, an observer and a reader of Outlook messages."""

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

__all__ = ["MEDIA_TYPES", "MsgObserver", "MsgReader", "MsgSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = ("application/vnd.ms-outlook", "application/ms-tnef")


class MsgSniffer:
    """Tells Outlook messages by their content."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("msg", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """The media type of Outlook messages, None for everything else."""
        from indx_reader_msg._sniff import sniff

        return sniff(head)


class MsgObserver:
    """Opens Outlook messages; an HTML body is parsed by native code."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("msg", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_msg._session import MsgSession

        return MsgSession(source)


class MsgReader:
    """Reads Outlook messages; each is one page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("msg-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_format_office.session import read_pages
        from indx_reader_msg._session import MsgSession

        return read_pages(MsgSession, session, pages, deadline)


def sniffer() -> MsgSniffer:
    """The sniffer of Outlook messages."""
    return MsgSniffer()


def observer() -> MsgObserver:
    """The observer of Outlook messages."""
    return MsgObserver()


def reader() -> MsgReader:
    """The reader of Outlook messages."""
    return MsgReader()
