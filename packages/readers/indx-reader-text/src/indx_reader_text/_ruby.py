"""Readings of words (`ruby`) in Markdown: the text keeps the words whole, the readings stand beside it."""

from __future__ import annotations

import re
from typing import Any, Final

__all__ = ["without_readings"]

MAX_PAIRS: Final = 2000

_ANY: Final = re.compile("<ruby", re.IGNORECASE)
_RUBY: Final = re.compile(r"<ruby\b[^<>]{0,200}>(.{1,1000}?)</ruby>", re.DOTALL | re.IGNORECASE)
_READING: Final = re.compile(r"<rtc?\b[^<>]*>(.*?)(?:</rtc?>|(?=<r)|\Z)", re.DOTALL | re.IGNORECASE)
_BRACKET: Final = re.compile(r"<rp\b[^<>]*>.*?(?:</rp>|(?=<r)|\Z)", re.DOTALL | re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_CODE: Final = re.compile(
    r"(?m)^[ \t>]*(`{3,}|~{3,})[^\n]*\n(?:.*?^[ \t>]*\1[ \t]*$|.*\Z)|`[^`\n]+`", re.DOTALL
)


def without_readings(text: str) -> tuple[str, dict[str, Any]]:
    """`text` in which words stand without their readings, and the pairs of both; code stays as it is."""
    if _ANY.search(text) is None:
        return text, {}
    pairs: dict[tuple[str, str], None] = {}
    more = 0

    def word(found: re.Match[str]) -> str:
        nonlocal more
        inner = _BRACKET.sub("", found[1])
        base = _TAG.sub("", _READING.sub("", inner)).strip()
        reading = "".join(_TAG.sub("", one).strip() for one in _READING.findall(inner))
        if base and reading and (base, reading) not in pairs:
            if len(pairs) < MAX_PAIRS:
                pairs[base, reading] = None
            else:
                more += 1
        return base

    parts: list[str] = []
    position = 0
    for code in _CODE.finditer(text):
        parts += [_RUBY.sub(word, text[position : code.start()]), code[0]]
        position = code.end()
    parts.append(_RUBY.sub(word, text[position:]))
    facts: dict[str, Any] = {}
    if pairs:
        facts["ruby"] = [{"base": base, "reading": reading} for base, reading in pairs]
    if more:
        facts["more_ruby"] = more
    return "".join(parts), facts
