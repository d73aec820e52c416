"""The encoding that a text states of itself: to editors in its first lines, to LaTeX, by how it shifts."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["stated_encoding"]

_FIRST_LINES: Final = re.compile(rb"(?:[^\r\n]*(?:\r\n|\r|\n)){0,2}")
_EDITOR: Final = re.compile(
    rb"coding[:=][ \t]*[\"']?([A-Za-z][\w.-]{0,40})|%[ \t]*!TEX[ \t]+encoding[ \t]*=[ \t]*([\w.-]{1,40})",
    re.IGNORECASE,
)
"""What Emacs, Vim, Python, docutils and the editors of TeX look for."""
_PREAMBLE: Final = re.compile(
    rb"(?:\A|[\r\n])[^%\r\n]{0,500}?\\"
    rb"(?:(?:usepackage|RequirePackage)[ \t]*\[([\w-]{1,40})\][ \t]*\{inputenc\}"
    rb"|inputencoding[ \t]*\{([\w-]{1,40})\})"
)
_SHIFT: Final = re.compile(rb"\x1b\$(?:([@B])|\)C)")
"""How a text of seven bits goes over to the letters of Japan, or says that it will to those of Korea."""
_SAMPLE: Final = 1 << 16
_LINE_ENDS: Final = re.compile(r"-(?:unix|dos|mac)$")
_NAMES: Final = {
    "ansinew": "cp1252", "applemac": "mac-roman", "macce": "mac-latin2", "latin10": "iso8859-16",
    "utf8x": "utf-8", "windowslatin1": "cp1252", "macosroman": "mac-roman", "isolatin": "latin-1",
    "isolatin9": "latin9",
}  # fmt: skip
"""Names that Python does not know."""


def stated_encoding(data: bytes) -> str | None:
    """The name of the encoding that `data` says it is in, as Python may know it; None where it says none."""
    first = _FIRST_LINES.match(data[:2000])
    found = _EDITOR.search(first[0]) if first else None
    if found is None and b"inputenc" in data[:_SAMPLE]:
        found = _PREAMBLE.search(data[:_SAMPLE])
    if found is None:
        return _by_shifts(data)
    name = _LINE_ENDS.sub("", (found[1] or found[2]).decode("ascii", "replace").lower())
    return _NAMES.get(name, name)


def _by_shifts(data: bytes) -> str | None:
    found = _SHIFT.search(data[:_SAMPLE]) if b"\x1b$" in data[:_SAMPLE] else None
    if found is None:
        return None
    return "iso2022_jp_ext" if found[1] else "iso2022_kr"
