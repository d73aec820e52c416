"""Title, author and the like, as a compound file states them about itself."""

from __future__ import annotations

import codecs
import struct
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from indx_core.canonical import clean_text

__all__ = ["properties"]

_STREAM: Final = "\x05SummaryInformation"
_NAMES: Final = {
    2: "title", 3: "subject", 4: "author", 5: "keywords", 6: "description", 12: "created", 13: "modified",
}  # fmt: skip
_PAGE: Final = 1
_NARROW, _WIDE, _TIME = 30, 31, 64
_MOST_BYTES: Final = 1 << 20
_MOST: Final = 200
_BEGINNING: Final = datetime(1601, 1, 1, tzinfo=UTC)
_UTF_8: Final = 65001


def properties(file: Any) -> dict[str, str]:
    """What an open compound file states about itself; what it leaves empty, or is damaged, is absent."""
    try:
        data: bytes = file.openstream(_STREAM).read(_MOST_BYTES) if file.exists(_STREAM) else b""
        return _read(data)
    except Exception:  # a library's, on bytes that may be anything: a document is read without
        return {}


def _read(data: bytes) -> dict[str, str]:
    (start,) = struct.unpack_from("<L", data, 44)
    (count,) = struct.unpack_from("<L", data, start + 4)
    places = [struct.unpack_from("<LL", data, start + 8 + 8 * at) for at in range(min(count, _MOST))]
    encoding = "cp1252"
    for number, place in places:
        if number == _PAGE:
            encoding = _encoding(struct.unpack_from("<LH", data, start + place)[1])
    found: dict[str, str] = {}
    for number, place in places:
        try:
            text = _value(data, start + place, encoding) if number in _NAMES else ""
        except (struct.error, OverflowError):  # a place outside, a time that is none
            continue
        if text:
            found.setdefault(_NAMES[number], text)
    return {name: found[name] for name in _NAMES.values() if name in found}


def _encoding(page: int) -> str:
    named = "utf-8" if page == _UTF_8 else f"cp{page}"
    try:
        return codecs.lookup(named).name
    except LookupError:
        return "cp1252"


def _value(data: bytes, at: int, encoding: str) -> str:
    kind, size = struct.unpack_from("<LL", data, at)
    if kind == _TIME:
        (ticks,) = struct.unpack_from("<Q", data, at + 4)
        moment = _BEGINNING + timedelta(microseconds=ticks // 10)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if ticks else ""
    if kind not in (_NARROW, _WIDE):
        return ""
    raw = data[at + 8 : at + 8 + (2 * size if kind == _WIDE else size)]
    text = raw.decode("utf-16-le" if kind == _WIDE else encoding, "replace")
    return clean_text(text.partition("\0")[0].strip())
