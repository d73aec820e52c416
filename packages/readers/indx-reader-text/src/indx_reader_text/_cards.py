"""vCard and iCalendar: a property a line, put back together where lines were folded, its signs unescaped."""

from __future__ import annotations

import quopri
import re
from typing import Final

from indx_core.canonical import clean_text
from indx_reader_text._marks import Marks

__all__ = ["read_cards"]

_FOLD: Final = re.compile(r"\n[ \t]")
_SOFT: Final = re.compile(r"=\n")
_PROPERTY: Final = re.compile(r"(?P<name>[A-Za-z0-9.-]+)(?P<given>(?:;[^:\n]*)?):(?P<value>.*)")
_QUOTED: Final = re.compile(r"QUOTED-PRINTABLE", re.IGNORECASE)
_CHARSET: Final = re.compile(r"CHARSET=\"?([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_BINARY: Final = re.compile(r"ENCODING=\"?(?:b|base64)\b|VALUE=\"?BINARY", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\([nN,;\\:])")
_STRUCTURED: Final = frozenset(("N", "ADR", "ORG", "GEO", "REQUEST-STATUS"))


def read_cards(source: str) -> Marks:
    """Read `source`: names and values stay, parameters go, and so do pictures and other bytes."""
    lines: list[str] = []
    left_out = 0
    text = _FOLD.sub("", source)
    if _QUOTED.search(text):
        text = _SOFT.sub("", text)
    for line in text.split("\n"):
        found = _PROPERTY.fullmatch(line)
        if found is None:
            if line.strip():
                lines.append(line)
        elif _BINARY.search(found["given"]) or found["value"].startswith("data:"):
            left_out += 1
        else:
            lines.append(f"{found['name']}: {_value(found)}")
    return Marks(clean_text("\n".join(lines)), metadata={"binary_properties": left_out} if left_out else {})


def _value(found: re.Match[str]) -> str:
    value = found["value"]
    if _QUOTED.search(found["given"]):
        named = _CHARSET.search(found["given"])
        data = quopri.decodestring(value.encode("utf-8"))
        try:
            value = data.decode(named[1] if named else "utf-8", "replace")
        except LookupError:
            value = data.decode("utf-8", "replace")
        value = value.replace("\r\n", " ").replace("\n", " ")
    if found["name"].rpartition(".")[2].upper() in _STRUCTURED:
        value = ", ".join(part for part in re.split(r"(?<!\\);", value) if part)
    return _ESCAPE.sub(lambda sign: " " if sign[1] in "nN" else sign[1], value)
