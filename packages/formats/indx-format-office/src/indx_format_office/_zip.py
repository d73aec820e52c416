"""The ZIP container of a package, read from a buffer with its bounds enforced while inflating.

`zipfile` makes an object for every entry before anybody can count them and wants a file, not a buffer. A
sniffer looks for one name in a mapped file, and a hostile archive must cost nothing: both read the central
directory here, entry by entry, and stop as soon as they know enough.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from indx_core.errors import InputTooLarge, SourceError

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = [
    "MAX_ENTRIES",
    "MAX_PART_BYTES",
    "MAX_RATIO",
    "MAX_TOTAL_BYTES",
    "Archive",
    "Entry",
    "entries",
    "inflate",
]

MAX_ENTRIES: Final = 20_000
MAX_PART_BYTES: Final = 512 * 1024 * 1024
MAX_TOTAL_BYTES: Final = 1024 * 1024 * 1024
MAX_RATIO: Final = 250
RATIO_FREE_BYTES: Final = 8 * 1024 * 1024
"""What a part may inflate to before its ratio is looked at: small repetitive parts are no threat."""

CHUNK: Final = 64 * 1024
_END: Final = struct.Struct("<4s4H2LH")
_END64_LOCATOR: Final = struct.Struct("<4sLQL")
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_STORED, _DEFLATED = 0, 8
_ENCRYPTED_FLAG, _UTF8_FLAG = 0x1, 0x800
_MAX_COMMENT: Final = 65_535


class Entry(NamedTuple):
    """One entry of the central directory; `name` has forward slashes and no leading one."""

    name: str
    offset: int
    compressed: int
    size: int
    crc: int
    method: int
    encrypted: bool


def _directory(buffer: Buffer) -> tuple[int, int, int] | None:
    """Where the central directory starts and ends, and what precedes the archive; None when there is none."""
    end = buffer.rfind(b"PK\x05\x06", max(0, len(buffer) - _MAX_COMMENT - _END.size))
    if end < 0 or end + _END.size > len(buffer):
        return None
    size, offset = _END.unpack_from(buffer, end)[5:7]
    locator = end - _END64_LOCATOR.size
    if locator >= 0 and buffer[locator : locator + 4] == b"PK\x06\x07":
        record = locator - _END64.size
        if record >= 0 and buffer[record : record + 4] == b"PK\x06\x06":
            size, offset = _END64.unpack_from(buffer, record)[8:10]
            end = record
    start = end - size
    if start < 0 or start < offset:
        return None
    return start, end, start - offset


def entries(buffer: Buffer) -> Iterator[Entry]:
    """The entries of the central directory in its order; ends early where the directory is damaged.

    Raises:
        SourceError: `source_unreadable`: there is no central directory, as in a file that was cut short.
    """
    place = _directory(buffer)
    if place is None:
        raise SourceError("the ZIP container has no directory: the file is cut short; send it whole")
    position, end, lead = place
    while position + _CENTRAL.size <= end:
        fields = _CENTRAL.unpack_from(buffer, position)
        if fields[0] != b"PK\x01\x02":
            return
        flags, method, crc, compressed, size = fields[3], fields[4], *fields[7:10]
        name_length, extra_length, comment_length, offset = *fields[10:13], fields[16]
        at = position + _CENTRAL.size
        raw = buffer[at : at + name_length]
        if 0xFFFFFFFF in (compressed, size, offset):
            extra = buffer[at + name_length : at + name_length + extra_length]
            size, compressed, offset = _zip64(extra, size, compressed, offset)
        encoding = "utf-8" if flags & _UTF8_FLAG or raw.isascii() else "cp437"
        name = raw.decode(encoding, "replace")
        yield Entry(
            name.replace("\\", "/").lstrip("/"),
            offset + lead,
            compressed,
            size,
            crc,
            method,
            bool(flags & _ENCRYPTED_FLAG),
        )
        position = at + name_length + extra_length + comment_length


def _zip64(extra: bytes, size: int, compressed: int, offset: int) -> tuple[int, int, int]:
    """The true sizes and offset out of a ZIP64 extra field, which holds only those that overflowed."""
    position = 0
    while position + 4 <= len(extra):
        tag, length = struct.unpack_from("<2H", extra, position)
        if tag == 1:
            field = extra[position + 4 : position + 4 + length]
            values = iter(struct.unpack(f"<{len(field) // 8}Q", field[: len(field) // 8 * 8]))
            size, compressed, offset = (
                next(values, value) if value == 0xFFFFFFFF else value for value in (size, compressed, offset)
            )
            break
        position += 4 + length
    return size, compressed, offset


def inflate(buffer: Buffer, entry: Entry) -> Iterator[bytes]:
    """The bytes of `entry` in pieces of bounded size; nobody has yet said that there are not too many.

    Raises:
        SourceError: `source_unreadable` when it is damaged or packed in a way packages do not use,
            `source_encrypted` when it is locked.
    """
    start, end = _extent(buffer, entry)
    if entry.method == _STORED:
        for position in range(start, end, CHUNK):
            yield buffer[position : min(position + CHUNK, end)]
        return
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    waiting = b""
    while not inflater.eof:
        if not waiting:
            waiting = buffer[start : min(start + CHUNK, end)]
            start += len(waiting)
        exhausted = not waiting
        try:
            piece = inflater.decompress(waiting, 4 * CHUNK)
        except zlib.error:
            raise _damaged(entry) from None
        waiting = inflater.unconsumed_tail
        if piece:
            yield piece
        elif exhausted and not inflater.eof:
            raise _damaged(entry)


def _extent(buffer: Buffer, entry: Entry) -> tuple[int, int]:
    """Where the packed bytes of `entry` start and end."""
    if entry.encrypted:
        raise SourceError(
            f"the part {entry.name!r} is encrypted; send the file without a password", code="source_encrypted"
        )
    if entry.method not in (_STORED, _DEFLATED):
        raise SourceError(f"the part {entry.name!r} is packed by method {entry.method}, not by deflate")
    header_end = entry.offset + _LOCAL.size
    if header_end > len(buffer):
        raise _damaged(entry)
    fields = _LOCAL.unpack_from(buffer, entry.offset)
    start: int = header_end + fields[9] + fields[10]
    end = start + entry.compressed
    if fields[0] != b"PK\x03\x04" or end > len(buffer):
        raise _damaged(entry)
    return start, end


class Archive:
    """The entries of a ZIP container by name, inflated within bounds.

    Names are compared without regard to case, as part names are. Of two entries with one name the first
    counts. Every byte inflated counts towards the archive's total, so reading a part twice counts twice.
    """

    def __init__(self, buffer: Buffer) -> None:
        """Read the central directory of `buffer`, which must outlive the archive.

        Raises:
            SourceError: `source_unreadable`: it is no ZIP container, or one that was cut short.
            InputTooLarge: It has more entries than `MAX_ENTRIES`.
        """
        self._buffer = buffer
        self._inflated = 0
        self._entries: dict[str, Entry] = {}
        for count, entry in enumerate(entries(buffer), start=1):
            if count > MAX_ENTRIES:
                raise InputTooLarge(f"the file holds more than {MAX_ENTRIES} parts; split it")
            self._entries.setdefault(entry.name.lower(), entry)

    def __contains__(self, name: str) -> bool:
        """Whether there is such an entry."""
        return name.lower() in self._entries

    def names(self) -> list[str]:
        """The entries' names, in the order of the directory."""
        return [entry.name for entry in self._entries.values()]

    def size(self, name: str) -> int:
        """The inflated size that the directory states, to be believed only as a hint."""
        return self._entries[name.lower()].size

    def read(self, name: str, *, limit: int = MAX_PART_BYTES) -> bytes:
        """The whole entry `name`.

        Raises:
            SourceError: `source_unreadable` when it is not there or damaged, `source_encrypted` when locked.
            InputTooLarge: It inflates past `limit`, the archive's total, or the ratio allowed.
        """
        return b"".join(self.chunks(name, limit=limit))

    def chunks(self, name: str, *, limit: int = MAX_PART_BYTES) -> Iterator[bytes]:
        """The entry `name` piece by piece, under the rules of `read`; its checksum is compared at the end."""
        entry = self._entries.get(name.lower())
        if entry is None:
            raise SourceError(f"the part {name!r} is missing from the file")
        crc = inflated = 0
        for piece in inflate(self._buffer, entry):
            inflated += len(piece)
            self._inflated += len(piece)
            self._enforce(entry, inflated, limit)
            crc = zlib.crc32(piece, crc)
            yield piece
        if crc != entry.crc or inflated != entry.size:
            raise _damaged(entry)

    def _enforce(self, entry: Entry, inflated: int, limit: int) -> None:
        if inflated > limit:
            raise InputTooLarge(f"the part {entry.name!r} inflates past {limit} bytes; split the document")
        if self._inflated > MAX_TOTAL_BYTES:
            raise InputTooLarge(f"the file inflates past {MAX_TOTAL_BYTES} bytes; split the document")
        if inflated > RATIO_FREE_BYTES and inflated > MAX_RATIO * max(entry.compressed, 1):
            raise InputTooLarge(
                f"the part {entry.name!r} inflates to over {MAX_RATIO} times its size; save the document anew"
            )


def _damaged(entry: Entry) -> SourceError:
    return SourceError(f"the part {entry.name!r} is damaged; send the file again")
