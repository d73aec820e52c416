"""Worksheets: values by format, merged and hidden cells, links, hidden sheets, locked workbooks."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import PageReading, SourceContent
from indx_format_office import cells as office_cells
from indx_reader_xls import MEDIA_TYPES, _cells, observer, reader
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]


def read(data: bytes) -> list[PageReading]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        pages = list(reader().read(session, range(1, session.page_count + 1), deadline=Deadline()))
    for page in pages:
        assert_reading(page)
    return pages


def test_values_are_read_by_their_format(xls: Make, sheet: Make) -> None:
    cells = [
        (0, 0, 39082.0, 1),
        (1, 0, 39082.5, 2),
        (2, 0, 0.125, 3),
        (3, 0, 20190930.0),
        (4, 0, 1 / 3),
        (5, 0, True),
        (6, 0, "two\r\nlines"),
    ]
    (page,) = read(xls({"S": sheet(cells)}))
    assert [cell.text for cell in page.tables[0].cells] == [
        "2006-12-31", "2006-12-31 12:00:00", "12.5%", "20190930", "0.333333333333333", "TRUE", "two\nlines",
    ]  # fmt: skip
    assert (page.metadata or {})["sheet"] == {"name": "S", "range": "A1:A7"}


@pytest.mark.parametrize("kept", [0, 2, 50_000])
def test_equal_numbers_are_shown_each_by_its_own_format(
    xls: Make, sheet: Make, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(_cells, "_MOST_KEPT", kept)
    cells = [(row, style, 2.0, style) for row in range(2) for style in range(4)]
    for page in read(xls({"S": sheet(cells), "T": sheet(cells)})):
        assert [cell.text for cell in page.tables[0].cells] == [
            "2", "1900-01-02", "1900-01-02 00:00:00", "200%",
        ] * 2  # fmt: skip


def test_the_epoch_of_the_workbook_counts(xls: Make, sheet: Make) -> None:
    (page,) = read(xls({"S": sheet([(0, 0, 1.0, 1)])}, epoch_1904=True))
    assert page.text == "1904-01-02"


def test_merged_cells_stand_once_and_places_are_kept(xls: Make, sheet: Make) -> None:
    cells = [(0, 0, "both"), (0, 1, "covered"), (2, 1, "x")]
    (page,) = read(xls({"S": sheet(cells, merged=[(0, 0, 0, 1)])}))
    assert [(c.row, c.column, c.column_span, c.text) for c in page.tables[0].cells] == [
        (1, 1, 2, "both"),
        (3, 2, 1, "x"),
    ]


def test_hidden_rows_columns_and_sheets_are_marked(xls: Make, sheet: Make) -> None:
    cells = [(0, 0, "a"), (0, 1, "b"), (1, 0, "c")]
    shown, unseen = read(
        xls(
            {"S": sheet(cells, hidden_rows=[1], hidden_columns=[1]), "H": sheet([(0, 0, "secret")])},
            hidden=["H"],
        )
    )
    assert "".join(shown.text[start:end] for start, end in shown.hidden).split() == ["bc"]
    assert unseen.hidden == ((0, 6),)
    assert (unseen.metadata or {})["sheet"]["hidden"] is True


def test_links_stand_on_their_cells(xls: Make, sheet: Make) -> None:
    (page,) = read(xls({"S": sheet([(0, 0, "site")], links=[(0, 0, "https://a.example/")])}))
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [("site", "https://a.example/")]


def test_a_locked_workbook_says_so(xls: Make, sheet: Make) -> None:
    locked = struct.pack("<HHHHH", 0x002F, 6, 0, 1, 1)
    with pytest.raises(SourceError) as caught:
        read(xls({"S": sheet([])}, extra=locked))
    assert caught.value.code == "source_encrypted"


def test_a_worksheet_of_too_much_text_is_refused(
    xls: Make, sheet: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_cells, "MAX_CHARACTERS", 10)
    with pytest.raises(InputTooLarge):
        read(xls({"S": sheet([(0, 0, "more than ten")])}))


def test_a_worksheet_of_too_many_cells_is_refused(
    xls: Make, sheet: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_cells, "MAX_CELLS", 1)
    assert len(read(xls({"S": sheet([(0, 0, "one")])}))) == 1
    with pytest.raises(InputTooLarge, match="more than 1 cells"):
        read(xls({"S": sheet([(0, 0, "one"), (0, 1, "two")])}))


def test_remarks_of_the_library_go_nowhere(
    xls: Make, sheet: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    read(xls({"S": sheet([(0, 0, "x")], extra=struct.pack("<HH", 0x1234, 0))}))
    assert capsys.readouterr() == ("", "")
