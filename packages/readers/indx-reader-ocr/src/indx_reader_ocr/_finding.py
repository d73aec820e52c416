"""Where the lines of writing are: found at a bounded size, whatever the size and shape of the picture."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median
from typing import Final, Protocol

import cv2  # type: ignore[import-not-found,unused-ignore]
import numpy as np

from indx_reader_ocr._engine import Image, Quad

__all__ = ["crop", "find_lines", "sides"]

MOST_PIXELS: Final = 1_000_000
"""Pixels of what is looked at in one go; memory grows with it, and print of usual size needs no more."""

SMALL: Final = 10.0
"""The median height of lines, in pixels as looked at, under which the picture is looked at in parts."""

LEAST_SIDE: Final = 8
"""Pixels of a side under which no writing is."""

SHOWN_SIDE: Final = 64
"""The least side, in pixels, that the engine is shown: what is smaller it blows up to gigabytes."""

_SHAPE: Final = 2.0
"""The longest shape that is looked at, as the ratio of its sides."""
_FAR: Final = 0.4
"""The scale under which print of usual size is not found."""
_CONTRAST: Final = 48
"""How far from the ground a shade of grey is a mark."""
_OVERLAP: Final = 1 / 12
"""The share of a part that the next one shows again, so that a line at the edge is whole in one of them."""


class Finder(Protocol):
    """What finds lines in a picture."""

    def find(self, image: Image) -> list[Quad]:
        """The corners of each line."""
        ...


def find_lines(engine: Finder, image: Image) -> list[Quad]:
    """The lines of writing in `image`, in pixels of it.

    A large picture whose lines turn out small is looked at again in parts, at a larger size; one in which
    nothing is found, where there is something in it; one that is much higher than wide, in parts at once.
    """
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        return []
    if height > _SHAPE * width and _scale(height, width) < _FAR:
        return _in_parts(engine, image, round(1.5 * width))
    found, scale = _look(engine, image)
    if not found:
        return _closer(engine, image)
    if scale == 1:
        return found
    part = math.ceil(width / 2)
    return _in_parts(engine, image, part) if _is_small(found, scale) and part < height else found


def _closer(engine: Finder, image: Image) -> list[Quad]:
    """Lines in what of a picture is not its ground, as a word or two on an empty page."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), dtype=np.int16)
    marks = np.abs(grey - int(np.median(grey[:: max(1, len(grey) // 256)]))) > _CONTRAST
    rows, columns = np.flatnonzero(marks.any(axis=1)), np.flatnonzero(marks.any(axis=0))
    if not rows.size:
        return []
    margin = max(16, (int(rows[-1]) - int(rows[0])) // 4)
    top, left = max(0, int(rows[0]) - margin), max(0, int(columns[0]) - margin)
    bottom, right = int(rows[-1]) + margin, int(columns[-1]) + margin
    part = image[top : bottom + 1, left : right + 1]
    if 2 * part.shape[0] * part.shape[1] > image.shape[0] * image.shape[1]:
        return _in_parts(engine, image, math.ceil(image.shape[0] / 2))
    return [quad + np.array([left, top], dtype=np.float32) for quad in _look(engine, part)[0]]


def _is_small(quads: list[Quad], scale: float) -> bool:
    """Whether lines may have been missed; those that run down the page would be cut, and are left alone."""
    flat = [height for width, height in map(sides, quads) if width >= height]
    return 2 * len(flat) > len(quads) and median(flat) * scale < SMALL


def _scale(height: int, width: int) -> float:
    """The scale at which a picture is looked at in one go."""
    area = max(height, width / _SHAPE) * max(width, height / _SHAPE)
    return min(1.0, math.sqrt(MOST_PIXELS / area))


def _look(engine: Finder, image: Image) -> tuple[list[Quad], float]:
    """Lines in all of `image`, and the scale at which it was looked at."""
    height, width = image.shape[:2]
    scale = _scale(height, width)
    shown = image
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        shown = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    down, across = height / shown.shape[0], width / shown.shape[1]
    # What is small, or long and thin, the engine would blow up until its shorter side is large.
    missing = [
        max(0, SHOWN_SIDE - shown.shape[side], math.ceil(shown.shape[1 - side] / _SHAPE) - shown.shape[side])
        for side in (0, 1)
    ]
    if any(missing):
        shown = np.pad(shown, ((0, missing[0]), (0, missing[1]), (0, 0)), mode="edge")
    ratio = np.array([across, down], dtype=np.float32)
    edge = np.array([width, height], dtype=np.float32)
    quads = [np.minimum(np.maximum(quad * ratio, 0), edge) for quad in engine.find(shown)]
    return [quad for quad in quads if min(sides(quad)) >= 2], scale


def _in_parts(engine: Finder, image: Image, part: int) -> list[Quad]:
    """Lines found part by part down the picture; each line is taken from the part that shows its middle."""
    found: list[Quad] = []
    for top, bottom, first, last in _parts(image.shape[0], part):
        quads, _ = _look(engine, image[top:bottom])
        for quad in quads:
            moved = quad + np.array([0, top], dtype=np.float32)
            if first <= moved[:, 1].mean() < last:
                found.append(moved)
    return found


def _parts(height: int, part: int) -> Iterator[tuple[int, int, float, float]]:
    """Top and bottom of each part, and between which heights lines are taken from it."""
    count = max(1, math.ceil(height / max(1, part)))
    step = height / count
    margin = max(16.0, step * _OVERLAP)
    for number in range(count):
        first, last = number * step, (number + 1) * step
        top, bottom = max(0, math.floor(first - margin)), min(height, math.ceil(last + margin))
        yield top, bottom, first if number else -math.inf, last if number + 1 < count else math.inf


def sides(quad: Quad) -> tuple[float, float]:
    """Width and height of a line, along its own slope."""
    width = max(math.dist(quad[0], quad[1]), math.dist(quad[3], quad[2]))
    height = max(math.dist(quad[0], quad[3]), math.dist(quad[1], quad[2]))
    return width, height


def crop(image: Image, quad: Quad) -> Image:
    """The picture of one line, straightened; as it stands on the page, even when it is upright."""
    width, height = (max(1, round(side)) for side in sides(quad))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(quad, corners)
    return np.asarray(
        cv2.warpPerspective(
            image, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.uint8,
    )
