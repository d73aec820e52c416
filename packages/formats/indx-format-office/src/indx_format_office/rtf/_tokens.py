"""Rich Text Format cut into tokens, and the encodings its fonts and headers name."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Final, TypeAlias

__all__ = ["CHARSETS", "HEX", "RAW", "TEXT", "WORD", "Piece", "codec", "tokens"]

WORD, SIGN, HEX, TEXT, RAW = "word", "sign", "hex", "text", "raw"
Piece: TypeAlias = "tuple[str, bytes, int | None]"
"""What it is, its name or bytes, and the number of a word."""

_TOKEN: Final = re.compile(
    rb"\\(?:([a-zA-Z]{1,32})(-?[0-9]{1,10})?[ ]?|'([0-9a-fA-F]{2})|([^a-zA-Z]))"
    rb"|([{}])|([^\\{}\r\n\0]+)|[\r\n\0]+|\\",
    re.DOTALL,
)

CHARSETS: Final = {
    0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258,
    177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}  # fmt: skip
"""Code pages by the character set that a font states."""

_NAMES: Final = {
    10000: "mac_roman", 10001: "shift_jis", 10006: "mac_greek", 10007: "mac_cyrillic", 936: "gbk",
    1361: "johab", 65001: "utf-8", 28591: "latin-1",
}  # fmt: skip


def codec(page: int | None) -> str:
    """The Python name of a code page; Western European for one that is not known."""
    name = _NAMES.get(page or 0, f"cp{page}")
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name


def tokens(data: bytes) -> Iterator[Piece]:
    r"""The tokens of `data`; the raw bytes that `\bin` announces are one."""
    position = 0
    match = _TOKEN.match
    while found := match(data, position):
        position = found.end()
        place = found.lastindex
        if place in (1, 2):
            number = None if found[2] is None else int(found[2])
            if found[1] == b"bin":
                size = max(0, number or 0)
                if size <= len(data) - position:  # else what it says is wrong, and text would go with it
                    yield RAW, data[position : position + size], None
                    position += size
            else:
                yield WORD, found[1], number
        elif place == 3:
            yield HEX, bytes((int(found[3], 16),)), None
        elif place == 4:
            yield SIGN, found[4], None
        elif place == 5:
            yield found[5].decode("ascii"), b"", None
        elif place == 6:
            yield TEXT, found[6], None
