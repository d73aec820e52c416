"""Where a shape stands on its slide, through its own turn and flips and the groups around it.

A place is a map of the plane that takes the unit square to the shape: its corners are the shape's corners,
`(0, 0)` and `(1, 1)` are where a connector begins and ends. Places are in shares of the slide.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from indx_core.ports import Box
from indx_format_office.names import A
from indx_format_office.values import switched_on, whole

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = [
    "Map",
    "Point",
    "at",
    "box_of",
    "group_map",
    "place_of",
    "point",
    "rectangle",
    "slide_map",
    "then",
    "turned",
    "within",
]

Map = tuple[float, float, float, float, float, float]
"""`x' = a x + c y + e`, `y' = b x + d y + f`, as `(a, b, c, d, e, f)`."""

Point = tuple[float, float]

_TURN: Final = 60_000 * 360
_MOST: Final = 10**12


def slide_map(width: int, height: int) -> Map:
    """From the units of a slide of this size to shares of it."""
    return 1 / width, 0.0, 0.0, 1 / height, 0.0, 0.0


def place_of(transform: Element | None, outer: Map) -> Map | None:
    """The place that an `xfrm` states, within `outer`; None when it states none."""
    if transform is None:
        return None
    corner, size = _pair(transform, "off", "x", "y"), _pair(transform, "ext", "cx", "cy")
    if corner is None or size is None:
        return None
    place = turned(
        corner,
        size,
        angle=whole(transform.get("rot"), least=-_MOST) % _TURN / _TURN * math.tau,
        flip_h=switched_on(transform.get("flipH")),
        flip_v=switched_on(transform.get("flipV")),
    )
    return then(place, outer)


def group_map(transform: Element | None, outer: Map) -> Map:
    """From the coordinates inside a group to shares of the slide; a group without a place changes nothing."""
    place = place_of(transform, outer)
    if place is None or transform is None:
        return outer
    size = _pair(transform, "ext", "cx", "cy") or (0, 0)
    left, top = _pair(transform, "chOff", "x", "y") or (0, 0)
    inner = _pair(transform, "chExt", "cx", "cy") or (0, 0)
    width, height = (mine or stated or 1 for mine, stated in zip(inner, size, strict=True))
    return within(place, left, top, width, height)


def within(place: Map, left: float, top: float, width: float, height: float) -> Map:
    """From the coordinates inside a group, whose rectangle in them is given, to where the group stands."""
    return then((1 / width, 0.0, 0.0, 1 / height, -left / width, -top / height), place)


def at(place: Map, x: float, y: float) -> Point:
    """Where a point of the unit square lies."""
    a, b, c, d, e, f = place
    return a * x + c * y + e, b * x + d * y + f


def rectangle(place: Map) -> Box:
    """The upright rectangle around a place, which may leave the slide."""
    corners = [at(place, x, y) for x in (0, 1) for y in (0, 1)]
    across, down = zip(*corners, strict=True)
    return min(across), min(down), max(across), max(down)


def box_of(rect: Box) -> Box:
    """A rectangle as boxes are written: cut off at the slide's edges, rounded."""
    left, top, right, bottom = map(_unit, rect)
    return left, top, right, bottom


def point(where: Point) -> Point:
    """A point as paths are written."""
    return _unit(where[0]), _unit(where[1])


def _unit(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 6)


def _pair(transform: Element, name: str, first: str, second: str) -> tuple[int, int] | None:
    found = transform.find(A + name)
    if found is None:
        return None
    across, down = (whole(found.get(key), least=-_MOST, most=_MOST) for key in (first, second))
    return across, down


def turned(
    corner: tuple[float, float], size: tuple[float, float], *, angle: float, flip_h: bool, flip_v: bool
) -> Map:
    """From the unit square to a rectangle, flipped, then turned about its middle by `angle` in radians."""
    width, height = size
    across = -width if flip_h else width
    down = -height if flip_v else height
    sine, cosine = (math.sin(angle), math.cos(angle)) if angle else (0.0, 1.0)
    a, b, c, d = cosine * across, sine * across, -sine * down, cosine * down
    middle_x, middle_y = corner[0] + width / 2, corner[1] + height / 2
    return a, b, c, d, middle_x - (a + c) / 2, middle_y - (b + d) / 2


def then(first: Map, second: Map) -> Map:
    """The map that applies `first` and then `second`."""
    a, b, c, d = second[:4]
    origin = at(second, first[4], first[5])
    return (
        a * first[0] + c * first[1],
        b * first[0] + d * first[1],
        a * first[2] + c * first[3],
        b * first[2] + d * first[3],
        *origin,
    )
