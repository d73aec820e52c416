"""YAML, TOML and Java properties: as written, but characters written as numbers are shown."""

from __future__ import annotations

import re
from typing import Final

from indx_reader_text._marks import Marks

__all__ = ["read_escaped", "read_properties"]

_QUOTED: Final = re.compile(
    r'(?:(?m:^)|(?<=[\s\[{(,:=-]))(?:"""(?:[^"\\]|\\.|"(?!""))*+"""|"(?:[^"\\]|\\.)*+")', re.DOTALL
)
_NUMBERED: Final = re.compile(r"\\[uUx][0-9a-fA-F]{2}")
_BYTES: Final = re.compile(
    r"\\x(?:c[2-9a-f]|d[0-9a-f]|e[0-9a-f]\\x[89ab][0-9a-f]|f[0-4](?:\\x[89ab][0-9a-f]){2})\\x[89ab][0-9a-f]",
    re.IGNORECASE,
)
"""A character of UTF-8 byte by byte, as scripts in a block of YAML spell it."""
_HEX: Final = "[0-9a-fA-F]"
_ESCAPE: Final = re.compile(
    rf"\\(?:u(?P<pair>[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}})|u+(?P<four>{_HEX}{{4}})"
    rf"|U(?P<eight>{_HEX}{{8}})|x(?P<two>{_HEX}{{2}})|(?P<wrapped>\n[ \t]*+(?:\\(?=[ \t]))?)|.)",
    re.DOTALL,
)
_PROPERTY: Final = re.compile(
    rf"\\(?:u(?P<pair>[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}})|u+(?P<four>{_HEX}{{4}})|.)",
    re.DOTALL,
)


def read_escaped(source: str) -> Marks:
    r"""YAML or TOML, `\u65e5` in its quoted strings as the character it stands for.

    A string with such characters is not wrapped in the middle of its words, as writers of YAML do.
    """
    return Marks(_QUOTED.sub(_string, source) if "\\" in source else source)


def read_properties(source: str) -> Marks:
    r"""Java properties, `\u65e5` anywhere as the character it stands for."""
    return Marks(_PROPERTY.sub(_shown, source) if "\\u" in source else source)


def _string(found: re.Match[str]) -> str:
    written = found[0]
    shown = _NUMBERED.search(written) and not _BYTES.search(written)
    return _ESCAPE.sub(_shown, written) if shown else written


def _shown(found: re.Match[str]) -> str:
    if found.lastgroup == "wrapped":
        return ""
    if found.lastgroup is None:
        return found[0]
    if found.lastgroup == "pair":
        shown = bytes.fromhex(found["pair"].replace("\\u", "")).decode("utf-16-be")
    else:
        number = int(found[found.lastgroup], 16)
        shown = chr(number) if number <= 0x10FFFF else ""
    return shown if shown > "\x7f" and shown.isprintable() else found[0]
