"""Charts that binary documents hold as objects: those of Microsoft Graph, and those LibreOffice writes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_format_office._xml import parse
from indx_format_office._zip import Archive
from indx_format_office.biff import ChartReader, records
from indx_format_office.chart import MAX_ROWS, MAX_SERIES, Chart
from indx_format_office.compound import open_compound, read_stream

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["GRAPHS", "chart_in"]

GRAPHS: Final = frozenset((
    "00020801-0000-0000-C000-000000000046", "00020803-0000-0000-C000-000000000046",
))  # fmt: skip
"""The classes of objects that are charts of Microsoft Graph, by version."""

_BOOKS: Final = ("workbook", "book")
_PACKAGE: Final = "package_stream"
_OASIS: Final = "{urn:oasis:names:tc:opendocument:xmlns:"
_CHART, _TABLE, _TEXT = f"{_OASIS}chart:1.0}}", f"{_OASIS}table:1.0}}", f"{_OASIS}text:1.0}}"


def chart_in(data: bytes) -> Chart | None:
    """The chart that the object `data` is; None for any other object.

    Raises:
        SourceError: The object is damaged.
        InputTooLarge: It inflates past its bounds.
    """
    with open_compound(data) as file:
        streams = {entry.name.lower(): entry.name for entry in file.root.kids}
        if str(file.root.clsid).upper() in GRAPHS:
            name = next((streams[book] for book in _BOOKS if book in streams), None)
            return None if name is None else _graph(read_stream(file, name))
        if _PACKAGE not in streams:
            return None
        package = read_stream(file, streams[_PACKAGE])
    if package[:2] != b"PK":
        return None
    archive = Archive(package)
    if "content.xml" not in archive:
        return None
    return _open(parse(archive.read("content.xml"), "content.xml"))


def _graph(stream: bytes) -> Chart | None:
    reader = ChartReader()
    for record in records(stream):
        reader.take(record)
    chart = reader.chart()
    if not chart.titles and not chart.rows and not chart.left_out:
        raise SourceError("the chart is damaged: it holds neither titles nor values")
    return chart


def _open(root: Element) -> Chart | None:
    """A chart of OpenDocument: its titles, and its own table."""
    chart = next(root.iter(_CHART + "chart"), None)
    if chart is None:
        return None
    titles = (_words(title) for title in chart.iter(_CHART + "title", _CHART + "subtitle"))
    rows: list[tuple[str, ...]] = []
    left_out = 0
    for row in chart.iter(_TABLE + "table-row"):
        cells = map(_words, row.iter(_TABLE + "table-cell"))
        if len(rows) < MAX_ROWS:
            rows.append(tuple(islice(cells, MAX_SERIES)))
        left_out += sum(map(bool, cells))
    return Chart(tuple(dict.fromkeys(filter(None, titles))), tuple(rows), left_out)


def _words(element: Element) -> str:
    parts = ("".join(paragraph.itertext()) for paragraph in element.iter(_TEXT + "p"))
    return clean_text(" ".join(" ".join(parts).split()))
