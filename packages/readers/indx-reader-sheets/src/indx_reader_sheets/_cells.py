"""Reads the cells of one worksheet: what is filled, as people read it, and nothing for what is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_format_office.cells import Area, Row, Sheet, joined, refuse_more_cells
from indx_format_office.names import R, S
from indx_format_office.numbers import NumberFormat
from indx_format_office.symbols import set_in
from indx_format_office.values import switched_on, whole
from indx_reader_sheets._fonts import Styles
from indx_reader_sheets._strings import Strings, readings, rich_text, unescaped

if TYPE_CHECKING:
    from indx_format_office import Package
    from indx_format_office._xml import Element

__all__ = ["MAX_CHARACTERS", "MAX_COLUMNS", "MAX_ROWS", "area_of", "in_order", "read_sheet"]

MAX_ROWS: Final = 1_048_576
MAX_COLUMNS: Final = 16_384
MAX_CHARACTERS: Final = 50_000_000
"""The text of one worksheet; a few shared strings could otherwise stand for more than any memory holds."""

_ROW, _COLUMN, _MERGE, _LINK, _FILTER = (
    S + "row",
    S + "col",
    S + "mergeCell",
    S + "hyperlink",
    S + "autoFilter",
)
_VALUE, _FORMULA, _INLINE = S + "v", S + "f", S + "is"
_GENERAL: Final = NumberFormat("General")
_DIGITS: Final = "0123456789"
_REFERENCE: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_HYPERLINK: Final = re.compile(r'\s*HYPERLINK\(\s*"([^"]+)"', re.IGNORECASE)
_TEXT_TYPES: Final = frozenset(("s", "str", "inlineStr"))


def area_of(reference: str | None) -> Area | None:
    """The area that `B2:D5` or `B2` names; None when it names none."""
    first, _, last = (reference or "").partition(":")
    begin, end = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last or first)
    if begin is None or end is None:
        return None
    rows = sorted((int(begin[2]), int(end[2])))
    columns = sorted((_column_number(begin[1]), _column_number(end[1])))
    if not (rows[0] >= 1 and rows[1] <= MAX_ROWS and columns[1] <= MAX_COLUMNS):
        return None
    return rows[0], columns[0], rows[1], columns[1]


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def read_sheet(
    package: Package,
    part: str,
    strings: Callable[[], Strings],
    styles: Styles,
    *,
    epoch_1904: bool,
) -> Sheet:
    """Read the worksheet whose part is `part`.

    Args:
        package: The open package.
        part: The worksheet's part.
        strings: Gives the shared strings, asked when the first cell needs one.
        styles: The cell styles.
        epoch_1904: Whether day 0 is the first of January 1904.

    Raises:
        SourceError: The part is damaged, or has a cell outside the grid.
        InputTooLarge: It holds more text than `MAX_CHARACTERS`, or more cells than are read.
    """
    reader = _Reader(strings, styles, epoch_1904)
    sheet = Sheet(ruby=reader.ruby)
    relationships = package.relationships(part)
    ordered = True
    for element in package.iterate(part, _ROW, _COLUMN, _MERGE, _LINK, _FILTER):
        tag = element.tag
        if tag == _ROW:
            row = reader.row(element)
            if row is not None:
                ordered = ordered and (not sheet.rows or sheet.rows[-1].number < row.number)
                sheet.rows.append(row)
        elif tag == _COLUMN:
            if switched_on(element.get("hidden")):
                sheet.hidden_columns.append((whole(element.get("min")), whole(element.get("max"))))
        elif tag == _MERGE:
            if (area := area_of(element.get("ref"))) is not None:
                sheet.merges.append(area)
        elif tag == _FILTER:
            sheet.filtered = sheet.filtered or area_of(element.get("ref"))
        elif (area := area_of(element.get("ref"))) is not None:
            relation = relationships.get(element.get(R + "id", ""))
            place = element.get("location", "")
            target = "" if relation is None else relation.target
            sheet.links[area[:2]] = f"{target}#{place}" if place else target
    if not ordered:
        sheet.rows = in_order(sheet.rows)
    sheet.hidden_columns = joined(sheet.hidden_columns)
    sheet.links.update(reader.links)
    return sheet


def in_order(rows: list[Row]) -> list[Row]:
    """The rows rising; of two with one number the first counts."""
    by_number: dict[int, Row] = {}
    for row in rows:
        by_number.setdefault(row.number, row)
    return [by_number[number] for number in sorted(by_number)]


class _Reader:
    """Makes text of cells, row by row."""

    def __init__(self, strings: Callable[[], Strings], styles: Styles, epoch_1904: bool) -> None:
        self._load = strings
        self._strings: Strings | None = None
        self._formats, self._symbols = styles.formats, styles.symbols
        self._epoch_1904 = epoch_1904
        self._styles: dict[str, NumberFormat] = {}
        self._columns: dict[str, int] = {}
        self._shared: dict[str, str] = {}
        self._guided: set[int] = set()
        self._number = 0
        self._characters = self._cells = 0
        self.links: dict[tuple[int, int], str] = {}
        self.ruby: dict[tuple[str, str], None] = {}

    def row(self, element: Element) -> Row | None:
        """The filled cells of one row; None when there are none."""
        number = self._number = self._row_number(element)
        columns: list[int] = []
        texts: list[str] = []
        formulas: list[int] = []
        values = False
        rising = True
        column = 0
        for cell in element:
            reference = cell.get("r")
            column = column + 1 if reference is None else self._column(reference)
            if not len(cell):
                continue
            kind = cell.get("t")
            first = cell[0]
            if first.tag == _VALUE:
                text = self._shown(cell, kind, first.text or "")
            else:
                text = self._computed(cell, kind, column, formulas)
            if not text:
                continue
            rising = rising and (not columns or columns[-1] < column)
            columns.append(column)
            texts.append(text)
            self._characters += len(text)
            values = values or kind not in _TEXT_TYPES
        if not columns:
            return None
        if self._symbols:
            self._spell(element, columns, texts)
        self._cells += len(columns)
        refuse_more_cells(self._cells)
        if self._characters > MAX_CHARACTERS:
            raise InputTooLarge(f"a worksheet holds over {MAX_CHARACTERS} characters; split the workbook")
        hidden = switched_on(element.get("hidden"))
        row = Row(number, hidden, columns, texts, values, formulas)
        if not rising:
            row.sort()
        return row

    def _spell(self, row: Element, columns: list[int], texts: list[str]) -> None:
        """Put the signs that they show as for the letters in cells of a symbol font."""
        places = {column: place for place, column in enumerate(columns)}
        column = 0
        for cell in row:
            reference, kind = cell.get("r"), cell.get("t")
            column = column + 1 if reference is None else self._column(reference)
            font = self._symbols.get(whole(cell.get("s"))) if kind in _TEXT_TYPES else None
            place = places.get(column)
            if font is not None and place is not None:
                texts[place] = self._set_in(font, cell, kind, texts[place])

    def _set_in(self, font: str, cell: Element, kind: str | None, text: str) -> str:
        """What a cell of a symbol font shows, whose text is `text`."""
        value, item = cell.find(_VALUE), cell.find(_INLINE)
        if value is None and item is not None:
            return rich_text(item, font)
        if kind == "s" and value is not None and self._strings is not None:
            signs = self._strings.set_in.get((whole(value.text, -1, least=-1), font))
            return set_in(font, text) if signs is None else signs
        return set_in(font, text)

    def _row_number(self, element: Element) -> int:
        stated = element.get("r")
        if stated is None and len(element):
            # Rows may go unnumbered where their cells are.
            stated = element[0].get("r", "").lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") or None
        number = whole(stated, self._number + 1)
        if not 1 <= number <= MAX_ROWS:
            raise SourceError(f"row {number} lies outside the {MAX_ROWS} rows of a worksheet")
        return number

    def _column(self, reference: str) -> int:
        letters = reference.rstrip(_DIGITS)
        column = self._columns.get(letters)
        if column is None:
            column = _column_number(letters) if letters.isascii() and letters.isalpha() else 0
            if len(letters) > 3 or not 1 <= column <= MAX_COLUMNS:
                raise SourceError(
                    f"cell {reference[:20]!r} lies outside the {MAX_COLUMNS} columns of a worksheet"
                )
            self._columns[letters] = column
        return column

    def _shown(self, cell: Element, kind: str | None, text: str) -> str:
        """The text of a cell that has a value."""
        if kind == "s":
            if self._strings is None:
                self._strings = self._load()
            place = whole(text, -1, least=-1)
            strings = self._strings
            if place in strings.readings and place not in self._guided:
                self._guided.add(place)
                self.ruby.update(dict.fromkeys(strings.readings[place]))
            return strings.texts[place] if 0 <= place < len(strings.texts) else ""
        if kind is None or kind == "n":
            style = cell.get("s", "0")
            known = self._styles.get(style)
            if known is None:
                place = whole(style)
                known = self._formats[place] if place < len(self._formats) else _GENERAL
                self._styles[style] = known
            return known.show(text, epoch_1904=self._epoch_1904)
        if kind == "b":
            return "TRUE" if switched_on(text) else "FALSE"
        if kind == "d":
            return text.removesuffix("Z").removesuffix("T00:00:00").replace("T", " ")
        return unescaped(text)

    def _computed(self, cell: Element, kind: str | None, column: int, formulas: list[int]) -> str:
        """The text of an inline string, or of a formula: its value where it was kept, else the formula."""
        value = formula = None
        for child in cell:
            if child.tag == _VALUE:
                value = child.text or ("" if kind == "str" else None)
            elif child.tag == _FORMULA:
                formula = self._formula(child)
            elif child.tag == _INLINE:
                text = rich_text(child)
                self.ruby.update(dict.fromkeys(readings(child, text)))
                return text
        if formula is not None and (match := _HYPERLINK.match(formula)):
            self.links[self._number, column] = match[1]
        if value is not None:
            return self._shown(cell, kind, value)
        if not formula:
            return ""
        formulas.append(column)
        return unescaped(f"={formula}")

    def _formula(self, element: Element) -> str:
        """A formula's text; of one that is shared, the text of the cell that states it."""
        text = element.text or ""
        if element.get("t") == "shared":
            key = element.get("si", "")
            text = text or self._shared.get(key, "")
            self._shared.setdefault(key, text)
        return text
