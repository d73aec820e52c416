"""What this distribution offers: the parser of invoices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from indx_core.ports import (
    PORT_VERSION,
    CapabilityDeclaration,
    Observation,
    PageReading,
    Session,
    Signature,
    Unavailability,
)

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["HTML", "MEDIA_TYPES", "PDF", "WORD", "InvoiceParser", "parser"]

PDF: Final = "application/pdf"
HTML: Final = ("text/html", "application/xhtml+xml")
WORD: Final = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.ms-word.template.macroenabled.12",
)
MEDIA_TYPES: Final = (PDF, *WORD, *HTML)


class InvoiceParser:
    """Reads pages of invoices; the page that prints the number has the fields under `invoice`."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("invoice-parser", "parser", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def recognise(self, observation: Observation, session: Session) -> Sequence[Signature]:
        """A signature for each invoice in the document."""
        from indx_parser_invoice._parser import recognise

        return recognise(observation, session)

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages`; one that belongs to no invoice is unread."""
        from indx_parser_invoice._parser import read

        return read(session, pages, deadline)


def parser() -> InvoiceParser:
    """The parser of invoices."""
    return InvoiceParser()
