"""Search by meaning: the cosine of every vector and the query's, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_core.deadline import Deadline
from indx_core.discovery import default_registry
from indx_core.errors import ArchiveError, InvalidRequest, Unavailable
from indx_core.text import query_terms
from indx_space.search.hits import make_hits, says_something
from indx_space.search.ranking import best
from indx_space.vectors import VectorFacts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.contracts.space import SearchHit, Space, VectorTable
    from indx_core.discovery import Provider, Registry
    from indx_space.search.ranking import Places

__all__ = ["Rows", "embed_query", "search"]

_GROUP: Final = "indx.embedders"


@dataclass(frozen=True, slots=True)
class Rows:
    """The vectors of a space made ready for comparison.

    Attributes:
        values: One row a vector.
        scales: What brings each row to length 1; 0 for a row that has no direction.
        places: The place of the chunk of each row.
    """

    values: npt.NDArray[np.float32]
    scales: npt.NDArray[np.float32]
    places: Places

    @classmethod
    def of(cls, space: Space, table: VectorTable) -> Rows:
        """Make the vectors of a space ready, or take what it remembers of them."""

        def make() -> Rows:
            import numpy as np

            order = {chunk_id: place for place, chunk_id in enumerate(_chunk_ids(space))}
            with np.errstate(all="ignore"):
                lengths = np.sqrt(np.einsum("ij,ij->i", table.values, table.values, dtype=np.float64))
                scales = np.where(np.isfinite(lengths) & (lengths > 0), 1 / lengths, 0).astype(np.float32)
            places = np.fromiter((order[one] for one in table.ids), dtype=np.int64, count=len(table.ids))
            return cls(table.values, scales, places)

        remember = getattr(space, "derived", None)
        if remember is None:
            return make()
        known: Rows = remember("rows", (table.values, table.ids), make)
        return known

    def cosines(self, query: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The cosine of each row and a query of length 1; 0 where there is none."""
        import numpy as np

        with np.errstate(all="ignore"):
            scores = self.values @ query
            scores *= self.scales
        if not np.isfinite(scores).all():
            np.nan_to_num(scores, copy=False, posinf=0.0, neginf=0.0)
        return scores


def search(space: Space, query: str, k: int, registry: Registry | None) -> list[SearchHit]:
    """The chunks nearest to the query."""
    if not len(space.chunks) or not query_terms(query):
        return []
    table = space.vectors()
    if table is None:
        raise InvalidRequest(
            "this space was built without vectors: ask mode 'lexical' or 'hybrid', or build it with an "
            "embedding space",
            param="mode",
        )
    vector = embed_query(space, query, table, registry)
    if vector is None:
        return []
    rows = Rows.of(space, table)
    scores = rows.cosines(vector)
    chosen = best(scores, rows.places, k, lambda place: says_something(space.chunks[place].text))
    return make_hits(space, ((place, score, {}) for place, score in chosen), "semantic")


def embed_query(
    space: Space, query: str, table: VectorTable, registry: Registry | None
) -> npt.NDArray[np.float32] | None:
    """The query's vector, of length 1; None where the query has no direction.

    Raises:
        ArchiveError: `embedder_mismatch`.
        Unavailable: `embedder_unavailable`.
    """
    import numpy as np

    from indx_runtime.vectors import embed_batch

    provider = _embedder(_facts(space, table), registry or default_registry())
    embedded = embed_batch(provider, [query], role="query", deadline=Deadline(None))
    if 0 in embedded.errors:
        name = provider.item.declaration.id
        raise Unavailable(
            f"{name} cannot embed the query: {embedded.errors[0]}; ask mode 'lexical'",
            code="embedder_unavailable",
        )
    vector = embedded.values[0].astype(np.float64)
    length = float(np.linalg.norm(vector))
    return (vector / length).astype(np.float32) if np.isfinite(length) and length > 0 else None


def _facts(space: Space, table: VectorTable) -> VectorFacts:
    """What made the vectors of a space, as far as it says."""
    dim = int(table.values.shape[1])
    known: VectorFacts | None = getattr(space, "vector_facts", None)
    if known is not None:
        return known
    embedder = space.metadata.get("embedder")
    name = embedder.get("name") if isinstance(embedder, dict) else None
    return VectorFacts(str(name), dim)


def _embedder(facts: VectorFacts, registry: Registry) -> Provider:
    """The embedder whose vectors of queries compare with those of a space."""
    from indx_runtime.vectors import embedder_for

    rebuild = "build the space again, or ask mode 'lexical'"
    found = embedder_for(facts.space, "query", "text", registry)
    advertised = [p.item.declaration for p in registry.advertised(_GROUP)]
    if found is None:
        installed = ", ".join(sorted({one.space.id for one in advertised})) or "none"
        raise ArchiveError(
            f"the vectors are of the embedding space {facts.space!r}, for which nothing here embeds queries "
            f"(installed: {installed}): install its distribution, {rebuild}",
            code="embedder_mismatch",
        )
    dimension = found.item.declaration.space.dimension
    if dimension != facts.dim:
        raise ArchiveError(
            f"the vectors have {facts.dim} numbers, and {facts.space!r} has {dimension} here: {rebuild}",
            code="embedder_mismatch",
        )
    makers = [one for one in advertised if one.id == facts.backend and one.space.id == facts.space]
    maker = makers[0] if makers else found.item.declaration
    if facts.fingerprint and maker.fingerprint != facts.fingerprint:
        raise ArchiveError(
            f"the vectors were made by another model or release of {facts.space!r} "
            f"({facts.fingerprint!r}, here {maker.fingerprint!r}) and do not compare: {rebuild}",
            code="embedder_mismatch",
        )
    return found


def _chunk_ids(space: Space) -> list[str]:
    column = getattr(space.chunks, "column", None)
    return column("id") if column is not None else [chunk.id for chunk in space.chunks]
