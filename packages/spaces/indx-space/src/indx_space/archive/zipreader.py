"""A small ZIP reader that trusts nothing: the directory checked whole, members inflated within bounds.

The standard library's reader builds an object for each of the thousands of members, which costs more than
everything else that opening a space does.
"""

from __future__ import annotations

import mmap
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final, NamedTuple, NoReturn

from indx_core.errors import ArchiveError
from indx_space.archive.members import ARCHIVE_SUFFIX, BUILDING
from indx_space.archive.zipformat import (
    CENTRAL,
    CENTRAL_MARK,
    DEFLATED,
    ENCRYPTED_FLAG,
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
    STORED,
    ZIP64_FIELD,
)

__all__ = ["ANOTHER", "Entry", "ZipReader"]

ANOTHER: Final = f"name the archive that a build wrote (NAME{ARCHIVE_SUFFIX}), or build one: {BUILDING} OUT"

_UNSAFE: Final = re.compile(rb"(?:^|/)\.\.(?:/|$)|^/|\\|\x00|^[A-Za-z]:|^$", re.MULTILINE)
_FREE: Final = 64 * 1024 * 1024
_RATIO: Final = 250
"""A member may inflate to 64 MiB, and beyond that to 250 times what it occupies."""

_LONGEST_COMMENT: Final = MAX16


class Entry(NamedTuple):
    """A member as the directory states it."""

    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int


class ZipReader:
    """An open ZIP file, mapped.

    Args:
        path: The file.
        remedy: What helps where it is refused, in place of what does whoever wants to read it.

    Raises:
        ArchiveError: `archive_missing`, `archive_foreign` (no ZIP) or `archive_corrupt`.
    """

    def __init__(self, path: Path, remedy: str | None = None) -> None:
        """Map the file and check its directory."""
        self.path = path
        self._remedy = remedy
        try:
            status = path.stat()
            if not S_ISREG(status.st_mode) or not status.st_size:
                kind = "a folder" if S_ISDIR(status.st_mode) else "an empty or special file"
                self.refuse(f"is not a knowledge space but {kind}", "archive_foreign", ANOTHER)
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.refuse(f"cannot be opened: {reason}", "archive_missing", ANOTHER)
        self._view = memoryview(self._map)
        try:
            self._start, self.entries = self._directory()
        except BaseException:
            self.close()
            raise

    def refuse(self, reason: str, code: str, remedy: str) -> NoReturn:
        """Raise the error that says why the archive cannot be used, and what helps."""
        raise ArchiveError(f"{str(self.path)!r} {reason}; {self._remedy or remedy}", code=code)

    def corrupt(self, reason: str) -> NoReturn:
        """Refuse the archive as damaged."""
        remedy = "build the space again or take another copy"
        self.refuse(f"is damaged: {reason}", "archive_corrupt", remedy)

    def read(self, name: str, size: int) -> bytes:
        """The content of a member, which must be `size` bytes and fit its checksum."""
        data = self.content(name, size)
        if zlib.crc32(data) != self._entry(name).crc:
            self.corrupt(f"{name!r} does not fit its checksum")
        return bytes(data)

    def content(self, name: str, size: int) -> memoryview | bytes:
        """The content of a member without its checksum: a view where it is stored, else inflated."""
        entry = self._entry(name)
        if entry.size != size:
            self.corrupt(f"{name!r} has {entry.size} bytes where {size} are stated")
        packed = self.packed(name)
        if entry.method == STORED:
            if len(packed) != size:
                self.corrupt(f"{name!r} is stored in {len(packed)} bytes, not in {size}")
            return packed
        if size > _FREE and size > _RATIO * len(packed):
            self.corrupt(f"{name!r} would inflate from {len(packed)} to {size} bytes, which no space does")
        inflater = zlib.decompressobj(-15)
        try:
            data = inflater.decompress(packed, size + 1)
        except (zlib.error, MemoryError) as error:
            self.corrupt(f"{name!r} does not inflate ({error})")
        if len(data) != size or not inflater.eof:
            self.corrupt(f"{name!r} does not inflate to the {size} bytes it states")
        return data

    def packed(self, name: str) -> memoryview:
        """The bytes of a member as they lie in the file, found through its local header."""
        entry = self._entry(name)
        if entry.flags & ENCRYPTED_FLAG or entry.method not in (STORED, DEFLATED):
            self.corrupt(f"{name!r} is encrypted or packed by method {entry.method}, which no space uses")
        if entry.offset + LOCAL.size > self._start:
            self.corrupt(f"{name!r} lies outside the file")
        head = LOCAL.unpack_from(self._view, entry.offset)
        named = entry.offset + LOCAL.size
        begin = named + head[9] + head[10]
        if head[0] != LOCAL_MARK or self._view[named : named + head[9]] != name.encode():
            self.corrupt(f"the header of {name!r} is not where the directory says")
        if begin + entry.packed > self._start:
            self.corrupt(f"{name!r} is longer than the file")
        return self._view[begin : begin + entry.packed]

    def view(self) -> memoryview:
        """The whole file."""
        return self._view

    def close(self) -> None:
        """Let the file go. What was handed out keeps its part mapped."""
        try:
            self._view.release()
            self._map.close()
        except BufferError:
            return  # views were handed out

    def _entry(self, name: str) -> Entry:
        entry = self.entries.get(name.encode())
        if entry is None:
            self.corrupt(f"{name!r} is missing")
        return entry

    def _directory(self) -> tuple[int, dict[bytes, Entry]]:
        """Where the directory starts, and every entry by name."""
        start, size, count = self._end()
        entries: dict[bytes, Entry] = {}
        occupied = 0
        for name, entry in self._entries(start, start + size, count):
            entries[name] = entry
            occupied += entry.packed
        if len(entries) != count:
            self.corrupt(f"the directory states {count} members and holds {len(entries)} different ones")
        names = b"\n".join(entries)
        if names.count(b"\n") >= max(1, count) or (entries and _UNSAFE.search(names)):
            self.corrupt("a member's name is a path that leaves the archive, or no name at all")
        if occupied > start:
            self.corrupt("members overlap")
        return start, entries

    def _entries(self, position: int, end: int, count: int) -> Iterator[tuple[bytes, Entry]]:
        view = self._view[position:end].tobytes()
        head, unpack = CENTRAL.size, CENTRAL.unpack_from
        position = 0
        for _ in range(count):
            if position + head > len(view):
                self.corrupt("the directory ends early")
            (mark, _, _, flags, method, _, _, crc, packed, size, name, extra, note, _, _, _, offset) = unpack(
                view, position
            )
            if mark != CENTRAL_MARK:
                self.corrupt("an entry of the directory is damaged")
            begin = position + head
            position = begin + name + extra + note
            if MAX32 in (packed, size, offset):
                fields = view[begin + name : begin + name + extra]
                size, packed, offset = self._wide(fields, size, packed, offset)
            yield view[begin : begin + name], Entry(flags, method, crc, packed, size, offset)

    def _wide(self, fields: bytes, *values: int) -> list[int]:
        """Replace each value of 32 set bits by the next one of the ZIP64 field."""
        body, kind = b"", None
        while len(fields) >= FIELD.size and kind != ZIP64_FIELD:
            kind, length = FIELD.unpack_from(fields)
            body, fields = fields[FIELD.size : FIELD.size + length], fields[FIELD.size + length :]
        if kind != ZIP64_FIELD or len(body) < 8 * values.count(MAX32):
            self.corrupt("a large member does not state its size")
        wide = iter([int.from_bytes(body[i : i + 8], "little") for i in range(0, len(body), 8)])
        return [next(wide) if value == MAX32 else value for value in values]

    def _end(self) -> tuple[int, int, int]:
        """Offset, size and number of entries of the directory."""
        view, length = self._map, len(self._map)
        place = view.rfind(END_MARK, max(0, length - END.size - _LONGEST_COMMENT))
        if place < 0 or place + END.size > length:
            if view[:4] == LOCAL_MARK:
                self.corrupt("its end is missing")
            self.refuse("is not a knowledge space: it is no ZIP file", "archive_foreign", ANOTHER)
        _, disk, first, here, count, size, start, _ = END.unpack_from(view, place)
        limit = place
        locator = place - LOCATOR.size
        if locator >= 0 and view[locator : locator + 4] == LOCATOR_MARK:
            _, _, limit, _ = LOCATOR.unpack_from(view, locator)
            if limit + END64.size > locator or view[limit : limit + 4] != END64_MARK:
                self.corrupt("its ZIP64 end record is missing")
            _, _, _, _, disk, first, here, count, size, start = END64.unpack_from(view, limit)
        if disk or first or here != count or start + size > limit:
            self.corrupt("its directory does not lie in the file")
        return start, size, count
