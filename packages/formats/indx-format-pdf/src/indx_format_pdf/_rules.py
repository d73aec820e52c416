"""Rules drawn on a page: lines that run level or upright, as the tables of a page show them.

A rule is a path with next to no width, a side of a stroked rectangle, or a stretch of a longer path.
Everything is in points of the page as displayed, origin at the top left.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from indx_format_pdf._geometry import Frame
from indx_format_pdf._pdfium import fast, pdfium

__all__ = ["Path", "Rule", "Rules", "rules_of"]

_FEWEST: Final = 4  # paths; fewer make no table, a path of many segments apart
_MOST: Final = 20_000  # paths that are looked at; a page of more is a drawing
_MOST_SEGMENTS: Final = 20_000
_THIN: Final = 3.0  # points; what is thicker is an area
_SHORT: Final = 5.0  # points; what is shorter is a dash or the side of a letter
_SAME: Final = 2.5  # points; rules nearer to each other are one
_GAP: Final = 4.0  # points that may lie between two stretches of one rule

Matrix: TypeAlias = "tuple[float, float, float, float, float, float]"

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
    if len(paths) < _FEWEST and not any(_segments(path) > _FEWEST for path, _ in paths):
        return None
    level: list[Rule] = []
    upright: list[Rule] = []
    budget = _MOST_SEGMENTS
    for path, matrix in paths:
        box = _bounds(path, matrix, frame)
        if box is None:
            continue
        if not _take(box, level, upright):
            if budget <= 0 or not _is_stroked(path):
                continue
            for side in _sides(path, matrix, frame):
                budget -= 1
                _take(side, level, upright)
    if len(level) < 2 or not upright:
        return None
    return Rules(_merged(level), _merged(upright))


def _take(box: Sequence[float], level: list[Rule], upright: list[Rule]) -> bool:
    """Whether a box is so thin that it is a rule, or nothing at all."""
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    if height <= _THIN:
        if width >= _SHORT:
            level.append(Rule((y0 + y1) / 2, x0, x1))
        return True
    if width <= _THIN:
        if height >= _SHORT:
            upright.append(Rule((x0 + x1) / 2, y0, y1))
        return True
    return False


def _bounds(path: int, matrix: Matrix, frame: Frame) -> tuple[float, ...] | None:
    values = (ctypes.c_float * 4)()
    at = ctypes.addressof(values)
    if not fast.object_bounds(path, at, at + 4, at + 8, at + 12):
        return None
    left, bottom, right, top = values
    return _box([_through(matrix, x, y) for x in (left, right) for y in (bottom, top)], frame)


def _box(points: Iterable[tuple[float, float]], frame: Frame) -> tuple[float, ...]:
    """The box around points, as displayed."""
    across, down = zip(*points, strict=True)
    return frame.point_box(frame.ordered(min(across), min(down), max(across), max(down)))


def _through(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return x * a + y * c + e, x * b + y * d + f


def _handle(path: int) -> Any:
    return ctypes.cast(path, pdfium.FPDF_PAGEOBJECT)


def _segments(path: int) -> int:
    return int(pdfium.FPDFPath_CountSegments(_handle(path)))


def _is_stroked(path: int) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    found = pdfium.FPDFPath_GetDrawMode(_handle(path), ctypes.byref(fill), ctypes.byref(stroke))
    return bool(found and stroke.value)


def _sides(path: int, matrix: Matrix, frame: Frame) -> Iterator[tuple[float, ...]]:
    """The straight stretches of a path, as boxes."""
    handle = _handle(path)
    count = min(int(pdfium.FPDFPath_CountSegments(handle)), _MOST_SEGMENTS)
    own = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(handle, ctypes.byref(own)):
        return
    first = last = (0.0, 0.0)
    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(handle, number)
        if not segment or not pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            continue
        kind = pdfium.FPDFPathSegment_GetType(segment)
        point = _through(
            matrix, *_through((own.a, own.b, own.c, own.d, own.e, own.f), float(x.value), float(y.value))
        )
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            yield _box((last, point), frame)
        last = point
        if pdfium.FPDFPathSegment_GetClose(segment):
            yield _box((last, first), frame)
            last = first


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
