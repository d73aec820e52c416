"""What this distribution offers: a sniffer, an observer and a reader of Word documents."""

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

__all__ = ["MEDIA_TYPES", "WordObserver", "WordReader", "WordSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.ms-word.template.macroenabled.12",
)


class WordSniffer:
    """Tells Word documents by their list of content types."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("word", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
        """The media type of a Word document, None for everything else."""
        from indx_format_office import sniff

        return sniff("word", head, filename=filename, declared=declared)


class WordObserver:
    """Opens Word documents."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("word", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_word._session import WordSession

        return WordSession(source)


class WordReader:
    """Reads Word documents; each is one page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("word-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages` of the document."""
        from indx_format_office.session import read_pages
        from indx_reader_word._session import WordSession

        return read_pages(WordSession, session, pages, deadline)


def sniffer() -> WordSniffer:
    """The sniffer of Word documents."""
    return WordSniffer()


def observer() -> WordObserver:
    """The observer of Word documents."""
    return WordObserver()


def reader() -> WordReader:
    """The reader of Word documents."""
    return WordReader()
