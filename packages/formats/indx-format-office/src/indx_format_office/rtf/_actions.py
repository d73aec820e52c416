"""What the words of Rich Text do that change how its text is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from indx_format_office.lists import MAX_LEVELS

if TYPE_CHECKING:
    from indx_format_office.rtf._reader import Reader

__all__ = ["ACTIONS"]


def _level(number: int | None) -> int:
    """A heading's level from an outline level; 0 for body text."""
    return (number or 0) + 1 if 0 <= (number or 0) < 9 else 0


_MOVED, _SIZE = 6, 24  # as is meant where no number stands
_Action = Callable[["Reader", "int | None"], None]
ACTIONS: Final[dict[bytes, _Action]] = {
    b"par": lambda reader, _: reader.end_paragraph(),
    b"sect": lambda reader, _: reader.end_paragraph(),
    b"cell": lambda reader, _: reader.end_cell(),
    b"row": lambda reader, _: reader.end_row(),
    b"nestcell": lambda reader, _: reader.write("\t"),
    b"nestrow": lambda reader, _: reader.write("\n"),
    b"trowd": lambda reader, _: reader.begin_row(),
    b"trhdr": lambda reader, _: setattr(reader.group.flow, "head", True),
    b"cellx": lambda reader, number: reader.cell_edge(number),
    b"clmrg": lambda reader, _: reader.merge("continues_left"),
    b"clvmrg": lambda reader, _: reader.merge("continues_up"),
    b"pard": lambda reader, _: reader.pard(),
    b"plain": lambda reader, _: reader.plain(),
    b"intbl": lambda reader, number: reader.set("in_table", number != 0),
    b"itap": lambda reader, number: reader.set("nested", (number or 0) > 1),
    b"v": lambda reader, number: reader.set("hidden", number != 0),
    b"super": lambda reader, number: reader.set("raised", number != 0),
    b"sub": lambda reader, _: reader.set("raised", False),
    b"nosupersub": lambda reader, _: reader.set("raised", False),
    b"up": lambda reader, number: reader.set("rise", _MOVED if number is None else number),
    b"dn": lambda reader, number: reader.set("rise", -_MOVED if number is None else -number),
    b"fs": lambda reader, number: reader.set("size", number or _SIZE),
    b"updnprop": lambda reader, number: reader.shrink(number),
    b"deleted": lambda reader, number: reader.set("deleted", number != 0),
    b"f": lambda reader, number: reader.set("font", number),
    b"s": lambda reader, number: reader.set("style", number or 0),
    b"ls": lambda reader, number: reader.set("listed", (number or 0) > 0),
    b"ilvl": lambda reader, number: reader.set("depth", min(max(number or 0, 0), MAX_LEVELS - 1)),
    b"outlinelevel": lambda reader, number: reader.set("outline", _level(number)),
    b"uc": lambda reader, number: reader.set("substitute", min(max(number or 0, 0), 16)),
    b"ansicpg": lambda reader, number: reader.page(number),
    b"mac": lambda reader, _: reader.page(10000),
    b"pc": lambda reader, _: reader.page(437),
    b"pca": lambda reader, _: reader.page(850),
    b"deff": lambda reader, number: reader.start_font(number),
    b"fldrslt": lambda reader, _: reader.result(),
}
