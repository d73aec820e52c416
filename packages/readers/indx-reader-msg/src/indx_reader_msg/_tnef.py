"""What Outlook sends as `winmail.dat`: a message, or what was attached to one, as a stream of attributes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_format_office.rtf import codec
from indx_reader_msg._sniff import TNEF_MARK
from indx_reader_msg._values import BINARY, BYTES_TEXT, OBJECT, TEXT, TIME, Values, ticks_of

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["TnefObject", "read_tnef"]

MAX_ATTRIBUTES: Final = 100_000
_PROPERTIES, _ATTACHMENT, _RECEIVERS, _NEW, _CODEPAGE = 0x9003, 0x9005, 0x9004, 0x9002, 0x9007
_SUBJECT, _BODY, _SENT, _TITLE, _DATA, _CLASS = 0x8004, 0x800C, 0x8005, 0x8010, 0x800F, 0x8008
_PLAIN: Final = {_SUBJECT: 0x0037, _BODY: 0x1000, _TITLE: 0x3001, _CLASS: 0x001A}
"""Attributes of before MAPI that are texts, and the property that says the same."""
_SIZES: Final = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16}
_SIZED: Final = frozenset((TEXT, BYTES_TEXT, BINARY, OBJECT))
_MANY: Final = 0x1000
_NAMED: Final = 0x8000
_FIRST_NAMED: Final = 0x10000
"""Programs give the same number to several that have names."""


class TnefObject(Values):
    """A message, a receiver or an attachment.

    Attributes:
        receivers: To whom it goes.
        attachments: What is attached to it.
    """

    message_type = "application/ms-tnef"
    message_suffix = ".dat"

    def __init__(self) -> None:
        """Know nothing yet."""
        super().__init__()
        self.values: dict[int, tuple[int, bytes]] = {}
        self.names: dict[tuple[int, int], int] = {}
        self.receivers: list[TnefObject] = []
        self.attachments: list[TnefObject] = []

    def find(self, number: int, kind: int) -> bytes | None:
        """A value of a kind."""
        found = self.values.get(number)
        return found[1] if found is not None and found[0] == kind else None

    def named(self, family: int, number: int) -> int | None:
        """Under which number a property is kept that has a name."""
        return self.names.get((family, number))

    def inner(self, prefix: str) -> Iterator[TnefObject]:
        """The receivers, or the attachments."""
        return iter(self.receivers if prefix.startswith("__recip") else self.attachments)

    def holds(self, number: int) -> bool:
        """Whether the value is an object of its own."""
        return self.find(number, OBJECT) is not None

    def object_file(self, number: int, *, message: bool) -> bytes:  # noqa: ARG002
        """The object as a file: what follows the mark of its kind."""
        return (self.find(number, OBJECT) or b"")[16:]


def read_tnef(buffer: Buffer) -> TnefObject:
    """The message in `buffer`.

    Raises:
        SourceError: `source_unreadable`: it is none, or damaged from its beginning.
        InputTooLarge: It has more attributes than `MAX_ATTRIBUTES`.
    """
    message = TnefObject()
    found = damaged = 0
    page: int | None = None
    for number, data in _attributes(buffer, message):
        found += 1
        if found > MAX_ATTRIBUTES:
            raise InputTooLarge(f"the message has more than {MAX_ATTRIBUTES} attributes")
        try:
            if number == _CODEPAGE:
                (page,) = struct.unpack_from("<L", data)
            else:
                _take(message, number, data)
        except (struct.error, ValueError):
            damaged += 1  # the next one states its own length
    if not found:
        raise SourceError("the file is no winmail.dat: it holds no attribute; check that it is whole")
    if damaged:
        message.notes.append(f"{damaged} damaged attributes of the message were not read")
    for one in (message, *message.attachments, *message.receivers):
        one.codepage = codec(page) if page else "cp1252"
    return message


def _attributes(buffer: Buffer, message: TnefObject) -> Iterator[tuple[int, bytes]]:
    """Number and content of the attributes, as far as they go; `message` is told where they end too early."""
    if buffer[:4] != TNEF_MARK:
        raise SourceError("the file is no winmail.dat: it does not begin as one; check that it is whole")
    at, size = 6, len(buffer)
    while at + 9 <= size:
        level, number, length = struct.unpack("<BLL", buffer[at : at + 9])
        if level not in (1, 2):
            return
        if at + 9 + length > size:
            message.notes.append("the message is cut short; what stood at its end was not read")
            return
        yield number & 0xFFFF, bytes(buffer[at + 9 : at + 9 + length])
        at += 9 + length + 2


def _take(message: TnefObject, number: int, data: bytes) -> None:
    """Take one attribute of the message, or of the attachment that was begun last."""
    if number == _NEW:
        message.attachments.append(TnefObject())
    elif number == _PROPERTIES:
        _properties(data, 0, message)
    elif number == _RECEIVERS:
        (count,) = struct.unpack_from("<L", data)
        at = 4
        if MAX_ATTRIBUTES < count <= len(data) // 4:
            raise InputTooLarge(f"the message has more than {MAX_ATTRIBUTES} receivers")
        for _ in range(count):
            receiver = TnefObject()
            at = _properties(data, at, receiver)
            message.receivers.append(receiver)
    elif number in (_ATTACHMENT, _TITLE, _DATA):
        if not message.attachments:
            return
        attachment = message.attachments[-1]
        if number == _ATTACHMENT:
            _properties(data, 0, attachment)
        elif number == _DATA:
            attachment.values.setdefault(0x3701, (BINARY, data))
        else:
            attachment.values.setdefault(_PLAIN[number], (BYTES_TEXT, data))
    elif number in _PLAIN:
        message.values.setdefault(_PLAIN[number], (BYTES_TEXT, data))
    elif number == _SENT:
        ticks = ticks_of(*struct.unpack_from("<6H", data))
        message.values.setdefault(0x0039, (TIME, struct.pack("<Q", ticks)))


def _properties(data: bytes, at: int, target: TnefObject) -> int:
    """Read a list of properties into `target`; where it ends."""
    (count,) = struct.unpack_from("<L", data, at)
    at += 4
    for _ in range(count):
        kind, number = struct.unpack_from("<HH", data, at)
        at += 4
        kept = number
        if number >= _NAMED:
            family, spelled, named = struct.unpack_from("<L12xLL", data, at)
            at += 24
            kept = 0
            if spelled:
                at += _padded(named)
            else:
                kept = target.names.setdefault((family, named), _FIRST_NAMED + len(target.names))
        base, values = kind & ~_MANY, 1
        if kind & _MANY or base in _SIZED:
            (values,) = struct.unpack_from("<L", data, at)
            at += 4
        for place in range(values):
            size = _SIZES.get(base)
            if base in _SIZED:
                (size,) = struct.unpack_from("<L", data, at)
                at += 4
            if size is None or at + size > len(data):
                raise ValueError("a property is damaged")
            if not place and kept:
                target.values[kept] = base, data[at : at + size]
            at += _padded(size)
    return at


def _padded(size: int) -> int:
    return -(-size // 4) * 4
