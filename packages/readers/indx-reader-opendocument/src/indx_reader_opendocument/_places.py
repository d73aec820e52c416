"""Where a shape stands on its page: its corner and size, then what it is turned, moved and stretched by."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from indx_core.ports import Box
from indx_format_office.geometry import Map, box_of, rectangle, then
from indx_reader_opendocument._names import DRAW, SVG
from indx_reader_opendocument._styles import points

if TYPE_CHECKING:
    from indx_format_office.container import Element

__all__ = ["place_on"]

_STEP: Final = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]{0,200})\)")
_MOST_STEPS: Final = 100
_LARGEST: Final = 1e9
_TURNS: Final = {"deg": 360.0, "grad": 400.0, "rad": math.tau, "": math.tau}


def place_on(shape: Element, size: tuple[float, float]) -> Box | None:
    """The upright box around a shape, in shares of a page of `size` points; None when it states no place."""
    across, down = (points(shape.get(SVG + key)) for key in ("width", "height"))
    steps = shape.get(DRAW + "transform", "")
    corner = "0pt" if steps else ""
    left, top = (points(shape.get(SVG + key, corner)) for key in ("x", "y"))
    if left is None or top is None or across is None or down is None:
        return None
    place = _transformed((max(across, 0.0), 0.0, 0.0, max(down, 0.0), left, top), steps)
    if place is None:
        return None
    return box_of(rectangle(then(place, (1 / size[0], 0.0, 0.0, 1 / size[1], 0.0, 0.0))))


def _transformed(place: Map, steps: str) -> Map | None:
    """`place` after each step that a list of them states, in its order; None where one is not understood."""
    at = 0
    for _ in range(_MOST_STEPS):
        found = _STEP.match(steps, at)
        if found is None:
            break
        at = found.end()
        step = _step(found[1], found[2].replace(",", " ").split())
        if step is None:
            return None
        place = then(place, step)
    known = not steps[at:].strip() and all(map(math.isfinite, place))
    return place if known and max(map(abs, place)) < _LARGEST else None


def _step(name: str, values: list[str]) -> Map | None:
    """One step as a map; turns are against the clock, as office programs mean them."""
    try:
        if name == "matrix" and len(values) == 6:
            a, b, c, d = map(float, values[:4])
            return a, b, c, d, _length(values[4]), _length(values[5])
        if name == "translate" and 1 <= len(values) <= 2:
            return 1.0, 0.0, 0.0, 1.0, _length(values[0]), _length(values[1]) if values[1:] else 0.0
        if name == "scale" and 1 <= len(values) <= 2:
            return float(values[0]), 0.0, 0.0, float(values[-1]), 0.0, 0.0
        if name in ("rotate", "skewX", "skewY") and len(values) == 1:
            angle = _angle(values[0])
            if name == "rotate":
                sine, cosine = math.sin(angle), math.cos(angle)
                return cosine, -sine, sine, cosine, 0.0, 0.0
            slope = math.tan(angle)
            return (1.0, 0.0, slope, 1.0, 0.0, 0.0) if name == "skewX" else (1.0, slope, 0.0, 1.0, 0.0, 0.0)
    except ValueError:
        return None
    return None


def _length(text: str) -> float:
    """A length in points; a bare number is none but 0.

    Raises:
        ValueError: It is no length.
    """
    found = points(text)
    if found is None and float(text) != 0:
        raise ValueError(text)
    return found or 0.0


def _angle(text: str) -> float:
    """An angle in radians.

    Raises:
        ValueError: It is no angle.
    """
    number = text.rstrip("adegr")
    unit = text[len(number) :]
    if unit not in _TURNS:
        raise ValueError(text)
    return math.fmod(float(number), _TURNS[unit]) / _TURNS[unit] * math.tau
