"""Counts over a space: its stats, without making a model of what is still JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from indx_core.contracts.space import SpaceStats
from indx_core.errors import ArchiveError

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk, Document, Relation
    from indx_space.lazy import Items

__all__ = ["count"]


def count(
    documents: Items[Document],
    chunks: Items[Chunk],
    relations: Items[Relation],
    *,
    embeddings: int,
    embed_dim: int | None,
) -> SpaceStats:
    """The stats of a space.

    Edges are counted once each, wherever they stand and whether an end is written as an ID or as a path.
    """
    kinds = [kind for kind in documents.column("doc_type") if kind is not None]
    if not all(isinstance(kind, str) for kind in kinds):
        raise ArchiveError("a document of the space has a type that is no text; build the space again")
    return SpaceStats(
        documents=len(documents),
        chunks=len(chunks),
        relations=_count_edges(documents, chunks, relations),
        embeddings=embeddings,
        embed_dim=embed_dim,
        types=dict(sorted(Counter(kinds).items())),
    )


def _count_edges(documents: Items[Document], chunks: Items[Chunk], relations: Items[Relation]) -> int:
    ids = documents.column("id")
    names = {f"chunk_{place:04d}": identity for place, identity in enumerate(chunks.column("id"))}
    names |= {f"doc_{place:04d}": identity for place, identity in enumerate(ids)}
    names |= zip(documents.column("path"), ids, strict=True)
    names |= {identity: identity for identity in chain(ids, chunks.column("id"))}
    lists = chain(
        [relations.slots()],
        chunks.column("relations", ()),
        documents.column("references", ()),
        documents.column("referenced_by", ()),
    )
    resolve = names.get
    try:
        return len(
            {
                (resolve(src, src), resolve(dst, dst), kind)
                for edges in lists
                for src, dst, kind in _ends(edges)
            }
        )
    except (AttributeError, KeyError, TypeError):
        raise ArchiveError("an edge of the space has no src, dst and type; build the space again") from None


def _ends(edges: Iterable[Any]) -> Iterable[tuple[str, str, str]]:
    return [
        (edge["src"], edge["dst"], edge["type"]) if type(edge) is dict else (edge.src, edge.dst, edge.type)
        for edge in edges
    ]
