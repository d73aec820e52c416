"""Reads the cells of one worksheet: values as people read them, at the precision the file keeps."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from indx_core.errors import InputTooLarge
from indx_format_office import TextWriter
from indx_format_office.cells import Row, Sheet, joined
from indx_format_office.numbers import NumberFormat
from indx_format_office.values import whole
from indx_reader_opendocument._names import CALCEXT, OFFICE, TABLE, TEXT, XLINK
from indx_reader_opendocument._shapes import SHAPES
from indx_reader_opendocument._tables import rows_in

if TYPE_CHECKING:
    from indx_format_office.container import Element
    from indx_reader_opendocument._story import Story

__all__ = ["SheetReader"]

MAX_ROWS: Final = 1_048_576
MAX_COLUMNS: Final = 16_384
MAX_CHARACTERS: Final = 50_000_000
MAX_CELLS: Final = 2_000_000
"""Filled cells of one worksheet; one repeated cell could otherwise stand for more than any memory holds."""

_AMOUNT: Final = re.compile(r"([^\d]*)\d(?:[^\n]*\d)?([^\d]*)")
_GROUPED: Final = re.compile(
    r"\d{1,3}(?:[.,'’ \u00a0\u202f\u066c]\d{2,3})*(?:[.,\u066b]\d+)?|\d+(?:[.,\u066b]\d+)?"
)
_DIGITS: Final = frozenset("0123456789")
_SIGNS: Final = " \u00a0-+()"
_MOST_SHOWN: Final = 200  # characters of a number with its unit
_PERCENT: Final = NumberFormat("0%")
_PLAIN: Final = NumberFormat("General")
_COLUMNS: Final = frozenset(
    TABLE + name for name in ("table-columns", "table-column-group", "table-header-columns")
)


class SheetReader:
    """Reads one worksheet.

    Attributes:
        sheet: Its filled cells.
        heads: Rows that head the others: where they begin, and how many there are.
        shapes: Shapes that lie on the sheet or in its cells.
        comments: Comments on its cells.
    """

    def __init__(self, story: Story, table: Element) -> None:
        """Read `table`.

        Raises:
            InputTooLarge: It holds more cells, or more text, than a worksheet may.
        """
        self.sheet = Sheet()
        self.heads: list[tuple[int, int]] = []
        self.shapes: list[Element] = []
        self.comments: list[Element] = []
        self._story = story
        self._cells = self._characters = self._column = 0
        symbolic = story.document.styles.symbolic
        self._styled = [*_styled_columns(table)] if symbolic else None  # where it matters, by their last
        self.sheet.hidden_columns = joined(list(_hidden_columns(table)))
        for element in table.iterchildren(TABLE + "shapes"):
            self.shapes += [child for child in element if child.tag in SHAPES]
        self._rows(table)

    def _rows(self, table: Element) -> None:
        number = 1
        for element, head, hidden in rows_in(table):
            times = whole(element.get(TABLE + "number-rows-repeated"), 1, least=1, most=MAX_ROWS)
            row = self._row(element, number, hidden)
            if row.columns:
                for place in range(number, min(number + times, MAX_ROWS + 1)):
                    self._count(len(row.columns), sum(map(len, row.texts)))
                    self.sheet.rows.append(
                        Row(place, hidden, row.columns[:], row.texts[:], row.values, row.formulas)
                    )
                if head and not self.heads:
                    self.heads.append((number, times))
                elif head and self.heads[0][0] + self.heads[0][1] == number:
                    self.heads[0] = self.heads[0][0], self.heads[0][1] + times
            number += times
            if number > MAX_ROWS:
                return

    def _count(self, cells: int, characters: int) -> None:
        self._cells += cells
        self._characters += characters
        if self._cells > MAX_CELLS or self._characters > MAX_CHARACTERS:
            raise InputTooLarge(
                f"a worksheet holds over {MAX_CELLS} cells or {MAX_CHARACTERS} characters; split it"
            )

    def _row(self, element: Element, number: int, hidden: bool) -> Row:
        row = Row(number, hidden, [], [])
        formulas: list[int] = []
        column = 1
        for cell in element:
            if cell.tag not in (TABLE + "table-cell", TABLE + "covered-table-cell"):
                continue
            times = whole(cell.get(TABLE + "number-columns-repeated"), 1, least=1, most=MAX_COLUMNS)
            if cell.tag == TABLE + "table-cell":
                self._beside(cell)
                self._column = column
                text, value, formula = self._shown(cell)
                if text:
                    self._count(0, len(text))
                    for place in range(column, min(column + times, MAX_COLUMNS + 1)):
                        self._count(1, 0)
                        row.columns.append(place)
                        row.texts.append(text)
                        self._mark(cell, number, place)
                        if formula:
                            formulas.append(place)
                    row.values = row.values or value
            column += times
            if column > MAX_COLUMNS:
                break
        row.formulas = formulas
        return row

    def _beside(self, cell: Element) -> None:
        """Keep what lies on a cell and is not its text."""
        for child in cell:
            if child.tag in SHAPES:
                self.shapes.append(child)
            elif child.tag == OFFICE + "annotation":
                self.comments.append(child)

    def _mark(self, cell: Element, row: int, column: int) -> None:
        """Keep where the cell leads and how far it reaches."""
        rows = whole(cell.get(TABLE + "number-rows-spanned"), 1, least=1, most=MAX_ROWS)
        columns = whole(cell.get(TABLE + "number-columns-spanned"), 1, least=1, most=MAX_COLUMNS)
        if rows > 1 or columns > 1:
            self.sheet.merges.append(
                (row, column, min(row + rows - 1, MAX_ROWS), min(column + columns - 1, MAX_COLUMNS))
            )
        for link in cell.iter(TEXT + "a"):
            if target := link.get(XLINK + "href", ""):
                self.sheet.links[row, column] = target
                break

    def _shown(self, cell: Element) -> tuple[str, bool, bool]:
        """The text of a cell, whether it is a value other than text, and whether it is a formula's own."""
        text = self._text(cell)
        if cell.get(CALCEXT + "value-type") == "error":
            return text, False, False
        kind = cell.get(OFFICE + "value-type", "")
        if kind in ("float", "percentage", "currency"):
            return _number(cell.get(OFFICE + "value", ""), kind, text), True, False
        if kind == "date":
            stated = cell.get(OFFICE + "date-value", "").removesuffix("T00:00:00").replace("T", " ")
            return stated or text, True, False
        if kind == "boolean":
            return ("TRUE" if cell.get(OFFICE + "boolean-value") == "true" else "FALSE"), True, False
        if kind == "time":
            return text or cell.get(OFFICE + "time-value", ""), True, False
        if kind == "string":
            return text or cell.get(OFFICE + "string-value", ""), False, False
        formula = cell.get(TABLE + "formula", "")
        if not text and formula:
            return formula.partition(":")[2] or formula, False, True
        return text, False, False

    def _text(self, cell: Element) -> str:
        texts = []
        for paragraph in cell.iterchildren(TEXT + "p", TEXT + "h"):
            writer = TextWriter()
            story = self._story.inner()
            if self._styled is not None:
                story.cell = cell.get(TABLE + "style-name") or self._style_of_column()
            story.paragraph(paragraph, writer)
            texts.append(writer.text().strip("\n"))
        return "\n".join(texts).strip()

    def _style_of_column(self) -> str:
        """The style of the cells of the column that is read which state none."""
        columns = self._styled or []
        place = bisect_left(columns, (self._column, ""))
        return columns[place][1] if place < len(columns) else ""


def _number(value: str, kind: str, text: str) -> str:
    """A number at its own precision; what was filled up with zeros stays as it is shown."""
    try:
        number = float(value)
    except ValueError:
        return text or value
    if not math.isfinite(number):
        return text or value
    if text.isdecimal() and text.isascii() and len(text) < 20 and int(text) == number:
        return text
    shown = (_PERCENT if kind == "percentage" else _PLAIN).show(value, epoch_1904=False)
    if kind == "currency":
        return _with_unit(shown, text)
    if kind == "percentage" or (text[-1:] in _DIGITS and text[:1] in _DIGITS and "-" not in text):
        return shown
    return _dressed(shown, number, text)


def _dressed(shown: str, number: float, text: str) -> str:
    """A number with the unit or the signs that it is shown with, where it is shown by its own digits."""
    found = _AMOUNT.fullmatch(text) if len(text) <= _MOST_SHOWN else None
    if found is None:
        return shown
    middle = text[found.end(1) : found.start(2)]
    digits = "".join(filter(str.isdecimal, middle))  # of any script
    grouped = _GROUPED.fullmatch(middle) is not None
    if int(digits) == number and (middle.isdecimal() or not grouped):
        return text
    if not grouped:
        return shown
    decimals = len(digits) - len(str(int(abs(number))))
    scale = 10 ** max(decimals, 0)
    same = decimals >= 0 and abs(int(digits) - abs(number) * scale) <= 0.5  # shown rounded, but no thousands
    return _with_unit(shown, text) if same else shown


def _with_unit(number: str, text: str) -> str:
    """An amount with the currency or unit that stands before or behind it in the text that is shown."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        return number
    before, after = found[1].lstrip(_SIGNS), found[2].rstrip(_SIGNS)
    return f"{'-' * number.startswith('-')}{before.rstrip('(-')}{number.removeprefix('-')}{after.lstrip(')')}"


def _hidden_columns(table: Element) -> Iterator[tuple[int, int]]:
    """Ranges of columns that the sheet hides."""
    number = 1
    for column, hidden in _columns(table, hidden=False):
        times = whole(column.get(TABLE + "number-columns-repeated"), 1, least=1, most=MAX_COLUMNS)
        if hidden or column.get(TABLE + "visibility", "visible") != "visible":
            yield number, number + times - 1
        number += times
        if number > MAX_COLUMNS:
            return


def _styled_columns(table: Element) -> Iterator[tuple[int, str]]:
    """The last column of each range of columns, and the style of its cells which state none."""
    last = 0
    for column, _ in _columns(table, hidden=False):
        last += whole(column.get(TABLE + "number-columns-repeated"), 1, least=1, most=MAX_COLUMNS)
        yield last, column.get(TABLE + "default-cell-style-name", "")
        if last >= MAX_COLUMNS:
            return


def _columns(holder: Element, *, hidden: bool) -> Iterator[tuple[Element, bool]]:
    for element in holder:
        if element.tag == TABLE + "table-column":
            yield element, hidden
        elif element.tag in _COLUMNS:
            yield from _columns(element, hidden=hidden or element.get(TABLE + "display") == "false")
