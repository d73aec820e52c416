"""The shapes of a slide as flat facts, in the order in which they are drawn, groups looked through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from indx_format_office.drawing import alt_text, plain_text
from indx_format_office.geometry import Map
from indx_format_office.names import A, P
from indx_format_office.shapes import Placed, named_of, placed_in
from indx_format_office.values import switched_on, whole

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Connector", "Shape", "shapes_of"]

Kind = Literal["shape", "connector", "picture", "frame"]
_KINDS: Final[dict[str, Kind]] = {
    P + "sp": "shape",
    P + "cxnSp": "connector",
    P + "pic": "picture",
    P + "graphicFrame": "frame",
}
_TITLES: Final = frozenset(("title", "ctrTitle"))
_MARGINS: Final = frozenset(("ftr", "dt", "sldNum", "hdr"))
_HEADS: Final = frozenset(("triangle", "stealth", "arrow"))


@dataclass(frozen=True, slots=True)
class Connector:
    """A connector's two ends: the numbers of the shapes they are glued to, whether they are arrowheads."""

    start: int | None
    end: int | None
    head_at_start: bool
    head_at_end: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape.

    Attributes:
        kind: Which of the four elements draws it.
        element: That element.
        number: The number the file gives it.
        place: Where it stands; None when it does not say.
        hidden: Whether the slide hides it, or a group around it.
        outline: The name of its preset outline; None for a drawn one.
        text: Its text on one line; of a picture, what it is said to show.
        title: Whether it is the slide's title.
        margin: Whether it is a footer, a date, or a slide number.
        text_box: Whether it was made to hold text alone.
        groups: The groups around it, outermost first, by the order in which they are met.
        connector: The ends, of a connector.
    """

    kind: Kind
    element: Element
    number: int
    place: Map | None
    hidden: bool
    outline: str | None
    text: str
    title: bool
    margin: bool
    text_box: bool
    groups: tuple[int, ...]
    connector: Connector | None


def shapes_of(tree: Element, slide: Map) -> list[Shape]:
    """The shapes in `tree`; `slide` maps the slide's own units to shares of it."""
    return [_shape(placed) for placed in placed_in(tree, slide)]


def _shape(placed: Placed) -> Shape:
    element = placed.element
    kind = _KINDS[element.tag]
    named, properties = named_of(element), element.find(P + "spPr")
    outline = None if properties is None else properties.find(A + "prstGeom")
    mark = _placeholder(element)
    body = element.find(P + "txBody")
    text = "" if body is None else plain_text(body)
    if kind == "picture" and named is not None:
        text = alt_text(named)
    return Shape(
        kind,
        element,
        0 if named is None else whole(named.get("id")),
        placed.place(),
        placed.hidden,
        None if outline is None else outline.get("prst"),
        " ".join(text.split()),
        mark in _TITLES,
        mark in _MARGINS,
        _is_text_box(element),
        placed.groups,
        _connector(element, properties) if kind == "connector" else None,
    )


def _is_text_box(element: Element) -> bool:
    marks = element.find(P + "nvSpPr")
    own = None if marks is None else marks.find(P + "cNvSpPr")
    return own is not None and switched_on(own.get("txBox"))


def _placeholder(element: Element) -> str | None:
    """The type of a placeholder; None when the shape is none."""
    for child in element:
        found = child.find(P + "nvPr")
        if found is not None:
            mark = found.find(P + "ph")
            return None if mark is None else mark.get("type", "obj")
    return None


def _connector(element: Element, properties: Element | None) -> Connector:
    marks = element.find(P + "nvCxnSpPr")
    own = None if marks is None else marks.find(P + "cNvCxnSpPr")
    line = None if properties is None else properties.find(A + "ln")

    def glued(name: str) -> int | None:
        found = None if own is None else own.find(A + name)
        return None if found is None else whole(found.get("id"))

    def pointed(name: str) -> bool:
        found = None if line is None else line.find(A + name)
        return found is not None and found.get("type") in _HEADS

    # In DrawingML the head of a line is its beginning.
    return Connector(glued("stCxn"), glued("endCxn"), pointed("headEnd"), pointed("tailEnd"))
