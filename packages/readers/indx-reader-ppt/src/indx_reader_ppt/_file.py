"""What stands where in a presentation: its edits, the objects that the last of them left, its slides.

A program that saves quickly adds what has changed and a new edit behind what there was: each edit names the
one before it and a directory of the objects it wrote. The object of the latest edit counts.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from indx_core.errors import SourceError
from indx_format_office.rc4 import Key, unlock
from indx_reader_ppt._records import Record, records, within

__all__ = ["Entry", "Objects", "listed"]

_EDIT, _DIRECTORY, _USER, _LOCK = 0x0FF5, 0x1772, 0x0FF6, 0x2F14
_PERSIST, _HEADER, _LIST = 0x03F3, 0x0F9F, 0x0FF0
_LOCKED_TOKEN: Final = 0xF3D1C4DF
_EDIT_SIZE: Final = 28
_EVERYTHING: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Entry:
    """A slide, a master or a page of notes, as a list of the document names it.

    Attributes:
        object: The number of the object it is.
        id: What others call it.
        texts: The records of its title and of each body, which it refers to by number.
    """

    object: int
    id: int
    texts: list[list[Record]]


class Objects:
    """The objects of a presentation as the last edit left them.

    Attributes:
        document: The number of the object that is the document.
    """

    def __init__(self, stream: bytes, user: bytes) -> None:
        """Follow the edits.

        Args:
            stream: What the presentation consists of.
            user: What says where the last edit stands.

        Raises:
            SourceError: `source_encrypted`, or `source_unreadable`.
        """
        self._stream = stream
        self._places: dict[int, int] = {}
        self._key: Key | None = None
        self._lock = 0
        self.document = 0
        self._follow(_latest(stream, user))
        self._starts = sorted(set(self._places.values()))
        if self._lock or user[12:16] == struct.pack("<L", _LOCKED_TOKEN):
            self._unlock()

    def place(self, number: int) -> int | None:
        """Where object `number` stands; two that stand at one place are one."""
        return self._places.get(number)

    def object(self, number: int) -> Record:
        """Object `number`, which ends where the next one begins at the latest.

        Raises:
            SourceError: There is none, or it is damaged.
        """
        place = self._places.get(number)
        if place is None:
            raise SourceError(f"the presentation lacks its object {number}")
        after = bisect_right(self._starts, place)
        end = min((len(self._stream), *self._starts[after : after + 1]))
        data, start = self._stream, place
        if self._key is not None:
            data = self._key.decrypt(data[place:end], block=number, every=_EVERYTHING)
            start, end = 0, len(data)
        for found in records(data, start, end):
            return found
        raise SourceError(f"object {number} of the presentation is damaged")

    def _follow(self, place: int) -> None:
        """Take in the objects of the edit at `place`, then those of the one before it that are not known."""
        left = len(self._stream) // 4
        seen: set[int] = set()
        while place not in seen and len(seen) < left:
            seen.add(place)
            edit = _at(self._stream, place, _EDIT)
            before, directory, document = edit.numbers("<3L", 8)
            if not self.document:
                self.document = document
                if edit.end - edit.start >= _EDIT_SIZE + 4:
                    (self._lock,) = edit.numbers("<L", _EDIT_SIZE)
            listed = _at(self._stream, directory, _DIRECTORY)
            left -= (listed.end - listed.start) // 4
            if left < 0:
                raise SourceError(
                    "the presentation is damaged: its edits name more objects than it has; check it is whole"
                )
            self._list(listed)
            if not before:
                return
            place = before

    def _list(self, directory: Record) -> None:
        at = 0
        size = directory.end - directory.start
        while at + 4 <= size:
            (packed,) = directory.numbers("<L", at)
            number, count = packed & 0xFFFFF, packed >> 20
            for place, offset in enumerate(directory.numbers(f"<{count}L", at + 4)):
                self._places.setdefault(number + place, offset)
            at += 4 + 4 * count

    def _unlock(self) -> None:
        session = self.object(self._lock)
        if session.kind != _LOCK:
            raise SourceError(
                "the presentation is locked in a way that is not opened here; save it without a password",
                code="source_encrypted",
            )
        self._key = unlock(session.content)


def _latest(stream: bytes, user: bytes) -> int:
    """Where the last edit stands; where nothing says so, it is the one furthest behind."""
    if len(user) >= 20 and struct.unpack_from("<H", user, 2)[0] == _USER:
        place: int = struct.unpack_from("<L", user, 16)[0]
        if stream[place + 2 : place + 4] == struct.pack("<H", _EDIT):
            return place
    for size in (_EDIT_SIZE, _EDIT_SIZE + 4):
        place = stream.rfind(struct.pack("<HHL", 0, _EDIT, size))
        if place >= 0:
            return place
    raise SourceError("the presentation is older than PowerPoint 97, or damaged; save it in a newer format")


def _at(stream: bytes, place: int, kind: int) -> Record:
    for record in records(stream, place, len(stream)):
        if record.kind == kind:
            return record
        break
    raise SourceError("the presentation is damaged: its edits lead nowhere; save it anew")


def listed(document: Record, instance: int) -> list[Entry]:
    """The entries of a list of `document`: 0 slides, 1 masters, 2 pages of notes."""
    found: list[Entry] = []
    for one in within(document):
        if one.kind != _LIST or one.instance != instance:
            continue
        for record in within(one):
            if record.kind == _PERSIST:
                number, _, _, name = record.numbers("<4L")
                found.append(Entry(number, name, []))
            elif found and record.kind == _HEADER:
                found[-1].texts.append([record])
            elif found and found[-1].texts:
                found[-1].texts[-1].append(record)
    return found
