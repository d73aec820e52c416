"""Records: what every part of a binary presentation is made of, each with its kind and its length."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from indx_core.errors import SourceError

__all__ = ["MAX_DEPTH", "Record", "first", "records", "strings", "units", "within"]

MAX_DEPTH: Final = 100
"""How deep records are followed into one another."""

_HEAD: Final = struct.Struct("<HHL")
_STRING: Final = 0x0FBA
_LONGEST_STRING: Final = 1 << 16


class Record(NamedTuple):
    """A record, and where it stands.

    Attributes:
        data: What it stands in.
        kind: What it is.
        instance: Which of its kind it is.
        start: Where its content starts.
        end: Where its content ends.
    """

    data: bytes
    kind: int
    instance: int
    start: int
    end: int

    @property
    def content(self) -> bytes:
        """Its content."""
        return self.data[self.start : self.end]

    def numbers(self, form: str, at: int = 0) -> tuple[int, ...]:
        """The numbers at `at` of its content, in the form of `struct`.

        Raises:
            SourceError: The record is too short for them.
        """
        size = struct.calcsize(form)
        if self.start + at + size > self.end:
            raise SourceError(
                "a record of the presentation is shorter than what it holds; check that it is whole"
            )
        return struct.unpack_from(form, self.data, self.start + at)


def records(data: bytes, start: int, end: int) -> Iterator[Record]:
    """The records from `start` to `end`, one after the other.

    Raises:
        SourceError: One reaches out of what holds it.
    """
    at = start
    while at + _HEAD.size <= end:
        version, kind, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if length > end - at:
            raise SourceError(
                "a record of the presentation reaches out of what holds it; check that it is whole"
            )
        yield Record(data, kind, version >> 4, at, at + length)
        at += length


def within(record: Record) -> Iterator[Record]:
    """The records that `record` holds."""
    return records(record.data, record.start, record.end)


def first(record: Record, *kinds: int) -> Record | None:
    """The first record of a kind in `record`, then of the next kind in that, and so on; None without."""
    found: Record | None = record
    for kind in kinds:
        if found is None:
            break
        found = next((one for one in within(found) if one.kind == kind), None)
    return found


def strings(record: Record) -> dict[int, str]:
    """The strings that `record` holds, by their instance."""
    found: dict[int, str] = {}
    for one in within(record):
        if one.kind == _STRING:
            text = one.content[:_LONGEST_STRING].decode("utf-16-le", "replace")
            found.setdefault(one.instance, text.partition("\0")[0])
    return found


def units(data: bytes) -> str:
    """UTF-16 with each of its units as one character, so that places in it hold."""
    data = data[: len(data) // 2 * 2]
    text = data.decode("utf-16-le", "surrogatepass")
    if len(text) == len(data) // 2:
        return text
    return "".join(map(chr, struct.unpack(f"<{len(data) // 2}H", data)))
