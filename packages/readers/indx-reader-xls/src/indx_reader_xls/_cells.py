"""The filled cells of a worksheet, as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge
from indx_format_office.cells import Row, Sheet, joined, refuse_more_cells
from indx_format_office.numbers import BUILTIN_FORMATS, NumberFormat
from indx_reader_xls._fonts import Fonts

if TYPE_CHECKING:
    from xlrd.book import Book  # type: ignore[import-untyped]

__all__ = ["Cells"]

MAX_CHARACTERS: Final = 50_000_000
_MOST_KEPT: Final = 50_000  # numbers that are written once for all cells
_TEXT, _NUMBER, _DATE, _BOOLEAN, _ERROR = 1, 2, 3, 4, 5  # as xlrd names the kinds of cells
_ERRORS: Final = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!",
    0x2A: "#N/A",
}  # fmt: skip


class Cells:
    """Reads worksheets of one workbook."""

    def __init__(self, book: Book) -> None:
        """Read from `book`."""
        self._book = book
        self._epoch_1904 = book.datemode == 1
        self._formats: dict[int, NumberFormat] = {}
        self._texts: dict[str, str] = {}
        self._numbers: dict[tuple[int, float], str] = {}
        self._fonts = Fonts(book)

    def sheet(self, sheet: Any) -> Sheet:
        """The filled cells of an xlrd worksheet.

        Raises:
            InputTooLarge: It holds more text than `MAX_CHARACTERS`, or more cells than are read.
        """
        found = Sheet()
        otherwise = self._fonts.texts(sheet)
        characters = cells = 0
        for number in range(sheet.nrows):
            info = sheet.rowinfo_map.get(number)
            row = Row(number + 1, bool(info is not None and info.hidden), [], [])
            kinds, values = sheet.row_types(number), sheet.row_values(number)
            for column, read in otherwise.get(number, {}).items():
                values[column] = read
            for column, (kind, value) in enumerate(zip(kinds, values, strict=True), start=1):
                if kind == _TEXT:  # strings are shared by cells
                    text = self._texts.get(value)
                    if text is None:
                        text = self._texts[value] = _clean(value)
                elif kind in (_NUMBER, _DATE):
                    text = self._number(sheet.cell_xf_index(number, column - 1), value)
                else:
                    text = _other(kind, value)
                if text:
                    row.columns.append(column)
                    row.texts.append(text)
                    row.values = row.values or kind != _TEXT
                    characters += len(text)
            if characters > MAX_CHARACTERS:
                raise InputTooLarge(f"a worksheet holds over {MAX_CHARACTERS} characters; split the workbook")
            cells += len(row.columns)
            refuse_more_cells(cells)
            if row.columns:
                found.rows.append(row)
        found.merges = [(top + 1, left + 1, low, right) for top, low, left, right in sheet.merged_cells]
        hidden = [(column + 1, column + 1) for column, info in sheet.colinfo_map.items() if info.hidden]
        found.hidden_columns = joined(hidden)
        for (row_at, column_at), link in sheet.hyperlink_map.items():
            if target := _target(link):
                found.links[row_at + 1, column_at + 1] = target
        return found

    def _number(self, style: int, value: float) -> str:
        """A number as its style shows it; many cells of a sheet say the same."""
        text = self._numbers.get((style, value))
        if text is None:
            number = int(value) if value == value // 1 and abs(value) < 1e15 else value
            text = self._format(style).show(repr(number), epoch_1904=self._epoch_1904)
            if len(self._numbers) < _MOST_KEPT:
                self._numbers[style, value] = text
        return text

    def _format(self, place: int) -> NumberFormat:
        known = self._formats.get(place)
        if known is None:
            styles = self._book.xf_list
            key = styles[place].format_key if 0 <= place < len(styles) else 0
            stated = self._book.format_map.get(key)
            code = BUILTIN_FORMATS.get(key) or ("" if stated is None else stated.format_str)
            known = self._formats[place] = NumberFormat(code)
        return known


def _other(kind: int, value: Any) -> str:
    """What is neither text nor number: a truth value, an error, or nothing."""
    if kind == _BOOLEAN:
        return "TRUE" if value else "FALSE"
    return _ERRORS.get(value, "#ERROR") if kind == _ERROR else ""


def _clean(text: str) -> str:
    return clean_text(text.replace("\r\n", "\n").replace("\r", "\n"))


def _target(link: Any) -> str:
    address, place = link.url_or_path or "", link.textmark or ""
    if isinstance(address, bytes):
        address = address.decode("cp1252", "replace")
    return clean_text(f"{address}#{place}" if place else address)
