"""Which shapes of a slide are the symbols of a process chart, and what each is called.

Two triangles are one double triangle where one lies inside the other, or where they alone make up a group
with nothing beside them but text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from indx_core.ports import Box
from indx_format_office.geometry import rectangle
from indx_parser_process_chart._shapes import Shape

__all__ = ["ROLES", "Symbol", "SymbolName", "symbols_of"]

SymbolName = Literal["triangle", "ellipse", "diamond", "double_triangle"]

ROLES: Final[dict[SymbolName, Literal["material", "operation", "inspection", "assembly"]]] = {
    "triangle": "material",
    "ellipse": "operation",
    "diamond": "inspection",
    "double_triangle": "assembly",
}
_OUTLINES: Final[dict[str, SymbolName]] = {
    "triangle": "triangle",
    "flowChartExtract": "triangle",
    "flowChartMerge": "triangle",
    "ellipse": "ellipse",
    "flowChartConnector": "ellipse",
    "diamond": "diamond",
    "flowChartDecision": "diamond",
    "flowChartCollate": "double_triangle",
}


@dataclass(slots=True)
class Symbol:
    """A symbol.

    Attributes:
        name: Which one.
        rect: The rectangle around it, which may leave the slide.
        label: What it says, empty when nothing.
        shapes: Indices of the shapes it is made of, the one that gives it its number first; last the text
            box that labels it, where one does.
    """

    name: SymbolName
    rect: Box
    label: str
    shapes: list[int]


def symbols_of(shapes: Sequence[Shape]) -> list[Symbol]:
    """The symbols among `shapes`, in the order in which they are drawn."""
    found: dict[int, Symbol] = {}
    for index, shape in enumerate(shapes):
        name = _OUTLINES.get(shape.outline or "")
        if name is not None and shape.kind == "shape" and shape.place is not None and not shape.text_box:
            found[index] = Symbol(name, rectangle(shape.place), shape.text, [index])
    members: dict[tuple[int, ...], list[int]] = {}
    for index, shape in enumerate(shapes):
        if shape.groups:
            members.setdefault(shape.groups, []).append(index)
    _pair_triangles(found, members, shapes)
    for group in members.values():
        _label(found, group, shapes)
    return list(found.values())


def _pair_triangles(
    found: dict[int, Symbol], members: dict[tuple[int, ...], list[int]], shapes: Sequence[Shape]
) -> None:
    """Make two triangles one symbol where they are drawn as one."""
    for group in members.values():
        drawn = [index for index in group if index in found or not shapes[index].text]
        if len(drawn) == 2 and all(_is_triangle(found, index) for index in drawn):
            _merge(found, *drawn)
    single = [index for index in found if _is_triangle(found, index)]
    for inner in single:
        around = [outer for outer in single if outer != inner and outer in found and inner in found]
        for outer in around:
            if _holds(found[outer].rect, found[inner].rect) and _is_triangle(found, outer):
                _merge(found, outer, inner)
                break


def _is_triangle(found: dict[int, Symbol], index: int) -> bool:
    return index in found and found[index].name == "triangle"


def _merge(found: dict[int, Symbol], kept: int, other: int) -> None:
    symbol, second = found[kept], found.pop(other)
    lefts, tops, rights, bottoms = zip(symbol.rect, second.rect, strict=True)
    symbol.name = "double_triangle"
    symbol.rect = (min(lefts), min(tops), max(rights), max(bottoms))
    symbol.label = symbol.label or second.label
    symbol.shapes += second.shapes


def _holds(outer: Box, inner: Box) -> bool:
    """Whether one rectangle lies in another one that is larger."""
    inside = outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]
    return inside and outer != inner


def _label(found: dict[int, Symbol], group: list[int], shapes: Sequence[Shape]) -> None:
    """Take the one text of a group for the label of the one symbol in it, where that has none of its own."""
    symbols = [found[index] for index in group if index in found]
    if len(symbols) != 1 or symbols[0].label:
        return
    texts = [i for i in group if i not in symbols[0].shapes and shapes[i].kind == "shape" and shapes[i].text]
    if len(texts) == 1:
        symbols[0].label = shapes[texts[0]].text
        symbols[0].shapes.append(texts[0])
