"""Placeholders: what a shape without a place of its own inherits from the slide's layout and master."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from indx_format_office.automatic import Kinds, kinds_of
from indx_format_office.geometry import Map, place_of
from indx_format_office.names import A, P
from indx_format_office.shapes import transform_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from indx_format_office import Package
    from indx_format_office._xml import Element

__all__ = ["Placeholders", "placeholder_of"]

_BODY_TYPES: Final = frozenset(
    ("subTitle", "obj", "chart", "tbl", "clipArt", "dgm", "media", "pic", "vertBody", "vertObj", "half")
)


def placeholder_of(shape: Element) -> tuple[str, str] | None:
    """The type and the index of a placeholder; None when the shape is none."""
    for properties in shape:
        found = properties.find(P + "nvPr")
        if found is not None:
            mark = found.find(P + "ph")
            return None if mark is None else (mark.get("type", "obj"), mark.get("idx", "0"))
    return None


def _master_type(kind: str) -> str:
    """The type of the master's placeholder that one of type `kind` goes back to."""
    if kind == "ctrTitle":
        return "title"
    return "body" if kind in _BODY_TYPES else kind


@dataclass(frozen=True, slots=True)
class _Given:
    """A placeholder of a layout or a master: its type, its place where it states one, how it numbers."""

    kind: str
    place: Map | None = None
    numbers: Kinds = field(default_factory=dict)


class Placeholders:
    """The places that layouts and masters give their placeholders, each part looked at once."""

    def __init__(self, package: Package, part: Callable[[str], Element | None], slide: Map) -> None:
        """Look parts up in `package`; `part` parses one, None when it is damaged; `slide` as of shapes."""
        self._package = package
        self._part = part
        self._slide = slide
        self._places: dict[str, dict[tuple[str, str], _Given]] = {}
        self._parents: dict[tuple[str, str], str] = {}

    def place(self, slide: str, kind: str, index: str) -> Map | None:
        """The place that the placeholder of this type and index has on `slide` unless it states its own."""
        return next((given.place for given in self._chain(slide, kind, index) if given.place), None)

    def numbers(self, slide: str, kind: str, index: str) -> list[Kinds]:
        """How paragraphs of the placeholder of this type and index are numbered on `slide`, nearest first."""
        return [given.numbers for given in self._chain(slide, kind, index) if given.numbers]

    def _chain(self, slide: str, kind: str, index: str) -> list[_Given]:
        """What is said of a placeholder: by the layout, by the master, by the master for all of its type."""
        layout = self._above(slide, "slideLayout")
        own = self._of(layout)
        found = own.get(("idx", index)) if index != "0" else None
        found = found or own.get(("type", kind))
        kind = _master_type(kind if found is None else found.kind)
        master = self._of(self._above(layout, "slideMaster"))
        above = master.get(("type", kind)), master.get(("style", kind))
        return [given for given in (found, *above) if given is not None]

    def _above(self, name: str, kind: str) -> str:
        """The layout of a slide, or the master of a layout; empty where there is none."""
        known = self._parents.get((name, kind))
        if known is None:
            related = self._package.related(name, kind) if name else []
            known = self._parents[name, kind] = (related[0].part or "") if related else ""
        return known

    def _of(self, name: str) -> dict[tuple[str, str], _Given]:
        known = self._places.get(name)
        if known is not None:
            return known
        root = self._part(name) if name else None
        if root is None:
            return {}
        found = self._places[name] = {}
        for shape in root.iter(P + "sp"):
            mark = placeholder_of(shape)
            if mark is None:
                continue
            kind, index = mark
            style = shape.find(f"{P}txBody/{A}lstStyle")
            given = _Given(kind, place_of(transform_of(shape), self._slide), kinds_of(style))
            found.setdefault(("idx", index), given)
            found.setdefault(("type", kind), given)
        for kind in ("title", "body"):
            style = root.find(f"{P}txStyles/{P}{kind}Style")
            found["style", kind] = _Given(kind, numbers=kinds_of(style))
        return found
