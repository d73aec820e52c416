"""`data:` URIs (RFC 2397), decoded piece by piece so that the limit bounds the work."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from indx_core.errors import InputTooLarge, SourceError
from indx_core.media import split_media_type
from indx_core.ports import Loaded, SourceContent

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["load"]

_STEP: Final = 1 << 16
_LONGEST_HEAD: Final = 1024
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_BROKEN_ESCAPE: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_WHITE: Final = b" \t\r\n\f"
_NOT_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]")
_DEFAULT: Final = "text/plain"


def load(uri: str, limit: int, deadline: Deadline) -> Loaded:
    """Decode `uri`.

    Raises:
        SourceError: `source_unreadable`, it is malformed.
        InputTooLarge: It decodes to more than `limit` bytes.
    """
    comma = uri.find(",", 0, _LONGEST_HEAD)
    if uri[:5].lower() != "data:" or comma < 0:
        raise SourceError(f"{uri[:40]!r} is no data: URI; write data:<media type>;base64,<data>")
    if "#" in uri:
        raise SourceError(f"{uri[:40]!r} has a '#', where its data would end; write %23 for it")
    media_type, *parameters = (part.strip().lower() for part in uri[5:comma].split(";"))
    pieces = _pieces(uri, comma + 1)
    if "base64" in parameters[-1:]:
        pieces = _from_base64(pieces)
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        deadline.check()
        size += len(piece)
        if size > limit:
            raise InputTooLarge(f"the data: URI has more than {limit} bytes; raise INDX_MAX_INPUT_BYTES")
        parts.append(piece)
    kind = media_type if _MEDIA_TYPE.fullmatch(media_type) else _DEFAULT
    _, charset = split_media_type(";".join(("", *parameters)))
    return Loaded(SourceContent.of_bytes(b"".join(parts), media_type=kind, charset=charset))


def _pieces(uri: str, position: int) -> Iterator[bytes]:
    """The data with percent-encoding undone; no escape is cut in two."""
    while position < len(uri):
        end = position + _STEP
        if end < len(uri):
            percent = uri.rfind("%", end - 2, end)
            end = percent if percent >= 0 else end
        piece = uri[position:end].encode("utf-8", "replace")
        if _BROKEN_ESCAPE.search(piece):
            raise SourceError("the data: URI has a % without two hex digits; write %25 for a percent sign")
        yield unquote_to_bytes(piece)
        position = end


def _from_base64(pieces: Iterator[bytes]) -> Iterator[bytes]:
    waiting = b""
    padded = False
    for piece in pieces:
        symbols = piece.translate(None, _WHITE)
        if padded and symbols.strip(b"="):
            raise _no_base64()
        padded = padded or symbols.endswith(b"=")
        waiting += symbols.rstrip(b"=")
        if _NOT_BASE64.search(waiting):
            raise _no_base64()
        whole = len(waiting) - len(waiting) % 4
        yield binascii.a2b_base64(waiting[:whole])
        waiting = waiting[whole:]
    if len(waiting) == 1:
        raise _no_base64()
    yield binascii.a2b_base64(waiting + b"=" * (-len(waiting) % 4))


def _no_base64() -> SourceError:
    return SourceError("the data: URI is not base64; leave ;base64 out, or check that it is whole")
