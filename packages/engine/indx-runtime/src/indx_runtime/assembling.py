"""From what was learned of a document to the blocks, the trace and the totals of an answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from indx_core import ports
from indx_core.contracts import (
    Actuals,
    Block,
    Branch,
    Cell,
    Component,
    ImageRef,
    Layout,
    PageBranch,
    Plan,
    Provenance,
    Trace,
    TraceEvent,
    TraceFailure,
    Usage,
    Vector,
)
from indx_core.contracts.filling import all_filled
from indx_core.errors import InputTooLarge
from indx_core.ports import ChunkDraft, ChunkLayout
from indx_runtime.annotating import Texts
from indx_runtime.progress import Attempt, Progress

if TYPE_CHECKING:
    from indx_source import Resolved

__all__ = [
    "Assembly",
    "build_blocks",
    "build_trace",
    "build_usage",
    "check_size",
    "in_short",
    "page_texts",
    "texts_of",
]

_REASONS: Final = 10
_TO_A_PERSON: Final = "the plan names no reader that can run, and leaves it to a person"
MAX_CELLS: Final = 2_000_000
"""Cells an answer holds at most; each takes some 500 bytes."""

_GIVEN: Final = {
    (spans, box): {
        "row",
        "column",
        "text",
        *(("row_span", "column_span") if spans else ()),
        *(("bbox",) if box else ()),
    }
    for spans in (False, True)
    for box in (False, True)
}
"""The members that cells state, by whether they span more than one row or column and their place is known."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """What blocks are made from beside the progress."""

    plan: Plan
    resolved: Resolved
    labels: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    vectors: Mapping[str, Sequence[Vector]] = field(default_factory=dict)


def page_texts(progress: Progress) -> dict[str, str]:
    """Text of each page that was read and holds any, by block ID, in page order."""
    return {f"p{n}": r.text for n, r in sorted(progress.readings.items()) if r.text.strip()}


def texts_of(progress: Progress) -> Texts:
    """What lanes are asked about: the whole text, that of each page, and that of each chunk of text."""
    pages = page_texts(progress)
    chunks = {
        f"p{page}.c{n}": draft.text
        for page, drafts in progress.drafts().items()
        for n, draft in enumerate(drafts)
        if draft.text
    }
    return Texts("\n\n".join(pages.values()), pages, chunks)


def check_size(progress: Progress) -> None:
    """Refuse a document whose chunks no answer can hold; a space is built of it all the same.

    Raises:
        InputTooLarge: Its tables have too many cells.
    """
    layouts = [draft.layout for drafts in progress.drafts().values() for draft in drafts if draft.layout]
    cells = sum(len(layout.table.cells) for layout in layouts if layout.table is not None)
    if cells > MAX_CELLS:
        raise InputTooLarge(
            f"the tables of the document have {cells:,} cells, and an answer holds at most {MAX_CELLS:,}; "
            "split the document, leave CHUNK out of the granularities, or build a space of it"
        )


def build_blocks(progress: Progress, assembly: Assembly) -> tuple[Block, ...]:
    """The flat block tree: the document, then each page before its chunks."""
    wanted = assembly.plan.granularities
    blocks = [_document(progress, assembly)]
    if "PAGE" not in wanted and "CHUNK" not in wanted:
        return tuple(blocks)
    drafts = progress.drafts() if "CHUNK" in wanted else {}
    last = _last_real(progress)
    for page in range(1, progress.page_count + 1):
        above = _page(page, progress, assembly, last.get(page))
        blocks.append(above)
        blocks += [
            _chunk(f"p{page}.c{n}", above, draft, assembly) for n, draft in enumerate(drafts.get(page, ()))
        ]
    return tuple(blocks)


def _provenance(assembly: Assembly, capability_id: str | None = None, **more: str | None) -> Provenance:
    plan = assembly.plan
    return Provenance(
        plan_id=plan.plan_id,
        source_digest=plan.source_digest,
        snapshot_id=plan.snapshot_id,
        capability_id=capability_id,
        **more,
    )


def _document(progress: Progress, assembly: Assembly) -> Block:
    resolved = assembly.resolved
    status, reason = "ok", None
    if assembly.plan.status == "unsatisfied":
        status, reason = "failed", "; ".join(assembly.plan.unsatisfied)
    elif progress.page_count and not progress.readings:
        last = _last_real(progress)
        reason = in_short(a.reason for a in last.values()) or _lack(assembly.plan) or _TO_A_PERSON
        status = "unreadable"
    name = None if resolved.uri else resolved.content.filename
    return Block(
        id="doc",
        parent_id=None,
        scope="DOCUMENT",
        status=status,
        reason=reason,
        provenance=_provenance(
            assembly, media_type=assembly.plan.media_type, source_uri=resolved.uri, filename=name
        ),
        metadata={**assembly.labels, **assembly.metadata.get("doc", {})} or None,
    )


def in_short(reasons: Iterable[str | None]) -> str:
    """The first of the different reasons, on one line."""
    different = sorted({reason for reason in reasons if reason})
    return "; ".join(different[:_REASONS]) + ("; …" if len(different) > _REASONS else "")


def _last_real(progress: Progress) -> dict[int, Attempt]:
    """The last attempt of each page that was more than handing it to a person."""
    return {a.page: a for a in progress.attempts if a.outcome != "manual"}


def _page(page: int, progress: Progress, assembly: Assembly, last: Attempt | None) -> Block:
    reading = progress.readings.get(page)
    block_id = f"p{page}"
    metadata: dict[str, Any] = {}
    status, reason = "ok", None
    if reading is None:
        status = "failed" if last is not None and last.outcome == "failed" else "unreadable"
        unplanned = "; ".join(assembly.plan.unsatisfied)
        asked = last.reason if last is not None else unplanned
        reason = asked or _lack(assembly.plan) or _TO_A_PERSON
    else:
        metadata = {**(reading.metadata or {}), **assembly.metadata.get(block_id, {})}
    return Block(
        id=block_id,
        parent_id="doc",
        scope="PAGE",
        page=page,
        status=status,
        reason=reason,
        text=None if reading is None else reading.text,
        provenance=_provenance(assembly, progress.read_by.get(page)),
        metadata=metadata or None,
    )


def _lack(plan: Plan) -> str | None:
    """What is missing to read pages of which there is only a picture."""
    return next((reason.message for reason in plan.reasons if reason.code == "no_recognition"), None)


def _chunk(block_id: str, page: Block, draft: ChunkDraft, assembly: Assembly) -> Block:
    image = draft.image
    return Block(
        id=block_id,
        parent_id=page.id,
        scope="CHUNK",
        page=page.page,
        text=draft.text,
        section=tuple(draft.section) or None,
        bbox=None if draft.box is None else _box(draft.box),
        bbox_reason=draft.box_reason,
        layout=None if draft.layout is None else _layout(draft.layout),
        image=None if image is None else ImageRef(width=image.width, height=image.height, dpi=image.dpi),
        provenance=page.provenance,
        vectors=tuple(assembly.vectors[block_id]) if block_id in assembly.vectors else None,
    )


def _box(box: Sequence[float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = box
    if 0.0 < x0 <= x1 <= 1.0 and 0.0 < y0 <= y1 <= 1.0:  # as nearly all are
        return (round(x0, 6), round(y0, 6), round(x1, 6), round(y1, 6))
    x0, y0, x1, y1 = (min(1.0, max(0.0, round(side, 6))) for side in box)
    return (x0, y0, max(x0, x1), max(y0, y1))


def _layout(layout: ChunkLayout) -> Layout:
    table = layout.table
    if table is None:
        return Layout(role=layout.role)
    return Layout(
        role="table",
        rows=table.rows,
        columns=table.columns,
        header_rows=table.header_rows,
        cells=_cells(table.cells),
    )


def _cells(cells: Sequence[ports.Cell]) -> tuple[Cell, ...]:
    """Cells on the wire; a table may have a hundred thousand, all of which were checked."""
    values = [
        {
            "row": cell.row,
            "column": cell.column,
            "row_span": cell.row_span,
            "column_span": cell.column_span,
            "text": cell.text,
            "bbox": None if cell.box is None else _box(cell.box),
        }
        for cell in cells
    ]
    given = (_GIVEN[cell.row_span != 1 or cell.column_span != 1, cell.box is not None] for cell in cells)
    return tuple(all_filled(Cell, values, given))


def build_trace(
    plan: Plan,
    progress: Progress,
    components: Sequence[Component],
    *,
    cost_usd: float,
    latency_ms: int,
    branches: Mapping[int, Branch] | None = None,
    failures: tuple[TraceFailure, ...] = (),
) -> Trace:
    """The record of an execution."""
    overridden = {p.page for p in plan.pages}
    qualities = [a.quality for a in progress.attempts if a.outcome == "read" and a.quality is not None]
    return Trace(
        status="ok" if plan.status == "ready" else "failed",
        events=tuple(_events(progress, overridden)),
        components=tuple(components),
        actuals=Actuals(quality=_mean(qualities), cost_usd=round(cost_usd, 6), latency_ms=latency_ms),
        branches=None if branches is None else _took(branches),
        failures=failures or None,
    )


def build_usage(
    progress: Progress, blocks: Sequence[Block], vectors: int, *, cost_usd: float, latency_ms: int
) -> Usage:
    """The totals of an execution."""
    return Usage(
        pages=progress.page_count,
        chunks=sum(block.scope == "CHUNK" for block in blocks),
        vectors=vectors,
        cost_usd=round(cost_usd, 6),
        latency_ms=latency_ms,
    )


def _took(branches: Mapping[int, Branch]) -> tuple[PageBranch, ...]:
    return tuple(PageBranch(page=page, type_id=branch.type_id) for page, branch in branches.items())


def _events(progress: Progress, overridden: set[int]) -> list[TraceEvent]:
    """Attempts in their order; on the default route, pages with one outcome share an event."""
    groups: dict[tuple[str, str, str | None, int], list[Attempt]] = {}
    for attempt in progress.attempts:
        own = attempt.page if attempt.page in overridden else 0
        groups.setdefault((attempt.capability_id, attempt.outcome, attempt.reason, own), []).append(attempt)
    return [
        TraceEvent(
            capability_id=name,
            scope="PAGE" if own else "DOCUMENT",
            pages=tuple(a.page for a in attempts),
            outcome=outcome,
            reason=reason,
            quality=_mean([a.quality for a in attempts if a.quality is not None]),
            latency_ms=round(sum(a.latency_ms for a in attempts)),
            cost_usd=round(sum(a.cost_usd for a in attempts), 6),
        )
        for (name, outcome, reason, own), attempts in groups.items()
    ]


def _mean(values: Sequence[float]) -> float | None:
    return round(math.fsum(values) / len(values), 6) if values else None
