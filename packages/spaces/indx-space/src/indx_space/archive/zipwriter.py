"""A small ZIP writer: the same bytes for the same content, members aligned on request, ZIP64 where needed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final

from indx_space.archive.zipformat import (
    CENTRAL,
    CENTRAL_MARK,
    DEFLATED,
    END,
    END64,
    END64_MARK,
    END_MARK,
    FIELD,
    LOCAL,
    LOCAL_MARK,
    LOCATOR,
    LOCATOR_MARK,
    MAX16,
    MAX32,
    PADDING_FIELD,
    STORED,
    ZIP64_FIELD,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from indx_space.archive.zipreader import Entry

__all__ = ["EARLIEST", "Member", "ZipWriter", "deflated_part"]

EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment the format can state."""

_NO_MORE_PARTS: Final = b"\x03\x00"
"""An empty last block: what ends a member that was deflated part by part."""

_MADE_BY_UNIX: Final = 3 << 8
_PLAIN: Final = 20
_WITH_ZIP64: Final = 45
_READABLE_FILE: Final = 0o100644 << 16
_ZIP64_ROOM: Final = 20


@dataclass(slots=True)
class Member:
    """A member as written."""

    name: bytes
    method: int
    offset: int
    crc: int = 0
    packed: int = 0
    size: int = 0


@dataclass(slots=True)
class _Stream:
    """Takes the content of one member."""

    file: BinaryIO
    member: Member
    deflater: zlib._Compress | None = field(default=None)
    by_parts: bool = False

    def write_part(self, data: Buffer, packed: bytes | memoryview) -> None:
        """Append what `deflated_part` made of `data`."""
        self.member.size += memoryview(data).nbytes
        self.member.crc = zlib.crc32(data, self.member.crc)
        self._put(packed)

    def write(self, data: Buffer) -> None:
        """Append to the member."""
        size = memoryview(data).nbytes
        self.member.size += size
        self.member.crc = zlib.crc32(data, self.member.crc)
        if self.deflater is None:
            self.file.write(data)
            self.member.packed += size
        else:
            self._put(self.deflater.compress(data))

    def finish(self) -> None:
        """Write what is still held back."""
        if self.deflater is not None:
            self._put(self.deflater.flush())
        elif self.by_parts:
            self._put(_NO_MORE_PARTS)

    def _put(self, packed: bytes | memoryview) -> None:
        self.file.write(packed)
        self.member.packed += len(packed)


class ZipWriter:
    """Writes members one after another, then the directory.

    Args:
        file: Where to, at its start; seekable.
        moment: The time every member states.
        limit: What 32 bits may hold; a test lowers it to see ZIP64 without writing 4 GiB.
    """

    def __init__(
        self, file: BinaryIO, *, moment: tuple[int, int, int, int, int, int] = EARLIEST, limit: int = MAX32
    ) -> None:
        """Write nothing yet."""
        self._file = file
        self._limit = limit
        year, month, day, hour, minute, second = moment
        self._date = (year - 1980) << 9 | month << 5 | day
        self._time = hour << 11 | minute << 5 | second // 2
        self.members: list[Member] = []

    def add(self, name: str, data: bytes, *, level: int = 0) -> None:
        """Write a member whose content is at hand, deflated where `level` is not 0."""
        packed = _deflated(data, level) if level else data
        member = Member(
            name.encode("ascii"),
            DEFLATED if level else STORED,
            self._file.tell(),
            zlib.crc32(data),
            len(packed),
            len(data),
        )
        large = self._is_large(member)
        self._file.write(self._local(member, self._zip64_sizes(member) if large else b"", large))
        self._file.write(packed)
        self.members.append(member)

    def copy(self, source: memoryview, entries: Sequence[tuple[str, Entry]]) -> None:
        """Write members again that `add` wrote one behind the other into another file, as they are there."""
        (_, first), (name, last) = entries[0], entries[-1]
        moved = self._file.tell() - first.offset
        self._file.write(source[first.offset : last.offset + LOCAL.size + len(name) + last.packed])
        self.members += [
            Member(name.encode("ascii"), one.method, one.offset + moved, one.crc, one.packed, one.size)
            for name, one in entries
        ]

    @contextmanager
    def stream(
        self, name: str, *, level: int = 0, align: int = 1, by_parts: bool = False
    ) -> Iterator[_Stream]:
        """Write a member piece by piece, or by parts that are deflated each for itself.

        Its first byte falls on a multiple of `align`.
        """
        member = Member(name.encode("ascii"), DEFLATED if level else STORED, self._file.tell())
        room = self._padding(member, align)
        self._file.write(self._local(member, room, large=False))
        deflater = zlib.compressobj(level, zlib.DEFLATED, -15) if level and not by_parts else None
        stream = _Stream(self._file, member, deflater, by_parts)
        yield stream
        stream.finish()
        end = self._file.tell()
        large = self._is_large(member)
        if large:
            room = self._zip64_sizes(member) + _padding_field(len(room) - _ZIP64_ROOM)
        self._file.seek(member.offset)
        self._file.write(self._local(member, room, large))
        self._file.seek(end)
        self.members.append(member)

    def close(self) -> None:
        """Write the directory. The file itself stays open."""
        start = self._file.tell()
        self._file.write(b"".join(map(self._directory_entry, self.members)))
        end = self._file.tell()
        count, size = len(self.members), end - start
        if count >= MAX16 or size >= self._limit or start >= self._limit:
            versions = (_MADE_BY_UNIX | _WITH_ZIP64, _WITH_ZIP64)
            record = END64.pack(END64_MARK, END64.size - 12, *versions, 0, 0, count, count, size, start)
            self._file.write(record + LOCATOR.pack(LOCATOR_MARK, 0, end, 1))
        entries = min(count, MAX16)
        self._file.write(END.pack(END_MARK, 0, 0, entries, entries, self._short(size), self._short(start), 0))

    def _is_large(self, member: Member) -> bool:
        return member.size >= self._limit or member.packed >= self._limit

    def _short(self, value: int) -> int:
        return value if value < self._limit else MAX32

    def _local(self, member: Member, extra: bytes, large: bool) -> bytes:
        sizes = (MAX32, MAX32) if large else (member.packed, member.size)
        version = _WITH_ZIP64 if large else _PLAIN
        head = (LOCAL_MARK, version, 0, member.method, self._time, self._date, member.crc, *sizes)
        return LOCAL.pack(*head, len(member.name), len(extra)) + member.name + extra

    def _zip64_sizes(self, member: Member) -> bytes:
        sizes = (member.size, member.packed)
        return FIELD.pack(ZIP64_FIELD, 16) + b"".join(value.to_bytes(8, "little") for value in sizes)

    def _padding(self, member: Member, align: int) -> bytes:
        """An extra field that leaves room for ZIP64 sizes and brings the content to its place."""
        least = _ZIP64_ROOM + FIELD.size + 2
        start = member.offset + LOCAL.size + len(member.name) + least
        return _padding_field(least + -start % align)

    def _directory_entry(self, member: Member) -> bytes:
        extra, wide = b"", []
        if max(member.size, member.packed, member.offset) >= self._limit:
            wide = [v for v in (member.size, member.packed, member.offset) if v >= self._limit]
            extra = FIELD.pack(ZIP64_FIELD, 8 * len(wide))
            extra += b"".join(value.to_bytes(8, "little") for value in wide)
        version = _WITH_ZIP64 if wide else _PLAIN
        head = (CENTRAL_MARK, _MADE_BY_UNIX | version, version, 0, member.method, self._time, self._date)
        sizes = (member.crc, self._short(member.packed), self._short(member.size))
        lengths = (len(member.name), len(extra), 0, 0, 0, _READABLE_FILE, self._short(member.offset))
        return CENTRAL.pack(*head, *sizes, *lengths) + member.name + extra


def deflated_part(data: Buffer, level: int) -> bytes:
    """Deflate by itself: equal parts are packed alike wherever they stand."""
    deflater = zlib.compressobj(level, zlib.DEFLATED, -15)
    return deflater.compress(data) + deflater.flush(zlib.Z_SYNC_FLUSH)


def _deflated(data: bytes, level: int) -> bytes:
    """Deflate with a window no larger than the data: a full one costs more to set up than a chunk to pack."""
    window = min(max(len(data).bit_length(), 12), 15)
    deflater = zlib.compressobj(level, zlib.DEFLATED, -window, window - 7)
    return deflater.compress(data) + deflater.flush()


def _padding_field(length: int) -> bytes:
    return FIELD.pack(PADDING_FIELD, length - FIELD.size) + b"\x01\x00" + bytes(length - FIELD.size - 2)
