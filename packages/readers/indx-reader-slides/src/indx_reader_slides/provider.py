"""What this distribution offers: a sniffer, an observer and a reader of presentations."""

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

__all__ = ["MEDIA_TYPES", "SlidesObserver", "SlidesReader", "SlidesSniffer", "observer", "reader", "sniffer"]

MEDIA_TYPES: Final = (
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    "application/vnd.openxmlformats-officedocument.presentationml.template",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    "application/vnd.ms-powerpoint.template.macroenabled.12",
)


class SlidesSniffer:
    """Tells presentations by their list of content types."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("slides", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
        """The media type of a presentation, None for everything else."""
        from indx_format_office import sniff

        return sniff("slides", head, filename=filename, declared=declared)


class SlidesObserver:
    """Opens presentations."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("slides", MEDIA_TYPES)

    def open(self, source: SourceContent) -> Session:
        """Open `source`, under the rules of the port."""
        from indx_reader_slides._session import SlidesSession

        return SlidesSession(source)


class SlidesReader:
    """Reads presentations; each slide is a page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("slides-reader", "native", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read the slides `pages`."""
        from indx_format_office.session import read_pages
        from indx_reader_slides._session import SlidesSession

        return read_pages(SlidesSession, session, pages, deadline)


def sniffer() -> SlidesSniffer:
    """The sniffer of presentations."""
    return SlidesSniffer()


def observer() -> SlidesObserver:
    """The observer of presentations."""
    return SlidesObserver()


def reader() -> SlidesReader:
    """The reader of presentations."""
    return SlidesReader()
