"""Cells that are only styled cost nothing, however many there are."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_reader_sheets.provider import MEDIA_TYPES, observer, reader


@pytest.mark.parametrize("blank", ['<c r="{}{}" s="1"/>', '<c s="1"/>', '<c r="{}{}" s="1"></c>'])
def test_two_hundred_thousand_styled_blanks_leave_the_one_value_and_its_place(
    xlsx: Callable[..., bytes], blank: str
) -> None:
    letters = "ABCDEFGHIJKLMNOPQRST"
    rows = "".join(
        f'<row r="{number}">' + "".join(blank.format(letter, number) for letter in letters) + "</row>"
        for number in range(1, 10_001)
    )
    rows += '<row r="10001"><c r="C10001"><v>7</v></c></row>'
    source = SourceContent.of_bytes(xlsx(rows), media_type=MEDIA_TYPES[0])
    with closing(observer().open(source)) as session:
        tracemalloc.start()
        try:
            (page,) = reader().read(session, [1], deadline=Deadline())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert page.text == "7"
    (table,) = page.tables
    assert (table.rows, table.columns, len(table.cells)) == (1, 1, 1)
    assert peak < 20_000_000
