"""Compound files, the container of Office before 2007 and of Outlook: what stands at their root."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Any, Final

from indx_core.errors import SourceError

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["LOCKED_PACKAGE", "is_compound", "open_compound", "read_entry", "read_stream", "root_names"]

LOCKED_PACKAGE: Final = "encryptedpackage"
"""The stream, in lower case, of a document that Office locked; what stands beside it only tells so."""
_WITH_DATA: Final = (2, 5)
"""Streams, and the root, whose data are those of small streams."""

_MARK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class _View(io.RawIOBase):
    """A buffer as a file, without copying it and without moving the buffer's own position."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer, self._at = buffer, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        base = (0, self._at, len(self._buffer))[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, target: Any) -> int:
        piece = self._buffer[self._at : self._at + len(target)]
        target[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def is_compound(buffer: Buffer) -> bool:
    """Whether `buffer` begins as a compound file."""
    return buffer[:8] == _MARK


def open_compound(buffer: Buffer) -> Any:
    """The compound file in `buffer`, opened by olefile; the caller closes it.

    Raises:
        SourceError: `source_unreadable`: it is none, or damaged.
    """
    from olefile import OleFileIO  # type: ignore[import-untyped]

    if not is_compound(buffer):
        raise SourceError(
            "the file is no compound file, the container of older Office programs; check that it is whole"
        )
    _check_claims(buffer)
    try:
        opened = OleFileIO(_View(buffer))
    except Exception as error:  # a library's, on bytes that may be anything
        raise SourceError("the compound file is damaged; send it again") from error
    entries = (entry for entry in opened.direntries if entry is not None and entry.entry_type in _WITH_DATA)
    if any(entry.size > len(buffer) for entry in entries):
        opened.close()
        raise _too_much()
    return opened


def _check_claims(buffer: Buffer) -> None:
    """Refuse tables that are stated to be larger than the file: olefile would follow them in circles."""
    header = buffer[:76]
    if len(header) < 76:
        raise _too_much()
    (shift,) = struct.unpack_from("<H", header, 30)
    counts = [struct.unpack_from("<L", header, at)[0] for at in (40, 44, 64, 72)]
    if shift not in (9, 12) or any(count << shift > len(buffer) for count in counts):
        raise _too_much()


def _too_much() -> SourceError:
    return SourceError("the compound file is damaged: it states more than it holds; send it again")


def read_stream(file: Any, name: str) -> bytes:
    """The bytes of the stream `name` of an open compound file.

    Raises:
        SourceError: `source_unreadable`: there is none, or it is damaged.
    """
    try:
        data: bytes = file.openstream(name).read()
    except Exception as error:  # a library's, on bytes that may be anything
        raise SourceError(f"the file is damaged: its stream {name!r} cannot be read") from error
    return data


def read_entry(file: Any, entry: Any) -> bytes:
    """The bytes of a stream of an open compound file that was found by its entry.

    Olefile opens streams by their names alone, and looks for each among all that stand beside it.
    """
    data: bytes = file._open(entry.isectStart, entry.size).read()  # noqa: SLF001
    return data


def root_names(buffer: Buffer) -> frozenset[str]:
    """The names at the root of a compound file, in lower case; none when it is no such file, or damaged.

    Of one that holds a locked package it is that name alone: what Office 2007 writes beside it is an old
    document that only tells old programs so.
    """
    if not is_compound(buffer):
        return frozenset()
    try:
        with open_compound(buffer) as opened:
            names = frozenset(entry.name.lower() for entry in opened.root.kids)
            return frozenset((LOCKED_PACKAGE,)) if LOCKED_PACKAGE in names else names
    except Exception:  # a library's, on bytes that may be anything
        return frozenset()
