"""Recognises slides that show a process chart, and reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import PageReading, Session, Signature
from indx_parser_process_chart._chart import Chart
from indx_parser_process_chart._drawing import chart_of
from indx_parser_process_chart._slides import Slides, opened

__all__ = ["read", "recognise"]

SIGNATURE: Final = "process-chart"


def recognise(session: Session) -> list[Signature]:
    """A signature of its own for each slide that shows a process chart.

    Raises:
        SourceError: The source is no presentation.
        InputTooLarge: It inflates past its bounds, or has too many slides.
    """
    found: list[Signature] = []
    with opened(session) as slides:
        for page in range(1, len(slides.names) + 1):
            try:
                chart = _chart(slides, page)
            except SourceError:  # a damaged slide shows nothing; whoever reads it says so
                continue
            if chart is not None:
                found.append(Signature(SIGNATURE, "PAGE", (page,), chart.evidence(), chart.confidence))
    return found


def read(session: Session, pages: Sequence[int], deadline: Deadline) -> Iterator[PageReading]:
    """Read slides: the text as the session reads it, with the chart in the metadata.

    Raises:
        SourceError: The source is no presentation.
        InputTooLarge: It inflates past its bounds, or has too many slides.
        TimedOut: The deadline passed before a slide was begun.
    """
    with opened(session) as slides:
        for page in pages:
            deadline.check()
            yield _reading(slides, page)


def _reading(slides: Slides, page: int) -> PageReading:
    if not 1 <= page <= len(slides.names):
        return PageReading(page, reason="no_such_page")
    reading = slides.reading(page)
    if reading.reason is not None:
        return reading
    chart = _chart(slides, page)
    if chart is None:
        return PageReading(page, reason="no_process_chart")
    return replace(reading, metadata={**(reading.metadata or {}), "process_chart": chart.as_json()})


def _chart(slides: Slides, page: int) -> Chart | None:
    """The process chart that a slide shows, if it shows one."""
    if not slides.has_connectors(page):
        return None
    chart = chart_of(slides.shapes(slides.root(page)))
    return chart if chart is not None and chart.recognised else None
