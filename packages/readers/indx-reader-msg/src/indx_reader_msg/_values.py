"""Values by the numbers that MAPI gives them, wherever they are kept."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final, Self

from indx_core.canonical import clean_text

__all__ = [
    "BINARY",
    "BOOLEAN",
    "BYTES_TEXT",
    "INTEGER",
    "OBJECT",
    "TEXT",
    "TIME",
    "Values",
    "ticks_of",
]

TEXT, BYTES_TEXT, BINARY, OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
INTEGER, BOOLEAN, TIME = 0x0003, 0x000B, 0x0040
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)


def ticks_of(year: int, month: int, day: int, hour: int, minute: int, second: int) -> int:
    """A moment as MAPI counts it.

    Raises:
        ValueError: There is no such moment.
    """
    moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1) * 10


class Values(ABC):
    """A message, a receiver or an attachment.

    Attributes:
        codepage: The Python name of the encoding of texts that are not Unicode.
        message_type: The media type of messages inside it.
        message_suffix: The suffix of their names.
        notes: What of it could not be read.
    """

    message_type: ClassVar[str]
    message_suffix: ClassVar[str]

    def __init__(self) -> None:
        """Begin without an encoding of its own."""
        self.codepage = "cp1252"
        self.notes: list[str] = []

    @abstractmethod
    def find(self, number: int, kind: int) -> bytes | None:
        """A value of a kind, as bytes."""

    @abstractmethod
    def inner(self, prefix: str) -> Iterator[Self]:
        """The receivers or the attachments, by how their storages are called."""

    @abstractmethod
    def holds(self, number: int) -> bool:
        """Whether the value is an object of its own."""

    @abstractmethod
    def object_file(self, number: int, *, message: bool) -> bytes:
        """The object as a file.

        Raises:
            InputTooLarge: It holds more than is taken out.
            SourceError: It is damaged.
        """

    @abstractmethod
    def named(self, family: int, number: int) -> int | None:
        """Under which number a property is kept that has a name: its number in the set that begins so."""

    def text(self, *numbers: int) -> str:
        """The first of these texts that is not empty."""
        for number in numbers:
            if (data := self.find(number, TEXT)) is not None:
                text = data.decode("utf-16-le", "replace")
            elif (data := self.find(number, BYTES_TEXT)) is not None:
                text = data.decode(self.codepage, "replace")
            else:
                continue
            text = clean_text(text.rstrip("\0"))
            if text.strip():
                return text
        return ""

    def line(self, *numbers: int) -> str:
        """A text as one line."""
        return " ".join(self.text(*numbers).split())

    def binary(self, number: int) -> bytes | None:
        """A value of bytes."""
        return self.find(number, BINARY)

    def integer(self, number: int) -> int | None:
        """A whole number."""
        found = self.find(number, INTEGER)
        return None if found is None else int(struct.unpack_from("<l", found)[0])

    def flag(self, number: int) -> bool:
        """A switch, off where it is not stated."""
        found = self.find(number, BOOLEAN)
        return found is not None and bool(found[0])

    def time(self, number: int) -> str:
        """A moment, as RFC 3339 writes it; empty where there is none."""
        found = self.find(number, TIME)
        ticks = 0 if found is None else int(struct.unpack_from("<Q", found)[0])
        if not ticks:
            return ""
        try:
            moment = _EPOCH + timedelta(microseconds=ticks // 10)
        except OverflowError:
            return ""
        return moment.replace(microsecond=0).isoformat().replace("+00:00", "Z")
