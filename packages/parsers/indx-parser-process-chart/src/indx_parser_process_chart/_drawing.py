"""From the shapes of a slide to the nodes and edges of its chart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from indx_core.ports import Box
from indx_format_office.geometry import Point, at, box_of, point, rectangle
from indx_parser_process_chart._chart import Chart
from indx_parser_process_chart._shapes import Shape
from indx_parser_process_chart._symbols import ROLES, Symbol, symbols_of

__all__ = ["MOST_SHAPES", "chart_of"]

MOST_SHAPES: Final = 1_000
"""A slide of more shapes shows nothing that anybody could follow, and each is compared with all others."""

_REACH: Final = 0.01
"""How far from a symbol, in shares of the slide, a connector that is glued to nothing may end."""


def chart_of(drawn: Sequence[Shape]) -> Chart | None:
    """What `drawn` shows, whether it is a process chart or not; None where there are too many shapes."""
    if len(drawn) > MOST_SHAPES:
        return None
    shapes = [shape for shape in drawn if not shape.hidden]
    ids = list(_ids(shapes))
    parts = {index: symbol for symbol in symbols_of(shapes) for index in symbol.shapes}
    nodes = list(_nodes(shapes, parts))
    held = _held(nodes)
    written = [_written(node, ids, held) for node in nodes if node.speaks or node.index in held]
    contained = [
        {
            "id": f"{ids[frame]}/{ids[index]}",
            "kind": "contains",
            "from": ids[frame],
            "to": ids[index],
        }
        for frame, inside in held.items()
        for index in inside
    ]
    title = next((shape.text for shape in shapes if shape.title), "")
    return Chart(title, written, [*_connections(shapes, parts, ids), *contained])


def _ids(shapes: Iterable[Shape]) -> Iterator[str]:
    """An ID for each shape: its number in the file, with a count where the file repeats a number."""
    seen: dict[int, int] = {}
    for shape in shapes:
        count = seen[shape.number] = seen.get(shape.number, 0) + 1
        yield f"shape:{shape.number}" if count == 1 else f"shape:{shape.number}~{count}"


@dataclass(frozen=True, slots=True)
class _Node:
    """A shape that may be a node: a symbol, a picture, or what may hold or say something."""

    index: int
    shape: Shape
    symbol: Symbol | None
    rect: Box | None

    @property
    def speaks(self) -> bool:
        """Whether it is a node even where it holds nothing."""
        return self.symbol is not None or self.shape.kind == "picture" or bool(self.shape.text)

    @property
    def may_hold(self) -> bool:
        """Whether it is drawn as a frame could be."""
        return self.symbol is None and self.shape.kind == "shape" and not self.shape.text_box


def _nodes(shapes: Sequence[Shape], parts: Mapping[int, Symbol]) -> Iterator[_Node]:
    for index, shape in enumerate(shapes):
        symbol = parts.get(index)
        if symbol is not None:
            if symbol.shapes[0] == index:
                yield _Node(index, shape, symbol, symbol.rect)
        elif shape.kind in ("shape", "picture") and not (shape.title or shape.margin):
            yield _Node(index, shape, None, None if shape.place is None else rectangle(shape.place))


def _held(nodes: Sequence[_Node]) -> dict[int, list[int]]:
    """The containers, each with the nodes smaller than it whose centre it encloses.

    What holds nothing that speaks is no container.
    """
    frames = {
        node.index: [other for other in nodes if _encloses(node, other)] for node in nodes if node.may_hold
    }
    holding = {index for index, inside in frames.items() if any(other.speaks for other in inside)}
    return {
        index: [other.index for other in inside if other.speaks or other.index in holding]
        for index, inside in frames.items()
        if index in holding
    }


def _encloses(frame: _Node, other: _Node) -> bool:
    if frame.rect is None or other.rect is None or _area(other.rect) >= _area(frame.rect):
        return False
    left, top, right, bottom = other.rect
    return _distance((left + right) / 2, (top + bottom) / 2, frame.rect) == 0


def _area(rect: Box) -> float:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _written(node: _Node, ids: Sequence[str], held: Mapping[int, object]) -> dict[str, Any]:
    """A node as it is written, without what it does not state."""
    kind, label = "container" if node.index in held else "text", node.shape.text
    written: dict[str, Any] = {"id": ids[node.index], "kind": kind}
    if node.symbol is not None:
        written |= {"kind": "symbol", "symbol": node.symbol.name, "role": ROLES[node.symbol.name]}
        label = node.symbol.label
    elif node.shape.kind == "picture":
        written["kind"] = "picture"
    if label:
        written["label"] = label
    if node.rect is not None:
        written["bbox"] = box_of(node.rect)
    return written


def _connections(
    shapes: Sequence[Shape], parts: Mapping[int, Symbol], ids: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """The connectors that join two symbols; one whose only arrowhead is at its start is read backwards."""
    numbered = {shape.number: index for index, shape in reversed(list(enumerate(shapes)))}
    symbols = list({id(symbol): symbol for symbol in parts.values()}.values())
    for index, shape in enumerate(shapes):
        if shape.connector is None or shape.place is None:
            continue
        ends: list[tuple[Symbol, Point]] = []
        for number, corner in ((shape.connector.start, 0), (shape.connector.end, 1)):
            where = at(shape.place, corner, corner)
            glued = None if number is None else numbered.get(number)
            symbol = _nearest(where, symbols) if glued is None else parts.get(glued)
            if symbol is not None:
                ends.append((symbol, where))
        if len(ends) < 2 or ends[0][0] is ends[1][0]:
            continue
        if shape.connector.head_at_start and not shape.connector.head_at_end:
            ends.reverse()
        (first, begins), (second, stops) = ends
        yield {
            "id": ids[index],
            "kind": "connection",
            "from": ids[first.shapes[0]],
            "to": ids[second.shapes[0]],
            "arrow": shape.connector.head_at_start or shape.connector.head_at_end,
            "path": (point(begins), point(stops)),
        }


def _nearest(where: Point, symbols: Sequence[Symbol]) -> Symbol | None:
    """The symbol at which a line that is glued to nothing ends, if it ends at one."""
    distances = [_distance(*where, symbol.rect) for symbol in symbols]
    best = min(range(len(symbols)), key=distances.__getitem__, default=None)
    return None if best is None or distances[best] > _REACH else symbols[best]


def _distance(x: float, y: float, rect: Box) -> float:
    """How far a point is from a rectangle, along the axis on which it is farther."""
    left, top, right, bottom = rect
    return max(left - x, x - right, top - y, y - bottom, 0.0)
