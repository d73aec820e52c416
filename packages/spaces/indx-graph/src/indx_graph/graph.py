"""A chunk graph in memory, and how it is made of chunks and their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indx_graph.chunks import GraphChunk
from indx_graph.fusion import fuse
from indx_graph.options import GraphSettings
from indx_graph.pairs import Edges, Floats, Ints
from indx_graph.reading import citations_in, entity_terms
from indx_graph.signals import all_signals
from indx_graph.spectral import clusters, coordinates

__all__ = ["Graph", "fused_again", "make_graph", "unit_rows"]

Rows = npt.NDArray[np.float32]
_BLOCK: Final = 8192


@dataclass(slots=True)
class Graph:
    """Chunks, their vectors, and the graph over them.

    Attributes:
        chunks: The nodes, documents one after another.
        embeddings: One row of length 1 a chunk; 0 throughout where nothing could be embedded.
        settings: How it was made, and how it is asked unless told otherwise.
        edges: The fused graph.
        weights: What each signal counted.
        signals: The six raw signals; empty in a graph that was opened to be asked.
        spectral: Coordinates of each chunk.
        eigenvalues: Of the columns of `spectral`.
        question_vectors: Vectors of the utility questions.
        question_owners: The chunk of each.
        probe: The embedder's fingerprint.
        nearest: The approximate index of the vectors, where there is one.
    """

    chunks: list[GraphChunk]
    embeddings: Rows
    settings: GraphSettings
    edges: Edges
    weights: dict[str, float] = field(default_factory=dict)
    signals: dict[str, Edges] = field(default_factory=dict)
    spectral: Rows = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    eigenvalues: Floats = field(default_factory=lambda: np.zeros(0))
    question_vectors: Rows = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    question_owners: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    probe: Rows | None = None
    nearest: Any = None


def make_graph(
    chunks: Sequence[GraphChunk],
    embeddings: Rows,
    settings: GraphSettings,
    *,
    question_vectors: Rows | None = None,
    question_owners: Ints | None = None,
    probe: Rows | None = None,
    spectrum: bool = True,
) -> Graph:
    """The graph over chunks: names and citations are read, signals made, fused, and solved.

    Args:
        chunks: In document order; `entities`, `references` and `cluster` are filled in place.
        embeddings: One row a chunk.
        settings: How.
        question_vectors: Vectors of the utility questions.
        question_owners: The place of the chunk of each.
        probe: The embedder's fingerprint, kept with the graph.
        spectrum: Whether to make coordinates and clusters.
    """
    nodes = list(chunks)
    rows = unit_rows(embeddings)
    vectors = np.zeros((0, rows.shape[1]), np.float32) if question_vectors is None else question_vectors
    owners = np.zeros(0, np.int64) if question_owners is None else question_owners
    terms = entity_terms(nodes, mentions=settings.title_mentions)
    for chunk, mine in zip(nodes, terms, strict=True):
        chunk.entities = list(mine)
        chunk.references = list(dict.fromkeys([*chunk.references, *citations_in(chunk.text)]))
    signals = all_signals(nodes, terms, rows, vectors, owners, settings)
    return fused_again(
        Graph(
            nodes,
            rows,
            settings,
            np.zeros((0, 3)),
            signals=signals,
            question_vectors=vectors,
            question_owners=owners,
            probe=probe,
        ),
        settings,
        spectrum=spectrum,
    )


def fused_again(graph: Graph, settings: GraphSettings, *, spectrum: bool = True) -> Graph:
    """The graph with its stored signals fused again under other settings; nothing is embedded."""
    edges, weights = fuse(graph.signals, len(graph.chunks), settings)
    made = replace(graph, settings=settings, edges=edges, weights=weights)
    if spectrum:
        nodes = len(graph.chunks)
        made.spectral, made.eigenvalues = coordinates(edges, nodes, settings.spectral_dims, settings.spectrum)
        labels = clusters(made.spectral, settings.clusters, settings.seed).tolist()
        made.chunks = [
            replace(chunk, cluster=label) for chunk, label in zip(graph.chunks, labels, strict=True)
        ]
    return made


def unit_rows(values: npt.ArrayLike) -> Rows:
    """Rows brought to length 1; what is not finite or has no length becomes 0."""
    given = np.asarray(values)
    made = np.empty(given.shape, np.float32)
    for start in range(0, len(given), _BLOCK):
        rows = given[start : start + _BLOCK].astype(np.float64)
        rows[~np.isfinite(rows).all(axis=1)] = 0.0
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        np.divide(rows, lengths, out=rows, where=lengths > 0)
        made[start : start + _BLOCK] = rows
    return made
