"""The search mode `graph`: the chunk graph of a knowledge space, made when it is first asked and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from indx_core.text import query_terms
from indx_graph.asking import Asker
from indx_graph.graph import make_graph
from indx_graph.options import GraphSettings
from indx_graph.selecting import ranked
from indx_graph.sources import from_space
from indx_space.search.hits import make_hits, says_something
from indx_space.search.lexical import index_of
from indx_space.search.semantic import embed_query

if TYPE_CHECKING:
    from indx_core.contracts.space import SearchHit, Space
    from indx_core.discovery import Registry

__all__ = ["search"]


def search(space: Space, query: str, k: int, registry: Registry | None) -> list[SearchHit]:
    """The chunks that match a query and those that the graph connects with them, best first.

    A space without vectors is asked by words, titles and the rest of the graph.
    """
    if not len(space.chunks) or not query_terms(query):
        return []
    table = space.vectors()
    vector = None if table is None else embed_query(space, query, table, registry)
    asker, order = _asker(space)
    answer = asker.ask(query, vector, asker.graph.settings)
    scores = np.zeros(len(order))
    scores[order] = answer.scores
    words = index_of(space).scores(query_terms(query))
    hits: list[tuple[int, float, dict[str, float]]] = []
    for place in ranked(scores).tolist():
        if words[place] > 0 or says_something(space.chunks[place].text):
            hits.append((place, float(scores[place]), {}))
            if len(hits) == k:
                break
    return make_hits(space, hits, "graph")


def _asker(space: Space) -> tuple[Asker, Any]:
    """The graph of a space, and for each of its nodes the place of the chunk in the space."""

    def make() -> tuple[Asker, Any]:
        gathered = from_space(space)
        places = {chunk.id: place for place, chunk in enumerate(space.chunks)}
        order = np.array([places[chunk.id] for chunk in gathered.chunks], dtype=np.int64)
        width = gathered.rows.shape[1] if len(gathered.rows) else 1
        rows = gathered.rows if len(gathered.rows) else np.zeros((len(order), width), np.float32)
        return Asker(make_graph(gathered.chunks, rows, GraphSettings(), spectrum=False)), order

    remember = getattr(space, "derived", None)
    if remember is None:
        return make()
    table = space.vectors()
    basis = (getattr(space.chunks, "state", space.chunks), None if table is None else table.values)
    made: tuple[Asker, Any] = remember("graph", basis, make)
    return made
