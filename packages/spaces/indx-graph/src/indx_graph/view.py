"""One HTML page that shows a graph: chunks by cluster, edges by signal, a chunk's text on click.

The page holds everything it needs. Its policy lets nothing be fetched and no script run but its own, whose
hash it names; the graph stands in it as data, and texts are put on the page as text.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, Final

import numpy as np

from indx_graph.fusion import normalized
from indx_graph.graph import Graph
from indx_graph.options import SIGNALS
from indx_graph.pairs import Edges, Floats, Ints

__all__ = ["page"]

_LONGEST_TEXT: Final = 4000
_MOST_EDGES: Final = 6000
_ROUNDS: Final = 120
_PLACE: Final = re.compile(r"\{\{(policy|title|style|script|data)\}\}")
_UNFIT: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def page(graph: Graph, *, title: str, most: int = 400) -> tuple[bytes, int]:
    """The page, and how many chunks it shows: those with the strongest edges.

    Args:
        graph: A graph with its signals.
        title: What the page is called.
        most: The most chunks.
    """
    kept = _strongest(graph, most)
    local = {int(place): number for number, place in enumerate(kept)}
    edges, names = _edges(graph, kept)
    at = _layout(len(kept), edges, [graph.chunks[place].cluster for place in kept.tolist()])
    data = {
        "signals": list(SIGNALS),
        "total": len(graph.chunks),
        "nodes": [_node(graph, place, at[local[place]]) for place in kept.tolist()],
        "edges": [
            [int(i), int(j), round(float(w), 4), name] for (i, j, w), name in zip(edges, names, strict=True)
        ],
    }
    parts = files("indx_graph").joinpath("page")
    script = parts.joinpath("page.js").read_text("utf-8")
    filled = {
        "policy": b64encode(sha256(script.encode()).digest()).decode(),
        "title": escape(title),
        "style": parts.joinpath("page.css").read_text("utf-8"),
        "script": script,
        "data": _as_data(data),
    }
    made = _PLACE.sub(lambda found: filled[found[1]], parts.joinpath("page.html").read_text("utf-8"))
    return made.encode("utf-8"), len(kept)


def _as_data(value: Any) -> str:
    """JSON that ends no script element, whatever texts it holds."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    for character, written in _UNFIT.items():
        text = text.replace(character, written)
    return text


def _node(graph: Graph, place: int, at: Floats) -> dict[str, Any]:
    chunk = graph.chunks[place]
    text = chunk.text
    return {
        "id": chunk.id,
        "doc": chunk.doc_id,
        "section": chunk.section,
        "cluster": chunk.cluster,
        "text": text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + " …",
        "entities": chunk.entities[:30],
        "x": round(float(at[0]), 4),
        "y": round(float(at[1]), 4),
    }


def _strongest(graph: Graph, most: int) -> Ints:
    """The places of the chunks with the largest sum of weights, in order."""
    strengths = np.zeros(len(graph.chunks))
    for column in (0, 1):
        np.add.at(strengths, graph.edges[:, column].astype(np.int64), graph.edges[:, 2])
    order = np.lexsort((np.arange(len(strengths)), -strengths))
    return np.sort(order[:most])


def _edges(graph: Graph, kept: Ints) -> tuple[Edges, list[int]]:
    """The edges between shown chunks, by local places, and the number of the strongest signal of each."""
    nodes = len(graph.chunks)
    local = np.full(nodes, -1, dtype=np.int64)
    local[kept] = np.arange(len(kept))
    edges = graph.edges[(local[graph.edges[:, :2].astype(np.int64)] >= 0).all(axis=1)]
    if len(edges) > _MOST_EDGES:
        edges = edges[np.sort(np.argsort(-edges[:, 2], kind="stable")[:_MOST_EDGES])]
    keys = edges[:, 0] * nodes + edges[:, 1]
    shares = np.zeros((len(edges), len(SIGNALS)))
    for number, name in enumerate(SIGNALS):
        signal = normalized(graph.signals[name], nodes, graph.settings.normalization)
        if not len(signal) or not len(edges):
            continue
        known = signal[:, 0] * nodes + signal[:, 1]
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        shares[:, number] = np.where(known[at] == keys, signal[at, 2], 0) * graph.weights.get(name, 0.0)
    shown = edges.copy()
    shown[:, :2] = local[edges[:, :2].astype(np.int64)]
    return shown, shares.argmax(axis=1).tolist() if len(edges) else []


def _layout(count: int, edges: Edges, groups: Sequence[int]) -> Floats:
    """Places in the unit square: clusters around a circle, then pulled by edges and pushed apart."""
    if count == 0:
        return np.zeros((0, 2))
    kinds = sorted(set(groups))
    turn = 2 * np.pi * np.array([kinds.index(group) for group in groups]) / len(kinds)
    own = np.arange(count) * 2.399963  # the golden angle spreads the members of a cluster
    at = np.column_stack((np.cos(turn), np.sin(turn))) + 0.25 * np.column_stack((np.cos(own), np.sin(own)))
    i, j = edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64)
    pull = np.clip(edges[:, 2], 0, 1)[:, None]
    reach = 1.6 / np.sqrt(count)
    for step in range(_ROUNDS if count <= 1500 else 0):
        apart = at[:, None, :] - at[None, :, :]
        distance = np.maximum((apart**2).sum(axis=2), 1e-4)
        force = (apart * (reach**2 / distance)[:, :, None]).sum(axis=1)
        along = (at[j] - at[i]) * pull * 2
        np.add.at(force, i, along)
        np.add.at(force, j, -along)
        force -= 0.3 * at
        size = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        at = at + force / size * np.minimum(size, 0.1 * (1 - step / _ROUNDS))
    low, high = at.min(axis=0), at.max(axis=0)
    scaled: Floats = (at - low) / np.maximum(high - low, 1e-9)
    return scaled
