"""Where a page's own coordinates land on the page as displayed.

A PDF page has its origin at the bottom left, in points, of a box that need not start at zero, and may be
shown turned by quarters. The page as displayed is the crop box after turning, origin at the top left.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

__all__ = ["Frame", "Order"]

_PAD = 0.5
"""Points by which a line's box exceeds its glyphs' outlines: what rasterising blurs over their edge."""


class Order(NamedTuple):
    """Which of left, bottom, right, top comes first across, first down, last across and last down."""

    left: int
    bottom: int
    right: int
    top: int


# For each turn, the place that each side of a box takes among x0, y0, x1, y1 of the displayed page.
_ORDERS = (Order(0, 3, 2, 1), Order(1, 0, 3, 2), Order(2, 1, 0, 3), Order(3, 2, 1, 0))


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible box of a page in its own coordinates, and its quarter turns clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def width(self) -> float:
        """Points across, as displayed."""
        return self.top - self.bottom if self.turns % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """Points down, as displayed."""
        return self.right - self.left if self.turns % 2 else self.top - self.bottom

    @property
    def order(self) -> Order:
        """Where to write the sides of a box so that they lie as x0, y0, x1, y1."""
        return _ORDERS[self.turns]

    @property
    def across(self) -> tuple[float, float]:
        """Sign and offset that make the first and third number of an ordered box points from the left."""
        return ((1, -self.left), (1, -self.bottom), (-1, self.right), (-1, self.top))[self.turns]

    @property
    def down(self) -> tuple[float, float]:
        """Sign and offset that make the second and fourth number points from the top."""
        return ((-1, self.top), (1, -self.left), (1, -self.bottom), (-1, self.right))[self.turns]

    def shares(self, boxes: array[float]) -> array[float]:
        """Ordered boxes as shares of the displayed page: padded, and cut at its edges."""
        (sx, ox), (sy, oy) = self.across, self.down
        columns: list[list[float]] = []
        for side in range(4):
            sign, offset, size = (sy, oy, self.height) if side % 2 else (sx, ox, self.width)
            scale, shift = sign / size, (offset + (_PAD if side > 1 else -_PAD)) / size
            columns.append([value * scale + shift for value in boxes[side::4]])
        x0, y0, x1, y1 = columns
        if boxes and not (min(x0) >= 0 and min(y0) >= 0 and max(x1) <= 1 and max(y1) <= 1):
            columns = [
                [min(max(value, 0.0), 1.0) if value == value else nan for value in one] for one in columns
            ]
        result = array("d", bytes(8 * len(boxes)))
        for side, column in enumerate(columns):
            result[side::4] = array("d", column)
        return result

    def ordered(self, left: float, bottom: float, right: float, top: float) -> tuple[float, ...]:
        """A box of the page's own coordinates, ordered as displayed."""
        sides = [0.0] * 4
        for place, value in zip(self.order, (left, bottom, right, top), strict=True):
            sides[place] = value
        return tuple(sides)

    def points(self, boxes: Sequence[float]) -> list[tuple[float, float, float, float]]:
        """Ordered boxes in points from the top left of the displayed page."""
        (sx, ox), (sy, oy) = self.across, self.down
        across = [value * sx + ox for value in boxes[0::2]]
        down = [value * sy + oy for value in boxes[1::2]]
        return list(zip(across[0::2], down[0::2], across[1::2], down[1::2], strict=True))
