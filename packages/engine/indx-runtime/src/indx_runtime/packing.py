"""Values of messages as JSON data, in which every list says what it stands for, with large ones behind it.

A reading and a chunk, which a document has hundreds of, have a form of their own: what is a number, a name or
empty in nearly all of them is written as it is, and the columns of a page stand behind the JSON in one piece.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import accumulate, chain, islice
from math import inf, isfinite, nan
from operator import attrgetter
from typing import Any, Final

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

__all__ = ["CELL", "VALUE", "Packer", "Unpacker", "check_values"]

_LONG: Final = 1_000  # characters from which a text goes behind the JSON
CELL: Final = 704
"""Bytes that making a cell takes beside its text, with the largest numbers (56 in columns)."""
VALUE: Final = 160
"""The same of a value of JSON, with what is made of it."""
_DECISION: Final = 1_280
"""The same of a value of a plan, with what is wrong about it."""
_LETTER: Final = 4
"""Bytes of each letter of a text that holds one past U+FFFF."""
_EMPTY: Final = sys.getsizeof("")  # which is counted as a value
_FAR: Final = re.compile(rb"[\xf0-\xf4]")
_SEPARATORS: Final = (b",", b"[", b"{")  # one of which comes with each value of JSON
_STRING: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def _values_of(names: tuple[str, ...]) -> Callable[[Any], Sequence[Any]]:
    """What takes the values of these attributes out of something."""
    values = attrgetter(*names)
    return values if len(names) > 1 else lambda part: (values(part),)


_PARTS: Final = (
    *(InFlight, Opened, Found, ParserFailed, Pictured, Attempted, Attempt, Cut, LeftOut, MemberFound),
    *(Table, Cell, Link, Heading, RoleSpan, ChunkLayout, Raster, Member),
)
_FIELDS: Final[Mapping[type, Callable[[Any], Sequence[Any]]]] = {
    part: _values_of(tuple(field.name for field in fields(part))) for part in _PARTS
}
_AS_THEY_ARE: Final = frozenset({type(None), bool, int})
_MAKERS: Final[Mapping[str, Callable[..., Any]]] = {
    **{part.__name__: part for part in _PARTS},
    "tuple": lambda *values: values,
    "dict": lambda *pairs: dict(zip(pairs[0::2], pairs[1::2], strict=True)),
    "float": lambda value: {"nan": nan, "inf": inf, "-inf": -inf}[value],
}
_COLUMNS: Final = {
    **dict.fromkeys(("line_starts", "line_ends", "part_starts", "part_ends"), "q"),
    **dict.fromkeys(("boxes", "part_boxes"), "d"),
}
_MARKS: Final = ("tables", "links", "headings", "roles", "hidden")
_SAID: Final = tuple(one.name for one in fields(PageReading) if one.name not in (*_COLUMNS, *_MARKS))
_SAID_IN: Final = tuple(one.name for one in fields(ChunkDraft) if one.name not in ("spans", "box", "section"))
_EMPTIES: Final = (tuple, list)
_columns_of: Final[Callable[[PageReading], tuple[Any, ...]]] = attrgetter(*_COLUMNS)
_said_of: Final[Callable[[PageReading], tuple[Any, ...]]] = attrgetter(*_SAID)
_marks_of: Final[Callable[[PageReading], tuple[Any, ...]]] = attrgetter(*_MARKS)
_said_in: Final[Callable[[ChunkDraft], tuple[Any, ...]]] = attrgetter(*_SAID_IN)


def check_values(text: bytes, limit: int, each: int = VALUE) -> None:
    """Refuse JSON that takes more memory than it may once it is read, before that is done.

    Args:
        text: The JSON.
        limit: The bytes that it may take.
        each: The bytes that a value takes.

    Raises:
        ValueError: It would take more.
    """
    if len(text) * (each + _LETTER) <= limit:
        return
    most = max(0, (limit - len(text) * _LETTER) // each)
    over = sum(map(text.count, _SEPARATORS)) - most
    if over <= 0:
        return
    for string in islice(_STRING.finditer(text), most):  # what stands in one is no value
        over -= sum(text.count(sign, *string.span()) for sign in _SEPARATORS)
        if over <= 0:
            return
    raise ValueError("more values than a message holds")


class Packer:
    """Turns a value into JSON data in which every list says what it stands for.

    Attributes:
        behind: What stands behind it.
    """

    def __init__(self) -> None:
        """Nothing stands behind it yet."""
        self.behind: list[bytes] = []

    def plain(self, value: Any) -> Any:
        """The data that stands for a value.

        Raises:
            TypeError: No message holds such a value.
        """
        kind = type(value)
        if kind in _AS_THEY_ARE:
            return value
        if kind is float:
            return value if isfinite(value) else ["float", str(value)]
        if kind is PageReading:
            return self._reading(value)
        if kind is ChunkDraft:
            return self._draft(value)
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

    def _reading(self, reading: PageReading) -> list[Any]:
        """A reading: how long each of its columns is, -1 where there is none; what is empty as a number."""
        columns = _columns_of(reading)
        sizes = [-1 if column is None else len(column) for column in columns]
        written = b"".join([column.tobytes() for column in columns if column])
        said = [one if one is None or type(one) is int else self.plain(one) for one in _said_of(reading)]
        marks = [self.plain(one) if one else _EMPTIES.index(type(one)) for one in _marks_of(reading)]
        return ["Page", self._behind("", written)[1] if written else -1, *sizes, *said, *marks]

    def _draft(self, draft: ChunkDraft) -> list[Any]:
        """A chunk: its box and its section as they are, the ends of its spans in a row."""
        said = [one if one is None else self.plain(one) for one in _said_in(draft)]
        kinds = [_EMPTIES.index(type(one)) for one in (draft.spans, draft.section)]
        return ["Draft", *said, draft.box, *kinds, draft.section, *chain.from_iterable(draft.spans)]

    def _all(self, what: str, values: Iterable[Any]) -> list[Any]:
        """What a list stands for, and its values; most are plain as they are, which saves a call for each."""
        plain = self.plain
        return [what, *[value if type(value) in _AS_THEY_ARE else plain(value) for value in values]]

    def _behind(self, what: str, data: bytes) -> list[Any]:
        self.behind.append(data)
        return [what, len(self.behind) - 1]


class Unpacker:
    """Makes of JSON data, and of the parts behind it, the value that they stand for.

    Args:
        behind: What stands behind the JSON.
        sizes: The bytes of each of its parts.
        limit: The bytes that cells may take together once they are made; texts too, and a plan.

    Raises:
        ValueError: The parts are not those of what stands there.
    """

    def __init__(self, behind: memoryview, sizes: Iterable[int], limit: int) -> None:
        """Nothing is made yet."""
        self._behind = behind
        self._sizes = list(sizes)
        self._starts = list(accumulate(self._sizes, initial=0))
        if self._starts[-1] != len(behind) or min(self._sizes, default=0) < 0:
            raise ValueError("parts that do not fit what stands behind")
        self._limit = self._room = self._paper = limit

    def made(self, value: Any) -> Any:
        """The value that some data stands for.

        Raises:
            Exception: It stands for none; of which kind depends on what is wrong with it.
        """
        if type(value) is not list:
            return value
        what = value[0]
        if read := self._READERS.get(what):
            return read(self, *value[1:])
        made = self.made
        values = [made(one) if type(one) is list else one for one in value[1:]]
        return values if what == "list" else _MAKERS[what](*values)

    def _page(self, at: int, *values: Any) -> PageReading:
        sizes, values = values[: len(_COLUMNS)], values[len(_COLUMNS) :]
        columns: dict[str, Any] = {}
        written, start = self._taken(at) if at >= 0 else memoryview(b""), 0
        for (name, kind), size in zip(_COLUMNS.items(), sizes, strict=True):
            if size < 0:
                columns[name] = None
                continue
            columns[name] = column = array(kind)
            if size:
                column.frombytes(written[start : (start := start + 8 * size)])
        if start != len(written):
            raise ValueError("columns that do not fit each other")
        made = self.made
        said = {
            name: made(one) if type(one) is list else one
            for name, one in zip(_SAID, values[: len(_SAID)], strict=True)
        }
        marks = {
            name: made(one) if type(one) is list else _EMPTIES[one]()
            for name, one in zip(_MARKS, values[len(_SAID) :], strict=True)
        }
        return PageReading(**said, **columns, **marks)

    def _draft(self, *values: Any) -> ChunkDraft:
        said = dict(zip(_SAID_IN, map(self.made, values[: len(_SAID_IN)]), strict=True))
        box, spans, section, titles, *ends = values[len(_SAID_IN) :]
        return ChunkDraft(
            **said,
            spans=_EMPTIES[spans](zip(ends[0::2], ends[1::2], strict=True)),
            box=None if box is None else tuple(box),
            section=_EMPTIES[section](titles),
        )

    def _taken(self, index: int) -> memoryview:
        """What stands behind the JSON; each part once, or few bytes would make many."""
        size, self._sizes[index] = self._sizes[index], -1
        if index < 0 or size < 0:
            raise ValueError("a part that is used twice, or that there is none of")
        start = self._starts[index]
        return self._behind[start : start + size]

    def _text(self, index: int) -> str:
        part = self._taken(index)
        if _LETTER * len(part) > self._paper and _FAR.search(part):
            raise ValueError("more text than a message holds")
        text = str(part, "utf-8", "surrogatepass")
        self._paper -= sys.getsizeof(text) - _EMPTY
        if self._paper < 0:
            raise ValueError("more text than a message holds")
        return text

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
        self._room -= CELL * len(columns) // NUMBERS
        if self._room < 0:
            raise ValueError("more cells than a message holds")
        return with_cells(self.made(table), columns, self.made(texts), self._array(*boxes[1:]))

    def _planned(self, plan: Any) -> Planned:
        text: bytes = self.made(plan).encode()
        check_values(text, self._limit, _DECISION)
        return Planned(Plan.model_validate_json(text))

    _READERS: Final[Mapping[str, Callable[..., Any]]] = {
        "array": _array,
        "text": _text,
        "bytes": _bytes,
        "Ruled": _ruled,
        "Page": _page,
        "Draft": _draft,
        "Planned": _planned,
    }
