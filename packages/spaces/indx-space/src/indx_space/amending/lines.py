"""The text of `index.json` as lines, some of which are replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import orjson

from indx_space.records import ends_part

__all__ = ["Index", "Mismatch"]


class Mismatch(Exception):
    """The last output is not what the ledger says of it."""


class Index:
    """An index that a build wrote, and what is to be other in it.

    Args:
        data: Its text.
        chunks: How many chunks each document has.
        relations: How many lines of relations each document has.

    Raises:
        Mismatch: The text is not of this shape.
    """

    def __init__(self, data: bytes, chunks: Sequence[int], relations: Sequence[int]) -> None:
        """Take it apart."""
        self._lines = data.split(b"\n")
        self.chunks = sum(chunks)
        self._document = self.chunks + 4
        self._metadata = self._document + len(chunks) + 1
        self._relation = [self._metadata + 2 + before for before in accumulate(relations, initial=0)]
        self._end = self._relation[-1]
        named = {1: b'"chunks":[', self._document - 1: b'"documents":[', self._metadata + 1: b'"relations":['}
        if len(self._lines) != self._end + 6 or any(self._lines[at] != line for at, line in named.items()):
            raise Mismatch
        self.metadata = self._value(self._metadata, b'"metadata":')
        self.stats = self._value(self._end + 2, b'"stats":')
        self.embeds = bool(self.stats.get("embeddings"))
        self._replaced: dict[int, bytes] = {}
        self._spliced: dict[int, list[bytes]] = {}

    def chunk(self, ordinal: int, record: bytes) -> None:
        """Replace the record of a chunk."""
        self._replace(2 + ordinal, record)

    def document(self, place: int, record: bytes) -> None:
        """Replace the record of a document."""
        self._replace(self._document + place, record)

    def document_record(self, place: int) -> dict[str, Any]:
        """The record of a document as it was."""
        record: dict[str, Any] = orjson.loads(self._lines[self._document + place].removesuffix(b","))
        return record

    def relation_records(self, place: int) -> list[bytes]:
        """The relations that a document and its chunks began."""
        lines = self._lines[self._relation[place] : self._relation[place + 1]]
        return [line.removesuffix(b",") for line in lines]

    def relations(self, place: int, records: list[bytes]) -> None:
        """Replace the relations that a document and its chunks begin."""
        self._spliced[place] = records

    def close(self, metadata: bytes, stats: bytes) -> None:
        """Replace the facts that stand once."""
        self._replaced[self._metadata] = b'"metadata":' + metadata + b","
        self._replaced[self._end + 2] = b'"stats":' + stats + b","

    def parts(
        self, before: Sequence[tuple[int, int]], packed: memoryview
    ) -> Iterator[tuple[int, bytes, memoryview | None]]:
        """The text by parts: how many lines, their text, and how it was packed where it is as it was.

        Args:
            before: Lines and packed bytes of each part of the text as it was.
            packed: The packed text as it was.
        """
        known: dict[int, tuple[int, memoryview]] = {}
        line = place = 0
        for count, size in before:
            known[line] = (count, packed[place : place + size])
            line, place = line + count, place + size
        ends = {start + count - 1 for start, (count, _) in known.items()}
        held, origins = list[bytes](), list[int]()
        for origin, text in self._all():
            held.append(text)
            origins.append(origin)
            if origin in ends if origin >= 0 else ends_part(text + b"\n"):
                yield self._part(held, origins, known)
                held, origins = [], []
        if held:
            yield self._part(held, origins, known)

    @staticmethod
    def _part(
        held: list[bytes], origins: list[int], known: dict[int, tuple[int, memoryview]]
    ) -> tuple[int, bytes, memoryview | None]:
        count, packed = known.get(origins[0], (0, None))
        same = count == len(held) and origins[-1] - origins[0] == count - 1 and -1 not in origins
        return len(held), b"\n".join(held) + b"\n", packed if same else None

    def _all(self) -> Iterator[tuple[int, bytes]]:
        """Every line with the number it had, or -1 where it is another."""
        lines, replaced = self._lines, self._replaced
        for number in range(self._relation[0]):
            yield (-1, replaced[number]) if number in replaced else (number, lines[number])
        relations = self._relations()
        for place, (number, text) in enumerate(relations, 1):
            fitting = text.removesuffix(b",") + (b"," if place < len(relations) else b"")
            yield number if fitting == text else -1, fitting
        for number in range(self._end, len(lines) - 1):
            yield (-1, replaced[number]) if number in replaced else (number, lines[number])

    def _relations(self) -> list[tuple[int, bytes]]:
        """The lines of relations."""
        found: list[tuple[int, bytes]] = []
        cursor = self._relation[0]
        for place, records in sorted(self._spliced.items()):
            found += [(number, self._lines[number]) for number in range(cursor, self._relation[place])]
            found += [(-1, record) for record in records]
            cursor = self._relation[place + 1]
        return found + [(number, self._lines[number]) for number in range(cursor, self._end)]

    def _replace(self, number: int, record: bytes) -> None:
        self._replaced[number] = record + (b"," if self._lines[number].endswith(b",") else b"")

    def _value(self, number: int, name: bytes) -> dict[str, Any]:
        line = self._lines[number]
        if not line.startswith(name):
            raise Mismatch
        value: dict[str, Any] = orjson.loads(line[len(name) :].removesuffix(b","))
        return value
