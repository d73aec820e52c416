"""Documents that slides hold as objects of other programs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from indx_core.errors import IndxError, InputTooLarge, SourceError
from indx_core.ports import Member
from indx_format_office.compound import is_compound
from indx_format_office.graph import chart_in
from indx_format_office.objects import MAX_OBJECT_BYTES, MAX_OBJECTS, Held, document_in
from indx_reader_ppt._records import Record, first, within

if TYPE_CHECKING:
    from indx_format_office.chart import Chart
    from indx_reader_ppt._file import Objects

__all__ = ["Embedded"]

_LIST, _EMBEDDED, _FACTS, _STORAGE = 0x0409, 0x0FCC, 0x0FC3, 0x1011
_PACKED: Final = 1
_MOST_BYTES: Final = 512 * 1024 * 1024


class Embedded:
    """The embedded objects of a presentation, by the number that shapes name."""

    def __init__(self, objects: Objects, document: Record) -> None:
        """Read which there are."""
        self._objects = objects
        self._numbers: dict[int, int] = {}
        self._sizes: dict[int, int] = {}  # of those that were inflated, which may be asked for again
        self._looked_at: set[int] = set()
        self._taken = 0
        held = first(document, _LIST)
        for record in () if held is None else within(held):
            facts = first(record, _FACTS) if record.kind == _EMBEDDED else None
            if facts is not None:
                name, _, number = facts.numbers("<3L", 8)
                self._numbers.setdefault(name, number)

    def members(self, names: list[int]) -> Iterator[Member]:
        """The documents among the objects `names`; one that cannot be taken out is there with its reason."""
        known = [name for name in dict.fromkeys(names) if name in self._numbers]
        for name in known[:MAX_OBJECTS]:
            try:
                held = self._held(name)
            except IndxError as error:
                yield Member(f"object-{name}", None, b"", error.message)
            else:
                if held is not None:
                    yield Member(held.name, held.media_type, held.data)
        for name in known[MAX_OBJECTS : MAX_OBJECTS + 1]:
            yield Member(f"object-{name}", None, b"", f"more than {MAX_OBJECTS} embedded documents")

    def chart(self, name: int) -> Chart | None:
        """The chart that the object `name` is; None for any other object.

        Raises:
            SourceError: It is damaged.
            InputTooLarge: It is larger than what is taken out, or comes after too many others.
        """
        if name not in self._numbers:
            return None
        if name not in self._looked_at:
            if len(self._looked_at) >= MAX_OBJECTS:
                raise InputTooLarge(
                    f"more than {MAX_OBJECTS} embedded objects; charts among those after are unread"
                )
            self._looked_at.add(name)
        data = self._data(name)
        return chart_in(data) if is_compound(data) else None

    def _held(self, name: int) -> Held | None:
        return document_in(self._data(name), f"object-{name}")

    def _data(self, name: int) -> bytes:
        record = self._objects.object(self._numbers[name])
        if record.kind != _STORAGE:
            raise SourceError("the presentation lacks what it embeds")
        data = record.content
        return self._inflated(name, data[4:]) if record.instance == _PACKED else data

    def _inflated(self, name: int, data: bytes) -> bytes:
        limit = min(MAX_OBJECT_BYTES, _MOST_BYTES - self._taken + self._sizes.get(name, 0))
        try:
            found = zlib.decompressobj().decompress(data, limit + 1)
        except zlib.error:
            raise SourceError("an embedded object is damaged") from None
        if len(found) > limit:
            raise InputTooLarge(f"the embedded objects inflate past {limit} bytes")
        self._taken += len(found) - self._sizes.get(name, 0)
        self._sizes[name] = len(found)
        return found
