"""Messages between the pool and its workers, and what the pool believes of them.

The pool trusts itself: a job travels as a pickle. It does not trust a worker, which may have been taken over
by the document it looked at. What a worker sends is JSON with the large values as bytes behind it: it can
hold frames and the plain data they are made of and nothing else. A message is no larger than the memory a
worker is allowed, nor is what its JSON is read into, nor are its texts, nor the cells that are made of its
columns. Whatever does not fit ends the worker.
"""

from __future__ import annotations

import json
import os
import pickle
import select
import struct
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

import orjson

from indx_runtime.packing import Packer, Unpacker, check_values

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
_AT_ONCE: Final = 1 << 20
_WORDY: Final = 3  # parts of a word from the pool; a job has more
_SHARE: Final = 8  # JSON takes many times its size once it is read, so it may have this part of the limit
_ODD: Final = b" "  # before what the quick library cannot say: lone surrogates, numbers past 64 bits


class Garbled(Exception):
    """A worker sent what no worker of ours sends."""


def pack(job: int, kind: Kind, payload: Any = None) -> bytes:
    """A worker's message, with its sizes before it.

    Raises:
        TypeError: It holds what no message holds.
    """
    packer = Packer()
    said = packer.plain(payload)
    said = [job, kind, said, [len(data) for data in packer.behind]]
    try:
        text = orjson.dumps(said)
    except TypeError:
        text = _ODD + json.dumps(said).encode()
    size = sum(map(len, packer.behind))
    return b"".join((_SIZES.pack(len(text), size), text, *packer.behind))


def _unpack(text: bytes, behind: memoryview, limit: int) -> Message:
    check_values(text, limit)
    job, kind, said, sizes = json.loads(text) if text.startswith(_ODD) else orjson.loads(text)
    return cast("Message", (job, kind, Unpacker(behind, sizes, limit).made(said)))


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
