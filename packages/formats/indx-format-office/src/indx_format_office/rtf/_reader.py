"""Reads Rich Text Format: paragraphs, headings, tables, links, notes, what is hidden.

What was deleted under tracked changes is left out. Notes, headers and footers come after the body, text boxes
after their paragraph. Bytes are decoded by the code page of their font, else of the document.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_core.ports import Role
from indx_format_office.fields import equation
from indx_format_office.rtf._actions import ACTIONS
from indx_format_office.rtf._flow import Flow, Paragraph, RowCell
from indx_format_office.rtf._formulas import FORMULA, FORMULAS, Formula
from indx_format_office.rtf._group import Group, RtfDocument
from indx_format_office.rtf._links import field_target
from indx_format_office.rtf._styles import Fonts, Styles
from indx_format_office.rtf._tokens import HEX, RAW, TEXT, WORD, codec, tokens
from indx_format_office.rtf._words import (
    BOXES,
    CAPTURED,
    FACTS,
    INNER,
    LABELS,
    MARGINS,
    NOTES,
    SAYING,
    SIGNS,
    SKIPPED,
    TRANSPARENT,
    WORDS,
)
from indx_format_office.symbols import spelled, symbol
from indx_format_office.values import description
from indx_format_office.writer import TextWriter, stands_raised

__all__ = ["Reader", "read_rtf"]

MAX_DEPTH: Final = 2_000
_FIRST_SIZE: Final = 24
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")
_PROPERTIES: Final = b"Pr"  # how the names end of what holds those of a part of a formula
_NO_DIGITS: Final = bytes(set(range(256)) - set(b"0123456789abcdefABCDEF"))


def read_rtf(data: bytes) -> RtfDocument:
    """Read Rich Text Format.

    Raises:
        SourceError: `source_unreadable`: it is none, or its groups are nested too deeply.
    """
    if not data[:64].lstrip().startswith(b"{\\rtf"):
        raise SourceError("the file is no Rich Text: it does not begin with {\\rtf; check that it is whole")
    return Reader().read(data)


class Reader:
    """Follows the groups of one text."""

    def __init__(self) -> None:
        self._main = Flow()
        self.group: Group = Group(self._main)
        self._stack: list[Group] = []
        self._bytes = bytearray()
        self._skip = 0
        self._starred = False
        self._merging = RowCell(0)
        self._high = 0
        self._captured: list[str] = []
        self._outer: list[str] = []  # of an instruction with another in it
        self._formulas: list[Formula] = []  # those that are open
        self._object = bytearray()
        self._name = ""
        self._size_before = 0  # of the text before that stands on its line
        self._default = "cp1252"
        self._default_font: int | None = None
        self._fonts = Fonts()
        self._styles = Styles()
        self._notes: list[tuple[Role, TextWriter]] = []
        self._margins: list[tuple[Role, TextWriter]] = []
        self._document = RtfDocument(self._main.body)

    def read(self, data: bytes) -> RtfDocument:
        """Read `data` whole."""
        for kind, name, number in tokens(data):
            if kind in (TEXT, HEX):
                self._raw(name)
            elif kind == WORD:
                self._flush()
                self._word(name, number)
            elif kind == RAW:
                self._flush()
                if self.group.kind == b"objdata":
                    self._object += name
            elif kind == "{":
                self._flush()
                self._open()
            elif kind == "}":
                self._flush()
                self._skip = 0
                if not self._stack:
                    break
                self._close()
            elif self._skip:
                self._skip -= 1
            else:
                self._flush()
                self._sign(name)
        self._flush()
        while self._stack:
            self._close()
        return self._finish()

    def _finish(self) -> RtfDocument:
        writer = self._main.finish()
        seen: set[str] = set()
        for wanted in ("footnote", "endnote", "comment", "header", "footer"):
            for role, text in (*self._notes, *self._margins):
                said = text.text().strip()
                if role != wanted or not said or (role in ("header", "footer") and said in seen):
                    continue
                seen.add(said)
                start = writer.start_line()
                writer.append(text)
                writer.role(start, role)
        return self._document

    def _open(self) -> None:
        self._skip = 0
        self._starred = False
        if len(self._stack) >= MAX_DEPTH:
            raise SourceError("the text is no Rich Text: its groups are nested too deeply; save it anew")
        self._stack.append(self.group)
        self.group = self.group.inner()

    def _close(self) -> None:
        ended, self.group = self.group, self._stack.pop()
        if ended.kind != self.group.kind:
            self._captures(ended.kind, deleted=ended.deleted or self.group.deleted)
        if ended.kind == b"objdata" != self.group.kind:
            if self._object and not ended.deleted:
                self._document.objects.append(bytes(self._object))
            self._object = bytearray()
        if ended.flow is not self.group.flow and ended.role is not None:
            text = ended.flow.finish()
            if ended.role in ("header", "footer"):
                self._margins.append((ended.role, text))
            elif ended.role == "text_box" and text.text().strip():
                self.group.flow.waiting.append((ended.role, text))
            elif ended.role != "text_box":
                self._notes.append((ended.role, text))

    def _captures(self, kind: bytes, *, deleted: bool) -> None:
        """What to do with text that was kept, now that its group has ended."""
        text = "".join(self._captured)
        if kind in CAPTURED:
            self._captured = []
        if kind in FACTS and (said := clean_text(" ".join(text.split()))):
            self._document.properties.setdefault(FACTS[kind], said)
        elif kind in (b"fldinst", INNER):
            self._instruction(text, is_inner=kind == INNER)
        elif kind in LABELS:
            if not self.group.kind and not deleted and (label := " ".join(text.split())):
                self.group.flow.label = f"{'•' if _PRIVATE.fullmatch(label) else label} "
        elif kind in FORMULAS:
            self._formulas[-1].end(kind)
            if kind == FORMULA and (shown := self._formulas.pop().linear()) and not deleted:
                self.write(shown)
        elif kind == b"sn":
            self._name = text.strip()
        elif kind == b"sv" and (role := SAYING.get(self._name)):
            text = " ".join(text.split())
            if said := description(text) if role == "caption" else text:
                described = TextWriter()
                described.write(said)
                self.group.flow.waiting.append((role, described))
        elif kind == b"stylesheet":
            self._styles.end()

    def _instruction(self, text: str, *, is_inner: bool) -> None:
        """What the instruction of a field comes to; what one within another shows is a part of that."""
        if is_inner:
            self._captured = self._outer if self.group.kind == b"fldinst" else []
        else:
            self.group.pending = field_target(text)
        if made := equation(text):  # its result is empty
            self.write(made.text)
            for pair in made.ruby:
                self.group.flow.body.ruby(*pair)

    def _raw(self, data: bytes) -> None:
        if self._skip:
            self._skip, data = max(0, self._skip - len(data)), data[self._skip :]
        self._bytes += data

    def _flush(self) -> None:
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        kind = self.group.kind
        if kind == b"fonttbl":
            self._fonts.name(data.decode("cp1252", "replace"))
            return
        if kind == b"objdata":
            digits = data.translate(None, _NO_DIGITS)
            self._object += bytes.fromhex(digits[: len(digits) & ~1].decode("ascii"))
        elif kind == b"stylesheet":
            self._styles.name(data.decode(self._default, "replace"))
        elif kind != b"skip":
            font = self._font()
            if symbols := self._fonts.symbols(font):
                self.write("".join(symbol(symbols, byte) for byte in data))
            else:
                self.write(data.decode(self._fonts.codec(font) or self._default, "replace"))

    def _font(self) -> int | None:
        return self.group.font if self.group.font is not None else self._default_font

    def write(self, text: str) -> None:
        group = self.group
        if kind := group.kind:
            if kind in CAPTURED:
                self._captured.append(text)
            elif kind in FORMULAS and not kind.endswith(_PROPERTIES) and not group.deleted:
                self._formulas[-1].say(text)
            return
        if group.deleted:
            return
        writer = group.flow.writer(in_table=group.in_table)
        if group.flow.begins():
            group.flow.begin(writer, self._indent())
        start = writer.length
        raised = group.raised
        if group.rise <= 0:
            self._size_before = group.size
        elif not raised:
            raised = group.shrinks or stands_raised(group.rise, group.size, self._size_before)
        (writer.write_raised if raised else writer.write)(text)
        if group.hidden:
            writer.hide(start)
        if group.link:
            writer.link(start, group.link)

    def _sign(self, name: bytes) -> None:
        if name == b"*":
            self._starred = True
        elif name in (b"\n", b"\r"):
            self.end_paragraph()
        elif name in SIGNS:
            self.write(SIGNS[name])

    def _word(self, name: bytes, number: int | None) -> None:
        starred, self._starred = self._starred, False
        group = self.group
        if name == b"u":
            self._skip = group.substitute
            self._unicode((number or 0) & 0xFFFF)
        elif group.kind == b"skip":
            if name == b"ud":
                group.kind = self._stack[-2].kind if len(self._stack) > 1 else b""
            elif name == b"sp":
                group.kind = b"sp"
        elif group.kind == b"fonttbl":
            self._fonts.word(name, number)
        elif group.kind == b"stylesheet":
            self._styles.word(name, number)
        elif name in ACTIONS:
            ACTIONS[name](self, number)
        elif name in WORDS:
            self.write(WORDS[name])
        elif not self._destination(name) and (name in SKIPPED or (starred and name not in TRANSPARENT)):
            group.kind = b"skip"

    def _unicode(self, code: int) -> None:
        """Take one unit of UTF-16; two that belong together are one character."""
        if 0xD800 <= code < 0xDC00:
            self._high = code
            return
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((self._high - 0xD800) << 10) + code - 0xDC00 if self._high else 0xFFFD
        self._high = 0
        if self.group.kind == b"stylesheet":
            self._styles.name(chr(code))
        elif self.group.kind not in (b"skip", b"fonttbl"):
            self.write(spelled(self._fonts.symbols(self._font()), chr(code)))

    def _destination(self, name: bytes) -> bool:
        """Whether `name` begins a destination that is read; the group then is of it."""
        group = self.group
        if name == b"fldinst" == group.kind:  # of a field in an instruction, in which its result stands
            group.kind = INNER
            self._outer, self._captured = self._captured, []
        elif name in (b"fonttbl", b"stylesheet", b"objdata") or name in CAPTURED:
            group.kind = name if group.kind != INNER else b"skip"  # deeper than anybody writes
        elif name == FORMULA and group.kind in FORMULAS:
            pass  # a part of the one around it
        elif (name == FORMULA and not group.kind) or (name in FORMULAS and group.kind in FORMULAS):
            if name == FORMULA:
                self._formulas.append(Formula())
            group.kind = name
            self._formulas[-1].begin(name)
        elif group.kind in FORMULAS and name.endswith(_PROPERTIES):
            group.kind = b"skip"
        elif name in NOTES:
            self._divert(NOTES[name])
        elif name in MARGINS:
            self._divert(MARGINS[name])
        elif name in BOXES:
            self._divert("text_box")
        elif name == b"ftnalt" and group.role == "footnote":
            group.role = "endnote"
        elif name == b"pict":
            self._document.images += 1
            group.kind = b"skip"
        elif name in (b"shpinst", b"do", b"info"):
            group.kind = b"shape"
        else:
            return False
        return True

    def _divert(self, role: Role) -> None:
        group = self.group
        self.group = Group(Flow(), substitute=group.substitute, deleted=group.deleted, role=role)

    def end_paragraph(self) -> None:
        """End the paragraph; one whose end was deleted goes on in the next."""
        group = self.group
        if group.deleted:
            group.flow.label = ""
            return
        if group.kind or group.nested:
            group.flow.label = ""
            self.write("\n")
            return
        group.flow.end_paragraph(self._paragraph(), in_table=group.in_table)

    def _paragraph(self) -> Paragraph:
        level, role = self._styles.of(self.group.style)
        return Paragraph(level if self.group.outline is None else self.group.outline, role)

    def _indent(self) -> str:
        """What an item of a list is set in by; a heading is at the margin."""
        group = self.group
        return "  " * group.depth if group.listed and group.depth and not self._paragraph().level else ""

    def end_cell(self) -> None:
        if not self.group.kind:
            self.group.flow.end_cell()

    def end_row(self) -> None:
        if not self.group.kind:
            self.group.flow.end_row()

    def begin_row(self) -> None:
        flow = self.group.flow
        flow.defined, flow.head = [], False
        self._merging = RowCell(0)

    def cell_edge(self, number: int | None) -> None:
        defined, flow = self._merging, self.group.flow
        self._merging = RowCell(0)
        if len(flow.defined) < 256:
            flow.defined.append(replace(defined, edge=number or 0))

    def merge(self, side: str) -> None:
        setattr(self._merging, side, True)

    def pard(self) -> None:
        group = self.group
        group.style, group.outline, group.in_table, group.nested = 0, None, False, False
        group.listed, group.depth = False, 0

    def plain(self) -> None:
        self.group.font, self.group.hidden, self.group.deleted = None, False, False
        self.group.raised, self.group.rise, self.group.size = False, 0, _FIRST_SIZE
        self.group.shrinks = False

    def shrink(self, number: int | None) -> None:
        """What is moved up around this group is made smaller, too."""
        if self._stack:
            self._stack[-1].shrinks = bool(number)

    def set(self, name: str, value: object) -> None:
        setattr(self.group, name, value)

    def result(self) -> None:
        """The result of a field, which leads where its instruction said."""
        self.group.link, self.group.pending = self.group.pending or self.group.link, ""

    def page(self, number: int | None) -> None:
        self._default = codec(number)

    def start_font(self, number: int | None) -> None:
        self._default_font = number
