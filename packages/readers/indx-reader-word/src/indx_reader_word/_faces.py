"""How runs are set, as far as it changes what is read: letters of symbol fonts, raised numbers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from indx_format_office.names import W
from indx_format_office.symbols import is_known, set_in, spelled
from indx_format_office.values import switched_on, whole

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["UNSTATED", "Face", "face"]

Script = Literal["", "eastern", "complex"]

_VALUE: Final = W + "val"
_FONTS, _SIZE, _SET_AT, _POSITION = W + "rFonts", W + "sz", W + "vertAlign", W + "position"
_TOLD: Final = frozenset((_FONTS, _SIZE, _SET_AT, _POSITION, W + "cs", W + "rtl"))
_ASCII, _OTHERS, _HINT = W + "ascii", W + "hAnsi", W + "hint"
_ASCII_THEME, _OTHERS_THEME = W + "asciiTheme", W + "hAnsiTheme"
_PIECES: Final = re.compile("[\0-\x7f]+|[^\0-\x7f]+")


class Face(NamedTuple):
    """How a text is set.

    Attributes:
        ascii: The symbol font of its letters of ASCII; empty for another font, None where none is stated.
        others: That of its other Western letters.
        script: Whether letters beyond ASCII, or all of them, are in a font of another script than these two.
        raised: Whether it stands raised.
        rise: How much higher than the line it stands, in half points.
        size: Its size in half points, 0 where none is stated.
    """

    ascii: str | None = None
    others: str | None = None
    script: Script | None = None
    raised: bool | None = None
    rise: int | None = None
    size: int = 0

    def over(self, other: Face) -> Face:
        """What this states, and what `other` does where this says nothing."""
        return Face(
            other.ascii if self.ascii is None else self.ascii,
            other.others if self.others is None else self.others,
            other.script if self.script is None else self.script,
            other.raised if self.raised is None else self.raised,
            other.rise if self.rise is None else self.rise,
            self.size or other.size,
        )

    def shown(self, text: str) -> str:
        """A text that is set like this, of symbol fonts the signs that its letters show as."""
        if self.ascii == self.others and not self.script:
            return set_in(self.ascii or "", text)
        return "".join(map(self._shown, _PIECES.findall(text)))

    def _shown(self, piece: str) -> str:
        """What is in the private range is in no font but these, whatever the script."""
        font = (self.ascii if piece.isascii() else self.others) or ""
        if self.script == "complex" or (self.script and not piece.isascii()) or not font:
            return spelled(self.others or self.ascii or "", piece)
        return set_in(font, piece)


UNSTATED: Final = Face()


def face(properties: Element | None) -> Face:
    """How run properties set their text."""
    ascii_, others, script, raised, rise, size = UNSTATED
    for said in () if properties is None else properties:
        tag = said.tag
        if tag not in _TOLD:
            continue
        if tag == _FONTS:
            ascii_, others = _fonts(said)
            if (ascii_ or others) and script is None and (hint := said.get(_HINT)):
                script = "eastern" if hint == "eastAsia" else ""
        elif tag == _SIZE:
            size = whole(said.get(_VALUE))
        elif tag == _SET_AT:
            raised = said.get(_VALUE) == "superscript"
        elif tag == _POSITION:
            rise = whole(said.get(_VALUE), 0, least=-10_000)
        elif switched_on(said.get(_VALUE), default=True):
            script = "complex"
        else:
            script = script or ""
    return Face(ascii_, others, script, raised, rise, size)


def _fonts(said: Element) -> tuple[str | None, str | None]:
    """The fonts of letters of ASCII and of others; a theme, which counts before a name, is of no symbols."""
    ascii_, others = said.get(_ASCII), said.get(_OTHERS)
    if ascii_ is not None and ascii_ == others and not _symbolic(ascii_):
        return "", ""
    return (
        "" if said.get(_ASCII_THEME) is not None else ascii_ and _symbolic(ascii_),
        "" if said.get(_OTHERS_THEME) is not None else others and _symbolic(others),
    )


@lru_cache(maxsize=1000)
def _symbolic(name: str) -> str:
    return name if is_known(name) else ""
