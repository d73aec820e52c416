"""Base64 in texts: pictures and the like say nothing to readers; they are left out and counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

__all__ = ["without_coded", "without_coded_json", "without_pictures"]

_SIGN: Final = "[A-Za-z0-9+/]"
_LAST: Final = rf"(?={_SIGN}*(?:[0-9+/=]|[a-z][A-Z])){_SIGN}{{0,76}}+={{0,2}}(?=[\s\"'\\<\]]|\Z)"
"""The last line, which may be short; no word."""
_TEXT: Final = re.compile(
    rf"(?<!{_SIGN})(?:(?:{_SIGN}{{60,76}}+\r?\n[ \t]*+){{3,}}+(?:{_LAST})?|{_SIGN}{{256,}}+={{0,2}})"
)
"""What may be Base64, on one line or on many."""
_NEXT: Final = rf'"\s*+,\s*+"(?={_SIGN}{{60}}|{_LAST}(?!"\s*:))'
_BREAK: Final = rf"(?:(?:\\r)?\\n(?:{_NEXT})?|{_NEXT})"
_JSON: Final = re.compile(
    rf"(?:(?<!{_SIGN}|\\)|(?<=\\[nrt]))"
    rf"(?:(?:{_SIGN}{{60,76}}+{_BREAK}){{3,}}+(?:{_LAST})?|{_SIGN}{{256,}}+={{0,2}})(?:\\n)?"
)
"""The same as it stands in JSON, its lines in one string or each in its own."""
_BREAKS: Final = re.compile(r"(?:\\r)?\\n|[^A-Za-z0-9+/]+")
_SHORTEST: Final = b"\1" * 60
_IS_SIGN: Final = bytes(chr(byte).isalnum() or chr(byte) in "+/" for byte in range(128)) + bytes(128)
_PICTURE: Final = re.compile(r"(?<=;base64,)[A-Za-z0-9+/]{256,}+={0,2}")
_DATA_URI: Final = ";base64,"
_BEFORE_JSON: Final = re.compile(
    r'(?<!\\)(?:"(?!text/|application/(?:json|javascript)")[a-z]+/[\w.+-]+"|"(?:png|jpeg|pdf|bdata|__ndarray__)"'
    r'|"encoding"\s*:\s*"base64"\s*,[^{}\\]*"data")\s*:\s*\[?\s*"\Z'
)
"""What says of the string that follows that it is a picture, the numbers of an array or the like."""
_DATA: Final = re.compile(r'(?<!\\)"data"\s*:\s*"\Z')
_ENCODED: Final = re.compile(r'"\s*,[^{}\\]{0,200}?"encoding"\s*:\s*"base64"')
"""What stands around a string that is said to be Base64 behind it."""
_LONGEST_BEFORE: Final = 200
_MIXED: Final = re.compile("(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[^0-9]*[0-9]")
_HASH: Final = 64  # signs of a SHA-384 in Base64; the others are shorter than a line, or longer
_STRETCH: Final = 64  # of Base64 few are without a digit, or without a letter of either case


def without_pictures(text: str) -> tuple[str, int]:
    """`text` without what addresses that are pictures themselves (`data:`) hold, and how many hold much."""
    return _PICTURE.subn("", text) if _DATA_URI in text else (text, 0)


def without_coded(text: str) -> tuple[str, int]:
    """`text` without its long runs of Base64, and how many there are."""
    return _without(text, _TEXT, _is_coded)


def without_coded_json(source: str) -> tuple[str, int]:
    """JSON, whole or not, without its long runs of Base64, and how many there are."""
    return _without(source, _JSON, lambda found: _is_named(found) or _is_coded(found))


def _without(
    text: str, pattern: re.Pattern[str], is_coded: Callable[[re.Match[str]], bool]
) -> tuple[str, int]:
    pieces: list[str] = []
    end = count = 0
    if _SHORTEST not in text.encode("utf-8", "replace").translate(_IS_SIGN):  # far sooner told than searched
        return text, 0
    for found in pattern.finditer(text):
        if is_coded(found):
            pieces.append(text[end : found.start()])
            end, count = found.end(), count + 1
    return ("".join((*pieces, text[end:])), count) if count else (text, 0)


def _is_named(found: re.Match[str]) -> bool:
    """Whether what stands around a run in JSON says that it is Base64."""
    source, start = found.string, max(0, found.start() - _LONGEST_BEFORE)
    if _BEFORE_JSON.search(source, start, found.start()):
        return True
    return bool(_ENCODED.match(source, found.end()) and _DATA.search(source, start, found.start()))


def _is_coded(found: re.Match[str]) -> bool:
    """Whether a run is Base64, by its address or by its letters: sequences of genes and hashes are none."""
    if found.string.startswith(_DATA_URI, max(0, found.start() - len(_DATA_URI))):
        return True
    lines = [line for line in _BREAKS.split(found[0]) if line]
    if len(lines) > 1 and all(len(line) == _HASH for line in lines):
        return False
    run = "".join(lines)
    whole = range(0, len(run) - _STRETCH + 1, _STRETCH)
    mixed = sum(_MIXED.match(run, at, at + _STRETCH) is not None for at in whole)
    return 2 * mixed >= len(whole)
