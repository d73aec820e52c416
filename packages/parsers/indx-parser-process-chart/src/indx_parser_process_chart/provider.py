"""What this distribution offers: the parser of process charts."""

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

__all__ = ["MEDIA_TYPES", "ProcessChartParser", "parser"]

MEDIA_TYPES: Final = (
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    "application/vnd.openxmlformats-officedocument.presentationml.template",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    "application/vnd.ms-powerpoint.template.macroenabled.12",
)


class ProcessChartParser:
    """Reads slides that show a process chart, each with its chart under `process_chart` in its metadata."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("process-chart-parser", "parser", MEDIA_TYPES)

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def recognise(self, observation: Observation, session: Session) -> Sequence[Signature]:  # noqa: ARG002
        """A signature for each slide that shows a process chart."""
        from indx_parser_process_chart._parser import recognise

        return recognise(session)

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read the slides `pages`; one without a process chart is unread."""
        from indx_parser_process_chart._parser import read

        return read(session, pages, deadline)


def parser() -> ProcessChartParser:
    """The parser of process charts."""
    return ProcessChartParser()
