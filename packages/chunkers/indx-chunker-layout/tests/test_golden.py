"""Version 2 cuts alike for ever: a change of any result below is a version 3."""

from __future__ import annotations

import json
from array import array
from pathlib import Path

import pytest

from indx_core.ports import Heading, PageReading, line_columns

CASES = json.loads((Path(__file__).parent / "golden.json").read_text("utf-8"))


def read(case):
    text = "\n".join(text for text, *_ in case["lines"])
    starts, ends = line_columns(text)
    boxes = array("d", [value for _, *box in case["lines"] for value in (box or [float("nan")] * 4)])
    headings = tuple(Heading(*heading) for heading in case["headings"])
    return PageReading(1, text, starts, ends, boxes, headings=headings)


def shown(draft):
    """A draft as the file has it."""
    said = {"text": draft.text, "spans": [list(span) for span in draft.spans], "box": rounded(draft.box)}
    if draft.box_reason:
        said["reason"] = draft.box_reason
    if draft.section:
        said["section"] = list(draft.section)
    if draft.layout is not None:
        said["role"] = draft.layout.role
        if draft.layout.table is not None:
            table = draft.layout.table
            said["table"] = [table.rows, table.columns, table.header_rows, draft.layout.repeated]
            said["cells"] = [
                [cell.row, cell.column, cell.row_span, cell.column_span, cell.text, rounded(cell.box)]
                for cell in table.cells
            ]
    return said


def rounded(box):
    return None if box is None else [round(side, 6) for side in box]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_page_is_cut_as_it_always_was(case, cut, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", str(case["max_chars"]))
    assert [shown(draft) for draft in cut(read(case))] == case["chunks"]
