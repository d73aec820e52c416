"""Texts that are not read as they are spelled: numbers that stand raised, letters of symbol fonts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from indx_format_office import TextWriter
from indx_format_office.runs import AROUND, pieces
from indx_format_office.symbols import is_known, set_in

if TYPE_CHECKING:
    from xlrd.book import Book  # type: ignore[import-untyped]

__all__ = ["Fonts"]

_RAISED: Final = 1


class Fonts:
    """The fonts of one workbook that change what is read."""

    def __init__(self, book: Book) -> None:
        """Take the fonts of `book`."""
        fonts = list(enumerate(book.font_list))
        self._raised = frozenset(number for number, font in fonts if font.escapement == _RAISED)
        self._symbols = {number: font.name for number, font in fonts if is_known(font.name)}
        self._counting = self._raised.union(self._symbols)
        self._styles = {
            place: self._symbols[style.font_index]
            for place, style in enumerate(book.xf_list)
            if style.font_index in self._symbols
        }

    def texts(self, sheet: Any) -> dict[int, dict[int, str]]:
        """The texts of an xlrd worksheet that are read otherwise, by row and column from 0."""
        found: dict[int, dict[int, str]] = {}
        if self._styles:
            for row in range(sheet.nrows):
                for column, value in enumerate(sheet.row_values(row)):
                    font = self._styles.get(sheet.cell_xf_index(row, column)) if value else None
                    if font is not None and isinstance(value, str):
                        found.setdefault(row, {})[column] = set_in(font, value)
        made: dict[tuple[int, str], str] = {}  # cells share strings, and these their runs
        for (row, column), runs in sheet.rich_text_runlist_map.items() if self._counting else ():
            value = sheet.cell_value(row, column)
            if isinstance(value, str):
                around = self._styles.get(sheet.cell_xf_index(row, column), "")
                key = id(runs), around
                if key not in made:
                    made[key] = self._joined(value, runs, around)
                found.setdefault(row, {})[column] = made[key]
        return found

    def _joined(self, text: str, runs: Sequence[tuple[int, int]], around: str) -> str:
        """A rich text; its runs count units of UTF-16, and what stands before them is in the cell's font."""
        if not around and all(font not in self._counting for _, font in runs):
            return text
        writer = TextWriter()
        for font, piece in pieces(text.encode("utf-16-le", "surrogatepass"), runs):
            piece = set_in(around if font == AROUND else self._symbols.get(font, ""), piece)
            (writer.write_raised if font in self._raised else writer.write)(piece)
        return writer.text()
