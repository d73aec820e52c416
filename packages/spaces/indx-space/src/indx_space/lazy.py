"""A list whose elements are made when touched: how a loaded space holds documents, chunks and edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, overload

from pydantic_core import core_schema

from indx_core.contracts.space import Numbered

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler

__all__ = ["Items"]

T = TypeVar("T")
_RAW = dict
"""The type of an element not made yet: the JSON object it was read from."""


class Items(MutableSequence[T], Generic[T]):
    """A mutable sequence of models, some of them still the JSON objects they were read from.

    An element becomes a model when it is first touched, and stays that one. Elements with a place in
    traversal order know it: the list numbers what it hands out, takes in and moves.

    Args:
        items: Models, or JSON objects where `make` is given.
        make: Makes a model of a JSON object; it raises a typed error for one that is none.
    """

    __slots__ = ("_make", "_places", "_slots", "_state")

    def __init__(
        self, items: Iterable[Any] = (), *, make: Callable[[dict[str, Any]], T] | None = None
    ) -> None:
        """Hold `items`; nothing is made yet."""
        self._slots: list[Any] = list(items)
        self._make = make
        self._state = object()
        self._places: dict[str, int] | None = None
        if make is None:
            self._renumber(0)

    @property
    def state(self) -> object:
        """A token that is another one once elements were put in, replaced or taken out."""
        return self._state

    @property
    def made(self) -> int:
        """How many elements are models by now."""
        return sum(type(slot) is not _RAW for slot in self._slots)

    def slots(self) -> Sequence[Any]:
        """The elements as they are held: models and JSON objects."""
        return self._slots

    def column(self, name: str, default: Any = None) -> list[Any]:
        """One member of every element, in order, without making any."""
        return [
            slot.get(name, default) if type(slot) is _RAW else getattr(slot, name) for slot in self._slots
        ]

    def place(self, identity: str) -> int | None:
        """The index of the element whose `id` is `identity`, or None."""
        if self._places is None:
            self._places = {one: place for place, one in reversed(list(enumerate(self.column("id"))))}
        return self._places.get(identity)

    def sort(self, *, key: Callable[[T], Any], reverse: bool = False) -> None:
        """Sort in place, stably, and number anew."""
        self._slots = sorted(self, key=key, reverse=reverse)
        self._changed(0)

    def append(self, value: T) -> None:
        """Put `value` at the end."""
        self._slots.append(_numbered(value, len(self._slots)))
        self._state = object()
        identity = getattr(value, "id", None)
        if self._places is not None and identity is not None:
            self._places.setdefault(identity, len(self._slots) - 1)

    def insert(self, index: int, value: T) -> None:
        """Put `value` before `index`."""
        index = max(0, index + len(self._slots)) if index < 0 else min(index, len(self._slots))
        self._slots.insert(index, value)
        self._changed(index)

    def __len__(self) -> int:
        return len(self._slots)

    def __iter__(self) -> Iterator[T]:
        place = 0
        while place < len(self._slots):
            slot = self._slots[place]
            yield self._touch(place) if type(slot) is _RAW else slot
            place += 1

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._touch(place) for place in range(*index.indices(len(self._slots)))]
        return self._touch(index if index >= 0 else index + len(self._slots))

    @overload
    def __setitem__(self, index: int, value: T) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[T]) -> None: ...
    def __setitem__(self, index: int | slice, value: Any) -> None:
        if isinstance(index, int):
            self._slots[index] = _numbered(value, range(len(self._slots))[index])
            self._changed(len(self._slots))
        else:
            self._slots[index] = list(value)
            self._changed(0)

    def __delitem__(self, index: int | slice) -> None:
        start = range(len(self._slots))[index] if isinstance(index, int) else 0
        del self._slots[index]
        self._changed(start)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Items | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(
            mine == theirs for mine, theirs in zip(self, other, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} items>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (list(self),))

    def _touch(self, place: int) -> T:
        if place < 0:
            raise IndexError("list index out of range")
        slot = self._slots[place]
        if type(slot) is _RAW and self._make is not None:
            slot = self._slots[place] = _numbered(self._make(slot), place)
        made: T = slot
        return made

    def _changed(self, start: int) -> None:
        self._state = object()
        self._places = None
        self._renumber(start)

    def _renumber(self, start: int) -> None:
        for place in range(start, len(self._slots)):
            _numbered(self._slots[place], place)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Take a list, and items as they are; be dumped as a list."""
        (element,) = get_args(source) or (Any,)
        models = core_schema.list_schema(handler.generate_schema(element))

        def validate(value: Any, validated: Callable[[Any], list[T]]) -> Items[T]:
            return value if isinstance(value, Items) else cls(validated(value))

        return core_schema.no_info_wrap_validator_function(
            validate,
            models,
            serialization=core_schema.plain_serializer_function_ser_schema(list, return_schema=models),
        )


def _numbered(item: T, place: int) -> T:
    if isinstance(item, Numbered) and item.ordinal != place:
        item.ordinal = place
    return item
