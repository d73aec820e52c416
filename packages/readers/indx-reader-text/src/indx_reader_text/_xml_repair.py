"""Signs that a parser of XML refuses and people write all the same, made what is meant by them."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final
from xml.parsers.expat import errors

__all__ = ["REPAIRED", "repaired"]

REPAIRED: Final = frozenset(
    errors.codes[refused] for refused in (errors.XML_ERROR_INVALID_TOKEN, errors.XML_ERROR_UNDEFINED_ENTITY)
)
"""Numbers of the errors that come of such signs, among others."""
_AMPERSAND: Final = re.compile(r"&(?!#(?:\d{1,7}|x[\dA-Fa-f]{1,6});)(?:([A-Za-z]\w{0,40});)?")
_MARKUP: Final = "<>&\"'"
_CONTROLS: Final = {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"}
_CDATA: Final = "<![CDATA["


def repaired(source: str) -> str:
    """`source` with `&` where that alone is meant, HTML's entities as characters, and no controls."""
    before, *rest = source.translate(_CONTROLS).split(_CDATA)
    parts = [_AMPERSAND.sub(_meant, before)]
    for part in rest:
        held, end, after = part.partition("]]>")
        parts += [_CDATA, held, end, _AMPERSAND.sub(_meant, after)]
    return "".join(parts)


def _meant(found: re.Match[str]) -> str:
    if not found[1]:
        return "&amp;"
    character = html5.get(f"{found[1]};", "&")
    return found[0] if character in _MARKUP else character
