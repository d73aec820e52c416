"""What providers hand over, held to the rules of their ports before anything is built on it.

Whoever breaks a rule is told which: a page then fails and goes down its route, a chunker is left out, a
lane has no answer. Text is made fit for UTF-8 here, so that whatever a document holds, an answer is JSON.
The same functions look at what a worker process sends.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import isfinite, isinf, nan
from operator import attrgetter, le
from typing import Any, Final, get_args

from indx_core.canonical import clean_text
from indx_core.ports import (
    BoxReason,
    Cell,
    ChunkDraft,
    ChunkLayout,
    Member,
    Observation,
    PageEvidence,
    PageReading,
    Raster,
    Role,
    Signature,
    Table,
)
from indx_runtime.values import (
    check_box,
    check_cost,
    check_json,
    check_list,
    check_span,
    check_text,
    check_unit,
    check_whole,
    one_line,
    reason_of,
)

__all__ = [
    "check_drafts",
    "check_member",
    "check_observation",
    "check_raster",
    "check_reading",
    "check_signature",
]

_FACTS: Final = 100
_PLACES: Final = tuple(map(attrgetter, ("row", "column", "row_span", "column_span")))
_START, _END, _TEXT, _BOX = map(attrgetter, ("start", "end", "text", "box"))
_ROLES: Final = frozenset(get_args(Role))
_BOX_REASONS: Final = frozenset(get_args(BoxReason))


def check_reading(reading: Any, page: int) -> PageReading:
    """A reading of `page` whose every offset lies in its text.

    Raises:
        ValueError: A rule of `PageReading` is broken, and which.
    """
    if not isinstance(reading, PageReading):
        raise ValueError(f"a {type(reading).__name__} came in place of a page reading")
    if reading.page != page:
        raise ValueError(f"answered page {reading.page!r} when page {page} was due")
    confidence = None if reading.confidence is None else check_unit(reading.confidence, "confidence")
    cost = check_cost(reading.cost_usd, "cost_usd")
    if reading.reason is not None:
        reason = reason_of(reading.reason, "unread")
        return PageReading(page, reason=reason, confidence=confidence, cost_usd=cost)
    text = check_text(reading.text, "text")
    _check_lines(reading, len(text))
    metadata = None if reading.metadata is None else check_json(reading.metadata, "metadata")
    if metadata is not None and not isinstance(metadata, dict):
        raise ValueError("metadata is no JSON object")
    size = len(text)
    return PageReading(
        page,
        text,
        reading.line_starts,
        reading.line_ends,
        reading.boxes,
        tables=[_check_table(table, size) for table in check_list(reading.tables, "tables")],
        links=_marks(reading.links, size, "links", lambda one: check_text(one.target, "a link's target")),
        headings=_marks(reading.headings, size, "headings", lambda one: check_whole(one.level, "a level", 1)),
        roles=_marks(reading.roles, size, "roles", lambda one: _role(one.role)),
        hidden=[check_span(span, size, "hidden") for span in check_list(reading.hidden, "hidden")],
        metadata=metadata or None,
        confidence=confidence,
        cost_usd=cost,
        part_starts=reading.part_starts,
        part_ends=reading.part_ends,
        part_boxes=reading.part_boxes,
    )


def _check_lines(reading: PageReading, size: int) -> None:
    _check_stretches("line", reading.line_starts, reading.line_ends, size)
    _check_stretches("part", reading.part_starts, reading.part_ends, size)
    if reading.boxes is not None:
        _check_boxes("boxes", reading.boxes, "line", len(reading.line_starts))
    _check_boxes("part_boxes", reading.part_boxes, "part", len(reading.part_starts))


def _check_stretches(what: str, starts: Any, ends: Any, size: int) -> None:
    for name, column in (("starts", starts), ("ends", ends)):
        if not isinstance(column, array) or column.typecode != "q":
            raise ValueError(f"{what}_{name} is no array('q')")
    if len(starts) != len(ends):
        raise ValueError(f"{len(starts)} {what}s start and {len(ends)} end")
    ordered = all(map(le, starts, ends)) and all(map(le, ends, islice(starts, 1, None)))
    if not starts or (ordered and starts[0] >= 0 and ends[-1] <= size):
        return
    position = 0
    for start, end in zip(starts, ends, strict=True):
        if not position <= start <= end <= size:
            raise ValueError(f"the {what} [{start}, {end}) overlaps, or leaves the {size} characters")
        position = end


def _check_boxes(name: str, boxes: Any, what: str, count: int) -> None:
    if not isinstance(boxes, array) or boxes.typecode != "d":
        raise ValueError(f"{name} is no array('d')")
    if len(boxes) != 4 * count:
        raise ValueError(f"{len(boxes)} box numbers for {count} {what}s")
    if not isfinite(sum(boxes)) and any(map(isinf, boxes)):  # else one is no number, which may be
        raise ValueError("a box is infinite")


def _marks(marks: Any, size: int, what: str, fact: Callable[[Any], Any]) -> Sequence[Any]:
    """Links, headings or roles whose stretch lies in the text; `fact` checks what each says of it."""
    checked = []
    for mark in check_list(marks, what):
        start, end = check_span((mark.start, mark.end), size, what)
        checked.append(type(mark)(start, end, fact(mark)))
    return checked


def _role(role: Any) -> Any:
    if role not in _ROLES:
        raise ValueError(f"the role {str(role)[:40]!r} is not known")
    return role


def _check_table(table: Any, size: int | None) -> Table:
    """A table; with `size`, of a page whose text has that many characters."""
    if not isinstance(table, Table):
        raise ValueError(f"a {type(table).__name__} came in place of a table")
    if size is not None:
        check_span((table.start, table.end), size, "a table")
    for what in ("rows", "columns", "header_rows"):
        check_whole(getattr(table, what), f"a table's {what}")
    caption = None if table.caption is None else check_text(table.caption, "a caption")
    cells = tuple(check_list(table.cells, "cells"))  # whoever made the list may still have it
    if not _are_sound(cells, size):
        cells = tuple(_check_cell(cell, size) for cell in cells)
    return replace(table, cells=cells, caption=caption)


def _are_sound(cells: Sequence[Any], size: int | None) -> bool:
    """Whether nothing is to be said of these cells nor mended in them, asked of all of them at once.

    Tables of a hundred thousand cells are looked at when they are read and when they are cut.
    """
    if {*map(type, cells)} != {Cell}:
        return not cells
    for numbers in (map(field, cells) for field in _PLACES):
        column = list(numbers)
        if {*map(type, column)} != {int} or min(column) < 1:
            return False
    if size is not None:
        starts, ends = list(map(_START, cells)), list(map(_END, cells))
        if {*map(type, starts), *map(type, ends)} != {int} or min(starts) < 0 or max(ends) > size:
            return False
        if not all(map(le, starts, ends)):
            return False
    texts = list(map(_TEXT, cells))
    if {*map(type, texts)} != {str} or clean_text(whole := "\n".join(texts)) is not whole:
        return False
    boxes = [box for box in map(_BOX, cells) if box is not None]
    sides = list(chain.from_iterable(boxes)) if {*map(type, boxes)} <= {tuple} else [nan]
    return {*map(len, boxes)} <= {4} and {*map(type, sides)} <= {float} and isfinite(sum(sides))


def _check_cell(cell: Any, size: int | None) -> Cell:
    if not isinstance(cell, Cell):
        raise ValueError(f"a {type(cell).__name__} came in place of a cell")
    for number in (cell.row, cell.column, cell.row_span, cell.column_span):
        if type(number) is not int or number < 1:
            raise ValueError(f"a cell stands at row {cell.row!r}, column {cell.column!r}")
    if size is not None:
        check_span((cell.start, cell.end), size, "a cell")
    text = check_text(cell.text, "a cell's text")
    box = None if cell.box is None else check_box(cell.box)
    return cell if text is cell.text and box is cell.box else replace(cell, text=text, box=box)


def check_raster(raster: Any) -> Raster:
    """Pixels as many as the size says; none at all where only the size was wanted.

    Raises:
        ValueError: They are not.
    """
    if not isinstance(raster, Raster) or type(raster.rgb) is not bytes:
        raise ValueError(f"a {type(raster).__name__} came in place of a picture")
    for side in (raster.width, raster.height, raster.dpi):
        check_whole(side, "a side of a picture", 1)
    if raster.rgb and len(raster.rgb) != raster.width * raster.height * 3:
        raise ValueError(f"{len(raster.rgb)} bytes of pixels for {raster.width}x{raster.height}")
    return raster


def check_drafts(
    answer: Any, pages: Iterable[int], readings: Mapping[int, PageReading]
) -> dict[int, tuple[ChunkDraft, ...]]:
    """What a chunker answered for `pages`; other pages are ignored.

    Raises:
        ValueError: A rule of `ChunkDraft` is broken, and which.
    """
    if not isinstance(answer, Mapping):
        raise ValueError(f"a {type(answer).__name__} came in place of drafts by page")
    return {
        page: tuple(
            _check_draft(draft, len(readings[page].text))
            for draft in check_list(answer[page], f"the drafts of page {page}")
        )
        for page in pages
        if page in answer
    }


def _check_draft(draft: Any, size: int) -> ChunkDraft:
    if not isinstance(draft, ChunkDraft):
        raise ValueError(f"a {type(draft).__name__} came in place of a draft")
    if (draft.text is None) == (draft.image is None):
        raise ValueError("a draft has exactly one of text and image")
    if (draft.box is None) == (draft.box_reason is None):
        raise ValueError("a draft has exactly one of box and box_reason")
    if draft.box_reason is not None and draft.box_reason not in _BOX_REASONS:
        raise ValueError(f"the box_reason {str(draft.box_reason)[:40]!r} is not known")
    return ChunkDraft(
        text=None if draft.text is None else check_text(draft.text, "a draft's text"),
        image=None if draft.image is None else check_raster(draft.image),
        spans=[check_span(span, size, "a draft's spans") for span in check_list(draft.spans, "spans")],
        box=None if draft.box is None else check_box(draft.box),
        box_reason=draft.box_reason,
        layout=None if draft.layout is None else _check_layout(draft.layout),
        section=[check_text(title, "a section") for title in check_list(draft.section, "section")],
    )


def _check_layout(layout: Any) -> ChunkLayout:
    if not isinstance(layout, ChunkLayout) or layout.role not in ("paragraph", "table"):
        raise ValueError("a layout is that of a paragraph or of a table")
    table = None if layout.table is None else _check_table(layout.table, None)
    return ChunkLayout(layout.role, table, check_whole(layout.repeated, "a layout's repeated rows"))


def check_observation(observation: Any, page_count: int, media_type: str) -> Observation:
    """An observation of exactly the pages that the session has.

    Pages the session does not have are dropped; one nobody looked at counts as blank.
    """
    if not isinstance(observation, Observation):
        raise ValueError(f"a {type(observation).__name__} came in place of an observation")
    seen: dict[int, PageEvidence] = {}
    for evidence in islice(observation.pages, 2 * page_count + 1):
        if isinstance(evidence, PageEvidence) and type(evidence.page) is int:
            seen.setdefault(evidence.page, evidence)
    pages = tuple(seen.get(page) or PageEvidence(page, 0) for page in range(1, page_count + 1))
    facts = {
        one_line(code, "a fact's code"): one_line(said, "a fact")
        for code, said in islice(observation.facts.items(), _FACTS)
    }
    return Observation(media_type, pages, facts)


def check_signature(signature: Any, page_count: int) -> Signature:
    """A signature on pages that the document has.

    Raises:
        ValueError: A rule of `Signature` is broken, and which.
    """
    if not isinstance(signature, Signature) or signature.scope not in ("DOCUMENT", "PAGE"):
        raise ValueError(f"a {type(signature).__name__} came in place of a signature of a document or page")
    pages = sorted(
        {check_whole(page, "a page", 1, page_count) for page in check_list(signature.pages, "pages")}
    )
    return Signature(
        signature=one_line(signature.signature, "a signature's name"),
        scope=signature.scope,
        pages=tuple(pages),
        evidence=tuple(one_line(said, "evidence") for said in check_list(signature.evidence, "evidence")),
        confidence=check_unit(signature.confidence, "confidence"),
    )


def check_member(member: Any) -> Member:
    """A document inside a document.

    Raises:
        ValueError: A rule of `Member` is broken, and which.
    """
    if not isinstance(member, Member) or not isinstance(member.data, bytes):
        raise ValueError(f"a {type(member).__name__} came in place of a member")
    return Member(
        name=check_text(member.name, "a member's name"),
        media_type=None if member.media_type is None else one_line(member.media_type, "a media type"),
        data=member.data,
        reason=None if member.reason is None else one_line(member.reason, "a reason"),
    )
