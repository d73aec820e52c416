"""Which way up a page is, and whether its lines run down it, told by reading a few of them in each way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from indx_reader_ocr._engine import Image, Quad, Reading
from indx_reader_ocr._finding import crop, sides

__all__ = ["Direction", "Reader", "direction_of", "is_tall", "read_line"]

_SAMPLES: Final = 5
_SURE: Final = 0.88
"""The mean score from which a page counts as read the right way; upside down it is below 0.8."""
_BETTER: Final = 0.08
_TALL: Final = 1.5
_LONGEST: Final = 30.0
"""How many times as long as high a line of the sample may be."""
_IDEOGRAPHIC: Final = "\u2e80"


class Reader(Protocol):
    """What reads the picture of a line."""

    def read(self, line: Image) -> Reading:
        """What the line says."""
        ...


@dataclass(frozen=True, slots=True)
class Direction:
    """How a page is to be read.

    Attributes:
        turns: Quarter turns against the clock that bring it upright.
        upright_lines: Whether its lines then run from the top down, the first on the right.
    """

    turns: int = 0
    upright_lines: bool = False


def is_tall(quad: Quad) -> bool:
    """Whether a line stands on the page rather than lies on it."""
    width, height = sides(quad)
    return height >= _TALL * width


def direction_of(engine: Reader, image: Image, quads: Sequence[Quad]) -> Direction:
    """The direction in which the longer lines read best; as it is when nothing is clearly better."""
    tall = [quad for quad in quads if is_tall(quad)]
    flat = [quad for quad in quads if not is_tall(quad)]
    if _length(tall) > _length(flat) and len(tall) > 1:
        return _of_tall(engine, image, _sample(tall))
    sample = [crop(image, quad) for quad in _sample(flat)]
    upright = _score(engine, sample)
    if not sample or upright >= _SURE:
        return Direction()
    over = _score(engine, [_turned(line, 2) for line in sample])
    return Direction(turns=2) if over > upright + _BETTER else Direction()


def _of_tall(engine: Reader, image: Image, quads: Sequence[Quad]) -> Direction:
    """The direction of a page whose lines stand: the page was turned, or that is how it is written."""
    lines = [crop(image, quad) for quad in quads]
    texts: dict[int, list[Reading]] = {
        turns: [engine.read(_turned(line, turns)) for line in lines] for turns in (1, 3)
    }
    turns = max(texts, key=lambda one: (_mean(texts[one]), -one))
    text = "".join(reading.text for reading in texts[turns])
    # Lines written from the top down read best laid on their left side; on the right, the page was turned.
    if turns == 1 and 2 * sum(sign >= _IDEOGRAPHIC for sign in text) > len(text):
        stacked = _mean([engine.read(_side_by_side(line)) for line in lines])
        if stacked > 0.75 * _mean(texts[turns]):
            return Direction(upright_lines=True)
    return Direction(turns=turns) if _mean(texts[turns]) >= 0.5 else Direction()


def _side_by_side(line: Image) -> Image:
    """The squares of a standing line, set one beside the other: letters that stand upright can be read."""
    height, width = line.shape[:2]
    count = max(1, round(height / width))
    pieces = [line[round(n * height / count) : round((n + 1) * height / count)] for n in range(count)]
    least = min(len(piece) for piece in pieces)
    return np.concatenate([piece[:least] for piece in pieces], axis=1)


def read_line(engine: Reader, line: Image, *, tall: bool) -> Reading:
    """Read one line of an upright page; one that stands, or reads badly, is also tried the other way."""
    first = engine.read(_turned(line, 1) if tall else line)
    if first.score >= 0.7:
        return first
    return max(first, engine.read(_turned(line, 3 if tall else 2)), key=lambda one: one.score)


def _sample(quads: Sequence[Quad]) -> list[Quad]:
    """The longest lines, very long ones left out."""
    known = [quad for quad in quads if max(sides(quad)) <= _LONGEST * min(sides(quad))]
    return sorted(known or quads, key=lambda quad: -max(sides(quad)))[:_SAMPLES]


def _length(quads: Sequence[Quad]) -> float:
    return sum(max(sides(quad)) for quad in quads)


def _score(engine: Reader, lines: Sequence[Image]) -> float:
    return _mean([engine.read(line) for line in lines])


def _mean(readings: Sequence[Reading]) -> float:
    """The mean score, by the length of what was read."""
    length = sum(len(reading.text) for reading in readings)
    return sum(reading.score * len(reading.text) for reading in readings) / length if length else 0.0


def _turned(line: Image, turns: int) -> Image:
    return np.ascontiguousarray(np.rot90(line, turns))
