"""The page that a frame holds itself, which is part of the page around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_format_html._elements import between_cells
from indx_format_html._parsing import parsed

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from indx_format_html._walk import Attributes, Exit, Walker

__all__ = ["framed"]

_DEEPEST: Final = 3
"""Frames in frames; each is written in the text of the one around it."""


def framed(walker: Walker, attributes: Attributes, exits: list[Exit]) -> LexborNode | None:
    """Where the walk goes on in a frame; what stands in it for browsers without frames is nothing.

    Frames too deep in one another are counted.

    Raises:
        InputTooLarge: It has more tags than a document may have.
    """
    markup = attributes.get("srcdoc") or ""
    if not markup.strip():
        return None
    if walker.frames == _DEEPEST:
        walker.frames_left += 1
        return None
    page = parsed(markup)
    if page.root is None:
        return None
    if between_cells(walker) and (table := walker.open_tables[-1]):
        table.after.append((page.root.text(deep=True, separator=" "), False))
        return None
    walker.frames += 1
    walker.out.block(1)

    def leave() -> None:
        walker.frames -= 1
        walker.out.block(1)

    exits += (leave, walker.hold(page))
    return page.root
