"""Archives as their bytes tell them: a ZIP, or a TAR, plain or compressed, and those not opened here."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Final

from indx_core.errors import InputTooLarge

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = [
    "ARCHIVES",
    "BROKEN",
    "PACKED",
    "archive_type",
    "asks_too_much",
    "is_tar",
    "packed_type",
    "unpacked",
]

_ZIP: Final = "application/zip"
_TAR: Final = "application/x-tar"
ARCHIVES: Final = frozenset((
    _ZIP, _TAR, "application/x-zip-compressed", "application/x-gtar", "application/gzip",
    "application/x-gzip", "application/x-bzip2", "application/x-xz", "application/x-ustar",
))  # fmt: skip
"""Media types under which archives go; what is only compressed goes under some of them too."""

PACKED: Final = {
    "application/vnd.debian.binary-package": "a Debian package",
    "application/vnd.ms-cab-compressed": "a cabinet of Windows",
    "application/vnd.rar": "a RAR archive",
    "application/x-7z-compressed": "a 7-Zip archive",
    "application/x-archive": "an archive of ar",
    "application/x-brotli": "compressed by Brotli",
    "application/x-compress": "compressed by compress",
    "application/x-cpio": "an archive of cpio",
    "application/x-iso9660-image": "the image of a disc",
    "application/x-lz4": "compressed by LZ4",
    "application/x-lzip": "compressed by lzip",
    "application/x-lzma": "compressed by lzma",
    "application/x-lzop": "compressed by lzop",
    "application/x-rpm": "an RPM package",
    "application/x-xar": "a XAR archive",
    "application/zstd": "compressed by Zstandard",
}
"""Media types of what is packed in a way that nothing here unpacks, and what they are called."""

_MARKS: Final = (
    (b"!<arch>\ndebian-binary", "application/vnd.debian.binary-package"),
    (b"!<arch>\n", "application/x-archive"),
    (b"MSCF\0\0\0\0", "application/vnd.ms-cab-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"\x04\x22\x4d\x18", "application/x-lz4"),
    (b"LZIP\x01", "application/x-lzip"),
    (b"\x89LZO\0\r\n\x1a\n", "application/x-lzop"),
    (b"\xed\xab\xee\xdb", "application/x-rpm"),
    (b"xar!\0", "application/x-xar"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
)
_CPIO: Final = re.compile(rb"0707(?:0[12][0-9A-Fa-f]{104}|07[0-7]{70})")
_COMPRESS: Final = re.compile(rb"\x1f\x9d[\x09-\x10\x89-\x90]")
_DISC: Final = 32_769  # where the image of one has its mark
_BLOCK: Final = 512
_STEP: Final = 1_048_576
_MOST_MEMORY: Final = 268_435_456  # that an XZ may ask for: four times what its strongest usual setting does
_XZ: Final = b"\xfd7zXZ\0"
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


def packed_type(head: Buffer) -> str:
    """The media type, one of `PACKED`, of what begins so; empty of anything else."""
    begin = bytes(head[:110])
    if _CPIO.match(begin):
        return "application/x-cpio"
    if _COMPRESS.match(begin):
        return "application/x-compress"
    if bytes(head[_DISC : _DISC + 5]) == b"CD001":
        return "application/x-iso9660-image"
    return next((named for mark, named in _MARKS if begin.startswith(mark)), "")


def is_tar(head: Buffer) -> bool:
    """Whether a buffer begins with the header of a TAR, whole or cut short, or is one compressed."""
    try:
        return _is_header(_first_block(head))
    except InputTooLarge:
        return False


def asks_too_much(head: Buffer) -> bool:
    """Whether a buffer begins an XZ that is not unpacked for the memory it asks for, whatever is in it."""
    try:
        _first_block(head)
    except InputTooLarge:
        return True
    return False


def unpacked(file: BinaryIO, step: int = _STEP) -> Iterator[bytes] | None:
    """What a compressed file holds, in parts of at most `step` bytes; None where it is not compressed.

    Its parts raise one of `BROKEN` where it is damaged, EOFError where it is cut short, and InputTooLarge
    where it asks for more memory than it is given.
    """
    start = file.read(6)
    file.seek(0)
    if start.startswith(_XZ):
        return _unpacked_xz(file, step)
    if start.startswith(b"\x1f\x8b"):  # these need little memory, whatever their header says
        return _unpacked_gzip(file, step)
    return _unpacked_bzip2(file, step) if start.startswith(b"BZh") else None


def _unpacked_bzip2(file: BinaryIO, step: int) -> Iterator[bytes]:
    with bz2.open(file) as plain:
        while part := plain.read1(step):
            yield part


def _unpacked_gzip(file: BinaryIO, step: int) -> Iterator[bytes]:
    """All members of a gzip; anything may stand behind, as for gzip itself."""
    begun = False
    with gzip.open(file) as plain:
        try:
            while part := plain.read1(step):
                begun = True
                yield part
        except gzip.BadGzipFile as error:
            if not (begun and "Not a gzipped file" in str(error)):  # damage has other words
                raise


def _unpacked_xz(file: BinaryIO, step: int) -> Iterator[bytes]:
    """All streams of an XZ; zeros may stand between them, and anything behind."""
    given = file.read(step)
    while given.startswith(_XZ):
        engine = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
        while not engine.eof:
            if engine.needs_input and not (given := given or file.read(step)):
                raise EOFError("it ends within a stream")
            try:
                part, given = engine.decompress(given, step), b""
            except lzma.LZMAError as error:
                if "limit" not in str(error):  # nothing but its words tells it from damage
                    raise
                raise InputTooLarge(
                    f"the XZ asks for more than {_MOST_MEMORY >> 20} MiB to unpack; pack it again with a "
                    "smaller dictionary"
                ) from None
            if part:
                yield part
        given = engine.unused_data.lstrip(b"\0")
        while len(given) < len(_XZ) and (more := file.read(step)):
            given = (given + more).lstrip(b"\0")


def _first_block(head: Buffer) -> bytes:
    """The first block of a buffer, of one compressed as far as it is unpacked and there; empty if damaged.

    Raises:
        InputTooLarge: It asks for more memory than it is given.
    """
    # What is compressed well needs few bytes for its first block; the worst is a block as it was.
    parts = unpacked(BytesIO(bytes(head[:_STEP])), _BLOCK)
    if parts is None:
        return bytes(head[:_BLOCK])
    block = b""
    try:
        while len(block) < _BLOCK and (part := next(parts, b"")):
            block += part
    except EOFError:
        pass  # cut short
    except BROKEN:
        return b""
    return block[:_BLOCK]


def _is_header(block: bytes) -> bool:
    if not block[:1].strip(b"\0"):
        return False
    if len(block) < _BLOCK:  # its checksum tells nothing, its mark does
        return block[257:262] == b"ustar"
    try:
        stated = int(block[148:156].strip(b" \0") or b"x", 8)
    except ValueError:
        return False
    return stated == 256 + sum(block[:148]) + sum(block[156:])
