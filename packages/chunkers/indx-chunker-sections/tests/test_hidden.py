"""What a page hides is a chunk apart, in text, beside tables and in them."""

import pytest

from indx_chunker_sections import chunker
from indx_core.ports import DocumentReading
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import reading, table


def cut_page(page):
    drafts = chunker().chunk(DocumentReading("text/html", None, {1: page}), None, [1])[1]
    assert_drafts(page, drafts)
    return [(draft.text, draft.box_reason) for draft in drafts]


@pytest.mark.parametrize("media_type", ["text/html", "text/markdown"])
def test_hidden_text_is_a_chunk_apart(cut, media_type):
    drafts = cut("Shown.\n\n<!-- No. -->\n\nMore.", media_type=media_type, hidden=["<!-- No. -->"])
    assert [(draft.text, draft.box_reason) for draft in drafts] == [
        ("Shown.\n\nMore.", "no_geometry"), ("<!-- No. -->", "hidden"),
    ]  # fmt: skip


def test_text_around_a_table_is_parted_too():
    grid, made = table([["a", "b"]], start=len("Secret before.\n"))
    page = reading(f"Secret before.\n{grid}\nShown after.", tables=[made], hidden=["Secret before."])
    assert cut_page(page) == [
        ("Secret before.", "hidden"), (grid, "no_geometry"), ("Shown after.", "no_geometry"),
    ]  # fmt: skip


def test_hidden_rows_of_a_table_are_a_table_apart():
    grid, made = table([["name", "pay"], ["Ada", "100"], ["Bo", "200"]])
    assert cut_page(reading(grid, tables=[made], hidden=["Ada\t100"])) == [
        ("name\tpay\nBo\t200", "no_geometry"), ("Ada\t100", "hidden"),
    ]  # fmt: skip
