"""Where a shape stands on its slide: rectangles through the transforms of the groups around it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_core.ports import Box
from indx_format_ooxml.names import A
from indx_format_ooxml.values import switched_on, whole

if TYPE_CHECKING:
    from indx_format_ooxml._xml import Element

__all__ = ["IDENTITY", "Frame", "Matrix", "Size", "box_of", "frame_of", "through_group"]

Matrix = tuple[float, float, float, float, float, float]
"""An affine map: `x' = a x + c y + e`, `y' = b x + d y + f`, as `(a, b, c, d, e, f)`."""

Size = tuple[int, int]
"""Width and height in English metric units."""

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TURN: Final = 60_000 * 360
_MOST: Final = 10**12


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle before it is turned: its corner, its size, its turn in radians, its flips."""

    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0
    flip_x: bool = False
    flip_y: bool = False


def frame_of(transform: Element | None) -> Frame | None:
    """The frame that an `xfrm` states; None when it states no place."""
    if transform is None:
        return None
    place, size = transform.find(A + "off"), transform.find(A + "ext")
    if place is None or size is None:
        return None
    return Frame(
        _coordinate(place, "x"),
        _coordinate(place, "y"),
        _coordinate(size, "cx"),
        _coordinate(size, "cy"),
        whole(transform.get("rot"), least=-_MOST) % _TURN / _TURN * math.tau,
        switched_on(transform.get("flipH")),
        switched_on(transform.get("flipV")),
    )


def through_group(outer: Matrix, transform: Element | None) -> Matrix:
    """The map from the coordinates inside a group to the slide, given the map from outside of it."""
    frame = frame_of(transform)
    if frame is None or transform is None:
        return outer
    inner_place, inner_size = transform.find(A + "chOff"), transform.find(A + "chExt")
    left = 0 if inner_place is None else _coordinate(inner_place, "x")
    top = 0 if inner_place is None else _coordinate(inner_place, "y")
    width = 0 if inner_size is None else _coordinate(inner_size, "cx")
    height = 0 if inner_size is None else _coordinate(inner_size, "cy")
    across = frame.width / width if width else 1.0
    down = frame.height / height if height else 1.0
    scaled: Matrix = (across, 0.0, 0.0, down, frame.x - left * across, frame.y - top * down)
    return _then(_then(scaled, _turned(frame)), outer)


def box_of(frame: Frame, matrix: Matrix, slide: Size) -> Box:
    """The upright box around `frame` on the slide, in 0..1, cut off at the slide's edges."""
    whole_map = _then(_turned(frame), matrix)
    corners = [
        _apply(whole_map, x, y)
        for x in (frame.x, frame.x + frame.width)
        for y in (frame.y, frame.y + frame.height)
    ]
    across, down = ([corner[axis] / slide[axis] for corner in corners] for axis in (0, 1))
    return _unit(min(across)), _unit(min(down)), _unit(max(across)), _unit(max(down))


def _coordinate(element: Element, name: str) -> int:
    return whole(element.get(name), least=-_MOST, most=_MOST)


def _unit(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 6)


def _turned(frame: Frame) -> Matrix:
    """Flips and turn about the middle of the frame."""
    if not (frame.turn or frame.flip_x or frame.flip_y):
        return IDENTITY
    middle_x, middle_y = frame.x + frame.width / 2, frame.y + frame.height / 2
    sine, cosine = math.sin(frame.turn), math.cos(frame.turn)
    across, down = -1.0 if frame.flip_x else 1.0, -1.0 if frame.flip_y else 1.0
    a, b, c, d = cosine * across, sine * across, -sine * down, cosine * down
    return a, b, c, d, middle_x - a * middle_x - c * middle_y, middle_y - b * middle_x - d * middle_y


def _apply(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _then(first: Matrix, second: Matrix) -> Matrix:
    """The map that applies `first` and then `second`."""
    a, b, c, d, e, f = first
    origin = _apply(second, e, f)
    across, down = (second[0], second[1]), (second[2], second[3])
    return (
        a * across[0] + b * down[0],
        a * across[1] + b * down[1],
        c * across[0] + d * down[0],
        c * across[1] + d * down[1],
        *origin,
    )
