"""The six edge signals. Each answers edges `[i, j, score]` with a score in 0..1, i < j, each pair once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from indx_graph.chunks import GraphChunk
from indx_graph.nearest import nearest_pairs
from indx_graph.options import GraphSettings
from indx_graph.pairs import Edges, Ints, no_edges, pairs
from indx_graph.reading import citation_terms
from indx_graph.shared import shared_terms

__all__ = ["adjacency", "all_signals", "questions", "section", "semantic"]

Rows = npt.NDArray[np.float32]

_CITED: Final = 100
"""What more chunks than these cite is cited by all, and ties none together."""
_PUBLISHED_GROUP: Final = 100


def all_signals(
    chunks: Sequence[GraphChunk],
    entities: Sequence[Mapping[str, float]],
    embeddings: Rows,
    question_vectors: Rows,
    question_owners: Ints,
    settings: GraphSettings,
) -> dict[str, Edges]:
    """All six signals over chunks, in document order, by name."""
    most = min(int(settings.entity_max_share * len(chunks)), settings.entity_max_chunks)
    return {
        "semantic": semantic(embeddings, settings),
        "adjacency": adjacency(chunks),
        "section": section(chunks, settings),
        "entity": shared_terms(
            entities,
            weighting=settings.entity_weighting,
            most=most,
            neighbors=settings.entity_neighbors,
        ),
        "utility_question": questions(question_vectors, question_owners, settings),
        "citation": shared_terms(
            citation_terms(chunks, scope=settings.citation_scope),
            weighting="count",
            most=_CITED,
            neighbors=settings.entity_neighbors,
        ),
    }


def semantic(embeddings: Rows, settings: GraphSettings) -> Edges:
    """Each chunk and those nearest to it in meaning, as far as they are near; the score is the cosine."""
    left, right, cosines = nearest_pairs(
        embeddings, settings.semantic_neighbors, backend=settings.backend, seed=settings.seed
    )
    near = (cosines >= settings.semantic_threshold) & (cosines > 0)
    return pairs(left[near], right[near], np.minimum(np.round(cosines[near].astype(np.float64), 6), 1.0))


def adjacency(chunks: Sequence[GraphChunk]) -> Edges:
    """Neighbours in a document; the score is 1."""
    at = {(chunk.doc_id, chunk.position): place for place, chunk in enumerate(chunks)}
    found = [
        (place, at[chunk.doc_id, chunk.position + 1])
        for place, chunk in enumerate(chunks)
        if (chunk.doc_id, chunk.position + 1) in at
    ]
    if not found:
        return no_edges()
    left, right = np.array(found).T
    return pairs(left, right, np.ones(len(left)))


def section(chunks: Sequence[GraphChunk], settings: GraphSettings) -> Edges:
    """Chunks under shared headings; the score is the shared depth over the depth of the deeper one.

    Within a document each chunk is tied to those that follow it under the same heading, up to a number. As
    published, headings are shared across documents and all pairs of a group's first hundred are tied.
    """
    across = settings.section_scope == "corpus"
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, chunk in enumerate(chunks):
        for depth in range(1, len(chunk.section) + 1):
            key = ("" if across else chunk.doc_id, tuple(chunk.section[:depth]))
            groups.setdefault(key, []).append(place)
    left: list[int] = []
    right: list[int] = []
    scores: list[float] = []
    for (_, prefix), members in groups.items():
        members = members[:_PUBLISHED_GROUP] if across else members
        for number, one in enumerate(members):
            reach = len(members) if across else number + 1 + settings.section_neighbors
            for other in members[number + 1 : reach]:
                left.append(one)
                right.append(other)
                scores.append(len(prefix) / max(len(chunks[one].section), len(chunks[other].section)))
    return pairs(left, right, scores)


def questions(vectors: Rows, owners: Ints, settings: GraphSettings) -> Edges:
    """Chunks that answer like questions; the score is the cosine of the two questions."""
    left, right, cosines = nearest_pairs(vectors, settings.question_neighbors, seed=settings.seed)
    alike = cosines >= settings.question_threshold
    scores = np.minimum(np.round(cosines[alike].astype(np.float64), 6), 1.0)
    return pairs(owners[left[alike]], owners[right[alike]], scores)
