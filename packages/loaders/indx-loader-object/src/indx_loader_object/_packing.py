"""What was packed, for the way or before, as it was: a Content-Encoding undone piece by piece."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

__all__ = ["PackingError", "unpacked"]

_PLAIN: Final = frozenset({"", "identity", "aws-chunked"})
"""Names of no packing; the last is of how an object came to S3, which some servers keep with it."""
_KNOWN: Final = (["gzip"], ["x-gzip"], ["deflate"])
_IN: Final = 1 << 13
"""How much is given to zlib at once: it copies what it leaves, once for each of the streams in it."""
_OUT: Final = 1 << 20


class PackingError(Exception):
    """It is packed in a way that is unknown, or twice, or is damaged; the text says which."""


def unpacked(pieces: Iterable[bytes], encoding: str, limit: int) -> Iterator[bytes]:
    """A body as it was before it was packed.

    Whoever takes the pieces counts them, and stops at the limit or when the time is up: there may be empty
    ones without end.

    Args:
        pieces: The body as it comes.
        encoding: Its Content-Encoding.
        limit: The most bytes that are wanted; no piece goes further past it than by one byte.

    Raises:
        PackingError: At once where the packing is unknown, and later where the body is damaged.
    """
    packed = [part for part in map(str.strip, encoding.lower().split(",")) if part not in _PLAIN]
    if not packed:
        return iter(pieces)
    if packed not in _KNOWN:
        raise PackingError(f"it is packed as {', '.join(packed)[:80]!r}, which is not unpacked here")
    return _told(_inflated(pieces, limit), packed[0])


def _told(parts: Iterator[bytes], packing: str) -> Iterator[bytes]:
    try:
        yield from parts
    except (zlib.error, EOFError):
        raise PackingError(f"it is said to be packed as {packing}, and is not, or is damaged") from None


def _inflated(pieces: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """All of it, one stream after the other, with zeros between and after them.

    Raises:
        zlib.error: It is no such stream.
        EOFError: It is cut short.
    """
    left, wbits = limit + 1, 0
    inflater = None
    waiting = b""
    for piece in _small(pieces):
        waiting += piece
        while True:
            if inflater is None:
                waiting = waiting.lstrip(b"\0") if wbits else waiting
                if len(waiting) < 2:
                    break
                wbits = wbits or _wrapping(waiting[:2])
                inflater = zlib.decompressobj(wbits)
            most = max(1, min(_OUT, left))
            part = inflater.decompress(waiting, most)
            left -= len(part)
            yield part
            if inflater.eof:
                waiting = inflater.unused_data
                inflater = None
                continue
            waiting = inflater.unconsumed_tail
            if not waiting and len(part) < most:
                break
    if waiting or inflater is not None:
        raise EOFError


def _small(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), _IN):
            yield piece[start : start + _IN]


def _wrapping(head: bytes) -> int:
    """How zlib is told of the wrapping that begins so; of deflate there is one without."""
    try:
        zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(head)
    except zlib.error:
        return -zlib.MAX_WBITS
    return zlib.MAX_WBITS | 32
