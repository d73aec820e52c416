"""A web page that Safari saved (`.webarchive`): a property list of it, its frames and what they show."""

from __future__ import annotations

import plistlib
import re
from email.message import Message
from typing import Any, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_reader_email._mime import Part

__all__ = ["BEGINNING", "parts_of"]

BEGINNING: Final = b"bplist00"
"""What a binary property list begins with."""

_MOST: Final = 1_000  # frames; pages have a few
_MOST_VALUES: Final = 1_000_000  # a hundred times what pages have
_MOST_AGAIN: Final = 1 << 24  # bytes of pages in several frames that the file has once
_COUNT: Final = slice(-24, -16)  # where a list says how many values it has
_TYPE: Final = re.compile(r"[\w.+-]{1,100}/[\w.+-]{1,100}", re.ASCII)
_CHARSET: Final = re.compile(r"[\w.:-]{1,100}", re.ASCII)


def parts_of(data: bytes) -> Part:
    """The page and those in its frames, as parts of a message.

    Raises:
        SourceError: `source_unreadable`, it is damaged.
        InputTooLarge: It has more frames than a page may have, or far more in them than there are bytes.
    """
    if _MOST_VALUES < int.from_bytes(data[_COUNT], "big") < len(data):  # where it may be true
        raise InputTooLarge(f"the web archive has more than {_MOST_VALUES:,} values; save the page as HTML")
    try:
        found = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise SourceError("no web archive: its property list is damaged; save the page again") from None
    whole = Part(Message(), "multipart/related", b"", 0, 0)
    waiting, seen = [found], set[int]()
    left = len(data) + _MOST_AGAIN
    while waiting:
        archive = waiting.pop()
        if not isinstance(archive, dict) or id(archive) in seen:
            continue
        seen.add(id(archive))
        frames = archive.get("WebSubframeArchives")
        frames = frames if isinstance(frames, list) else []
        if len(seen) > _MOST or len(frames) > _MOST:
            raise InputTooLarge(f"the web archive has more than {_MOST:,} frames; save the page it is about")
        page = archive.get("WebMainResource")
        if isinstance(page, dict) and isinstance(page.get("WebResourceData"), bytes):
            whole.children.append(_part(page, page["WebResourceData"]))
            left -= len(page["WebResourceData"])
            if left < 0:
                raise InputTooLarge(
                    "frames of the web archive show one page again and again; save it as HTML"
                )
        waiting += reversed(frames)
    return whole


def _part(page: dict[str, Any], data: bytes) -> Part:
    kind = _said(page, "WebResourceMIMEType", _TYPE) or "text/html"
    charset = _said(page, "WebResourceTextEncodingName", _CHARSET)
    header = Message()
    header["Content-Type"] = f"{kind}; charset={charset}" if charset else kind
    place = page.get("WebResourceURL")  # which may be anything, and as a list of itself twice endless
    header["Content-Location"] = " ".join(place.split()) if isinstance(place, str) else ""
    header["Content-Transfer-Encoding"] = "binary"
    return Part(header, kind.lower(), data, 0, len(data))


def _said(page: dict[str, Any], name: str, pattern: re.Pattern[str]) -> str:
    said = page.get(name)
    return said if isinstance(said, str) and pattern.fullmatch(said) else ""
