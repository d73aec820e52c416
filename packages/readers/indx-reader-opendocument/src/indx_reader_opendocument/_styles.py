"""What styles say about content: headings, roles, what is hidden, how lists are labelled, page sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from indx_core.ports import Role
from indx_format_office.symbols import is_known
from indx_format_office.values import whole
from indx_reader_opendocument._names import FO, OFFICE, PRESENTATION, STYLE, SVG, TABLE, TEXT

if TYPE_CHECKING:
    from indx_format_office.container import Element

__all__ = ["Level", "Styles", "points"]

_MOST_PARENTS: Final = 32
_ROLES: Final[dict[str, Role]] = {
    "Title": "title",
    "Quotations": "quote",
    "Preformatted_20_Text": "code",
    "Caption": "caption",
    "caption": "caption",
}
_UNITS: Final = {
    "cm": 72 / 2.54,
    "mm": 7.2 / 2.54,
    "in": 72.0,
    "pt": 1.0,
    "pc": 12.0,
    "px": 0.75,
    "inch": 72.0,
}
_MOST_POINTS: Final = 1e7


def points(length: str | None) -> float | None:
    """A length as `2.5cm` spells it, in points; None when it spells none."""
    text = (length or "").strip()
    number = text.rstrip("abcdefghijklmnopqrstuvwxyz")
    try:
        value = float(number) * _UNITS[text[len(number) :]]
    except (ValueError, KeyError):
        return None
    return value if abs(value) < _MOST_POINTS else None


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: its bullet, or how its numbers are written."""

    bullet: str = ""
    format: str = ""
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown: int = 1


@dataclass(slots=True)
class Styles:
    """The styles of a document, its own and those it shares with its kind.

    Attributes:
        outline: How headings are numbered.
        symbolic: Whether text of some style is in a symbol font.
    """

    _styles: dict[tuple[str, str], Element] = field(default_factory=dict)
    _lists: dict[str, dict[int, Level]] = field(default_factory=dict)
    _layouts: dict[str, tuple[float, float]] = field(default_factory=dict)
    _masters: dict[str, str] = field(default_factory=dict)
    _fonts: dict[str, str] = field(default_factory=dict)
    _set_in: dict[tuple[str, str], str] = field(default_factory=dict)
    symbolic: bool = False
    outline: dict[int, Level] = field(default_factory=dict)

    def __init__(self, *roots: Element | None) -> None:
        """Take the styles of `roots`, of which the last counts where two have one name."""
        self._styles, self._lists, self._layouts, self._masters, self.outline = {}, {}, {}, {}, {}
        self._fonts, self._set_in = {}, {}
        for root in roots:
            for holder in () if root is None else root:
                if holder.tag in (OFFICE + "styles", OFFICE + "automatic-styles", OFFICE + "master-styles"):
                    for element in holder:
                        self._take(element)
                elif holder.tag == OFFICE + "font-face-decls":  # Wingdings1 is another Wingdings
                    for element in holder:
                        self._fonts[element.get(STYLE + "name", "")] = element.get(SVG + "font-family", "")

        self.symbolic = any(is_known(self._own_font(element)) for element in self._styles.values())

    def _take(self, element: Element) -> None:
        name = element.get(STYLE + "name", "")
        if element.tag == STYLE + "style":
            self._styles[element.get(STYLE + "family", ""), name] = element
        elif element.tag == TEXT + "list-style":
            self._lists[name] = _levels(element)
        elif element.tag == TEXT + "outline-style":
            self.outline = _levels(element)
        elif element.tag == STYLE + "page-layout":
            properties = element.find(STYLE + "page-layout-properties")
            if properties is not None:
                width, height = (points(properties.get(FO + f"page-{side}")) for side in ("width", "height"))
                if width and height and width > 0 and height > 0:
                    self._layouts[name] = width, height
        elif element.tag == STYLE + "master-page":
            self._masters[name] = element.get(STYLE + "page-layout-name", "")

    def _chain(self, family: str, name: str) -> Iterator[tuple[str, Element]]:
        """A style and those it inherits from, nearest first."""
        for _ in range(_MOST_PARENTS):
            element = self._styles.get((family, name))
            if element is None:
                return
            yield name, element
            name = element.get(STYLE + "parent-style-name", "")

    def _stated(self, family: str, name: str, properties: str, key: str) -> str | None:
        for _, element in self._chain(family, name):
            found = element.find(STYLE + properties)
            value = None if found is None else found.get(key)
            if value is not None:
                return value
        return None

    def hidden(self, family: str, name: str) -> bool:
        """Whether text of this style is not shown."""
        return bool(name) and self._stated(family, name, "text-properties", TEXT + "display") == "none"

    def font(self, family: str, name: str) -> str:
        """The font of text of this style; empty where the style states none."""
        known = self._set_in.get((family, name))
        if known is None:
            fonts = (self._own_font(element) for _, element in self._chain(family, name))
            known = self._set_in[family, name] = next(filter(None, fonts), "")
        return known

    def _own_font(self, style: Element) -> str:
        stated = style.find(STYLE + "text-properties")
        if stated is None:
            return ""
        name = stated.get(STYLE + "font-name")
        return (self._fonts.get(name or "") or name or stated.get(FO + "font-family") or "").strip("'")

    def raised(self, name: str) -> bool:
        """Whether text of this style stands raised."""
        stated = (name and self._stated("text", name, "text-properties", STYLE + "text-position")) or ""
        return stated.startswith("super") or (stated[:1].isdecimal() and not stated.startswith("0%"))

    def hides_sheet(self, name: str) -> bool:
        """Whether a worksheet of this style is hidden."""
        return self._stated("table", name, "table-properties", TABLE + "display") == "false"

    def hides_slide(self, name: str) -> bool:
        """Whether a slide of this style is skipped."""
        found = self._stated("drawing-page", name, "drawing-page-properties", PRESENTATION + "visibility")
        return found == "hidden"

    def role(self, name: str) -> Role | None:
        """What a paragraph of this style is, where it is no plain text."""
        for known, _ in self._chain("paragraph", name):
            if known in _ROLES:
                return _ROLES[known]
        return _ROLES.get(name)

    def level(self, name: str) -> int:
        """The outline level that a paragraph of this style has; 0 for none."""
        for _, element in self._chain("paragraph", name):
            stated = element.get(STYLE + "default-outline-level")
            if stated is not None:
                return whole(stated, 0, most=10)
        return 0

    def list_of(self, name: str) -> str:
        """The list style that a paragraph style brings along."""
        for _, element in self._chain("paragraph", name):
            if (stated := element.get(STYLE + "list-style-name")) is not None:
                return stated
        return ""

    def numbers(self, name: str) -> bool:
        """Whether a paragraph of this style is numbered where it stands in a list."""
        return self._stated("paragraph", name, "paragraph-properties", TEXT + "enable-numbering") != "false"

    def levels(self, name: str) -> dict[int, Level]:
        """The levels of a list style, from 1."""
        return self._lists.get(name, {})

    def page_size(self, master: str) -> tuple[float, float] | None:
        """Width and height, in points, of pages made from `master`."""
        return self._layouts.get(self._masters.get(master, ""))


def _levels(style: Element) -> dict[int, Level]:
    levels: dict[int, Level] = {}
    for element in style:
        depth = whole(element.get(TEXT + "level"), 0, most=10)
        kind = element.tag.removeprefix(TEXT)
        if depth and kind in ("list-level-style-number", "outline-level-style"):
            levels[depth] = Level(
                format=element.get(STYLE + "num-format", ""),
                prefix=element.get(STYLE + "num-prefix", ""),
                suffix=element.get(STYLE + "num-suffix", ""),
                start=whole(element.get(TEXT + "start-value"), 1, most=100_000),
                shown=whole(element.get(TEXT + "display-levels"), 1, least=1, most=10),
            )
        elif depth and kind in ("list-level-style-bullet", "list-level-style-image"):
            levels[depth] = Level(bullet=_sign(element.get(TEXT + "bullet-char", "")))
    return levels


def _sign(text: str) -> str:
    """A bullet; letters and private characters stand for a symbol font's."""
    plain = len(text) == 1 and not text.isalnum() and not "\ue000" <= text <= "\uf8ff" and text.strip()
    return text if plain else "•"
