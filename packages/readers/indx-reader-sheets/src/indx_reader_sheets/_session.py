"""An open workbook: a page is a worksheet, in the order of the workbook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_core.ports import PageEvidence, PageReading
from indx_core.text import counted
from indx_format_office import TextWriter
from indx_format_office.cells import Sheet
from indx_format_office.names import R, S
from indx_format_office.numbers import BUILTIN_FORMATS, NumberFormat
from indx_format_office.session import OfficeSession, text_characters
from indx_format_office.sheetlayout import described, write_sheet
from indx_format_office.values import switched_on, whole
from indx_reader_sheets._beside import Beside
from indx_reader_sheets._binary import (
    binary_comments,
    binary_sheet,
    binary_sheets,
    binary_strings,
    binary_styles,
)
from indx_reader_sheets._cells import area_of, read_sheet
from indx_reader_sheets._fonts import Font, Styles, symbols_of
from indx_reader_sheets._strings import Strings, shared_strings

if TYPE_CHECKING:
    from indx_format_office import Family
    from indx_format_office._xml import Element

__all__ = ["SheetsSession"]


@dataclass(frozen=True, slots=True)
class _Entry:
    """One sheet as the workbook lists it; `part` is None when there is none to read."""

    name: str
    hidden: bool
    part: str | None
    drawn: bool


class SheetsSession(OfficeSession):
    """A workbook, whose list of sheets is read when it is opened, the rest when a sheet first needs it."""

    family: ClassVar[Family] = "sheets"

    def _open(self) -> int:
        self._binary = self.package.main.lower().endswith(".bin")
        self._images: dict[int, int] = {}
        if self._binary:
            self._epoch_1904, listed = binary_sheets(self.package)
            self._entries = self._once(self._entry(*one) for one in listed)
            return len(self._entries)
        root = self.package.parse(self.package.main)
        properties = root.find(S + "workbookPr")
        self._epoch_1904 = properties is not None and switched_on(properties.get("date1904"))
        self._entries = self._once(
            self._entry(
                clean_text(sheet.get("name", "")),
                sheet.get("state", "visible").lower() in ("hidden", "veryhidden"),
                sheet.get(R + "id", ""),
            )
            for sheet in root.iter(S + "sheet")
            if sheet.get(R + "id") != ""  # a module of Excel 5: its code is with the macros
        )
        return len(self._entries)

    def _once(self, found: Iterable[_Entry]) -> list[_Entry]:
        """The sheets in their order; of those that name one part the first."""
        entries: list[_Entry] = []
        parts: set[str] = set()
        for entry in found:
            if entry.part is None or entry.part.lower() not in parts:
                entries.append(entry)
            parts.add((entry.part or "").lower())
        return entries

    def _entry(self, name: str, hidden: bool, key: str) -> _Entry:
        relation = self.package.relationships(self.package.main).get(key)
        return _Entry(
            name,
            hidden,
            None if relation is None else relation.part,
            relation is not None and relation.type == "chartsheet",
        )

    @cached_property
    def _strings(self) -> Strings:
        if self._binary:
            return binary_strings(self.package, self._styles)
        return shared_strings(self.package, frozenset(self._styles.symbols.values()))

    @cached_property
    def _styles(self) -> Styles:
        """The cell styles; none when the workbook states no styles."""
        for relation in self.package.related(self.package.main, "styles"):
            part = relation.part or ""
            return binary_styles(self.package, part) if self._binary else _styles(self.package.parse(part))
        return Styles()

    def _read(self, page: int) -> PageReading:
        entry = self._entries[page - 1]
        if entry.part is None:
            raise SourceError(f"the worksheet {entry.name!r} has no part in the file")
        writer = TextWriter()
        metadata: dict[str, Any] = {"sheet": {"name": entry.name}}
        if entry.hidden:
            metadata["sheet"]["hidden"] = True
        if not entry.drawn:
            sheet = (binary_sheet if self._binary else read_sheet)(
                self.package,
                entry.part,
                lambda: self._strings,
                self._styles,
                epoch_1904=self._epoch_1904,
            )
            layout = write_sheet(sheet, writer, caption=entry.name, heads=self._heads(entry.part, sheet))
            metadata["sheet"] |= described(sheet, layout)
        beside = Beside(self, entry.part, writer)
        beside.write(whole_charts=entry.drawn)
        self._images[page] = beside.images
        if entry.hidden:
            writer.hide(0)
        return writer.page(page, metadata=metadata)

    def binary(self, name: str) -> list[tuple[str, str]]:
        """The comments in a part of records; none, and noted in `unread`, when it is damaged."""
        try:
            return binary_comments(self.package, name)
        except SourceError as error:
            self.unread[name] = error.message
            return []

    def _heads(self, part: str, sheet: Sheet) -> list[tuple[int, int]]:
        """Rows that head the cells below: of the worksheet's tables, and of its filter."""
        heads = [] if sheet.filtered is None else [(sheet.filtered[0], 1)]
        if self._binary:
            return heads
        for relation in self.package.related(part, "table"):
            root = self.part(relation.part or "")
            area = None if root is None else area_of(root.get("ref"))
            if root is not None and area is not None:
                count = whole(root.get("headerRowCount"), 1)
                heads += [(area[0], count)] if count else []
        return heads

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        hidden = self._entries[page - 1].hidden
        return PageEvidence(page, text_characters(reading), images=self._images.get(page, 0), hidden=hidden)

    def _facts(self) -> Mapping[str, str]:
        hidden = sum(entry.hidden for entry in self._entries)
        sheets = {"worksheets": counted(self.page_count, "worksheet")}
        return sheets | ({"hidden_worksheets": counted(hidden, "hidden worksheet")} if hidden else {})

    def _parts_of(self, page: int) -> Sequence[str]:
        part = self._entries[page - 1].part
        return () if part is None else (part,)


def _styles(root: Element) -> Styles:
    codes = dict(BUILTIN_FORMATS)
    for stated in root.iter(S + "numFmt"):
        codes[whole(stated.get("numFmtId"), -1)] = stated.get("formatCode", "")
    listed_fonts = root.find(S + "fonts")
    named = (font.find(S + "name") for font in (() if listed_fonts is None else listed_fonts))
    fonts = [Font("" if name is None else name.get("val", "")) for name in named]
    made: dict[int, NumberFormat] = {}
    styles = root.find(S + "cellXfs")
    listed = [] if styles is None else list(styles.iterchildren(S + "xf"))
    keys = [whole(style.get("numFmtId")) for style in listed]
    for key in keys:
        if key not in made:
            made[key] = NumberFormat(codes.get(key, ""))
    return Styles([made[key] for key in keys], symbols_of((whole(x.get("fontId")) for x in listed), fonts))
