"""What was packed before it was stored, as it was before: a Content-Encoding undone within the limit."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from indx_loader_object._objects import StoredObject

__all__ = ["unpacked"]

_PLAIN: Final = frozenset({"", "identity", "aws-chunked"})
"""Names of no packing; the last is of how an object came, which some servers keep with it."""
_PIECE: Final = 1 << 20


def unpacked(wanted: StoredObject, data: bytes, encoding: str, limit: int) -> bytes:
    """The bytes of an object as they were before they were packed.

    Args:
        wanted: The object, for what is to be told of it.
        data: Its bytes as they are stored.
        encoding: Its Content-Encoding.
        limit: The most bytes they may become.

    Raises:
        SourceError: `source_unreadable`; it is packed in a way that is unknown, or twice, or is damaged.
        InputTooLarge: They become more than the limit; no more than that is unpacked.
    """
    packed = [part for part in map(str.strip, encoding.lower().split(",")) if part not in _PLAIN]
    if not packed:
        return data
    if packed not in (["gzip"], ["x-gzip"], ["deflate"]):
        raise wanted.unreadable(
            f"it is stored packed as {', '.join(packed)[:80]!r}, which is not unpacked here; "
            "store it plain, or packed once as gzip"
        )
    try:
        plain = _inflated(data, limit)
    except (zlib.error, EOFError):
        raise wanted.unreadable(
            f"it is said to be packed as {packed[0]}, and is not, or is damaged; store it again"
        ) from None
    if plain is None:
        raise wanted.too_large(limit)
    return plain


def _inflated(data: bytes, limit: int) -> bytes | None:
    """All of it, one stream after the other, or None when there are more than `limit` bytes.

    Raises:
        zlib.error: It is no such stream.
        EOFError: It is cut short.
    """
    if not data:
        return data
    made = bytearray()
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        made += inflater.decompress(data, 1)
    except zlib.error:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)  # deflate without its wrapping
        made += inflater.decompress(data, 1)
    while True:
        if len(made) > limit:
            return None
        left = inflater.unconsumed_tail
        if not inflater.eof:
            part = inflater.decompress(left, min(_PIECE, limit - len(made) + 1))
            if not part and not inflater.eof and not inflater.unconsumed_tail:
                raise EOFError
            made += part
        elif inflater.unused_data.strip(b"\0"):
            data = inflater.unused_data
            inflater = zlib.decompressobj(zlib.MAX_WBITS | 32)
            made += inflater.decompress(data, 1)
        else:
            return bytes(made)
