"""Reads the stories of a binary document one after the other: body, notes, comments, headers, text boxes."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Final

from indx_core.canonical import clean_text
from indx_core.ports import Role
from indx_format_office import TextWriter, stands_raised
from indx_format_office.escher import Described
from indx_format_office.fields import equation
from indx_format_office.rtf import Flow, Paragraph, RowCell, field_target
from indx_format_office.symbols import set_in, symbol
from indx_reader_doc._lists import Lists, Styles
from indx_reader_doc._pictures import Pictures
from indx_reader_doc._pieces import Layout, Properties

__all__ = ["captions", "read_story"]

_CELL, _PARAGRAPH, _PAGE = "\x07", "\r", "\x0c"
_BEGIN, _SEPARATE, _END = "\x13", "\x14", "\x15"
_SIGNS: Final = {"\x0b": "\n", "\x1e": "\u2011", "\t": "\t", "\xa0": "\xa0"}
_PICTURE, _ANCHOR = "\x01", "\x08"
_DELETED, _HIDDEN, _PICTURE_PLACE = 0x0800, 0x083C, 0x6A03
_IN_TABLE, _ROW_ENDS, _DEPTH, _CELLS, _HEAD, _OUTLINE = 0x2416, 0x2417, 0x6649, 0xD608, 0x3404, 0x2640
_LIST, _LEVEL = 0x460B, 0x260A
_RAISED, _POSITION, _SIZE = 0x2A48, 0x4845, 0x4A43
_FIRST_SIZE: Final = 20
_FONT, _SYMBOL, _STAND_IN = 0x4A4F, 0x6A09, "("
_MOST_CELLS: Final = 64


def captions(shapes: list[Described]) -> list[tuple[Role, TextWriter]]:
    """What shapes say or are said to show, each by itself."""
    made = []
    for shape in shapes:
        writer = TextWriter()
        writer.write(shape.text)
        if shape.hidden:
            writer.hide(0)
        made.append((shape.role, writer))
    return made


def read_story(
    layout: Layout, styles: Styles, lists: Lists, pictures: Pictures, first: int, last: int
) -> TextWriter:
    """The text of the characters from `first` to `last`."""
    reader = _Story(layout, styles, lists, pictures)
    position = first
    last = min(last, len(layout.text))
    while position < last:
        end, said = layout.stretch(position, last)
        reader.run(position, max(end, position + 1), said)
        position = max(end, position + 1)
    return reader.flow.finish()


@dataclass(slots=True)
class _Field:
    """A field being read: its instruction, and where it leads, or the field around it."""

    instruction: list[str] = field(default_factory=list)
    target: str = ""


class _Story:
    """One story being read."""

    def __init__(self, layout: Layout, styles: Styles, lists: Lists, pictures: Pictures) -> None:
        self.flow = Flow()
        self._layout, self._styles, self._lists, self._pictures = layout, styles, lists, pictures
        self._pending: list[tuple[str, bool, str, bool]] = []  # text, whether hidden, its target, if raised
        self._raised = False
        self._before = Properties(0, {})  # said of the text before that stands on its line
        self._fields: list[_Field] = []  # that are open, the innermost last
        self._told: list[_Field] = []  # those of them whose result has not begun
        self._readings: list[tuple[str, str]] = []

    def run(self, first: int, last: int, said: Properties) -> None:
        """Take characters of which one thing is said."""
        deleted = said.operations.get(_DELETED, b"\0")[:1] not in (b"\0", b"")
        hidden = said.operations.get(_HIDDEN, b"\0")[:1] not in (b"\0", b"")
        self._raised = said.operations.get(_RAISED, b"")[:1] == b"\1" or (
            _POSITION in said.operations and self._is_moved_up(first, said)
        )
        if not self._raised:
            self._before = said
        kept: list[str] = []
        named = said.operations.get(_FONT)
        symbols = self._layout.symbols.get(named[:2], "") if named else ""
        inserted = said.operations.get(_SYMBOL, b"")
        for position in range(first, last):
            sign = self._layout.text[position]
            if sign == _STAND_IN and len(inserted) == 4:
                font, code = struct.unpack("<HH", inserted)
                kept.append(symbol(self._layout.font(font), code))
                continue
            if sign >= " " or sign in _SIGNS:
                if symbols:
                    sign = set_in(symbols, sign)
                kept.append(_SIGNS.get(sign, sign))
                continue
            self._keep(kept, hidden=hidden, deleted=deleted)
            kept = []
            if sign in (_PARAGRAPH, _CELL, _PAGE):
                self._end(position, sign)
            elif sign in (_PICTURE, _ANCHOR):
                self._picture(position, sign, said, deleted=deleted)
            elif sign in (_BEGIN, _SEPARATE, _END):
                self._field(sign, hidden=hidden, deleted=deleted)
        self._keep(kept, hidden=hidden, deleted=deleted)

    def _is_moved_up(self, first: int, said: Properties) -> bool:
        """Whether characters are smaller than those before and moved up, as programs raise numbers."""
        rise = int.from_bytes(said.operations[_POSITION][:2], "little", signed=True)
        if rise <= 0:
            return False
        usual = self._styles.of(self._layout.paragraph(first).style).get(_SIZE, b"")
        sizes = (one.operations.get(_SIZE) or usual for one in (said, self._before))
        size, before = (int.from_bytes(one[:2], "little") or _FIRST_SIZE for one in sizes)
        return stands_raised(rise, size, before)

    def _field(self, sign: str, *, hidden: bool, deleted: bool) -> None:
        """Begin a field, turn from its instruction to its result, or end it; fields stand in both."""
        if sign == _BEGIN:
            self._fields.append(_Field(target=self._fields[-1].target if self._fields else ""))
            self._told.append(self._fields[-1])
            return
        if not self._fields:
            return
        field = self._fields[-1] if sign == _SEPARATE else self._fields.pop()
        if self._told and self._told[-1] is field:
            self._told.pop()
            instruction = "".join(field.instruction)
            field.target = field_target(instruction) or field.target
            self._show(instruction, hidden=hidden, deleted=deleted)

    def _picture(self, position: int, sign: str, said: Properties, *, deleted: bool) -> None:
        """Take what a picture shows; it comes after the paragraph."""
        if sign == _ANCHOR:
            shapes = self._pictures.beside(position)
        else:
            place = said.operations.get(_PICTURE_PLACE, b"")
            shapes = self._pictures.within(struct.unpack("<L", place)[0]) if len(place) == 4 else []
        if not deleted and not self._told:
            self.flow.waiting += captions(shapes)

    def _keep(self, kept: list[str], *, hidden: bool, deleted: bool) -> None:
        if not kept:
            return
        text = "".join(kept)
        if self._told:
            self._told[-1].instruction.append(text)
        elif not deleted:
            target = self._fields[-1].target if self._fields else ""
            self._pending.append((text, hidden, target, self._raised))

    def _show(self, instruction: str, *, hidden: bool, deleted: bool) -> None:
        """Take what an equation or a button shows, which is said in its instruction alone."""
        made = equation(instruction)
        if made is not None and not self._told:
            self._keep([made.text], hidden=hidden, deleted=deleted)
            self._readings += [] if deleted else made.ruby

    def _end(self, position: int, sign: str) -> None:
        """End a paragraph: what is said of it stands at its last character."""
        said = self._layout.paragraph(position)
        done = said.operations
        in_table = bool(done.get(_IN_TABLE, b"\0")[0]) or sign == _CELL
        if bool(done.get(_ROW_ENDS, b"\0")[0]) and sign == _CELL:
            self._pending = []
            self.flow.defined, self.flow.head = _cells(done.get(_CELLS, b"")), _HEAD in done
            self.flow.end_row()
            return
        done = self._styles.of(said.style) | done
        outline = done.get(_OUTLINE)
        level = said.style if 1 <= said.style <= 9 else 0
        if outline:
            level = outline[0] + 1 if outline[0] < 9 else 0
        role = self._styles.role(said.style)
        level = level or int(role == "title")
        label = self._label(done)
        self._write(label.lstrip() if level else label, in_table=in_table)
        if sign == _CELL:
            self.flow.end_cell()
            return
        self.flow.end_paragraph(Paragraph(level, role), in_table=in_table)

    def _label(self, done: dict[int, bytes]) -> str:
        """Count the paragraph in its list; its label, or nothing where it has no list."""
        number = struct.unpack("<h", done.get(_LIST, b"\0\0").ljust(2, b"\0")[:2])[0]
        return self._lists.label(number, done.get(_LEVEL, b"\0")[0]) if number > 0 else ""

    def _write(self, label: str, *, in_table: bool) -> None:
        pending, self._pending = self._pending, []
        readings, self._readings = self._readings, []
        if label and any(text.strip() for text, *_ in pending):
            pending.insert(0, (label, False, "", False))
        for text, hidden, target, raised in pending:
            writer = self.flow.writer(in_table=in_table)
            self.flow.begin(writer)
            start = writer.length
            whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            (writer.write_raised if raised else writer.write)(clean_text(whole))
            if hidden:
                writer.hide(start)
            writer.link(start, target)
            for base, reading in readings:
                writer.ruby(base, reading)
            readings = []


def _cells(definition: bytes) -> list[RowCell]:
    """The cells of a row: where they end, and how they are merged."""
    if not definition:
        return []
    count = min(definition[0], _MOST_CELLS)
    if len(definition) < 1 + 2 * (count + 1):
        return []
    edges = struct.unpack_from(f"<{count + 1}h", definition, 1)
    cells = []
    for place in range(count):
        at = 1 + 2 * (definition[0] + 1) + 20 * place
        flags = struct.unpack_from("<H", definition, at)[0] if at + 2 <= len(definition) else 0
        cells.append(RowCell(edges[place + 1], flags & 3 == 1, flags >> 5 & 3 == 1))
    return cells
