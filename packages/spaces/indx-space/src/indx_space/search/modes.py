"""Finds the search mode that a caller names, and asks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, cast

from indx_core.canonical import clean_text
from indx_core.errors import InvalidRequest
from indx_space import provider

if TYPE_CHECKING:
    from indx_core.contracts.space import SearchHit, Space
    from indx_core.discovery import Registry
    from indx_core.ports import SearchMode

__all__ = ["find_mode", "search"]

_OWN: Final[Mapping[str, Callable[[Registry | None], SearchMode]]] = {
    "semantic": provider.SemanticMode,
    "lexical": lambda _: provider.LexicalMode(),
    "hybrid": provider.HybridMode,
}
"""The modes that come with a space: at hand without looking for others, which costs a scan."""

_GROUP: Final = "indx.search_modes"


def search(space: Space, query: str, k: int, mode: str, registry: Registry | None = None) -> list[SearchHit]:
    """Search `space` in a mode; see `KnowledgeSpace.search`."""
    if not isinstance(query, str):
        raise InvalidRequest(f"query is {query!r}: give a text", param="query")
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise InvalidRequest(f"k is {k!r}: ask for 1 hit or more", param="k")
    return list(find_mode(mode, registry).search(space, clean_text(query), k))


def find_mode(mode: str, registry: Registry | None = None) -> SearchMode:
    """The search mode with an ID.

    Raises:
        InvalidRequest: None that can be used has it.
    """
    if mode in _OWN:
        return _OWN[mode](registry)
    from indx_core.discovery import State, default_registry

    registry = registry or default_registry()
    found = registry.find(_GROUP, mode)
    if found is not None and found.state is State.AVAILABLE:
        return cast("SearchMode", found.item)
    if found is not None:
        raise InvalidRequest(
            f"search mode {mode!r} cannot be used: {found.reason}; {found.fix}", param="mode"
        )
    known = sorted({*_OWN, *(one for p in registry.usable(_GROUP) for one in p.identities)})
    raise InvalidRequest(
        f"no search mode {mode!r} is installed; there are {', '.join(known)}: name one, or install the "
        "distribution that adds it",
        param="mode",
    )
