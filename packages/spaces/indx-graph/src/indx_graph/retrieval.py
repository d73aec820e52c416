"""`SpectRAGRetrieval`: asks an index, and says why each chunk was chosen."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from indx_core.canonical import clean_text
from indx_core.errors import InvalidRequest
from indx_core.text import query_terms
from indx_graph.asking import Answer, Asker
from indx_graph.chunks import GraphChunk
from indx_graph.embedding import EmbedFunction, check_probe, choose_embedder
from indx_graph.opening import open_graph
from indx_graph.options import GraphSettings
from indx_graph.reasons import Reason, reason_of
from indx_graph.selecting import choose

if TYPE_CHECKING:
    from indx_core.discovery import Registry

__all__ = ["Chosen", "Retrieval", "SpectRAGRetrieval"]

Rows = npt.NDArray[np.float32]

_log = logging.getLogger("indx.graph")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A chunk that was chosen.

    Attributes:
        chunk: The chunk.
        score: What it was ranked by; it only orders.
        tokens: How many it takes of the budget.
        reason: Why it was chosen.
    """

    chunk: GraphChunk
    score: float
    tokens: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The answer to a question.

    Attributes:
        query: The question.
        chosen: The chunks, best first.
        tokens: How many tokens they have together.
        token_budget: How many they may have; None where it was not bounded.
        too_long: IDs of chunks that ranked higher than some that were chosen and did not fit.
        repeated: IDs of chunks that say what a chosen one says, by its ID.
    """

    query: str
    chosen: list[Chosen]
    tokens: int
    token_budget: int | None
    too_long: list[str] = field(default_factory=list)
    repeated: dict[str, str] = field(default_factory=dict)

    def wire(self) -> dict[str, Any]:
        """JSON data."""
        return {
            "query": self.query,
            "tokens": self.tokens,
            "token_budget": self.token_budget,
            "chunks": [
                {
                    **one.chunk.written(),
                    "score": one.score,
                    "reason": {**asdict(one.reason), "text": one.reason.text},
                }
                for one in self.chosen
            ],
            "too_long": self.too_long,
            "repeated": self.repeated,
        }


class SpectRAGRetrieval:
    """An index, opened to be asked. Opening changes nothing on the disk.

    Args:
        folder: The index.
        embed_fn: The function that embedded it, where it was one.
        registry: Where embedders are looked for; None for the installed ones.

    Raises:
        IndexError_: The folder is missing, damaged, something else, or of a later release.
        EmbedderError: What embeds here is not what made the vectors.
        Unavailable: `embedder_unavailable`.
    """

    def __init__(
        self,
        folder: str | Path,
        embed_fn: EmbedFunction | None = None,
        *,
        registry: Registry | None = None,
    ) -> None:
        """Read the index, and hold its fingerprint against the embedder's."""
        graph, self.info, self.folder = open_graph(folder)
        self.settings = graph.settings
        self._embedder = choose_embedder(graph.settings.embedder, embed_fn, registry)
        if graph.probe is None:
            _log.warning(
                "%s has no fingerprint: it was not checked that %r made its vectors",
                self.folder.name,
                self._embedder.name,
            )
        else:
            check_probe(np.asarray(graph.probe), self._embedder)
        self._asker = Asker(graph)

    @property
    def chunks(self) -> list[GraphChunk]:
        """Every chunk."""
        return self._asker.graph.chunks

    def retrieve(
        self, query: str, *, token_budget: int | None = None, limit: int | None = None, **changes: Any
    ) -> Retrieval:
        """Choose the chunks that answer a question, within a token budget.

        Args:
            query: The question; any text is literal.
            token_budget: The most tokens; the settings' own by default.
            limit: The most chunks.
            **changes: Settings of asking to change for this question.

        Raises:
            InvalidRequest: The query is no text, or a number is below 0.
            ConfigurationError: A setting is unknown or wrong.
            Unavailable: `embedder_unavailable`.
        """
        settings = self.settings.replaced(**changes) if changes else self.settings
        budget = settings.token_budget if token_budget is None else token_budget
        return answer_within(
            self._asker, _checked(query, budget, limit), self._vector(query), settings, budget, limit
        )

    def search(self, query: str, k: int = 5, **changes: Any) -> list[Chosen]:
        """The best `k` chunks, whatever their length.

        Raises:
            InvalidRequest: The query is no text, or `k` is below 0.
            ConfigurationError: A setting is unknown or wrong.
            Unavailable: `embedder_unavailable`.
        """
        settings = self.settings.replaced(**{"coverage_share": 0.0, **changes})
        text = _checked(query, None, k)
        return answer_within(self._asker, text, self._vector(query), settings, None, k).chosen

    def ask(self, query: str, settings: GraphSettings | None = None) -> Answer:
        """The scores of all chunks for a question, and what they are made of."""
        return self._asker.ask(_checked(query, None, None), self._vector(query), settings or self.settings)

    def _vector(self, query: str) -> Rows | None:
        """The query's vector; None where it holds nothing to embed."""
        if not query_terms(query) or not self.chunks:
            return None
        row: Rows = self._embedder.embed([clean_text(query)], "query")[0]
        return row if row.any() else None


def answer_within(
    asker: Asker,
    query: str,
    vector: Rows | None,
    settings: GraphSettings,
    budget: int | None,
    limit: int | None,
) -> Retrieval:
    """Ask, choose, and say why."""
    answer = asker.ask(query, vector, settings)
    choice = choose(asker, answer, query, settings, budget=budget, limit=limit)
    chunks = asker.graph.chunks
    return Retrieval(
        query,
        [
            Chosen(
                chunks[place],
                float(answer.scores[place]),
                chunks[place].tokens,
                reason_of(asker, answer, place, covered),
            )
            for place, covered in zip(choice.places, choice.covered, strict=True)
        ],
        choice.tokens,
        budget,
        [chunks[place].id for place in choice.too_long],
        {chunks[place].id: chunks[other].id for place, other in choice.repeated.items()},
    )


def _checked(query: str, budget: int | None, limit: int | None) -> str:
    if not isinstance(query, str):
        raise InvalidRequest(f"query is {query!r}: give a text", param="query")
    for name, number in (("token_budget", budget), ("limit", limit)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 0):
            raise InvalidRequest(f"{name} is {number!r}: ask for 0 or more", param=name)
    return clean_text(query)
