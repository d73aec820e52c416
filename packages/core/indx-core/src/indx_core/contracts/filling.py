"""Models made of values that were checked already, where there are very many of them.

To validate a model takes twice as long as to make one, and most of what it makes beside it is the set of
members that were given, which models filled here share.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, Final, TypeVar

from pydantic import BaseModel

__all__ = ["all_filled", "filled"]

M = TypeVar("M", bound=BaseModel)

_set_values, _set_given, _set_extra, _set_private = (
    vars(BaseModel)[slot].__set__
    for slot in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)
_each: Final[Callable[[Iterable[Any]], object]] = deque(maxlen=0).extend


def filled(
    model: type[M],
    values: dict[str, Any],
    given: set[str],
    *,
    extra: dict[str, Any] | None = None,
    private: dict[str, Any] | None = None,
) -> M:
    """A model as validation would leave it.

    Args:
        model: What to make; its models are frozen, or the set of members would not be theirs to share.
        values: Every member by name, those left to their defaults included, as validation leaves them.
        given: Which of them were given.
        extra: What a model that allows it holds beside its members.
        private: Its private attributes.
    """
    made = model.__new__(model)
    _set_values(made, values)
    _set_given(made, given)
    _set_extra(made, extra)
    _set_private(made, private)
    return made


def all_filled(model: type[M], values: Sequence[dict[str, Any]], given: Iterable[set[str]]) -> list[M]:
    """Models as `filled` makes them, without a Python frame for each.

    Args:
        model: What to make; it has neither private attributes nor members beside its own.
        values: The members of each, as those of `filled`.
        given: Which of them were given, for each.
    """
    made = list(map(model.__new__, repeat(model, len(values))))
    _each(map(_set_values, made, values))
    _each(map(_set_given, made, given))
    _each(map(_set_extra, made, repeat(None)))
    _each(map(_set_private, made, repeat(None)))
    return made
