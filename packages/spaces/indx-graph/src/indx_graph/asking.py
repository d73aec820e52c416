"""Asks a graph: what matches the question, what the graph connects with it, and how far each counts.

1. Three lists are made: nearest in meaning, sharing words, and titles that the question names; where there
   are utility questions, a fourth. Reciprocal ranks fuse them into seeds.
2. From the best seeds a walk goes out, by weight, to a bounded set of candidates; personalised PageRank over
   them says how well each is connected with the seeds.
3. A chunk's score is its own relevance and its connection, in the proportion of the settings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from indx_core.text import index_terms, query_terms
from indx_graph.graph import Graph
from indx_graph.options import GraphSettings
from indx_graph.pairs import Adjacency, Floats, Ints
from indx_graph.reading import title_of
from indx_graph.terms import Titles, words_of
from indx_graph.walking import expand, page_rank

if TYPE_CHECKING:
    from indx_space.search.bm25 import LexicalIndex

__all__ = ["Answer", "Asker", "top"]

Rows = npt.NDArray[np.float32]

_DIGITS: Final = 6
_FAR: Final = 1000
"""So many chunks an approximate index is asked for."""
_QUESTIONS: Final = 80
_REMEMBERED: Final = 4096


@dataclass(slots=True)
class Answer:
    """What was found for a question, before any of it is chosen.

    Attributes:
        scores: Of every chunk; they only order.
        relevance: How well each chunk matches by itself, 0 to 1.
        connection: How well the graph connects each with the seeds, 0 to 1.
        lists: By name, the places of chunks in each list, best first.
        seeds: The chunks that the walk began from, with their share.
        named: The titles that the question names, by the chunks that bear them.
    """

    scores: Floats
    relevance: Floats
    connection: Floats
    lists: dict[str, Ints] = field(default_factory=dict)
    seeds: dict[int, float] = field(default_factory=dict)
    named: dict[int, str] = field(default_factory=dict)


class Asker:
    """A graph made ready to be asked many times.

    Args:
        graph: The graph.
        words: The index of the chunks' words, where the caller has one already.
    """

    def __init__(self, graph: Graph, words: LexicalIndex | None = None) -> None:
        """Keep the graph; what is needed of it is derived when it is first asked."""
        self.graph = graph
        self._terms: dict[int, frozenset[str]] = {}
        if words is not None:
            self.words = words

    @cached_property
    def words(self) -> LexicalIndex:
        """The words of the chunks."""
        from indx_space.search.bm25 import LexicalIndex

        return LexicalIndex.of_texts([chunk.text for chunk in self.graph.chunks])

    @cached_property
    def adjacency(self) -> Adjacency:
        """The neighbours of each chunk."""
        return Adjacency.of(self.graph.edges, len(self.graph.chunks))

    @cached_property
    def titles(self) -> Titles:
        """The titles that chunks bear."""
        return Titles([title_of(chunk) for chunk in self.graph.chunks])

    def terms_of(self, place: int) -> frozenset[str]:
        """The words of a chunk."""
        known = self._terms.get(place)
        if known is None:
            known = self._terms[place] = frozenset(index_terms(self.graph.chunks[place].text))
            if len(self._terms) > _REMEMBERED:
                self._terms.pop(next(iter(self._terms)))
        return known

    @cached_property
    def directions(self) -> Rows:
        """Spectral coordinates brought to length 1."""
        rows = np.asarray(self.graph.spectral)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        directions = np.zeros(rows.shape, np.float32)
        np.divide(rows, lengths, out=directions, where=lengths > 1e-9)
        return directions

    @cached_property
    def vectors(self) -> Rows:
        """The vectors in memory."""
        return np.ascontiguousarray(self.graph.embeddings)

    def ask(self, query: str, vector: Rows | None, settings: GraphSettings) -> Answer:
        """Score every chunk for a question.

        Args:
            query: The question; any text is literal.
            vector: Its vector, of length 1; None asks by words and titles alone.
            settings: How.
        """
        nodes = len(self.graph.chunks)
        nothing = np.zeros(nodes)
        terms = query_terms(query)
        if not nodes or not terms:
            return Answer(nothing, nothing, nothing)
        meaning, words = self._meaning(vector), self.words.scores(terms)
        named, titles = self._named(query)
        asked = self._questions(vector)
        relevance = _scaled(
            settings.dense_share * _scaled(np.maximum(meaning, asked))
            + (1 - settings.dense_share) * _scaled(words)
        )
        relevance = _scaled(np.round(relevance + settings.title_boost * titles, _DIGITS))
        lists = {
            name: top(found, settings.seed_k)
            for name, found in (
                ("meaning", meaning),
                ("words", words),
                ("title", titles),
                ("question", asked),
            )
        }
        seeds = _seeds(lists, relevance, settings)
        connection = self._connection(seeds, settings)
        scores = (1 - settings.graph_share) * relevance + settings.graph_share * connection
        if settings.spectral_share:
            near = self._proximity(seeds)
            scores = (1 - settings.spectral_share) * scores + settings.spectral_share * near
        return Answer(np.round(scores, _DIGITS), relevance, connection, lists, seeds, named)

    def _meaning(self, vector: Rows | None) -> Floats:
        """The cosine of each chunk, below 0 taken for 0; of an approximate index only of the nearest."""
        nodes = len(self.graph.chunks)
        if vector is None:
            return np.zeros(nodes)
        if self.graph.nearest is None:
            return np.maximum(np.round((self.vectors @ vector).astype(np.float64), _DIGITS), 0.0)
        places, products = self.graph.nearest.search(vector[None].astype(np.float32), min(_FAR, nodes))
        found = np.zeros(nodes)
        kept = places[0] >= 0
        found[places[0][kept]] = np.maximum(np.round(products[0][kept].astype(np.float64), _DIGITS), 0.0)
        return found

    def _questions(self, vector: Rows | None) -> Floats:
        """The cosine of the nearest utility question of each chunk that has one among the nearest."""
        found = np.zeros(len(self.graph.chunks))
        if vector is None or not len(self.graph.question_owners):
            return found
        cosines = np.round((np.asarray(self.graph.question_vectors) @ vector).astype(np.float64), _DIGITS)
        best = top(cosines, _QUESTIONS)
        np.maximum.at(found, self.graph.question_owners[best], cosines[best])
        return found

    def _named(self, query: str) -> tuple[dict[int, str], Floats]:
        """The chunks whose title the question names; many that bear one title share it."""
        found = np.zeros(len(self.graph.chunks))
        named: dict[int, str] = {}
        for key in self.titles.mentioned(words_of(query), asked=True):
            bearers = self.titles.bearers[key]
            for place in bearers:
                named.setdefault(place, title_of(self.graph.chunks[place]))
                found[place] = max(found[place], 1 / len(bearers))
        return named, found

    def _connection(self, seeds: dict[int, float], settings: GraphSettings) -> Floats:
        """The root of the rank that a walk from the seeds gives each chunk, 1 for the highest."""
        found = np.zeros(len(self.graph.chunks))
        if not seeds or not settings.graph_share:
            return found
        places = np.fromiter(seeds, dtype=np.int64)
        shares = np.array([seeds[place] for place in places.tolist()])
        candidates = expand(self.adjacency, places, shares, settings)
        ranks = page_rank(self.adjacency, candidates, places, shares, settings.damping)
        found[candidates] = np.sqrt(ranks / ranks.max())
        return found

    def _proximity(self, seeds: dict[int, float]) -> Floats:
        """The largest cosine of each chunk's coordinates and a seed's, below 0 taken for 0."""
        if not seeds or not self.directions.shape[1]:
            return np.zeros(len(self.graph.chunks))
        cosines = self.directions @ self.directions[list(seeds)].T
        nearest: Floats = np.maximum(cosines.max(axis=1).astype(np.float64), 0.0)
        return nearest


def top(scores: Any, k: int) -> Ints:
    """The places of the `k` highest scores above 0, best first, equal ones by place."""
    if len(scores) > k:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero((scores >= least) & (scores > 0))
    else:
        places = np.flatnonzero(scores > 0)
    order = np.lexsort((places, -scores[places]))
    return places[order][:k].astype(np.int64)


def _scaled(scores: Floats) -> Floats:
    """Scores with 1 for the highest."""
    highest = scores.max() if len(scores) else 0.0
    return scores / highest if highest > 0 else scores


def _seeds(lists: dict[str, Ints], relevance: Floats, settings: GraphSettings) -> dict[int, float]:
    """The seeds of the walk with their shares: of those the fused lists put first, the most relevant."""
    fused: dict[int, float] = {}
    for found in lists.values():
        for rank, place in enumerate(found.tolist()):
            fused[place] = fused.get(place, 0.0) + 1 / (settings.rrf_k + rank + 1)
    first = sorted(fused, key=lambda place: (-fused[place], place))[: settings.seed_k]
    best = sorted(first, key=lambda place: (-relevance[place], place))[: settings.restart_seeds]
    if not best:
        return {}
    shares = np.exp(settings.restart_sharpness * (relevance[best] - relevance[best].max()))
    shares /= shares.sum()
    return dict(zip(best, np.round(shares, _DIGITS).tolist(), strict=True))
