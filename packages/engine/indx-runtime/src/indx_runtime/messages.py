"""Messages between the pool and its workers, and what the pool believes of them.

The pool trusts itself: a job travels as a pickle. It does not trust a worker, which may have been taken over
by the document it looked at. What a worker sends is JSON with the large values as bytes behind it: it can
hold frames and the plain data they are made of and nothing else. A message is no larger than the memory a
worker is allowed, nor is what its JSON is read into, nor are the cells that are made of its columns. Whatever
does not fit ends the worker.
"""

from __future__ import annotations

import json
import os
import pickle
import select
import struct
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from math import inf, isfinite, nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

import orjson

from indx_core.contracts import Plan
from indx_core.ports import (
    Cell,
    ChunkDraft,
    ChunkLayout,
    Heading,
    Link,
    Member,
    PageReading,
    Raster,
    RoleSpan,
    Table,
)
from indx_runtime.celling import NUMBERS, columns_of, with_cells
from indx_runtime.progress import (
    Attempt,
    Attempted,
    Cut,
    Found,
    InFlight,
    LeftOut,
    MemberFound,
    Opened,
    ParserFailed,
    Pictured,
    Planned,
)

if TYPE_CHECKING:
    from indx_core.contracts import Snapshot
    from indx_runtime.progress import DocumentJob, Progress

__all__ = ["Garbled", "Inbox", "Kind", "Mailbox", "Message", "Word", "pack", "pack_job", "pack_word"]

Kind: TypeAlias = Literal["ready", "frame", "log", "done", "refused", "failed", "memory"]
"""What a worker says: it is up; a frame; a log record; the end, as it should be, by an error of the tree,
by one nobody foresaw, or for want of memory."""

Message: TypeAlias = "tuple[int, Kind, Any]"
"""The number of the job it is about (0 before the first), what kind of message, and what it says."""

_SIZES: Final = struct.Struct("<QQ")  # of the JSON, and of the bytes behind it
_LENGTH: Final = struct.Struct("<Q")
_LONG: Final = 1_000  # characters from which a text goes behind the JSON
_AT_ONCE: Final = 1 << 20
_WORDY: Final = 3  # parts of a word from the pool; a job has more
_SHARE: Final = 8  # JSON takes many times its size once it is read, so it may have this part of the limit
_CELL: Final = 704  # bytes that making a cell takes beside its text, with the largest numbers (56 in columns)


def _values_of(names: tuple[str, ...]) -> Callable[[Any], Sequence[Any]]:
    """What takes the values of these attributes out of something."""
    values = attrgetter(*names)
    return values if len(names) > 1 else lambda part: (values(part),)


_PARTS: Final = (
    *(InFlight, Opened, Found, ParserFailed, Pictured, Attempted, Attempt, Cut, LeftOut, MemberFound),
    *(PageReading, Table, Cell, Link, Heading, RoleSpan, ChunkDraft, ChunkLayout, Raster, Member),
)
_FIELDS: Final[Mapping[type, Callable[[Any], Sequence[Any]]]] = {
    part: _values_of(tuple(field.name for field in fields(part))) for part in _PARTS
}
_AS_THEY_ARE: Final = frozenset({type(None), bool, int})
_ODD: Final = b" "  # before what the quick library cannot say: lone surrogates, numbers past 64 bits
_MAKERS: Final[Mapping[str, Callable[..., Any]]] = {
    **{part.__name__: part for part in _PARTS},
    "tuple": lambda *values: values,
    "dict": lambda *pairs: dict(zip(pairs[0::2], pairs[1::2], strict=True)),
    "float": lambda value: {"nan": nan, "inf": inf, "-inf": -inf}[value],
}


class Garbled(Exception):
    """A worker sent what no worker of ours sends."""


class _Packer:
    """Turns a value into JSON data in which every list says what it stands for."""

    def __init__(self) -> None:
        self.behind: list[bytes] = []

    def plain(self, value: Any) -> Any:
        kind = type(value)
        if kind in _AS_THEY_ARE:
            return value
        if kind is float:
            return value if isfinite(value) else ["float", str(value)]
        if values := _FIELDS.get(kind):
            if kind is Table and (columns := columns_of(value.cells)) is not None:
                value, cells = replace(value, cells=type(value.cells)()), columns
                return ["Ruled", self._all(kind.__name__, values(value)), *map(self.plain, cells)]
            return self._all(kind.__name__, values(value))
        if isinstance(value, str):
            text = str.__str__(value)
            return text if len(text) < _LONG else self._behind("text", text.encode("utf-8", "surrogatepass"))
        if isinstance(value, array):
            return ["array", self._behind("", value.tobytes())[1] if value else -1, value.typecode]
        if isinstance(value, tuple | list):
            return self._all("tuple" if isinstance(value, tuple) else "list", value)
        if isinstance(value, Mapping):
            return ["dict", *[self.plain(one) for pair in value.items() for one in pair]]
        if isinstance(value, bytes):
            return self._behind("bytes", value)
        if isinstance(value, Planned):
            return ["Planned", self.plain(value.plan.model_dump_json())]
        raise TypeError(f"no message holds a {kind.__name__}")

    def _all(self, what: str, values: Iterable[Any]) -> list[Any]:
        """What a list stands for, and its values; most are plain as they are, which saves a call for each."""
        plain = self.plain
        return [what, *[value if type(value) in _AS_THEY_ARE else plain(value) for value in values]]

    def _behind(self, what: str, data: bytes) -> list[Any]:
        self.behind.append(data)
        return [what, len(self.behind) - 1]


def pack(job: int, kind: Kind, payload: Any = None) -> bytes:
    """A worker's message, with its sizes before it.

    Raises:
        TypeError: It holds what no message holds.
    """
    packer = _Packer()
    said = packer.plain(payload)
    said = [job, kind, said, [len(data) for data in packer.behind]]
    try:
        text = orjson.dumps(said)
    except TypeError:
        text = _ODD + json.dumps(said).encode()
    size = sum(map(len, packer.behind))
    return b"".join((_SIZES.pack(len(text), size), text, *packer.behind))


class _Unpacker:
    """Makes of JSON data, and of the parts behind it, the value that they stand for."""

    def __init__(self, parts: list[memoryview | None], room: int) -> None:
        self._parts = parts
        self._room = room

    def made(self, value: Any) -> Any:
        if type(value) is not list:
            return value
        what = value[0]
        if read := self._READERS.get(what):
            return read(self, *value[1:])
        made = self.made
        values = [made(one) if type(one) is list else one for one in value[1:]]
        return values if what == "list" else _MAKERS[what](*values)

    def _taken(self, index: int) -> memoryview:
        """What stands behind the JSON; each part once, or few bytes would make many."""
        part, self._parts[index] = self._parts[index], None
        if part is None:
            raise ValueError("a part that is used twice")
        return part

    def _text(self, index: int) -> str:
        return str(self._taken(index), "utf-8", "surrogatepass")

    def _bytes(self, index: int) -> bytes:
        return bytes(self._taken(index))

    def _array(self, index: int, typecode: str) -> array[Any]:
        if typecode not in ("q", "d"):
            raise ValueError(f"no message holds an array of {typecode!r}")
        column: array[Any] = array(typecode)
        if index >= 0:
            column.frombytes(self._taken(index))
        return column

    def _ruled(self, table: Any, numbers: Any, texts: Any, boxes: Any) -> Table:
        """A table whose cells came as columns; what they take once they are made is counted before."""
        columns = self._array(*numbers[1:])
        self._room -= _CELL * len(columns) // NUMBERS
        if self._room < 0:
            raise ValueError("more cells than a message holds")
        return with_cells(self.made(table), columns, self.made(texts), self._array(*boxes[1:]))

    def _planned(self, plan: Any) -> Planned:
        return Planned(Plan.model_validate_json(self.made(plan)))

    _READERS: Final[Mapping[str, Callable[..., Any]]] = {
        "array": _array,
        "text": _text,
        "bytes": _bytes,
        "Ruled": _ruled,
        "Planned": _planned,
    }


def _unpack(text: bytes, behind: memoryview, limit: int) -> Message:
    job, kind, said, sizes = json.loads(text) if text.startswith(_ODD) else orjson.loads(text)
    parts: list[memoryview | None] = []
    start = 0
    for size in sizes:
        parts.append(behind[start : start + size])
        start += size
    return cast("Message", (job, kind, _Unpacker(parts, limit).made(said)))


class Inbox:
    """Bytes as they come from a worker, taken out message by message.

    Args:
        limit: The most bytes a message may have.
    """

    def __init__(self, limit: int) -> None:
        """Nothing has come yet."""
        self._limit = limit
        self._bytes = bytearray()

    def __len__(self) -> int:
        """Bytes that have come and were not taken out."""
        return len(self._bytes)

    def feed(self, data: bytes | memoryview) -> None:
        """Take in what came."""
        self._bytes += data

    def take(self) -> Message | None:
        """The next whole message, or None while it is not there.

        Raises:
            Garbled: It is longer than the limit, or no message.
        """
        begin = _SIZES.size
        if len(self._bytes) < begin:
            return None
        text, behind = _SIZES.unpack_from(self._bytes)
        if text > self._limit // _SHARE or text + behind > self._limit:
            raise Garbled(f"a message of {text} and {behind} bytes")
        end = begin + text + behind
        if len(self._bytes) < end:
            return None
        with memoryview(self._bytes) as whole, whole[begin:end] as part:
            data = bytes(part)
        del self._bytes[:end]
        try:
            return _unpack(data[:text], memoryview(data)[text:], self._limit)
        except Exception as error:  # bytes from outside may fail in any way
            raise Garbled(type(error).__name__) from error


def pack_job(
    number: int, job: DocumentJob, progress: Progress, seconds: float | None, *, known: bool = False
) -> bytes:
    """The pool's message to a worker, with its length before it.

    Args:
        number: The number of the job.
        job: What to do.
        progress: Where it stands.
        seconds: How long it may take.
        known: Whether the worker was sent the job's snapshot with the job before; it is left out then.
    """
    sent = replace(job, snapshot=cast("Snapshot", None)) if known else job
    data = pickle.dumps((number, sent, progress, seconds), protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


def pack_word(number: int, page: int, packed: bytes = b"") -> bytes:
    """Word from the pool about a job that a worker has in hand, with its length before it.

    Args:
        number: The number of the job.
        page: For who has the document in hand, the page that another looked at; for who helps, the page to
            look at next, and 0 when it is enough.
        packed: What is on the page, as a worker packed it.
    """
    data = pickle.dumps((number, page, packed), protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


Word: TypeAlias = "tuple[int, bytes]"
"""A page, and what another worker found on it."""


class Mailbox:
    """What the pool sends to a worker: jobs, and word about the one in hand.

    Args:
        source: Where it comes in.
    """

    def __init__(self, source: int) -> None:
        """Nothing has come yet."""
        self._source = source
        self._bytes = bytearray()
        self._poll = select.poll()
        self._poll.register(source, select.POLLIN)

    def job(self) -> Any:
        """The next job, or None when the pool is gone; word about an earlier one is passed over."""
        while (message := self._next(wait=True)) is not None:
            if len(message) > _WORDY:
                return message
        return None

    def words(self, number: int, *, wait: bool = False) -> Iterator[Word]:
        """Word about job `number` that has come, or that comes.

        Args:
            number: The number of the job.
            wait: Whether to wait for it; the pool is then gone when there is none.
        """
        while (message := self._next(wait=wait)) is not None:
            if message[0] == number:
                yield message[1:]

    def _next(self, *, wait: bool) -> Any:
        """The next whole message, or None while, or when, there is none."""
        while (message := self._whole()) is None:
            if not wait and not self._poll.poll(0):
                return None
            data = os.read(self._source, _AT_ONCE)
            if not data:
                return None
            self._bytes += data
        return message

    def _whole(self) -> Any:
        if len(self._bytes) < _LENGTH.size:
            return None
        (size,) = _LENGTH.unpack_from(self._bytes)
        end = _LENGTH.size + size
        if len(self._bytes) < end:
            return None
        with memoryview(self._bytes) as whole, whole[_LENGTH.size : end] as part:
            message = pickle.loads(part)  # noqa: S301  (the parent of this process)
        del self._bytes[:end]
        return message
