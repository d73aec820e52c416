"""One parsed document as JSON data: what the cache keeps, and what a `ParsedDoc` is made from.

Everything passes through a record, read just now or taken from the cache, so that both are the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from indx_core.canonical import clean_text
from indx_core.contracts.space import Source
from indx_core.ports import ChunkDraft, ChunkLayout, Table
from indx_space.parsed import ParsedDoc, ParsedHeading, ParsedLink
from indx_space.unread import damaged, unread

if TYPE_CHECKING:
    from indx_core.lapses import Lapse
    from indx_core.ports import PageReading
    from indx_runtime import Progress

__all__ = [
    "MOST_TRIES",
    "RECORD_VERSION",
    "Record",
    "is_record",
    "make_record",
    "make_refusal",
    "parsed_of",
    "stands",
    "tries_of",
]

RECORD_VERSION: Final = "5"
MOST_TRIES: Final = 3
"""Builds in which what reads a document may be ended or fail, before it is left at what came of that."""
_TITLE: Final = 300
_DEEPEST: Final = 32

Record: TypeAlias = dict[str, Any]


def make_record(progress: Progress) -> Record:
    """Everything later stages need of a document that was worked on, as JSON data.

    `settled` says whether it is kept: not where the moment lacked something. `counted` says whether that is
    to count the builds it came of, see `stands`: where what reads the document was ended, or where a reader
    that no other stood in for, a parser or a chunker failed.
    """
    readings = dict(sorted(progress.readings.items()))
    drafts = [(page, draft) for page, all_drafts in progress.drafts().items() for draft in all_drafts]
    errors, failed = _errors(progress)
    return {
        "pages": progress.page_count,
        "title": _title(readings),
        "drafts": [_draft(page, draft) for page, draft in drafts],
        "links": _links(readings, drafts),
        "headings": _headings(readings),
        "metadata": _metadata(readings),
        "errors": errors,
        "cost_usd": sum(attempt.cost_usd for attempt in progress.attempts),
        **_standing(progress.lapse, failed=bool(failed or progress.left_out or progress.failed_parsers)),
    }


def _standing(lapse: Lapse | None, *, failed: bool = False) -> Record:
    """How long an outcome stands, by what it owes to the moment and whether something failed beside."""
    return {"settled": lapse != "lacking", "counted": failed or lapse == "ended"}


def tries_of(record: Record | None, limits: str) -> int:
    """In how many builds what reads a document was ended or failed, by what the cache holds of it.

    Args:
        record: That, if anything.
        limits: What a worker is held to: under others it is tried anew.
    """
    return record["tries"] if record is not None and record.get("limits") == limits else 0


def stands(record: Record, limits: str) -> bool:
    """Whether a record that was kept is taken for the outcome, rather than trying once more."""
    return "tries" not in record or (record["tries"] >= MOST_TRIES and record["limits"] == limits)


def make_refusal(code: str, message: str, lapse: Lapse | None = None) -> Record:
    """What is kept of a document that cannot be opened: why."""
    empty: Record = {name: [] for name in ("drafts", "links", "headings", "errors", "members", "problems")}
    return {**empty, **_standing(lapse), "refused": [code, message]}


def is_record(value: Any) -> bool:
    """Whether a value that came out of the cache has the shape of a record."""
    lists = ("drafts", "links", "headings", "errors")
    return isinstance(value, dict) and all(isinstance(value.get(name), list) for name in lists)


def parsed_of(
    record: Record, source: Source, doc_id: str, digest: str, media_type: str, size: int
) -> ParsedDoc:
    """The parsed document that a record tells of."""
    return ParsedDoc.model_construct(
        source=source,
        doc_id=doc_id,
        digest=digest,
        media_type=media_type,
        size_bytes=size,
        pages=record["pages"],
        title=record["title"],
        drafts=[_drafted(*row) for row in record["drafts"]],
        links=[ParsedLink(*row) for row in record["links"]],
        headings=[ParsedHeading(*row) for row in record["headings"]],
        metadata=record["metadata"],
        members=[member[0] for member in record.get("members", ())],
        errors=[message for _, message in record["errors"]],
    )


def _draft(page: int, draft: ChunkDraft) -> list[Any]:
    layout = draft.layout
    shape: list[Any] | None = None
    if layout is not None:
        table = layout.table
        shape = [layout.role, layout.repeated]
        if table is not None:
            shape += [table.start, table.end, table.rows, table.columns, table.header_rows]
    return [
        page,
        None if draft.text is None else clean_text(draft.text),
        [list(span) for span in draft.spans],
        None if draft.box is None else _box(draft.box),
        draft.box_reason,
        shape,
        [clean_text(title) for title in draft.section],
    ]


def _drafted(
    page: int, text: str | None, spans: list[Any], box: Any, reason: Any, shape: Any, section: list[str]
) -> tuple[int, ChunkDraft]:
    layout = None
    if shape is not None:
        role, repeated, *grid = shape
        table = None
        if grid:
            start, end, rows, columns, header_rows = grid
            table = Table(start, end, rows, columns, header_rows, ())
        layout = ChunkLayout(role, table, repeated)
    return page, ChunkDraft(text, None, spans, box, reason, layout, section)


def _box(box: Sequence[float]) -> list[float]:
    """A box as answers give it: six places, inside the page, corners in order."""
    x0, y0, x1, y1 = (min(1.0, max(0.0, round(side, 6))) for side in box)
    return [x0, y0, max(x0, x1), max(y0, y1)]


def _links(readings: Mapping[int, PageReading], drafts: Sequence[tuple[int, ChunkDraft]]) -> list[list[Any]]:
    """Links in reading order, each with the place of the draft whose text it stands in."""
    spans: dict[int, list[tuple[int, int, int]]] = {}
    if any(reading.links for reading in readings.values()):
        for place, (page, draft) in enumerate(drafts):
            spans.setdefault(page, []).extend((start, end, place) for start, end in draft.spans)
    rows: list[list[Any]] = []
    for page, reading in readings.items():
        carried = sorted(spans.get(page, ()))
        starts = [start for start, _, _ in carried]
        for link in reading.links:
            at = bisect_right(starts, link.start) - 1
            inside = at >= 0 and link.start < carried[at][1]
            rows.append(
                [page, link.start, link.end, clean_text(link.target), carried[at][2] if inside else None]
            )
    return rows


def _headings(readings: Mapping[int, PageReading]) -> list[list[Any]]:
    return [
        [page, h.start, h.end, h.level, clean_text(reading.text[h.start : h.end])]
        for page, reading in readings.items()
        for h in reading.headings
    ]


def _title(readings: Mapping[int, PageReading]) -> str | None:
    """What the document calls itself: stated, set as a title, or its first heading of the highest level."""
    for reading in readings.values():
        stated = (reading.metadata or {}).get("title")
        candidates = [stated] if isinstance(stated, str) else []
        candidates += [reading.text[r.start : r.end] for r in reading.roles if r.role == "title"]
        top = min((h.level for h in reading.headings), default=0)
        candidates += [reading.text[h.start : h.end] for h in reading.headings if h.level == top][:1]
        for candidate in candidates:
            if title := " ".join(candidate.split()):
                return clean_text(title[:_TITLE])
    return None


def _metadata(readings: Mapping[int, PageReading]) -> dict[str, Any]:
    """What readers said of pages; of a document with one such page, that alone."""
    stated = {str(page): _plain(reading.metadata) for page, reading in readings.items() if reading.metadata}
    if set(stated) == {"1"}:
        only: dict[str, Any] = stated["1"]
        return only
    return {"pages": stated} if stated else {}


def _plain(value: Any, depth: int = 0) -> Any:
    """JSON data that any writer takes, whatever a reader handed over."""
    if isinstance(value, str):
        return clean_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**63 else str(value)
    if isinstance(value, float):
        return value if value - value == 0 else None
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {clean_text(str(key)): _plain(one, depth + 1) for key, one in value.items()}
    if depth < _DEEPEST and isinstance(value, Sequence):
        return [_plain(one, depth + 1) for one in value]
    return None


def _errors(progress: Progress) -> tuple[list[list[str]], bool]:
    """Code and message of what is amiss in the document, and whether something failed rather than refused."""
    plan = progress.plan
    if plan is not None and plan.status == "unsatisfied":
        return [["plan_unsatisfied", "; ".join(plan.unsatisfied)]], False
    reasons: dict[int, str] = {}
    failed = False
    last = {a.page: a for a in progress.attempts if a.outcome in ("unread", "failed")}
    for page in range(1, progress.page_count + 1):
        if page not in progress.readings:
            attempt = last.get(page)
            failed = failed or (attempt is not None and attempt.outcome == "failed")
            reasons[page] = (attempt.reason if attempt else None) or "no installed reader reads it"
    errors = [["page_unread", clean_text(said)] for said in unread(reasons, progress.page_count, plan)]
    facts = {page: reading.metadata for page, reading in sorted(progress.readings.items())}
    errors += [["page_damaged", clean_text(said)] for said in damaged(facts, progress.page_count)]
    errors += [
        ["parser_failed", clean_text(f"the parser {name} was not asked on: {reason}")]
        for name, reason in progress.failed_parsers.items()
    ]
    errors += [
        ["chunker_failed", clean_text(f"the chunker {left.chunker} took no part: {left.reason}")]
        for left in progress.left_out
    ]
    return errors, failed
