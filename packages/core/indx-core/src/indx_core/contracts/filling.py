"""Models made of values that were checked already, where there are very many of them.

To validate a model takes twice as long as to make one, and most of what it makes beside it is the set of
members that were given, which models filled here share.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from pydantic import BaseModel

__all__ = ["filled"]

M = TypeVar("M", bound=BaseModel)
_set: Final = object.__setattr__


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
    _set(made, "__dict__", values)
    _set(made, "__pydantic_fields_set__", given)
    _set(made, "__pydantic_extra__", extra)
    _set(made, "__pydantic_private__", private)
    return made
