"""Rules drawn on a page: lines that run level or upright, as the tables of a page show them.

A rule is a path with next to no width, a side of a stroked rectangle, or a stretch of a longer path.
Everything is in points of the page as displayed, origin at the top left.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from math import isnan, nan
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from indx_format_pdf._geometry import Frame, Matrix, times
from indx_format_pdf._pdfium import fast, pdfium, pointer
from indx_format_pdf._rooms import Room

__all__ = ["Path", "Rule", "Rules", "bounds_of", "placed", "rules_of", "told_bounds"]

_FEWEST: Final = 4  # paths; fewer make no table, a path of many segments apart
_MOST: Final = 20_000  # paths that are looked at; a page of more is a drawing
_MOST_SEGMENTS: Final = 20_000
_THIN: Final = 3.0  # points; what is thicker is an area
_SHORT: Final = 5.0  # points; what is shorter is a dash or the side of a letter
_SAME: Final = 2.5  # points; rules nearer to each other are one
_GAP: Final = 4.0  # points that may lie between two stretches of one rule

_BOUNDS: Final = Room("f", (nan,) * 4, 256)
_POINTS: Final = Room("f", (0.0, 0.0), 64)

Path: TypeAlias = "tuple[int, Matrix]"
"""The address of a path and the matrix of what holds it."""


class Rule(NamedTuple):
    """A rule: its place across its direction, where it begins and where it ends."""

    place: float
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a page: those that run level by height, those that run upright by their place across."""

    level: list[Rule]
    upright: list[Rule]


def rules_of(paths: Sequence[Path], frame: Frame) -> Rules | None:
    """The rules among `paths`; None where there are too few for a table, or far too many."""
    if not paths or len(paths) > _MOST:
        return None
    if len(paths) < _FEWEST and not any(fast.segment_count(path) > _FEWEST for path, _ in paths):
        return None
    found = _Found(frame)
    for matrix, own in groupby(paths, key=itemgetter(1)):
        found.look([path for path, _ in own], times(matrix, frame.matrix))
    if len(found.level) < 2 or not found.upright:
        return None
    return Rules(_merged(found.level), _merged(found.upright))


class _Found:
    """The rules found so far on a page as displayed; what lies beside it is none of it."""

    def __init__(self, frame: Frame) -> None:
        self.level: list[Rule] = []
        self.upright: list[Rule] = []
        self._width, self._height = frame.width, frame.height
        self._left = _MOST_SEGMENTS

    def look(self, paths: Sequence[int], matrix: Matrix) -> None:
        """Take in paths under one matrix, which leads to the page as displayed."""
        known = told_bounds(paths)
        for path, *bounds in zip(paths, *(known[side::4] for side in range(4)), strict=True):
            if isnan(bounds[0]):
                continue
            x0, y0, x1, y1 = placed(bounds, matrix)
            if x0 < 0 and y0 < 0 and x1 > self._width and y1 > self._height:
                continue  # marks of a printer around the page
            if not self._take(x0, y0, x1, y1) and self._left > 0 and self._is_stroked(path):
                self._sides(path, matrix)

    def _take(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether a box is so thin that it is a rule, or nothing at all, or not on the page."""
        if x1 < 0 or y1 < 0 or x0 > self._width or y0 > self._height:
            return True
        if y1 - y0 <= _THIN:
            if x1 - x0 >= _SHORT:
                self.level.append(Rule((y0 + y1) / 2, x0, x1))
            return True
        if x1 - x0 <= _THIN:
            if y1 - y0 >= _SHORT:
                self.upright.append(Rule((x0 + x1) / 2, y0, y1))
            return True
        return False

    def _is_stroked(self, path: int) -> bool:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        found = fast.draw_mode(pointer(path), ctypes.byref(fill), ctypes.byref(stroke))
        return bool(found and stroke.value)

    def _sides(self, path: int, outer: Matrix) -> None:
        """Take in the straight stretches of a path."""
        count = min(fast.segment_count(path), self._left)
        self._left -= count
        own = (ctypes.c_float * 6)()
        if count < 2 or not fast.object_matrix(pointer(path), ctypes.byref(own)):
            return
        a, b, c, d, e, f = times(tuple(own), outer)
        segments = list(map(fast.segment_at, repeat(pointer(path)), range(count)))
        points = _POINTS.told(
            fast.segment_point, things=list(map(pointer, segments)), places=_POINTS.places(0, 1)
        )
        kinds = list(map(fast.segment_kind, segments))
        closes = list(map(fast.segment_closes, segments))
        x = y = begin_x = begin_y = 0.0
        for kind, closed, px, py in zip(kinds, closes, points[0::2], points[1::2], strict=True):
            last_x, last_y = x, y
            x, y = px * a + py * c + e, px * b + py * d + f
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                begin_x, begin_y = x, y
            elif kind == pdfium.FPDF_SEGMENT_LINETO:
                self._side(last_x, last_y, x, y)
            if closed:
                self._side(x, y, begin_x, begin_y)
                x, y = begin_x, begin_y

    def _side(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self._take(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def told_bounds(objects: Sequence[int]) -> array[float]:
    """Left, bottom, right and top of some objects, where they are drawn; not numbers where unknown."""
    return _BOUNDS.told(
        fast.object_bounds, things=list(map(pointer, objects)), places=_BOUNDS.places(0, 1, 2, 3)
    )


def bounds_of(one: int, matrix: Matrix) -> tuple[float, float, float, float] | None:
    """The box of an object under a matrix, which leads to the page as displayed."""
    known = told_bounds([one])
    return None if isnan(known[0]) else placed(known, matrix)


def placed(bounds: Sequence[float], matrix: Matrix) -> tuple[float, float, float, float]:
    """Left, bottom, right and top under a matrix: the least and the greatest across and down."""
    left, bottom, right, top = bounds
    a, b, c, d, e, f = matrix
    if b or c:
        x0, x1 = _reach(a * left, a * right, c * bottom, c * top)
        y0, y1 = _reach(b * left, b * right, d * bottom, d * top)
    else:
        x0, x1, y0, y1 = a * left, a * right, d * bottom, d * top
        if x0 > x1:
            x0, x1 = x1, x0
        if y0 > y1:
            y0, y1 = y1, y0
    return x0 + e, y0 + f, x1 + e, y1 + f


def _reach(a0: float, a1: float, b0: float, b1: float) -> tuple[float, float]:
    """The least and the greatest sum of one of the first two numbers and one of the others."""
    return min(a0, a1) + min(b0, b1), max(a0, a1) + max(b0, b1)


def _merged(rules: list[Rule]) -> list[Rule]:
    """Rules at the same place made one where they touch, in the order of their places."""
    rules.sort()
    merged: list[Rule] = []
    group: list[Rule] = []
    for rule in rules:
        if group and rule.place - group[0].place > _SAME:
            merged += _joined(group)
            group = []
        group.append(rule)
    return merged + _joined(group)


def _joined(group: Sequence[Rule]) -> list[Rule]:
    """Stretches of one place: those that touch are one."""
    if not group:
        return []
    place = sum(rule.place * (rule.end - rule.begin) for rule in group) / (
        sum(rule.end - rule.begin for rule in group)
    )
    stretches: list[Rule] = []
    for _, begin, end in sorted(group, key=lambda rule: (rule.begin, rule.end)):
        if stretches and begin - stretches[-1].end <= _GAP:
            stretches[-1] = Rule(place, stretches[-1].begin, max(end, stretches[-1].end))
        else:
            stretches.append(Rule(place, begin, end))
    return stretches
