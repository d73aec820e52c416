"""The shapes of a drawing, groups looked through, each with its place and what it holds."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from indx_core.errors import SourceError
from indx_format_office.geometry import Map, then, turned
from indx_format_office.geometry import within as inside
from indx_reader_ppt._records import MAX_DEPTH, Record, first, within

__all__ = ["LINE", "PICTURE", "Shape", "shapes_of"]

LINE, PICTURE = 20, 75
"""Of the kinds of shapes, those that are told apart."""

_DRAWING, _PAGE, _GROUP, _SHAPE = 0x040C, 0xF002, 0xF003, 0xF004
_COORDINATES, _IDENTITY, _ANCHOR, _CHILD_ANCHOR = 0xF009, 0xF00A, 0xF010, 0xF00F
_TEXTBOX, _DATA = 0xF00D, 0xF011
_OPTIONS: Final = (0xF00B, 0xF121, 0xF122)
_PATRIARCH, _DELETED, _FLIP_H, _FLIP_V, _BACKGROUND = 0x04, 0x08, 0x40, 0x80, 0x400
_TURN, _WORD_ART, _DESCRIPTION, _SHOWN, _TABLE = 0x0004, 0x00C0, 0x0381, 0x03BF, 0x039F
_HIDDEN: Final = 0x20002
"""That a shape is hidden, and that it is said whether it is."""


@dataclass(slots=True)
class Shape:
    """A shape, or a group of them.

    Attributes:
        kind: What it is drawn as.
        place: Where it stands in shares of the slide; None when nothing says so.
        hidden: Whether the slide hides it, or a group around it.
        options: Its properties by number; `strings` are those that are text.
        textbox: What holds its text.
        data: What the presentation says of it.
        table: Whether it is a table of the shapes in it.
        shapes: The shapes in it, where it is a group.
    """

    kind: int
    place: Map | None
    hidden: bool = False
    options: dict[int, int] = field(default_factory=dict)
    strings: dict[int, str] = field(default_factory=dict)
    textbox: Record | None = None
    data: Record | None = None
    table: bool = False
    shapes: list[Shape] | None = None

    @property
    def words(self) -> str:
        """What its letters say where they are drawn as a picture."""
        return self.strings.get(_WORD_ART, "")

    @property
    def description(self) -> str:
        """What it shows, in words."""
        return self.strings.get(_DESCRIPTION, "")


def shapes_of(page: Record, slide: Map) -> list[Shape]:
    """The shapes that a slide or another page draws, in their order; `slide` maps its units to shares.

    Raises:
        SourceError: The drawing is damaged, or groups are nested deeper than is followed.
    """
    tree = first(page, _DRAWING, _PAGE, _GROUP)
    return [] if tree is None else list(_members(tree, slide, hidden=False, depth=0))


def _members(group: Record, outer: Map, *, hidden: bool, depth: int) -> Iterator[Shape]:
    """The shapes in a group; its first is the group itself and says what its units are."""
    if depth > MAX_DEPTH:
        raise SourceError(f"groups are nested more than {MAX_DEPTH} deep")
    for record in within(group):
        if record.kind == _SHAPE:
            found = _shape(record, outer, hidden=hidden)
            if found is not None:
                yield found[0]
        elif record.kind == _GROUP:
            yield from _group(record, outer, hidden=hidden, depth=depth)


def _group(record: Record, outer: Map, *, hidden: bool, depth: int) -> Iterator[Shape]:
    heads = (one for one in within(record) if one.kind == _SHAPE)
    head = next(heads, None)
    made = None if head is None else _shape(head, outer, hidden=hidden)
    if head is None or made is None:
        return
    own, units = made
    inner = outer if own.place is None or units is None else inside(own.place, *units)
    rest = Record(record.data, record.kind, record.instance, head.end, record.end)
    own.shapes = list(_members(rest, inner, hidden=own.hidden, depth=depth + 1))
    yield own


def _shape(
    record: Record, outer: Map, *, hidden: bool
) -> tuple[Shape, tuple[float, float, float, float] | None] | None:
    """A shape, and the units of what is in it where it is a group; None for what is not drawn."""
    held: dict[int, Record] = {}
    for one in within(record):
        held.setdefault(one.kind, one)
    identity = held.get(_IDENTITY)
    flags = identity.numbers("<2L")[1] if identity is not None else 0
    if flags & (_PATRIARCH | _DELETED | _BACKGROUND):
        return None
    shape = Shape(identity.instance if identity is not None else 0, None)
    for kind in _OPTIONS:
        if kind in held:
            _properties(held[kind], shape)
    shape.hidden = hidden or shape.options.get(_SHOWN, 0) & _HIDDEN == _HIDDEN
    shape.table = bool(shape.options.get(_TABLE, 0) & 1)
    shape.textbox, shape.data = held.get(_TEXTBOX), held.get(_DATA)
    corners = _corners(held)
    if corners is not None:
        shape.place = then(_placed(corners, shape.options.get(_TURN, 0), flags), outer)
    units = None
    if _COORDINATES in held:
        left, top, right, bottom = held[_COORDINATES].numbers("<4l")
        units = left, top, right - left or 1, bottom - top or 1
    return shape, units


def _corners(held: dict[int, Record]) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom, in the units of what is around."""
    anchor = held.get(_CHILD_ANCHOR)
    if anchor is not None:
        left, top, right, bottom = anchor.numbers("<4l")
        return left, top, right, bottom
    anchor = held.get(_ANCHOR)
    if anchor is None:
        return None
    top, left, right, bottom = anchor.numbers("<4l" if anchor.end - anchor.start >= 16 else "<4h")
    return left, top, right, bottom


def _placed(corners: tuple[int, int, int, int], turn: int, flags: int) -> Map:
    """From the unit square to a shape; one that is rather on its side states its place as it is turned."""
    left, top, right, bottom = corners
    width, height = right - left, bottom - top
    degrees = (turn - (1 << 32) if turn >= 1 << 31 else turn) / 65536 % 360
    x, y = float(left), float(top)
    if 45 <= degrees < 135 or 225 <= degrees < 315:
        x, y = x + (width - height) / 2, y + (height - width) / 2
        width, height = height, width
    return turned(
        (x, y),
        (width, height),
        angle=math.radians(degrees),
        flip_h=bool(flags & _FLIP_H),
        flip_v=bool(flags & _FLIP_V),
    )


def _properties(record: Record, shape: Shape) -> None:
    """Take in the properties of a shape; what is longer than a number stands behind all of them."""
    count = min(record.instance, (record.end - record.start) // 6)
    at = record.start + 6 * count
    for place in range(count):
        name, value = struct.unpack_from("<HL", record.data, record.start + 6 * place)
        number = name & 0x3FFF
        if not name & 0x8000:
            shape.options.setdefault(number, value)
            continue
        if value > record.end - at:
            return
        if number in (_WORD_ART, _DESCRIPTION):
            text = record.data[at : at + value].decode("utf-16-le", "replace")
            shape.strings.setdefault(number, text.partition("\0")[0].strip())
        at += value
