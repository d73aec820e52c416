"""Where a page's own coordinates land on the page as displayed.

A PDF page has its origin at the bottom left, in points, of a box that need not start at zero, and may be
shown turned by quarters. The page as displayed is the crop box after turning, origin at the top left.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Final, NamedTuple, TypeAlias

__all__ = ["Frame", "Matrix", "Sides", "rows_of", "times"]

_PAD = 0.5
"""Points by which a line's box exceeds its glyphs' outlines: what rasterising blurs over their edge."""


Sides: TypeAlias = "tuple[list[float], list[float], list[float], list[float]]"
"""Boxes as columns: what is first across, first down, last across and last down on the displayed page."""


Matrix: TypeAlias = "tuple[float, ...]"
"""Six numbers a to f: a point becomes x * a + y * c + e across and x * b + y * d + f down."""


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix of what stands in something that itself is placed by `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return g * a + h * c, g * b + h * d, i * a + j * c, i * b + j * d, k * a + m * c + e, k * b + m * d + f


class Order(NamedTuple):
    """Which of left, bottom, right, top comes first across, first down, last across and last down."""

    left: int
    bottom: int
    right: int
    top: int


_ORDERS: Final = (Order(0, 3, 2, 1), Order(1, 0, 3, 2), Order(2, 1, 0, 3), Order(3, 2, 1, 0))
"""For each turn, the place that each side of a box takes among x0, y0, x1, y1 of the displayed page."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible box of a page in its own coordinates, and its quarter turns clockwise.

    Attributes:
        left: Where it begins across.
        bottom: Where it begins upwards.
        right: Where it ends across.
        top: Where it ends upwards.
        turns: How many quarters it is turned for display.
        across: Sign and offset that make the first and third number of an ordered box points from the left.
        down: Sign and offset that make the second and fourth number points from the top.
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int
    across: tuple[float, float] = field(init=False, repr=False, compare=False)
    down: tuple[float, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work out once what is asked for every box."""
        left, bottom, right, top = self.left, self.bottom, self.right, self.top
        across = ((1, -left), (1, -bottom), (-1, right), (-1, top))[self.turns]
        down = ((-1, top), (1, -left), (1, -bottom), (-1, right))[self.turns]
        object.__setattr__(self, "across", across)
        object.__setattr__(self, "down", down)

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
    def matrix(self) -> Matrix:
        """What takes the page's own coordinates to points from the top left."""
        (sx, ox), (sy, oy) = self.across, self.down
        return (0, sy, sx, 0, ox, oy) if self.turns % 2 else (sx, 0, 0, sy, ox, oy)

    def shares(self, sides: Sides) -> Sides:
        """The sides of boxes as shares of the displayed page: padded, and cut at its edges."""
        (sx, ox), (sy, oy) = self.across, self.down
        shares: list[list[float]] = []
        for number, column in enumerate(sides):
            sign, offset, size = (sy, oy, self.height) if number % 2 else (sx, ox, self.width)
            scale, shift = sign / size, (offset + (_PAD if number > 1 else -_PAD)) / size
            shares.append([value * scale + shift for value in column])
        x0, y0, x1, y1 = shares
        if x0 and not (min(x0) >= 0 and min(y0) >= 0 and max(x1) <= 1 and max(y1) <= 1):
            x0, y0, x1, y1 = (
                [min(max(value, 0.0), 1.0) if value == value else nan for value in one] for one in shares
            )
        return x0, y0, x1, y1

    def ordered(self, left: float, bottom: float, right: float, top: float) -> tuple[float, ...]:
        """A box of the page's own coordinates, ordered as displayed."""
        sides = [0.0] * 4
        for place, value in zip(self.order, (left, bottom, right, top), strict=True):
            sides[place] = value
        return tuple(sides)

    def points(self, sides: Sides) -> list[tuple[float, float, float, float]]:
        """Boxes in points from the top left of the displayed page."""
        (sx, ox), (sy, oy) = self.across, self.down
        x0, x1 = ([value * sx + ox for value in column] for column in sides[0::2])
        y0, y1 = ([value * sy + oy for value in column] for column in sides[1::2])
        return list(zip(x0, y0, x1, y1, strict=True))

    def point_box(self, box: Sequence[float]) -> tuple[float, float, float, float]:
        """One ordered box in points from the top left of the displayed page."""
        (sx, ox), (sy, oy) = self.across, self.down
        x0, y0, x1, y1 = box
        return x0 * sx + ox, y0 * sy + oy, x1 * sx + ox, y1 * sy + oy


def rows_of(sides: Sides) -> array[float]:
    """The sides of boxes as four numbers a box."""
    result = array("d", bytes(32 * len(sides[0])))
    for number, column in enumerate(sides):
        result[number::4] = array("d", column)
    return result
