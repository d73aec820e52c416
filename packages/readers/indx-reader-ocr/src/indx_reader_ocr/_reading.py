"""From the picture of a page to a reading of it, or to the reason why there is none."""

from __future__ import annotations

import math
import statistics
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from indx_core.canonical import clean_text
from indx_core.deadline import Deadline
from indx_core.drawing import why_undrawn
from indx_core.ports import PageReading, Session
from indx_reader_ocr._engine import Engine, Image, Quad, Reading, shared_engine
from indx_reader_ocr._finding import crop, find_lines, sides
from indx_reader_ocr._order import Row, Strip, in_order
from indx_reader_ocr._turning import Direction, direction_of, is_tall, read_line
from indx_reader_ocr.settings import DPI, MAX_PIXELS

__all__ = ["LEAST_SCORE", "read", "recognise"]

LEAST_SCORE: Final = 0.5
"""Lines of a lower score are mostly patterns that are no writing."""
_WIDE_GAP: Final = 1.0
"""How many times a row's height parts of it stand apart to be cells rather than words."""
_IDEOGRAPHIC: Final = "\u2e80"
_DOUBTS: Final = frozenset({"encrypted", "incomplete", "damaged"})
"""Facts of documents of which a page of one colour may be one that could not be decoded."""


class Line(NamedTuple):
    """A recognised line: its text, its score, and its corners on the upright page in pixels."""

    text: str
    score: float
    quad: Quad


def read(session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
    """Read `pages` from their pictures.

    Raises:
        TimedOut: The deadline passed before a page was done.
        ConfigurationError: `invalid_setting`; a variable of this reader is wrong.
    """
    dpi, ceiling = DPI.get(), MAX_PIXELS.get()
    doubtful: bool | None = None
    for page in pages:
        deadline.check()
        raster = session.render(page, dpi=dpi, max_pixels=ceiling)
        if raster is None:
            yield PageReading(page, reason=why_undrawn(session, page, dpi=dpi, max_pixels=ceiling))
            continue
        image = np.frombuffer(raster.rgb, dtype=np.uint8).reshape(raster.height, raster.width, 3)
        if not (image == image[0, 0]).all():
            with shared_engine() as engine:
                yield recognise(engine, image, page, deadline)
            continue
        # Nothing is on a page of one colour, though the engine sees writing in some colours.
        if doubtful is None:
            doubtful = not _DOUBTS.isdisjoint(session.observe().facts)
        yield PageReading(page, reason="nothing_decoded") if doubtful else PageReading(page, boxes=array("d"))


def recognise(engine: Engine, image: Image, page: int, deadline: Deadline) -> PageReading:
    """What a page says: blank where it shows no writing, unread where it shows some that nobody can make out.

    Raises:
        TimedOut: The deadline passed.
    """
    reader = _OfPage(engine, deadline)
    quads = find_lines(reader, image)
    deadline.check()
    direction = direction_of(reader, image, quads)
    if direction.turns:
        image = np.ascontiguousarray(np.rot90(image, direction.turns))
        quads = find_lines(reader, image)
    lines: list[Line] = []
    for quad in quads:
        text, score = read_line(reader, crop(image, quad), tall=is_tall(quad))
        text = " ".join(clean_text(text).split())
        if text and score >= LEAST_SCORE and not _is_rule(text):
            lines.append(Line(text, score, quad))
    if quads and not lines:
        return PageReading(page, reason="writing_not_recognised")
    return _reading(page, lines, image.shape[1], image.shape[0], direction)


def _is_rule(text: str) -> bool:
    """Whether it is a line drawn on the page, which the engine takes for one letter over and over."""
    letter, times = Counter(text).most_common(1)[0]
    return len(text) >= 8 and letter.isalpha() and 4 * times >= 3 * len(text)


class _OfPage:
    """An engine that reads no picture of a page twice, and nothing past the deadline.

    A long, narrow picture is looked at in thousands of parts, so that time may run out within one page.
    """

    def __init__(self, engine: Engine, deadline: Deadline) -> None:
        self._engine = engine
        self._deadline = deadline
        self._known: dict[tuple[tuple[int, ...], bytes], Reading] = {}

    def find(self, image: Image) -> list[Quad]:
        self._deadline.check()
        return self._engine.find(image)

    def read(self, line: Image) -> Reading:
        self._deadline.check()
        key = (line.shape, line.tobytes())
        if key not in self._known:
            self._known[key] = self._engine.read(line)
        return self._known[key]


def _reading(page: int, lines: Sequence[Line], width: int, height: int, direction: Direction) -> PageReading:
    """The reading of a page of recognised lines."""
    reading = PageReading(page, boxes=array("d"))
    assert reading.boxes is not None
    pieces: list[str] = []
    position = 0
    for row in in_order(_strips(lines, direction)):
        start = position
        for number, strip in enumerate(row):
            between = _between(lines, row, number) if number else ""
            text = lines[strip.place].text
            pieces += (between, text)
            position += len(between)
            if len(row) > 1:
                reading.part_starts.append(position)
                reading.part_ends.append(position + len(text))
                box = _box([lines[strip.place].quad], width, height, direction.turns)
                reading.part_boxes.extend(box)
            position += len(text)
        reading.line_starts.append(start)
        reading.line_ends.append(position)
        reading.boxes.extend(_box([lines[one.place].quad for one in row], width, height, direction.turns))
        pieces.append("\n")
        position += 1
    reading.text = "".join(pieces).removesuffix("\n")
    length = sum(len(line.text) for line in lines)
    if length:
        reading.confidence = round(sum(line.score * len(line.text) for line in lines) / length, 6)
    return reading


def _between(lines: Sequence[Line], row: Row, number: int) -> str:
    """What stands between a part of a row and the one before: a tab where they are cells."""
    before, after = row[number - 1], row[number]
    if after.x0 - before.x1 > _WIDE_GAP * min(before.height, after.height):
        return "\t"
    joined = lines[before.place].text[-1] >= _IDEOGRAPHIC and lines[after.place].text[0] >= _IDEOGRAPHIC
    return "" if joined else " "


def _strips(lines: Sequence[Line], direction: Direction) -> list[Strip]:
    """Rectangles to put in order: made level, and laid from left to right where lines run down the page."""
    slope = _slope([line.quad for line in lines])
    strips: list[Strip] = []
    for place, line in enumerate(lines):
        across, down = line.quad[:, 0].astype(float), line.quad[:, 1].astype(float)
        if direction.upright_lines:
            across, down = down, -across
        elif slope:
            down = down - slope * across
        strips.append(
            Strip(place, float(across.min()), float(down.min()), float(across.max()), float(down.max()))
        )
    return strips


def _slope(quads: Sequence[Quad]) -> float:
    """How much lines fall from left to right: the median over those long enough to tell, by their length."""
    slopes = []
    for quad in quads:
        width, height = sides(quad)
        if width > 5 * height:
            edge = (quad[1] - quad[0]) + (quad[2] - quad[3])
            slopes.append(float(edge[1] / edge[0]) if edge[0] else 0.0)
    found = statistics.median(slopes) if len(slopes) >= 3 else 0.0
    return found if abs(found) < math.tan(math.radians(20)) else 0.0


def _box(quads: Sequence[Quad], width: int, height: int, turns: int) -> tuple[float, float, float, float]:
    """The rectangle around lines, in shares of the page as it was displayed before it was turned upright."""
    corners = np.concatenate(list(quads))
    x0, x1 = float(corners[:, 0].min()) / width, float(corners[:, 0].max()) / width
    y0, y1 = float(corners[:, 1].min()) / height, float(corners[:, 1].max()) / height
    for _ in range(turns % 4):  # one quarter back, with the clock
        x0, y0, x1, y1 = 1 - y1, x0, 1 - y0, x1
    clamp = [min(1.0, max(0.0, side)) for side in (x0, y0, x1, y1)]
    return (clamp[0], clamp[1], clamp[2], clamp[3])
