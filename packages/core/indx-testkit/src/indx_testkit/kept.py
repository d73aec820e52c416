"""Small valid records for stores: kept documents, types, labels, datasets, routers, experiments."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from indx_core.contracts.blocks import Block, Provenance
from indx_core.contracts.datasets import DatasetDocument, DatasetRecord
from indx_core.contracts.documents import DocumentSummary, StoredDocument
from indx_core.contracts.encode import EncodeResult
from indx_core.contracts.labels import FacetTarget, Label, LabelSpec
from indx_core.contracts.plan import Plan, Route
from indx_core.contracts.routers import Router, RouterBranch
from indx_core.contracts.trace import Actuals, Trace, TraceFailure, Usage
from indx_core.contracts.types import DocumentType, TypeField

__all__ = [
    "HARD_TEXT",
    "HOSTILE",
    "NOW",
    "cell",
    "dataset",
    "digest_of",
    "document_type",
    "experiment",
    "label",
    "router",
    "stored_document",
]

NOW: Final = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
"""The moment at which the kits' injected clock stands."""

HARD_TEXT: Final = "Größe 日本語 👩\u200d👧 'quote' \"double\" \\ %s ; -- \u0007 end"
"""A line of text that a store must not change."""

HOSTILE: Final = (
    "a\x00b",
    "lone \ud800 surrogate",
    "\ufffd",
    "a\ufffdb",
    "%",
    "_",
    "'; DROP TABLE documents; --",
    '" \\ $1 :name ? {0}',
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    " ",
    "\r\n",
    "x" * 1_000_000,
)
"""Strings that are data to a store, whatever they look like to a database."""


_FAILURE: Final = TraceFailure(
    role="classifier", id="words", unit="page", asked=1, failed=1, reason="down", block_ids=("p1",)
)


def digest_of(name: str) -> str:
    """A digest that follows from `name`."""
    return "sha256:" + hashlib.sha256(name.encode()).hexdigest()


def stored_document(name: str, *, updated: int = 0, text: str = HARD_TEXT) -> StoredDocument:
    """A kept document of one page.

    Args:
        name: What its digest follows from.
        updated: Seconds after `NOW` at which it was last kept.
        text: The text of its page.
    """
    digest = digest_of(name)
    plan = Plan.create(
        status="ready",
        source_digest=digest,
        media_type="text/plain",
        snapshot_id=digest_of("snapshot"),
        policy_version="1",
        granularities=("DOCUMENT", "PAGE"),
        default=Route(capability_id="text-reader"),
    )
    origin = Provenance(plan_id=plan.plan_id, source_digest=digest, snapshot_id=plan.snapshot_id)
    result = EncodeResult(
        plan=plan,
        blocks=(
            Block(id="doc", scope="DOCUMENT", provenance=origin),
            Block(id="p1", parent_id="doc", scope="PAGE", page=1, text=text, provenance=origin),
        ),
        trace=Trace(
            status="ok", actuals=Actuals(quality=1.0, cost_usd=0.0, latency_ms=1), failures=(_FAILURE,)
        ),
        usage=Usage(pages=1, chunks=0, vectors=0, cost_usd=0.0, latency_ms=1),
    )
    moment = NOW + timedelta(seconds=updated)
    summary = DocumentSummary(
        digest=digest,
        name=name,
        media_type="text/plain",
        pages=1,
        chunks=0,
        embedding_space_ids=(),
        source_kept=False,
        created_at=NOW,
        updated_at=moment,
        expires_at=moment + timedelta(hours=1),
    )
    return StoredDocument(summary=summary, result=result)


def document_type(key: str, *, title: str = HARD_TEXT) -> DocumentType:
    """A document type with one field."""
    field = TypeField(key="total", label="Total", kind="entity", name="MONEY")
    return DocumentType(id=key, label=title, fields=(field,), created_at=NOW, updated_at=NOW)


def dataset(key: str, *, title: str = HARD_TEXT) -> DatasetRecord:
    """A dataset of one document."""
    member = DatasetDocument(digest=digest_of("member"), name=HARD_TEXT)
    return DatasetRecord(
        id=key, label=title, purpose="training", documents=(member,), created_at=NOW, updated_at=NOW
    )


def label(document: str, facet: str, *, type_id: str | None = None, reviewer: str = HARD_TEXT) -> Label:
    """An approved verdict on a facet of a document; its ID follows from the document and the facet."""
    spec = LabelSpec(
        digest=digest_of(document),
        document_name=document,
        target=FacetTarget(unit="document", facet=facet, label="report"),
        verdict="approved",
        type_id=type_id,
        reviewer=reviewer,
    )
    members = {name: getattr(spec, name) for name in type(spec).model_fields}
    return Label(**members, id=spec.label_id(), created_at=NOW, updated_at=NOW)


def router(key: str, version: int = 1, *, title: str = HARD_TEXT) -> Router:
    """A version of a router with one branch."""
    return Router(
        id=key,
        version=version,
        label=title,
        branches=(RouterBranch(type_id="report", reader="text-reader"),),
        default=RouterBranch(),
        created_at=NOW,
    )


def experiment(key: str, *, title: str = HARD_TEXT) -> dict[str, Any]:
    """An experiment as JSON data."""
    return {"id": key, "label": title, "documents": [{"digest": digest_of("member"), "name": "m"}], "n": 1.5}


def cell(digest: str, candidate: str, *, right: int = 1) -> dict[str, Any]:
    """A cell of an experiment as JSON data."""
    return {"digest": digest, "candidate": candidate, "right": right, "note": HARD_TEXT, "error": None}
