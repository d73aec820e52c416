"""Sections that cutters have stumbled over: headings and captions longer than a chunk, very wide tables."""

from dataclasses import replace

import pytest

from indx_chunker_sections import chunker
from indx_core.ports import DocumentReading
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import reading, table


def drafts_of(page, monkeypatch, limit, media_type="text/markdown"):
    monkeypatch.setenv("INDX_CHUNK_SECTIONS_MAX_CHARS", str(limit))
    drafts = chunker().chunk(DocumentReading(media_type, None, {1: page}), None, [1])[1]
    assert_drafts(page, drafts)
    return drafts


@pytest.mark.parametrize("limit", [20, 60, 300])
def test_a_body_stays_where_heading_and_caption_alone_pass_the_limit(monkeypatch, limit):
    heading, caption = "Heading " * 100, "caption " * 100
    above = f"{heading.strip()}\n{caption.strip()}\n"
    grid, made = table([["a", "b"], ["left", "right"]], start=len(above))
    page = reading(
        f"{above}{grid}\nbody",
        headings=[(heading.strip(), 1)],
        tables=[replace(made, caption=caption.strip())],
    )
    drafts = drafts_of(page, monkeypatch, limit)
    assert all(len(draft.text) <= limit for draft in drafts)
    assert any("right" in draft.text for draft in drafts)
    assert drafts[-1].text.endswith("body")


@pytest.mark.parametrize("limit", [50, 200])
def test_a_table_of_very_wide_cells_ends(monkeypatch, limit):
    wide = "wide words " * 200
    grid, made = table([["a", "b"], [wide, wide], ["short", "row"], [wide, ""]])
    drafts = drafts_of(reading(grid, tables=[made]), monkeypatch, limit)
    assert all(len(draft.text) <= limit for draft in drafts)
    assert [draft.text for draft in drafts if draft.layout] == ["a\tb", "a\tb\nshort\trow"]


def test_a_logical_row_that_fits_a_chunk_is_never_cut(monkeypatch):
    rows = [["key", "text"], *([f"k{number}", "words " * (3 + number % 17)] for number in range(60))]
    grid, made = table(rows)
    drafts = drafts_of(reading(grid, tables=[made]), monkeypatch, 180)
    lines = [line for draft in drafts for line in draft.text.split("\n")]
    assert set(lines) == set(grid.split("\n"))
    assert len([line for line in lines if line.startswith("k") and line != "key\ttext"]) == 60


def test_the_rows_of_a_table_are_covered_by_spans_once_the_header_among_them(monkeypatch):
    grid, made = table([["name", "value"], *([f"row {number}", str(number)] for number in range(4))])
    drafts = drafts_of(reading(grid, tables=[made]), monkeypatch, 30)
    assert len(drafts) > 1
    covered = [place for draft in drafts for start, end in draft.spans for place in range(start, end)]
    assert len(covered) == len(set(covered))
    assert grid.index("name") in covered
    assert {place for place, sign in enumerate(grid) if sign != "\n"} <= set(covered)


def test_offsets_are_characters_of_any_plane(monkeypatch):
    text = "# 見出し\n\n😀 本文です。\n\n# 見出し\n\n😀 本文です。\n"
    page = reading(text, headings=[("見出し", 1), ("見出し", 1)])
    first, second = drafts_of(page, monkeypatch, 20)
    assert first.text == second.text == "# 見出し\n\n😀 本文です。"
    assert (first.spans[0], second.spans[0]) == ((0, 14), (16, 30))
