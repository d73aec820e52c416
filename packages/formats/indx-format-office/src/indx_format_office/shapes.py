"""The shapes of a slide, groups looked through, each with what is around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_format_office.drawing import chosen
from indx_format_office.geometry import Map, group_map, place_of
from indx_format_office.names import MC, A, P
from indx_format_office.values import switched_on

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Placed", "named_of", "placed_in", "transform_of", "tree_of"]

_SHAPES: Final = frozenset(P + name for name in ("sp", "cxnSp", "pic", "graphicFrame"))
_GROUP, _ALTERNATIVES = P + "grpSp", MC + "AlternateContent"


@dataclass(frozen=True, slots=True)
class Placed:
    """An element that draws a shape.

    Attributes:
        element: The element, that of a group where groups are asked for.
        outer: The map from the units it states its place in to shares of the slide.
        hidden: Whether the slide hides it, or a group around it.
        groups: The groups around it, outermost first, by the order in which they are met.
    """

    element: Element
    outer: Map
    hidden: bool
    groups: tuple[int, ...]

    def place(self) -> Map | None:
        """Where it stands; None when it does not say."""
        return place_of(transform_of(self.element), self.outer)


def tree_of(root: Element) -> Element | None:
    """The shapes' container of a slide, or of a page of notes."""
    data = root.find(P + "cSld")
    return None if data is None else data.find(P + "spTree")


def placed_in(tree: Element, slide: Map, *, groups: bool = False) -> list[Placed]:
    """The shapes in `tree` in the order in which they are drawn.

    Args:
        tree: The container.
        slide: Maps its units to shares of the slide.
        groups: Whether each group comes too, before what is in it.
    """
    return list(_Walk(yields_groups=groups).shapes(tree, slide, (), hidden=False))


def named_of(element: Element) -> Element | None:
    """The properties that carry the number, the name and the description of a shape or a group."""
    for child in element:
        found = child.find(P + "cNvPr")
        if found is not None:
            return found
    return None


def transform_of(element: Element) -> Element | None:
    """The `xfrm` of a shape or a group."""
    if element.tag == P + "graphicFrame":
        return element.find(P + "xfrm")
    properties = element.find(P + ("grpSpPr" if element.tag == _GROUP else "spPr"))
    return None if properties is None else properties.find(A + "xfrm")


class _Walk:
    """Counts groups in the order in which they are met."""

    def __init__(self, *, yields_groups: bool) -> None:
        self._groups = 0
        self._yields_groups = yields_groups

    def shapes(
        self, container: Element, outer: Map, groups: tuple[int, ...], *, hidden: bool
    ) -> Iterator[Placed]:
        for element in container:
            tag = element.tag
            if tag in _SHAPES:
                yield Placed(element, outer, hidden or _is_hidden(element), groups)
            elif tag == _GROUP:
                gone = hidden or _is_hidden(element)
                if self._yields_groups:
                    yield Placed(element, outer, gone, groups)
                self._groups += 1
                inner = group_map(transform_of(element), outer)
                yield from self.shapes(element, inner, (*groups, self._groups), hidden=gone)
            elif tag == _ALTERNATIVES and (choice := chosen(element)) is not None:
                yield from self.shapes(choice, outer, groups, hidden=hidden)


def _is_hidden(element: Element) -> bool:
    named = named_of(element)
    return named is not None and switched_on(named.get("hidden"))
