"""The labels that a document's lists put before their paragraphs: `2.1.3`, `(a)`, `第一条`, a bullet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_format_office.lists import MAX_COUNT, MAX_LEVELS, Counted, Level, indented
from indx_format_office.names import W
from indx_format_office.values import whole

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Numbering"]

_VALUE: Final = W + "val"


class Numbering:
    """The lists of a document, and how far each has counted.

    Writers put every list they know into a document; those that a paragraph is in are looked at.
    """

    def __init__(self, root: Element | None) -> None:
        """Take the lists of `root`, the part of that name, where there is one."""
        self._definitions: dict[str, Element] = {}
        self._by_style: dict[str, Element] = {}
        self._stated: dict[str, Element] = {}
        self._shared: dict[str, Counted] = {}
        self._lists: dict[str, Counted | None] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        if root is None:
            return
        for element in root.iterchildren(W + "abstractNum"):
            self._definitions[element.get(W + "abstractNumId", "")] = element
            if (link := _value(element, "styleLink")) is not None:
                self._by_style[link] = element
        self._stated = {element.get(W + "numId", ""): element for element in root.iterchildren(W + "num")}

    def _list(self, key: str) -> Counted | None:
        """The list of one `w:num`, where there is one and it has a definition."""
        if key not in self._lists:
            element = self._stated.get(key)
            base = None if element is None else self._defined(_value(element, "abstractNumId") or "")
            own = None if element is None or base is None else self._override(key, element, base)
            self._lists[key] = own
        return self._lists[key]

    def _defined(self, name: str) -> Counted | None:
        """The list of a definition, by its own levels or those of the style it is linked to."""
        found = self._definitions.get(name)
        if found is not None and name not in self._shared:
            linked = self._by_style.get(_value(found, "numStyleLink") or "", found)
            self._shared[name] = Counted(_levels(linked))
        return self._shared.get(name)

    def _override(self, key: str, element: Element, base: Counted) -> Counted:
        """The list of one `w:num`: that of its definition, which it shares, unless it states own levels."""
        own = base
        for override in element.iterchildren(W + "lvlOverride"):
            depth = whole(override.get(W + "ilvl"), most=MAX_LEVELS - 1)
            start = _value(override, "startOverride")
            if start is not None:
                self._restarts.setdefault(key, {})[depth] = whole(start, 1)
            for level in override.iterchildren(W + "lvl"):
                if own is base:
                    own = Counted(dict(base.levels), base.counts)
                own.levels[depth] = _level(level)
        return own

    def label(self, number: str, depth: int | None, style: str) -> str:
        """Count one paragraph of the list `number` and say its label, set in, with the space after it.

        Args:
            number: The list's ID.
            depth: The level in it; None when the level is the one tied to the paragraph's style.
            style: The ID of the paragraph's style.
        """
        found = self._list(number)
        if found is None:
            return ""
        if depth is None:
            tied = (
                place for place, level in found.levels.items() if style and level.paragraph_style == style
            )
            depth = next(tied, 0)
        depth = min(depth, MAX_LEVELS - 1)
        if depth in found.levels:
            for place, start in self._restarts.pop(number, {}).items():
                found.counts[place] = start - 1
        return indented(found.label(depth), depth)


def _levels(definition: Element) -> dict[int, Level]:
    return {
        whole(level.get(W + "ilvl"), most=MAX_LEVELS - 1): _level(level)
        for level in definition.iterchildren(W + "lvl")
    }


def _level(element: Element) -> Level:
    return Level(
        start=whole(_value(element, "start"), 1, most=MAX_COUNT),
        style=_value(element, "numFmt") or "decimal",
        text=_value(element, "lvlText") or "",
        legal=element.find(W + "isLgl") is not None,
        paragraph_style=_value(element, "pStyle") or "",
    )


def _value(element: Element, name: str) -> str | None:
    found = element.find(W + name)
    return None if found is None else found.get(_VALUE)
