"""Declares the search mode `graph`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.ports.declarations import PORT_VERSION
from indx_core.ports.spaces import SearchModeDeclaration

if TYPE_CHECKING:
    from indx_core.contracts.space import SearchHit, Space
    from indx_core.discovery import Registry

__all__ = ["GraphMode", "graph"]


class GraphMode:
    """Ranks chunks by what a walk over the chunk graph reaches from those that match.

    Args:
        registry: Where the query's embedder is looked for; None for the installed ones.
    """

    port_version = PORT_VERSION
    declaration = SearchModeDeclaration("graph")

    def __init__(self, registry: Registry | None = None) -> None:
        self._registry = registry

    def search(self, space: Space, query: str, k: int) -> list[SearchHit]:
        """The chunks that match and those that the graph connects with them; the score only orders.

        Raises:
            ArchiveError: `embedder_mismatch`: nothing installed makes vectors that compare with them.
            Unavailable: `embedder_unavailable`.
        """
        from indx_graph.mode import search

        return search(space, query, k, self._registry)


def graph() -> GraphMode:
    """Search by the chunk graph."""
    return GraphMode()
