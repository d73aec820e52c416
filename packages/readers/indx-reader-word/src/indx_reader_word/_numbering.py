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
    """The lists of a document, and how far each has counted."""

    def __init__(self, root: Element | None) -> None:
        """Take the lists of `root`, the part of that name, where there is one."""
        self._lists: dict[str, Counted] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        if root is None:
            return
        definitions: dict[str, Element] = {}
        by_style: dict[str, Element] = {}
        for element in root.iterchildren(W + "abstractNum"):
            definitions[element.get(W + "abstractNumId", "")] = element
            if (link := _value(element, "styleLink")) is not None:
                by_style[link] = element
        shared: dict[str, Counted] = {}
        for element in root.iterchildren(W + "num"):
            key, definition = element.get(W + "numId", ""), _value(element, "abstractNumId") or ""
            found = definitions.get(definition)
            if found is None:
                continue
            if definition not in shared:
                shared[definition] = Counted(
                    _levels(by_style.get(_value(found, "numStyleLink") or "", found))
                )
            self._lists[key] = self._override(key, element, shared[definition])

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
        found = self._lists.get(number)
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
