"""The HTML that a mail program wrapped in Rich Text Format, taken out again."""

from __future__ import annotations

from typing import Final

from indx_core.errors import SourceError
from indx_format_office.rtf._tokens import CHARSETS, HEX, TEXT, WORD, codec, tokens

__all__ = ["wrapped_html"]

MAX_DEPTH: Final = 2_000
_HEAD: Final = 4_096
_SKIPPED: Final = frozenset((b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pntext", b"mhtmltag"))
_WORDS: Final = {
    b"par": "\r\n", b"line": "\r\n", b"tab": "\t", b"lquote": "&lsquo;", b"rquote": "&rsquo;",
    b"ldblquote": "&ldquo;", b"rdblquote": "&rdquo;", b"bullet": "&bull;", b"endash": "&ndash;",
    b"emdash": "&mdash;",
}  # fmt: skip
_ESCAPED: Final = {b"{": "{", b"}": "}", b"\\": "\\", b"~": "&nbsp;", b"_": "&shy;"}


class _Group:
    """What holds in a group: whether it is passed over, its font's encoding, how long a substitute is."""

    __slots__ = ("codec", "skipped", "substitute", "suppressed")

    def __init__(self, other: _Group | None = None) -> None:
        self.skipped: bool = other.skipped if other else False
        self.suppressed: bool = other.suppressed if other else False
        self.codec: str = other.codec if other else ""
        self.substitute: int = other.substitute if other else 1


def wrapped_html(data: bytes) -> str | None:
    """The HTML inside `data`; None when it wraps none.

    Raises:
        SourceError: Its groups are nested too deeply.
    """
    if b"\\fromhtml" not in data[:_HEAD]:
        return None
    return _Unwrapper(data).text()


class _Unwrapper:
    """Follows the groups of one text."""

    def __init__(self, data: bytes) -> None:
        self._parts: list[str] = []
        self._bytes = bytearray()
        self._default = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = -1
        self._data = data
        self._group = _Group()
        self._skip = 0
        self._starred = self._in_fonts = False

    def text(self) -> str:
        """The HTML."""
        stack: list[_Group] = []
        for kind, name, number in tokens(self._data):
            if kind == "{":
                self._flush()
                stack.append(self._group)
                if len(stack) > MAX_DEPTH:
                    raise SourceError(
                        "the text is no Rich Text: its groups are nested too deeply; save it anew"
                    )
                self._group = _Group(self._group)
                self._starred = False
                self._skip = 0
            elif kind == "}":
                self._flush()
                self._group = stack.pop() if stack else _Group()
                self._in_fonts = self._in_fonts and self._group.skipped
                self._skip = 0
            elif kind == WORD:
                self._word(name, number)
            elif kind in (TEXT, HEX):
                taken = name[self._skip :]
                self._skip = max(0, self._skip - len(name))
                if not self._hushed():
                    self._bytes += taken
            elif name == b"*":
                self._starred = True
            elif self._skip:
                self._skip -= 1
            elif not self._hushed():
                self._flush()
                self._parts.append(_ESCAPED.get(name, ""))
        self._flush()
        return "".join(self._parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _hushed(self) -> bool:
        return self._group.skipped or self._group.suppressed

    def _word(self, name: bytes, number: int | None) -> None:
        self._flush()
        group = self._group
        starred, self._starred = self._starred, False
        if name == b"htmlrtf":
            group.suppressed = number != 0
        elif name in _SKIPPED or (starred and name != b"htmltag"):
            self._in_fonts = self._in_fonts or name == b"fonttbl"
            group.skipped = True
        elif name == b"ansicpg":
            self._default = codec(number)
        elif name == b"f":
            self._font = number or 0
            group.codec = self._fonts.get(self._font, "")
        elif name == b"fcharset" and self._in_fonts:
            if number in CHARSETS:
                self._fonts[self._font] = codec(CHARSETS[number or 0])
        elif name == b"plain":
            group.codec = ""
        elif name == b"uc":
            group.substitute = min(max(number or 0, 0), 16)
        elif name == b"u":
            if not self._hushed():
                self._parts.append(chr((number or 0) & 0xFFFF))
            self._skip = group.substitute
        elif name in _WORDS and not self._hushed():
            self._parts.append(_WORDS[name])

    def _flush(self) -> None:
        if self._bytes:
            self._parts.append(self._bytes.decode(self._group.codec or self._default, "replace"))
            self._bytes.clear()
