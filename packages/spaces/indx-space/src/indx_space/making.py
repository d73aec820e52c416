"""Builds models from values that are known to be right, many thousands of them, without validating any.

What pydantic's own `model_construct` does for every field of every model is done once here: the values are
complete and in the order of the fields. `tests/test_pipeline_models.py` holds the results to be equal.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from indx_core.collector import collecting_seldom
from indx_core.contracts.filling import filled
from indx_core.contracts.space import (
    Chunk,
    Document,
    Relation,
    RelationType,
    Source,
    SpaceModel,
    chunk_id,
    document_id,
)

__all__ = ["chunk_ids", "make_chunk", "make_document", "make_relation", "resting_collector"]

M = TypeVar("M", bound=SpaceModel)

_FIELDS: Final[dict[type[SpaceModel], set[str]]] = {
    model: set(model.model_fields) for model in (Chunk, Document, Relation)
}


def _filled(model: type[M], values: dict[str, Any], private: dict[str, Any] | None) -> M:
    return filled(model, values, _FIELDS[model], extra={}, private=private)


def make_relation(src: str, dst: str, kind: RelationType, score: float = 1.0) -> Relation:
    """An edge."""
    return _filled(Relation, {"src": src, "dst": dst, "type": kind, "score": score}, None)


def make_chunk(
    doc_id: str,
    ids: list[str],
    position: int,
    text: str,
    source: Source,
    metadata: dict[str, Any],
    ordinal: int,
) -> Chunk:
    """The chunk at `position` of a document whose chunks have `ids`."""
    values = {
        "id": ids[position],
        "doc_id": doc_id,
        "position": position,
        "text": text,
        "prev_id": ids[position - 1] if position else None,
        "next_id": ids[position + 1] if position + 1 < len(ids) else None,
        "source": source,
        "metadata": metadata,
        "relations": [],
        "embedding": None,
    }
    return _filled(Chunk, values, {"_ordinal": ordinal})


def make_document(path: str, lineage: list[str], size: int) -> Document:
    """The document at `path`, with nothing in it yet."""
    values = {
        "id": document_id(path),
        "path": path,
        "lineage": lineage,
        "size_bytes": size,
        "doc_type": None,
        "topics": [],
        "tags": [],
        "summary": None,
        "chunk_ids": [],
        "references": [],
        "referenced_by": [],
    }
    return _filled(Document, values, {"_ordinal": None})


def chunk_ids(doc_id: str, count: int) -> list[str]:
    """The IDs of the chunks of a document."""
    return [chunk_id(doc_id, position) for position in range(count)]


@contextmanager
def resting_collector() -> Iterator[None]:
    """Look for garbage cycles seldom inside the block: what is made there, in large numbers, stays.

    At its end all that is there counts as old, or the first look at what is young would go through it.
    """
    with collecting_seldom(1_000_000):
        try:
            yield
        finally:
            if not gc.get_freeze_count():  # else a program froze objects of its own
                gc.freeze()
                gc.unfreeze()
