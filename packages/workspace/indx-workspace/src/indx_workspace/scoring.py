"""Scoring: which verdicts of reviewers a result meets.

An entity verdict is met by the label and surface it expects among the merged entities of its page, surfaces
compared after NFKC; a facet verdict by the top label of its facet. An approved answer expects itself, a
corrected one the correction, a rejected one its absence. Where things stand on the page is not compared.

Where a lane failed that could have answered, what is not there is neither right nor wrong: such a verdict is
unanswered, and not among those expected.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from indx_core.canonical import clean_text
from indx_core.contracts import (
    Block,
    CellError,
    EncodeResult,
    EntityTarget,
    ExperimentCell,
    FacetTarget,
    Label,
    ScoreRow,
    TraceFailure,
)
from indx_core.scrubbing import scrubbed

__all__ = ["RowKey", "failed_cell", "is_scored", "row_keys", "scored_cell", "sum_rows"]

_PAGE: Final = re.compile(r"p([0-9]+)(?:\.c[0-9]+)?")

RowKey: TypeAlias = "tuple[Literal['entity', 'facet'], str, str | None]"
"""What a row is about: an entity label or facet, and the field it is assigned to."""


def row_keys(labels: Iterable[Label], type_id: str) -> dict[str, RowKey]:
    """The row of each label by its ID: one a field of the type, else one an entity label or facet."""
    keys: dict[str, RowKey] = {}
    for label in labels:
        name = label.target.facet if isinstance(label.target, FacetTarget) else label.target.label
        assigned = label.field if label.type_id == type_id else None
        keys[label.id] = (label.target.kind, name, assigned)
    names: dict[tuple[str, str], str] = {}
    for kind, name, assigned in keys.values():  # a field is one row, under the first of its names
        if assigned is not None:
            names[kind, assigned] = min(name, names.get((kind, assigned), name))
    return {
        key: (kind, name if assigned is None else names[kind, assigned], assigned)
        for key, (kind, name, assigned) in keys.items()
    }


def scored_cell(
    digest: str,
    candidate: str,
    result: EncodeResult,
    labels: Sequence[Label],
    keys: Mapping[str, RowKey],
) -> ExperimentCell:
    """One document read as one candidate, held against its verdicts."""
    blocks = {block.id: block for block in result.blocks}
    counts: dict[RowKey, list[int]] = {}
    failures = result.trace.failures or ()
    for label in labels:
        row = counts.setdefault(keys[label.id], [0, 0, 0])
        met = _met(label, blocks, failures)
        row[0] += met is not None
        row[1] += met is True
        row[2] += met is None
    rows = _rows(counts)
    unread = {
        f"p{page}" for event in result.trace.events if event.outcome == "manual" for page in event.pages
    }
    return ExperimentCell(
        digest=digest,
        candidate=candidate,
        pages=result.usage.pages,
        needs_person=sum(block_id in blocks and blocks[block_id].status != "ok" for block_id in unread),
        expected=sum(row.expected for row in rows),
        right=sum(row.right for row in rows),
        unanswered=sum(row.unanswered or 0 for row in rows) or None,
        cost_usd=result.usage.cost_usd,
        latency_ms=result.usage.latency_ms,
        failures=result.trace.failures,
        rows=rows,
    )


def failed_cell(digest: str, candidate: str, code: str, message: str) -> ExperimentCell:
    """A document that could not be read as a candidate."""
    return ExperimentCell(
        digest=digest,
        candidate=candidate,
        pages=0,
        needs_person=0,
        expected=0,
        right=0,
        cost_usd=0.0,
        latency_ms=0,
        error=CellError(code=code, message=clean_text(scrubbed(message))),
    )


def is_scored(cell: ExperimentCell) -> bool:
    """Whether a document was scored: it was read, and a verdict on it could be told where there is any."""
    return cell.error is None and (cell.expected > 0 or not cell.unanswered)


def sum_rows(cells: Iterable[ExperimentCell]) -> tuple[ScoreRow, ...]:
    """The rows of several cells, added up."""
    counts: dict[RowKey, list[int]] = {}
    for row in (row for cell in cells for row in cell.rows):
        total = counts.setdefault((row.kind, row.name, row.field), [0, 0, 0])
        total[0] += row.expected
        total[1] += row.right
        total[2] += row.unanswered or 0
    return _rows(counts)


def _rows(counts: Mapping[RowKey, Sequence[int]]) -> tuple[ScoreRow, ...]:
    """Fields first, then by kind and name."""
    ordered = sorted(counts.items(), key=lambda item: (item[0][2] is None, item[0][2] or "", *item[0][:2]))
    return tuple(
        ScoreRow(
            kind=kind,
            name=name,
            field=assigned,
            expected=expected,
            right=right,
            unanswered=unanswered or None,
        )
        for (kind, name, assigned), (expected, right, unanswered) in ordered
    )


def _met(label: Label, blocks: Mapping[str, Block], failures: Iterable[TraceFailure]) -> bool | None:
    """Whether a verdict is met; None where that cannot be told: a lane failed that could have met it."""
    target, fix = label.target, label.correction
    wanted = (fix.label if fix else None) or target.label
    if isinstance(target, FacetTarget):
        top = _top_label(target, blocks)
        found = top == wanted
    else:
        surface = (fix.surface if fix else None) or target.surface
        found = (wanted, _folded(surface)) in _entities(target, blocks)
    met = found != (label.verdict == "rejected")
    # Of a facet one answer wins, and that of the lane that failed might have; an entity that is there stays.
    certain = met and top is not None if isinstance(target, FacetTarget) else found
    return met if certain or not any(_concerns(failure, target) for failure in failures) else None


def _concerns(failure: TraceFailure, target: EntityTarget | FacetTarget) -> bool:
    """Whether what failed could have answered, and failed where the answer was judged.

    Where a chunker failed, another cut the document, and a chunk that was judged may not be there. Of a
    failure on more blocks than are named, any block of its unit may be one.
    """
    if isinstance(target, FacetTarget):
        if failure.role == "chunker":
            return target.unit == "chunk"
        if (failure.role, failure.unit) != ("classifier", target.unit):
            return False
        named = _block_of(target) in failure.block_ids
    else:
        if failure.role != "extractor":
            return False
        page = _page_of(target.block_id) or target.page
        named = any(_page_of(block_id) == page for block_id in failure.block_ids)
    return named or failure.failed > len(failure.block_ids)


def _folded(surface: str) -> str:
    return unicodedata.normalize("NFKC", surface)


def _entities(target: EntityTarget, blocks: Mapping[str, Block]) -> set[tuple[str, str]]:
    """Label and surface of every entity on the target's page, in whatever block of it."""
    found = _metadata(blocks, "doc").get("entities") or {}
    page = _page_of(target.block_id) or target.page
    return {
        (span["label"], _folded(span["surface"]))
        for block_id, spans in (found.get("spans") or {}).items()
        if _page_of(block_id) == page
        for span in spans
    }


def _top_label(target: FacetTarget, blocks: Mapping[str, Block]) -> str | None:
    if target.unit == "chunk":
        classes = (_metadata(blocks, "doc").get("chunk_classification") or {}).get(target.block_id) or {}
    else:
        classes = _metadata(blocks, _block_of(target)).get("classification") or {}
    labels = classes.get(target.facet)
    return labels[0]["label"] if labels else None


def _block_of(target: FacetTarget) -> str:
    return "doc" if target.unit == "document" else target.block_id or f"p{target.page}"


def _metadata(blocks: Mapping[str, Block], block_id: str) -> Mapping[str, Any]:
    block = blocks.get(block_id)
    return (block.metadata or {}) if block is not None else {}


def _page_of(block_id: str) -> int | None:
    found = _PAGE.fullmatch(block_id)
    return int(found[1]) if found else None
