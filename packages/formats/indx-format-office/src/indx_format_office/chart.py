"""What a chart says: its titles, and the values it was last drawn from as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_format_office.drawing import plain_text
from indx_format_office.grid import Slot, write_table
from indx_format_office.names import CX, C
from indx_format_office.numbers import NumberFormat
from indx_format_office.values import whole
from indx_format_office.writer import TextWriter

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Chart", "read_chart", "write_chart"]

MAX_ROWS: Final = 1000
MAX_SERIES: Final = 100


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart says.

    Attributes:
        titles: Its titles, that of the chart first.
        rows: Its values: a row of series names, a row a category.
        left_out: How many more values there are, and series with nothing but a name.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0

    def without_values(self) -> Chart:
        """Its titles alone, for a chart whose values stand elsewhere."""
        return Chart(self.titles, ())


def read_chart(root: Element) -> Chart:
    """Read a chart part, of the older or the newer kind."""
    if root.tag.startswith(CX):
        return Chart(tuple(dict.fromkeys(_newer_texts(root))), ())
    titles = dict.fromkeys(filter(None, (_title(title) for title in root.iter(C + "title"))))
    rows, left_out = _rows(root)
    return Chart(tuple(titles), rows, left_out)


def _newer_texts(root: Element) -> Iterator[str]:
    for body in root.iter(CX + "rich"):
        yield plain_text(body)
    for point in root.iter(CX + "pt", CX + "v"):
        if text := (point.text or "").strip():
            yield text


def _title(title: Element) -> str:
    for body in title.iter(C + "rich"):
        return plain_text(body).strip()
    return " ".join(value.text or "" for value in title.iter(C + "v")).strip()


def _rows(root: Element) -> tuple[tuple[tuple[str, ...], ...], int]:
    names: list[str] = []
    by_category: dict[tuple[int, str], dict[int, str]] = {}
    left_out = 0
    for column, series in enumerate(root.iter(C + "ser")):
        named = series.find(C + "tx")
        name = "" if named is None else " ".join(v.text or "" for v in named.iter(C + "v"))
        points = _points(series.find(C + "val"), series.find(C + "yVal"))
        if column >= MAX_SERIES:
            left_out += len(points) or bool(name)
            continue
        names.append(name)
        labels = _points(series.find(C + "cat"), series.find(C + "xVal"))
        for place, value in points.items():
            category = place, labels.get(place, "")
            if len(by_category) == MAX_ROWS and category not in by_category:
                left_out += 1
            else:
                by_category.setdefault(category, {})[column] = value
    rows = (
        (label, *(values.get(column, "") for column in range(len(names))))
        for (_, label), values in by_category.items()
    )
    return (("", *names), *rows) if by_category else (), left_out


def _points(*holders: Element | None) -> dict[int, str]:
    """The cached texts of the first holder there is, by their place; levels of one place joined."""
    found: dict[int, str] = {}
    holder = next((each for each in holders if each is not None), None)
    if holder is None:
        return found
    shown = NumberFormat(next((code.text or "" for code in holder.iter(C + "formatCode")), ""))
    numeric = any(True for _ in holder.iter(C + "numCache", C + "numLit"))
    for point in holder.iter(C + "pt"):
        text = (point.findtext(C + "v") or "").strip()
        if not text:
            continue
        text = shown.show(text, epoch_1904=False) if numeric else text
        place = whole(point.get("idx"))
        found[place] = f"{text} {found[place]}" if place in found else text
    return found


def write_chart(chart: Chart, writer: TextWriter) -> None:
    """Write a chart: its titles on lines, then its values as a table; those left out are counted."""
    writer.chart_values_left_out += chart.left_out
    for title in chart.titles:
        writer.start_line()
        writer.write(title)
    slots = []
    for row, texts in enumerate(chart.rows, start=1):
        for column, text in enumerate(texts, start=1):
            cell = TextWriter()
            cell.write(text)
            slots.append(Slot(row, column, cell))
    write_table(
        writer, slots, len(chart.rows), header_rows=1, caption=chart.titles[0] if chart.titles else None
    )
