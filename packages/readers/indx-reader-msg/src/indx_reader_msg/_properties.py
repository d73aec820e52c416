"""The properties of a message, an attachment or a receiver: values by the numbers that MAPI gives them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_format_office.compound import read_entry
from indx_format_office.compound_writer import compound_file
from indx_format_office.rtf import codec
from indx_reader_msg._values import BINARY, BYTES_TEXT, OBJECT, TEXT, Values

if TYPE_CHECKING:
    from indx_format_office.compound_writer import Tree

__all__ = ["Storage"]

MAX_STREAM_BYTES: Final = 128 * 1024 * 1024
MAX_DEPTH: Final = 20
_PROPERTIES: Final = "__properties_version1.0"
_NAMES: Final = "__nameid_version1.0"
_SETS, _ENTRIES = "__substg1.0_00020102", "__substg1.0_00030102"
_MOST_NAMES: Final = 65_536 * 16
_FIRST_SET: Final = 3
"""Of those before it nothing is asked."""
_CODEPAGE, _INTERNET_CODEPAGE = 0x3FFD, 0x3FDE


class Storage(Values):
    """One storage of a message's file."""

    message_type = "application/vnd.ms-outlook"
    message_suffix = ".msg"

    def __init__(self, file: Any, entry: Any, *, head: int, codepage: str = "") -> None:
        """Read the fixed values.

        Args:
            file: The open compound file.
            entry: The entry of its directory.
            head: Bytes before the first fixed value: 32 at the root, 24 inside another message, else 8.
            codepage: The encoding of the message around it.
        """
        super().__init__()
        self._file, self._entry = file, entry
        self._names: dict[tuple[int, int], int] | None = None
        self._kids = {kid.name.lower(): kid for kid in entry.kids}
        self._fixed: dict[tuple[int, int], bytes] = {}
        stream = self._stream(_PROPERTIES) or b""
        for at in range(head, len(stream) - 15, 16):
            kind, number = struct.unpack_from("<HH", stream, at)
            self._fixed.setdefault((number, kind), stream[at + 8 : at + 16])
        stated = self.integer(_CODEPAGE) or self.integer(_INTERNET_CODEPAGE)
        self.codepage = codec(stated) if stated else codepage or "cp1252"

    def _stream(self, name: str) -> bytes | None:
        kid = self._kids.get(name.lower())
        if kid is None or kid.entry_type != 2:
            return None
        if kid.size > MAX_STREAM_BYTES:
            raise InputTooLarge(f"a value of the message has over {MAX_STREAM_BYTES} bytes; save it apart")
        try:
            return read_entry(self._file, kid)
        except Exception as error:  # a library's, on bytes that may be anything
            raise SourceError("a value of the message is damaged; check that it is whole") from error

    def find(self, number: int, kind: int) -> bytes | None:
        """A value of a kind: texts and bytes have streams of their own, of which the list has the length."""
        if kind in (TEXT, BYTES_TEXT, BINARY):
            return self._stream(f"__substg1.0_{number:04X}{kind:04X}")
        return self._fixed.get((number, kind))

    def named(self, family: int, number: int) -> int | None:
        """Under which number a property is kept that has a name; all names stand at the root of the file."""
        if self._names is None:
            self._names = _names(self._file)
        return self._names.get((family, number))

    def holds(self, number: int) -> bool:
        """Whether the value is an object of its own."""
        return f"__substg1.0_{number:04x}{OBJECT:04x}" in self._kids

    def inner(self, prefix: str) -> Iterator[Storage]:
        """The storages whose names begin with `prefix`, in order."""
        for name in sorted(self._kids):
            if name.startswith(prefix) and self._kids[name].entry_type == 1:
                kid = self._kids[name]
                yield Storage(self._file, kid, head=8, codepage=self.codepage)

    def object_file(self, number: int, *, message: bool) -> bytes:
        """What the object holds, as a file of its own.

        Args:
            number: The value that is the object.
            message: Whether it is a message: at the root of a file its fixed values stand eight bytes later.

        Raises:
            InputTooLarge: It holds more than is taken out.
            SourceError: It is damaged.
        """
        kid = self._kids[f"__substg1.0_{number:04x}{OBJECT:04x}"]
        storage = Storage(self._file, kid, head=8)
        tree = dict(storage._tree(0, [MAX_STREAM_BYTES]))
        stream = tree.get(_PROPERTIES)
        if message and isinstance(stream, bytes):
            tree[_PROPERTIES] = stream[:24] + bytes(8) + stream[24:]
            if (names := _child(self._file.root, _NAMES)) is not None:
                named = Storage(self._file, names, head=8)
                tree[_NAMES] = named._tree(1, [MAX_STREAM_BYTES])
        return compound_file(tree)

    def _tree(self, depth: int, left: list[int]) -> Tree:
        if depth > MAX_DEPTH:
            raise SourceError(f"what is inside is nested more than {MAX_DEPTH} deep")
        tree: dict[str, bytes | Tree] = {}
        for kid in self._entry.kids:
            if kid.entry_type == 1:
                inner = Storage(self._file, kid, head=8)
                tree[kid.name] = inner._tree(depth + 1, left)
            else:
                data = self._stream(kid.name) or b""
                left[0] -= len(data)
                if left[0] < 0:
                    raise InputTooLarge(f"what is inside has over {MAX_STREAM_BYTES} bytes")
                tree[kid.name] = data
        return tree


def _child(entry: Any, name: str) -> Any:
    return next((kid for kid in entry.kids if kid.name.lower() == name), None)


def _names(file: Any) -> dict[tuple[int, int], int]:
    """The numbers that properties with names are kept under, by the beginning of their set and their own."""
    holder = _child(file.root, _NAMES)
    streams = [_child(holder, name) for name in (_SETS, _ENTRIES)] if holder is not None else [None]
    if any(stream is None or stream.size > _MOST_NAMES for stream in streams):
        return {}
    try:
        sets, entries = (read_entry(file, stream) for stream in streams)
    except Exception:  # a library's, on bytes that may be anything
        return {}
    found: dict[tuple[int, int], int] = {}
    for at in range(0, len(entries) - 7, 8):
        number, kind, place = struct.unpack_from("<LHH", entries, at)
        start = ((kind >> 1) - _FIRST_SET) * 16
        if not kind & 1 and 0 <= start <= len(sets) - 16:
            found.setdefault((struct.unpack_from("<L", sets, start)[0], number), 0x8000 + place)
    return found
