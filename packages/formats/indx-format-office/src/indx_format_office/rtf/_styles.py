"""The fonts and the paragraph styles that Rich Text states at its head."""

from __future__ import annotations

import re
from typing import Final

from indx_core.ports import Role
from indx_format_office.rtf._tokens import CHARSETS, codec
from indx_format_office.symbols import is_known

__all__ = ["Fonts", "Styles"]

_HEADING: Final = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|заголовок|見出し|标题|標題)\s*([1-9])", re.IGNORECASE
)
_ROLES: Final[dict[str, Role]] = {
    "title": "title", "caption": "caption", "quote": "quote", "intense quote": "quote",
    "html preformatted": "code",
}  # fmt: skip
_MOST_PARENTS: Final = 16


class Fonts:
    """The encodings of fonts, by their number, and which are fonts of symbols."""

    def __init__(self) -> None:
        """Know none."""
        self._symbols: dict[int, str] = {}
        self._pages: dict[int, int] = {}
        self._now = 0

    def word(self, name: bytes, number: int | None) -> None:
        """Take one word of the font table."""
        if name == b"f":
            self._now = number or 0
        elif name == b"fcharset" and number in CHARSETS:
            self._pages[self._now] = CHARSETS[number or 0]
        elif name == b"cpg" and number:
            self._pages[self._now] = number

    def name(self, text: str) -> None:
        """Take a piece of text in the font table, which may be the name of a font."""
        name = text.partition(";")[0].strip()
        if is_known(name):
            self._symbols[self._now] = name

    def symbols(self, font: int | None) -> str:
        """The name of a font whose signs stand for others; empty for any other font."""
        return "" if font is None else self._symbols.get(font, "")

    def codec(self, font: int | None) -> str:
        """The encoding of a font's text; empty when it states none of its own."""
        page = None if font is None else self._pages.get(font)
        return "" if page is None or page == 1252 else codec(page)


class Styles:
    """What paragraphs are by their style."""

    def __init__(self) -> None:
        """Know none."""
        self._levels: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._parents: dict[int, int] = {}
        self._now = 0
        self._is_paragraph = True

    def word(self, name: bytes, number: int | None) -> None:
        """Take one word of the style sheet."""
        if name == b"s":
            self._now, self._is_paragraph = number or 0, True
        elif name in (b"cs", b"ds", b"ts"):
            self._is_paragraph = False
        elif not self._is_paragraph:
            return
        elif name == b"outlinelevel" and 0 <= (number or 0) < 9:
            self._levels[self._now] = (number or 0) + 1
        elif name == b"sbasedon":
            self._parents[self._now] = number or 0

    def name(self, text: str) -> None:
        """Take a piece of a style's name, which ends with a semicolon."""
        if self._is_paragraph:
            self._names[self._now] = self._names.get(self._now, "") + text
        if ";" in text:
            self._now, self._is_paragraph = 0, True

    def end(self) -> None:
        """The style sheet has ended."""
        self._names = {key: name.partition(";")[0].strip().lower() for key, name in self._names.items()}

    def of(self, style: int) -> tuple[int, Role | None]:
        """The level and the role of paragraphs of `style`."""
        level, role = 0, None
        for _ in range(_MOST_PARENTS):
            name = self._names.get(style, "")
            found = _HEADING.match(name)
            level = level or self._levels.get(style, 0) or (int(found[1]) if found else 0)
            role = role or _ROLES.get(name)
            if style not in self._parents or self._parents[style] == style:
                break
            style = self._parents[style]
        return (level or 1 if role == "title" else level), role
