"""What this distribution offers: a sniffer, an observer and a reader of mail."""

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

__all__ = ["MEDIA_TYPES", "MailObserver", "MailReader", "MailSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = (
    "message/rfc822",
    "application/mbox",
    "multipart/related",
    "application/pkcs7-mime",
    "application/x-webarchive",
)


class MailSniffer:
    """Tells a mail, a mailbox of several, a web page saved as mail is, or what is wrapped to be signed."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("email", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """A type of `MEDIA_TYPES`; None for everything else."""
        from indx_reader_email._sniff import sniff

        return sniff(head, filename)


class MailObserver:
    """Opens mail; an HTML body is parsed by native code."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("email", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_email._opening import opened

        return opened(source)


class MailReader:
    """Reads mail; a message or a web page is one page, a mailbox lists its messages, an envelope is empty."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("email-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the message."""
        from indx_reader_email._opening import OWN, opened

        own = session if isinstance(session, OWN) else None
        for page in pages:
            deadline.check()
            if page != 1:
                yield PageReading(page, reason="no_such_page")
                continue
            own = own or opened(session.source)
            yield own.reading()


def sniffer() -> MailSniffer:
    """The sniffer of mail."""
    return MailSniffer()


def observer() -> MailObserver:
    """The observer of mail."""
    return MailObserver()


def reader() -> MailReader:
    """The reader of mail."""
    return MailReader()
