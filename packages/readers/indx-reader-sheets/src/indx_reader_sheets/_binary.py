"""Workbooks whose parts are binary records (xlsb): the same cells as those of XML, read record by record."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_format_office.cells import Area, Row, Sheet, column_name, joined, refuse_more_cells
from indx_format_office.numbers import BUILTIN_FORMATS, NumberFormat
from indx_format_office.symbols import set_in
from indx_reader_sheets._cells import MAX_CHARACTERS, MAX_COLUMNS, MAX_ROWS, in_order
from indx_reader_sheets._fonts import Font, Styles, joined_runs, symbols_of
from indx_reader_sheets._strings import Strings

if TYPE_CHECKING:
    from indx_format_office import Package

__all__ = ["binary_comments", "binary_sheet", "binary_sheets", "binary_strings", "binary_styles"]

MAX_PART_BYTES: Final = 256 * 1024 * 1024
_ROW, _COLUMN, _MERGE, _LINK, _FILTER = 0, 60, 176, 494, 161
_FONT, _SUPERSCRIPT = 43, 1
_STRING, _FORMAT, _STYLE, _STYLES, _STYLES_END = 19, 44, 47, 617, 618
_WORKBOOK, _SHEET, _COMMENT, _SAID = 153, 156, 635, 637
_RK, _ERROR, _BOOLEAN, _REAL, _TEXT, _SHARED = 2, 3, 4, 5, 6, 7
_OF_FORMULAS: Final = {8: _TEXT, 9: _REAL, 10: _BOOLEAN, 11: _ERROR}
_RICH: Final = 62
_ERRORS: Final = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!",
    0x2A: "#N/A", 0x2B: "#GETTING_DATA",
}  # fmt: skip
_GENERAL: Final = NumberFormat("General")
_NO_TEXT: Final = 0xFFFFFFFF


def _records(package: Package, part: str) -> Iterator[tuple[int, bytes]]:
    """The records of a part: kind and content.

    Raises:
        SourceError: A record is longer than what is left of the part.
    """
    data = package.read(part, limit=MAX_PART_BYTES)
    position, size = 0, len(data)
    while position < size:
        kind = data[position]
        position += 1
        if kind & 0x80 and position < size:
            kind = kind & 0x7F | (data[position] & 0x7F) << 7
            position += 1
        length = 0
        for shift in (0, 7, 14, 21):
            if position >= size:
                break
            byte = data[position]
            position += 1
            length |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
        if position + length > size:
            raise _damaged(part)
        yield kind, data[position : position + length]
        position += length


def _damaged(part: str) -> SourceError:
    return SourceError(f"the part {part!r} is damaged: a record does not fit; save the workbook anew")


def _text(content: bytes, at: int) -> tuple[str, int]:
    """A text with its length before it, and where it ends."""
    (count,) = struct.unpack_from("<L", content, at)
    if count == _NO_TEXT:
        return "", at + 4
    end = at + 4 + 2 * count
    if end > len(content):
        raise ValueError("a text reaches out of its record")
    return _cleaned(content[at + 4 : end].decode("utf-16-le", "surrogatepass")), end


def _cleaned(text: str) -> str:
    return clean_text(text).replace("\r\n", "\n").replace("\r", "\n")


def _guarded(package: Package, part: str, take: Callable[[int, bytes], None]) -> None:
    """Hand over each record; what does not hold what it should makes the part damaged."""
    try:
        for kind, content in _records(package, part):
            take(kind, content)
    except (struct.error, ValueError, IndexError):
        raise _damaged(part) from None


def binary_sheets(package: Package) -> tuple[bool, list[tuple[str, bool, str]]]:
    """Whether the epoch is 1904, and the sheets: name, hidden or not, relationship."""
    sheets: list[tuple[str, bool, str]] = []
    epoch_1904 = False

    def take(kind: int, content: bytes) -> None:
        nonlocal epoch_1904
        if kind == _WORKBOOK:
            epoch_1904 = bool(content[0] & 1)
        elif kind == _SHEET:
            sheets.append(_listed(content))

    _guarded(package, package.main, take)
    return epoch_1904, sheets


def _listed(content: bytes) -> tuple[str, bool, str]:
    """One sheet of the workbook; programs before the format was settled wrote one number more."""
    (state,) = struct.unpack_from("<L", content)
    for start in (8, 12):
        try:
            relation, at = _text(content, start)
            name, end = _text(content, at)
        except (struct.error, ValueError):
            continue
        if end == len(content):
            return name, state in (1, 2), relation
    raise ValueError("a sheet is listed in a way that is not known")


def _rich(content: bytes, at: int, fonts: Sequence[Font], around: str = "") -> str:
    """A text whose runs stand behind it; `around` is the font of its cell if that is a symbol font."""
    text, end = _text(content, at + 1)
    if not content[at] & 1 or end + 4 > len(content):
        return set_in(around, text) if around else text
    (count,) = struct.unpack_from("<L", content, end)
    runs = struct.iter_unpack("<HH", content[end + 4 :][: 4 * min(count, (len(content) - end - 4) // 4)])
    starts = ((start, font) for start, font in runs)
    return _cleaned(joined_runs(content[at + 5 : end], starts, fonts, around))


def binary_strings(package: Package, styles: Styles) -> Strings:
    """The strings that cells of the workbook name by number."""
    strings = Strings()
    symbols = frozenset(styles.symbols.values())

    def take(kind: int, content: bytes) -> None:
        if kind == _STRING:
            if content[0] & 1:
                for font in symbols:
                    strings.set_in[len(strings.texts), font] = _rich(content, 0, styles.fonts, font)
            strings.texts.append(_rich(content, 0, styles.fonts))

    for relation in package.related(package.main, "sharedStrings")[:1]:
        _guarded(package, relation.part or "", take)
    return strings


def binary_comments(package: Package, part: str) -> list[tuple[str, str]]:
    """The cells that have comments, and these."""
    comments: list[tuple[str, str]] = []

    def take(kind: int, content: bytes) -> None:
        if kind == _COMMENT:
            top, left, _, _ = _area(content[4:])
            comments.append((f"{column_name(left)}{top}", ""))
        elif kind == _SAID and comments:
            comments[-1] = comments[-1][0], _text(content, 1)[0].strip()

    _guarded(package, part, take)
    return [(reference, text) for reference, text in comments if text]


def binary_styles(package: Package, part: str) -> Styles:
    """The cell styles."""
    codes = dict(BUILTIN_FORMATS)
    styles: list[tuple[int, int]] = []
    fonts: list[Font] = []
    inside = False

    def take(kind: int, content: bytes) -> None:
        nonlocal inside
        if kind == _FORMAT:
            codes[struct.unpack_from("<H", content)[0]] = _text(content, 2)[0]
        elif kind == _FONT:
            fonts.append(_font(content))
        elif kind in (_STYLES, _STYLES_END):
            inside = kind == _STYLES
        elif kind == _STYLE and inside:
            styles.append(struct.unpack_from("<2xHH", content))

    _guarded(package, part, take)
    made = {key: NumberFormat(codes.get(key, "")) for key in {key for key, _ in styles}}
    return Styles([made[key] for key, _ in styles], symbols_of((font for _, font in styles), fonts), fonts)


def _font(content: bytes) -> Font:
    """A font; one that is damaged changes no text."""
    try:
        return Font(_text(content, 21)[0], struct.unpack_from("<H", content, 6)[0] == _SUPERSCRIPT)
    except (struct.error, ValueError):
        return Font()


def binary_sheet(
    package: Package,
    part: str,
    strings: Callable[[], Strings],
    styles: Styles,
    *,
    epoch_1904: bool,
) -> Sheet:
    """Read the worksheet whose part is `part`, under the rules of `read_sheet`."""
    reader = (_SignReader if styles.symbols else _Reader)(package, part, strings, styles, epoch_1904)
    _guarded(package, part, reader.take)
    reader.end_row()
    sheet = reader.sheet
    if any(first.number >= second.number for first, second in zip(sheet.rows, sheet.rows[1:], strict=False)):
        sheet.rows = in_order(sheet.rows)
    sheet.hidden_columns = joined(sheet.hidden_columns)
    return sheet


class _Reader:
    """Takes the records of a worksheet."""

    def __init__(
        self,
        package: Package,
        part: str,
        strings: Callable[[], Strings],
        styles: Styles,
        epoch_1904: bool,
    ) -> None:
        self.sheet = Sheet()
        self._relationships = package.relationships(part)
        self._load = strings
        self._strings: Strings | None = None
        self._said, self._formats, self._epoch_1904 = styles, styles.formats, epoch_1904
        self._row = Row(0, False, [], [])
        self._characters = self._cells = 0

    def take(self, kind: int, content: bytes) -> None:
        """Take one record."""
        if kind == _ROW:
            self.end_row()
            (number,) = struct.unpack_from("<L", content)
            if number >= MAX_ROWS:
                raise SourceError(f"row {number + 1} lies outside the {MAX_ROWS} rows of a worksheet")
            self._row = Row(number + 1, bool(content[11] & 0x10), [], [])
        elif _RK <= kind <= max(_OF_FORMULAS) or kind == _RICH:
            self._cell(kind, content)
        elif kind == _COLUMN:
            first, last = struct.unpack_from("<LL", content)
            if struct.unpack_from("<H", content, 16)[0] & 1 and first <= last < MAX_COLUMNS:
                self.sheet.hidden_columns.append((first + 1, last + 1))
        elif kind == _MERGE:
            self.sheet.merges.append(_area(content))
        elif kind == _FILTER:
            self.sheet.filtered = self.sheet.filtered or _area(content)
        elif kind == _LINK:
            relation, at = _text(content, 16)
            place = _text(content, at)[0]
            found = self._relationships.get(relation)
            target = "" if found is None else found.target
            self.sheet.links[_area(content)[:2]] = f"{target}#{place}" if place else target

    def _cell(self, kind: int, content: bytes) -> None:
        column, style = struct.unpack_from("<LL", content)
        if column >= MAX_COLUMNS:
            raise SourceError(f"a cell lies outside the {MAX_COLUMNS} columns of a worksheet")
        kind = _OF_FORMULAS.get(kind, kind)
        text = self._shown(kind, content, style & 0xFFFFFF)
        if not text:
            return
        row = self._row
        row.columns.append(column + 1)
        row.texts.append(text)
        row.values = row.values or kind not in (_TEXT, _SHARED, _RICH)
        self._cells += 1
        refuse_more_cells(self._cells)
        self._characters += len(text)
        if self._characters > MAX_CHARACTERS:
            raise InputTooLarge(f"a worksheet holds over {MAX_CHARACTERS} characters; split the workbook")

    def _shown(self, kind: int, content: bytes, style: int) -> str:
        if kind == _SHARED:
            if self._strings is None:
                self._strings = self._load()
            (place,) = struct.unpack_from("<L", content, 8)
            return self._strings.texts[place] if place < len(self._strings.texts) else ""
        if kind == _TEXT:
            return _text(content, 8)[0]
        if kind == _RICH:
            return _rich(content, 8, self._said.fonts)
        if kind == _BOOLEAN:
            return "TRUE" if content[8] else "FALSE"
        if kind == _ERROR:
            return _ERRORS.get(content[8], "#ERROR")
        (value,) = (_rk(content),) if kind == _RK else struct.unpack_from("<d", content, 8)
        known = self._formats[style] if style < len(self._formats) else _GENERAL
        whole = value == value // 1 and abs(value) < 1e15
        return known.show(repr(int(value) if whole else value), epoch_1904=self._epoch_1904)

    def end_row(self) -> None:
        """Keep the row that is read, if it holds anything."""
        row = self._row
        if row.columns:
            if any(first >= second for first, second in zip(row.columns, row.columns[1:], strict=False)):
                row.sort()
            self.sheet.rows.append(row)
        self._row = Row(row.number, False, [], [])


class _SignReader(_Reader):
    """Takes the records of a worksheet of whose cells some are in a symbol font."""

    def _shown(self, kind: int, content: bytes, style: int) -> str:
        font = self._said.symbols.get(style)
        if font is not None and kind == _RICH:
            return _rich(content, 8, self._said.fonts, font)
        text = super()._shown(kind, content, style)
        if font is None or kind not in (_TEXT, _SHARED):
            return text
        signs: str | None = None
        if kind == _SHARED and self._strings is not None:
            signs = self._strings.set_in.get((struct.unpack_from("<L", content, 8)[0], font))
        return set_in(font, text) if signs is None else signs


def _rk(content: bytes) -> float:
    """A number in four bytes: a whole one or the first half of a float, either perhaps in hundredths."""
    (packed,) = struct.unpack_from("<l", content, 8)
    value: float
    if packed & 2:
        value = float(packed >> 2)
    else:
        (value,) = struct.unpack("<d", struct.pack("<Ll", 0, packed & ~3))
    return value / 100 if packed & 1 else value


def _area(content: bytes) -> Area:
    top, low, left, right = struct.unpack_from("<4L", content)
    if not (top <= low < MAX_ROWS and left <= right < MAX_COLUMNS):
        raise ValueError("an area lies outside the worksheet")
    return top + 1, left + 1, low + 1, right + 1
