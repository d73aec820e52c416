"""Archives as their bytes tell them: a ZIP, or a TAR, plain or compressed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["ARCHIVES", "BROKEN", "archive_type", "is_tar", "opener_of"]

_ZIP: Final = "application/zip"
_TAR: Final = "application/x-tar"
ARCHIVES: Final = frozenset((
    _ZIP, _TAR, "application/x-zip-compressed", "application/x-gtar", "application/gzip",
    "application/x-gzip", "application/x-bzip2", "application/x-xz",
))  # fmt: skip
"""Media types under which archives go; what is only compressed goes under some of them too."""

_BLOCK: Final = 512
_STEP: Final = 1_048_576
_MOST_MEMORY: Final = 268_435_456  # that an XZ may ask for: four times what its strongest usual setting does
_PACKED: Final[tuple[tuple[bytes, Callable[..., Any]], ...]] = (
    (b"\x1f\x8b", gzip.open),
    (b"BZh", bz2.open),
    (b"\xfd7zXZ\0", lzma.open),
)
BROKEN: Final = (
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
    MemoryError,
)
"""What reading a damaged TAR raises, or one compressed, which may ask for more memory than there is."""


def archive_type(head: Buffer) -> str:
    """The media type of an archive that begins so; empty of anything else."""
    if bytes(head[:4]) in (b"PK\x03\x04", b"PK\x05\x06"):
        return _ZIP
    return _TAR if is_tar(head) else ""


def is_tar(head: Buffer) -> bool:
    """Whether a buffer begins with the header of a TAR, told by its checksum, or is one compressed."""
    opener = opener_of(bytes(head[:6]))
    if opener is None:
        return _is_header(bytes(head[:_BLOCK]))
    # What is compressed well needs few bytes for its first block; the worst is a block as it was.
    start = bytes(head[:_STEP])
    try:
        if opener is lzma.open:  # the others need little memory, whatever their header asks for
            limited = lzma.LZMADecompressor(memlimit=_MOST_MEMORY)
            return _is_header(limited.decompress(start, _BLOCK))
        with opener(BytesIO(start)) as unpacked:
            return _is_header(unpacked.read(_BLOCK))
    except BROKEN:
        return False


def opener_of(head: bytes) -> Callable[..., Any] | None:
    """What opens a compressed file that begins so; None where it is not compressed."""
    return next((opener for mark, opener in _PACKED if head.startswith(mark)), None)


def _is_header(block: bytes) -> bool:
    if len(block) < _BLOCK or not block[0]:
        return False
    try:
        stated = int(block[148:156].strip(b" \0") or b"x", 8)
    except ValueError:
        return False
    return stated == 256 + sum(block[:148]) + sum(block[156:])
