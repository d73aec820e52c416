"""What a document's styles make of a paragraph or a run: heading level, role, hiding, numbering."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_core.ports import Role
from indx_format_office.names import W
from indx_format_office.values import switched_on, whole
from indx_reader_word._faces import UNSTATED, Face, face

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Style", "Styles", "is_on", "number_of", "outline_level"]

_VALUE: Final = W + "val"
_FIRST_SIZE: Final = 20
_HEADING: Final = re.compile(
    r"(?:heading|見出し|überschrift|titre|título|titolo|titulo|제목|标题|標題|заголовок|kop|rubrik|overskrift"
    r"|nagłówek|nadpis|otsikko|başlık|επικεφαλίδα)\s*([1-9１-９])"
)
_TITLES: Final = frozenset(("title", "表題", "titel", "标题", "標題", "제목", "título", "titolo", "titre"))
_BESIDE_TITLE: Final = frozenset(
    ("author", "date", "subtitle", "untertitel", "sous-titre", "副題", "副标题", "부제")
)
"""Styles that look like that of the title, on which they are based, and are for what stands below it."""
_ROLES: Final[dict[str, Role]] = {
    **dict.fromkeys(("caption", "図表番号", "beschriftung", "légende", "题注", "標號", "캡션"), "caption"),
    **dict.fromkeys(("quote", "intense quote", "引用文", "引用文 2", "zitat", "citation", "引用"), "quote"),
    **dict.fromkeys(("html preformatted", "html code", "source code", "code"), "code"),
}


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says, what it inherits included.

    Attributes:
        level: The heading level from 1, 0 for body text.
        title: Whether it is the style of the document's title.
        role: The role of paragraphs in it.
        hidden: Whether it hides its text.
        number: The list it numbers by, None for none.
        depth: Its level in that list; None when the list tells by the style.
        face: How it sets its text.
    """

    level: int = 0
    title: bool = False
    role: Role | None = None
    hidden: bool = False
    number: str | None = None
    depth: int | None = None
    face: Face = UNSTATED


_PLAIN: Final = Style()
_MAX_BASES: Final = 20


def is_on(holder: Element | None, tag: str) -> bool:
    """Whether a yes-or-no property is there and not switched off."""
    found = None if holder is None else next(holder.iterchildren(tag), None)
    return found is not None and switched_on(found.get(_VALUE), default=True)


def outline_level(properties: Element | None) -> int | None:
    """The heading level that paragraph properties state: 0 for body text, None for no statement."""
    found = None if properties is None else properties.find(W + "outlineLvl")
    level = -1 if found is None else whole(found.get(_VALUE), -1, least=-1)
    if level < 0:
        return None
    return level + 1 if level < 9 else 0


def number_of(properties: Element | None) -> tuple[str | None, int | None]:
    """The list and the level in it that paragraph properties state, each None for no statement."""
    found = None if properties is None else properties.find(W + "numPr")
    if found is None:
        return None, None
    number, depth = found.find(W + "numId"), found.find(W + "ilvl")
    return None if number is None else number.get(_VALUE), None if depth is None else whole(depth.get(_VALUE))


class Styles:
    """The styles of a document by their ID.

    Attributes:
        face: How text is set that says nothing of it.
    """

    def __init__(self, root: Element | None) -> None:
        """Take the styles of `root`, the part of that name, where there is one."""
        self._elements: dict[str, Element] = {}
        self._resolved: dict[str, Style] = {}
        self._default = ""
        stated = None if root is None else root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr")
        self.face = face(stated).over(Face(size=_FIRST_SIZE))
        for element in () if root is None else root.iterchildren(W + "style"):
            key = element.get(W + "styleId", "")
            self._elements.setdefault(key, element)
            if element.get(W + "type") == "paragraph" and element.get(W + "default") in ("1", "true", "on"):
                self._default = key

    def paragraph(self, properties: Element | None) -> Style:
        """The style of a paragraph with these properties."""
        named = None if properties is None else properties.find(W + "pStyle")
        return self.get(self._default if named is None else named.get(_VALUE, ""))

    def get(self, key: str) -> Style:
        """The style with this ID, a plain one when there is none."""
        known = self._resolved.get(key)
        if known is None:
            known = self._resolved[key] = self._resolve(key)
        return known

    def _resolve(self, key: str) -> Style:
        """Merge the style and those it is based on; the nearest statement counts."""
        level: int | None = None
        title = hidden = False
        role: Role | None = None
        number: str | None = None
        depth: int | None = None
        beside = False
        said = Face()
        seen: set[str] = set()
        element = self._elements.get(key)
        while element is not None and key not in seen and len(seen) < _MAX_BASES:
            seen.add(key)
            named = element.find(W + "name")
            name = "" if named is None else named.get(_VALUE, "").strip().lower()
            properties = element.find(W + "pPr")
            if level is None:
                level = outline_level(properties)
            if level is None and (found := _HEADING.fullmatch(name)):
                level = int(found[1])
            beside = beside or name in _BESIDE_TITLE
            title = title or (name in _TITLES and not beside)
            role = role or _ROLES.get(name)
            run = element.find(W + "rPr")
            hidden = hidden or is_on(run, W + "vanish")
            said = said.over(face(run))
            own_number, own_depth = number_of(properties)
            if number is None:
                number, depth = own_number, own_depth if depth is None else depth
            based = element.find(W + "basedOn")
            key = "" if based is None else based.get(_VALUE, "")
            element = self._elements.get(key)
        if not seen:
            return _PLAIN
        return Style(level or 0, title and not level, role, hidden, number, depth, said)
