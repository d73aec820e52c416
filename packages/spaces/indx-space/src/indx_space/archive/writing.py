"""Writes an archive member by member, keeping the size and the SHA-256 of each for the manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import orjson

from indx_space.archive.members import ALIGNMENT, ARCHIVE_VERSION, MANIFEST, zip_moment
from indx_space.archive.zipwriter import ZipWriter, deflated_part

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from indx_space.archive.reading import Archive
    from indx_space.archive.zipwriter import _Stream

__all__ = ["ArchiveWriter"]

_LEVEL: Final = 1
"""Higher levels take twice the time for a tenth of the size."""


def _sum(sha256: str, size: int) -> dict[str, Any]:
    """What the manifest says of a member."""
    return {"sha256": sha256, "size": size}


class MemberStream:
    """Takes the content of one member."""

    def __init__(self, stream: _Stream) -> None:
        """Nothing written."""
        self._stream = stream
        self._hash = hashlib.sha256()
        self._size = 0

    def write(self, data: Buffer) -> None:
        """Append to the member."""
        self._hash.update(data)
        self._size += memoryview(data).nbytes
        self._stream.write(data)

    def write_part(self, data: Buffer, packed: bytes | memoryview | None = None) -> int:
        """Append a part, packed here where it is not yet; returns how long it is packed."""
        self._hash.update(data)
        self._size += memoryview(data).nbytes
        made = deflated_part(data, _LEVEL) if packed is None else packed
        self._stream.write_part(data, made)
        return len(made)

    def sum(self) -> dict[str, Any]:
        """What the manifest says of it."""
        return _sum(self._hash.hexdigest(), self._size)


class ArchiveWriter:
    """An archive in the making.

    Args:
        file: Where to, at its start.
        tool_version: What makes it, `indx 0.1.0`.
    """

    def __init__(self, file: BinaryIO, *, tool_version: str) -> None:
        """Write nothing yet."""
        self._zip = ZipWriter(file, moment=zip_moment())
        self._tool_version = tool_version
        self._sums: dict[str, dict[str, Any]] = {}

    def add(self, name: str, data: bytes, before: Archive | None = None) -> bool:
        """Write a small member.

        Args:
            name: Its name.
            data: Its content.
            before: An archive of the same making; where its member of this name is the same, it is copied.

        Returns:
            Whether it was copied.
        """
        made = self._sums[name] = _sum(hashlib.sha256(data).hexdigest(), len(data))
        if before is not None and before.members.get(name) == made:
            entry = before.entry(name)
            if entry is not None:
                self._zip.copy(before.view(), [(name, entry)])
                return True
        self._zip.add(name, data, level=_LEVEL)
        return False

    def copy(self, source: Archive, names: Sequence[str]) -> None:
        """Write small members of another archive again, as `add` wrote them there one behind the other."""
        entries = [(name, entry) for name in names if (entry := source.entry(name)) is not None]
        if entries:
            self._zip.copy(source.view(), entries)
        self._sums |= {name: source.members[name] for name in names}

    @contextmanager
    def parts(self, name: str) -> Iterator[MemberStream]:
        """Write a large member by parts that are packed each for itself."""
        with self._zip.stream(name, level=_LEVEL, by_parts=True) as stream:
            member = MemberStream(stream)
            yield member
        self._sums[name] = member.sum()

    def map(self, name: str, parts: Iterable[Buffer]) -> None:
        """Write a member that readers map: stored and aligned."""
        with self._zip.stream(name, align=ALIGNMENT) as stream:
            member = MemberStream(stream)
            for part in parts:
                member.write(part)
        self._sums[name] = member.sum()

    def close(self) -> None:
        """Write the manifest and the directory."""
        self._zip.add(MANIFEST, manifest(self._sums, self._tool_version), level=_LEVEL)
        self._zip.close()


def manifest(sums: Mapping[str, dict[str, Any]], tool_version: str) -> bytes:
    """The manifest as written."""
    content: dict[str, Any] = {
        "indx_version": ARCHIVE_VERSION,
        "tool_version": tool_version,
        "members": sums,
    }
    return orjson.dumps(content, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n"
