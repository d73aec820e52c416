"""What stands beside the cells: charts, sheets of charts, text boxes, descriptions, phonetic guides."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import IndxError
from indx_core.ports import PageReading, SourceContent
from indx_format_office.biff import ChartReader, Record
from indx_format_office.compound_writer import compound_file
from indx_reader_xls import MEDIA_TYPES, observer, reader
from indx_reader_xls._beside import sheet_at
from indx_reader_xls._phonetic import readings_of
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]
BEGIN, END = (0x1033, b""), (0x1034, b"")


def record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def joined(parts: Iterable[tuple[int, bytes]]) -> bytes:
    return b"".join(record(*part) for part in parts)


def words(value: str) -> tuple[int, bytes]:
    return 0x100D, struct.pack("<HBB", 0, len(value), 1) + value.encode("utf-16-le")


def block(kind: int, *parts: tuple[int, bytes]) -> list[tuple[int, bytes]]:
    return [(kind, bytes(12)), BEGIN, *parts, END]


def title(value: str, owner: int) -> list[tuple[int, bytes]]:
    return block(0x1025, (0x1051, bytes(8)), words(value), (0x1027, struct.pack("<3H", owner, 0, 0)))


def series(name: str) -> list[tuple[int, bytes]]:
    return block(0x1003, (0x1051, b"\0\1" + bytes(6)), words(name), (0x1051, b"\1\2" + bytes(6)))


def value(row: int, column: int, shown: float | str) -> tuple[int, bytes]:
    place = struct.pack("<3H", row, column, 0)
    if isinstance(shown, str):
        return 0x0204, place + struct.pack("<HB", len(shown), 1) + shown.encode("utf-16-le")
    return 0x0203, place + struct.pack("<d", shown)


def chart_records(*more: tuple[int, bytes], values: bool = True) -> bytes:
    parts = [
        (0x1002, bytes(16)),
        BEGIN,
        *series("North"),
        *series("South 東"),
        *block(0x1024, *block(0x1025, (0x1051, bytes(8)))),
        *title("Quarters", 3),
        *title("Ducks", 2),
        *title("All\nducks", 1),
        *title("a label of one point", 4),
        END,
    ]
    if values:
        parts += [(0x1065, b"\2\0"), value(0, 0, "Q1"), value(1, 0, "Q2"), (0x1065, b"\1\0")]
        parts += [value(0, 0, 10.0), value(1, 0, 20.5), value(0, 1, 7.0), *more]
    return (
        record(0x0809, struct.pack("<4H", 0x0600, 0x0020, 0, 0) + bytes(8)) + joined(parts) + record(10, b"")
    )


def box_records(parts: list[bytes], count: int, kind: int = 6) -> bytes:
    head = record(0x005D, struct.pack("<4H", 0x15, 0x12, kind, 1) + bytes(14))
    head += record(0x01B6, struct.pack("<2H6x2H4x", 0, 0, count, 16))
    return head + b"".join(record(0x003C, part) for part in parts) + record(0x003C, bytes(16))


def escher(kind: int, data: bytes, *, version: int = 0xF) -> bytes:
    return struct.pack("<HHL", version, kind, len(data)) + data


def picture(text: str, *, flags: int = 0, hidden: bool = False, kind: int = 0xC381) -> bytes:
    written = text.encode("utf-16-le") + b"\0\0"
    options = struct.pack("<HL", kind, len(written))
    options += struct.pack("<HL", 0x03BF, 0x20002) if hidden else b""
    count = len(options) // 6
    return escher(
        0xF004,
        escher(0xF00A, struct.pack("<LL", 1025, flags), version=0x4B2)
        + escher(0xF00B, options + written, version=count << 4 | 3),
    )


def read(data: bytes) -> list[PageReading]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        pages = list(reader().read(session, range(1, session.page_count + 1), deadline=Deadline()))
    for page in pages:
        assert_reading(page)
    return pages


def said(page: PageReading) -> list[tuple[str, str]]:
    return [(one.role, page.text[one.start : one.end]) for one in page.roles]


def test_a_chart_on_a_worksheet_says_its_titles(xls: Make, sheet: Make) -> None:
    (page,) = read(xls({"S": sheet([(0, 0, "a")], extra=chart_records())}))
    assert page.text == "a\nAll ducks\nQuarters\nDucks"
    assert said(page) == [("caption", "All ducks\nQuarters\nDucks")]


def as_charts(data: bytes, *names: str) -> bytes:
    """A workbook whose sheets of these names are listed as charts."""
    for name in names:
        encoded = name.encode("utf-16-le")
        at = data.index(encoded) - 3
        data = data[:at] + b"\2" + data[at + 1 :]
    return data


def test_a_sheet_that_is_a_chart_is_a_page_in_its_place(xls: Make, sheet: Make) -> None:
    book = xls(
        {"First": sheet([(0, 0, "a")]), "Drawn": chart_records(), "Last": sheet([(0, 0, "b")])},
        hidden=["Drawn"],
    )
    pages = read(as_charts(book, "Drawn"))
    assert [page.text.split("\n")[0] for page in pages] == ["a", "All ducks", "b"]
    drawn = pages[1]
    assert drawn.text == "All ducks\nQuarters\nDucks\n\tNorth\tSouth 東\nQ1\t10\t7\nQ2\t20.5\t"
    assert drawn.tables[0].caption == "All ducks"
    assert drawn.hidden == ((0, len(drawn.text)),)
    assert (drawn.metadata or {})["sheet"] == {"name": "Drawn", "hidden": True}


def test_a_chart_without_its_values_says_the_names_of_its_series(xls: Make, sheet: Make) -> None:
    (page, _) = read(as_charts(xls({"Drawn": chart_records(values=False), "S": sheet([])}), "Drawn"))
    assert page.text.endswith("North\tSouth 東")


def test_values_of_a_chart_that_are_left_out_are_counted(xls: Make, sheet: Make) -> None:
    values = [value(row, 0, 1.0) for row in range(2, 1200)] + [value(0, 100, 1.0), value(1, 99, 1.0)]
    said_of = [(0x1065, b"\2\0"), value(1100, 0, "Q"), (0x1065, b"\3\0"), value(1100, 0, 1.0)]
    drawn = chart_records(*values, *said_of)
    (page, _) = read(as_charts(xls({"Drawn": drawn, "S": sheet([])}), "Drawn"))
    assert page.tables[0].rows == 1001
    assert (page.metadata or {})["chart_values_left_out"] == 201
    (page,) = read(xls({"S": sheet([(0, 0, "a")], extra=drawn)}))  # on a worksheet they stand in cells
    assert "chart_values_left_out" not in (page.metadata or {})


def test_names_of_series_that_are_left_out_are_counted(xls: Make, sheet: Make) -> None:
    drawn = chart_records(values=False).replace(joined(series("North")), joined(series("North") * 103))
    (page, _) = read(as_charts(xls({"Drawn": drawn, "S": sheet([])}), "Drawn"))
    assert page.text.count("North") == 100
    assert (page.metadata or {})["chart_values_left_out"] == 4


def test_boxes_are_read_over_the_records_they_go_on_in_and_notes_are_not(xls: Make, sheet: Make) -> None:
    parts = [b"\1" + "箱の".encode("utf-16-le"), b"\0 box", b"\1" + "\r二".encode("utf-16-le")]
    extra = box_records(parts, 8) + box_records([b"\0note"], 4, kind=0x19) + box_records([], 0)
    (page,) = read(xls({"S": sheet([(0, 0, "a")], extra=extra)}))
    assert page.text == "a\n箱の box\n二"
    assert said(page) == [("text_box", "箱の box\n二")]


def test_a_cell_ends_the_text_of_a_box_whatever_goes_on_behind_it() -> None:
    begin, end = record(0x0809, struct.pack("<4H", 0x0600, 0x0010, 0, 0) + bytes(8)), record(10, b"")
    cell = record(0x027E, struct.pack("<3Hl", 1, 0, 0, 7 << 2 | 2))
    box = record(0x01B6, struct.pack("<2H6x2H4x", 0, 0, 8, 16))
    part, rest = record(0x003C, b"\0box"), record(0x003C, b"\0cells")
    for shown, body in (
        (["boxcells"], box + part + rest),
        (["box"], box + part + cell + rest),
        ([], box + cell + part + rest),
    ):
        assert sheet_at(begin + body + end, 0, "cp1252", {}).boxes == shown


def test_descriptions_are_read_from_drawings_cut_anywhere(xls: Make, sheet: Make) -> None:
    tree = picture("patriarch") + escher(0xF003, picture("A duck") + escher(0xF003, picture("An egg")))
    tree += picture("gone", flags=8) + picture("unseen", hidden=True)
    drawing = escher(0xF002, escher(0xF003, tree))
    for cut in (1, 40, len(drawing) - 1):
        extra = record(0x00EC, drawing[:cut]) + record(0x005D, bytes(26)) + record(0x00EC, drawing[cut:])
        (page,) = read(xls({"S": sheet([(0, 0, "a")], extra=extra)}))
        assert page.text == "a\npatriarch\nA duck\nAn egg\nunseen"
        assert page.hidden == ((page.text.index("unseen"), len(page.text)),)


def test_letters_that_are_drawn_are_the_text_of_a_box(xls: Make, sheet: Make) -> None:
    drawing = escher(0xF002, escher(0xF003, picture("patriarch") + picture("Sale!", kind=0xC0C0)))
    (page,) = read(xls({"S": sheet([(0, 0, "a")], extra=record(0x00EC, drawing))}))
    assert said(page) == [("caption", "patriarch"), ("text_box", "Sale!")]


def guide(reading: str, *runs: tuple[int, int, int]) -> bytes:
    written = struct.pack("<6H", 6, 0x35, len(runs), len(reading), len(reading), 0)[:10]
    body = written + reading.encode("utf-16-le") + b"".join(struct.pack("<3H", *run) for run in runs)
    return struct.pack("<HH", 1, len(body)) + body


def string(text: str, extra: bytes = b"", *, runs: int = 0) -> bytes:
    flags = 1 | (4 if extra else 0) | (8 if runs else 0)
    head = struct.pack("<HB", len(text), flags) + (struct.pack("<H", runs) if runs else b"")
    head += struct.pack("<L", len(extra)) if extra else b""
    return head + text.encode("utf-16-le") + bytes(4 * runs) + extra


STRINGS = [
    string("plain"),
    string("漢字", guide("カンジ")),
    string("東京の空", guide("トウキョウソラ", (0, 0, 2), (5, 3, 1)), runs=2),
    string("漢字", guide("カンジ")),
]


def test_phonetic_guides_are_readings_and_no_text(xls: Make, sheet: Make) -> None:
    table = struct.pack("<LL", 4, 4) + b"".join(STRINGS)
    cells = b"".join(
        record(0x00FD, struct.pack("<3HL", row, 0, 0, number)) for row, number in enumerate((0, 2, 1, 3))
    )
    book = xls({"S": sheet([], extra=cells), "T": sheet([(0, 0, "x")])}, extra=record(0x00FC, table))
    page, other = read(book)
    assert page.text == "plain\n東京の空\n漢字\n漢字"
    assert (page.metadata or {})["ruby"] == [
        {"base": "東京", "reading": "トウキョウ"},
        {"base": "空", "reading": "ソラ"},
        {"base": "漢字", "reading": "カンジ"},
    ]
    assert "ruby" not in (other.metadata or {})


def test_guides_are_found_wherever_the_table_goes_on_in_another_record() -> None:
    strings = b"".join(STRINGS)
    whole = readings_of([struct.pack("<LL", 4, 4) + strings])
    assert whole == {
        1: (("漢字", "カンジ"),),
        2: (("東京", "トウキョウ"), ("空", "ソラ")),
        3: (("漢字", "カンジ"),),
    }
    inside = len(STRINGS[0]) + 7  # behind the head of a string, where its letters begin
    cut = inside + 2  # after the first of them
    assert readings_of([struct.pack("<LL", 4, 4) + strings[:cut], b"\1" + strings[cut:]]) == whole
    for place in (len(STRINGS[0]), len(STRINGS[0]) + 3, inside + 4, len(strings) - 3):
        assert readings_of([struct.pack("<LL", 4, 4) + strings[:place], strings[place:]]) == whole
    assert readings_of([struct.pack("<LL", 4, 1 << 31) + strings]) == whole


def test_sheets_that_overlap_without_end_are_gone_over_a_bounded_number_of_times(
    xls: Make, sheet: Make
) -> None:
    names = [f"S{number:02}" for number in range(40)]
    body = sheet([(0, 0, "a")], extra=box_records([b"\0box"], 3) * 500)
    book = xls({name: body if name == "S00" else b"" for name in names})
    # All of the sheets are said to stand where the first does.
    stream = bytearray(book)
    first = None
    for name in names:
        at = stream.index(name.encode("utf-16-le")) - 8
        first = first or bytes(stream[at : at + 4])
        stream[at : at + 4] = first
    pages = read(bytes(stream))
    boxes = sum(page.text.count("box") for page in pages)
    assert 500 <= boxes <= 5 * 500
    assert (pages[-1].metadata or {})["unread_parts"] == {"charts": "the sheets of the workbook overlap"}


def test_a_workbook_of_excel_95_has_its_charts_in_its_own_encoding() -> None:
    chart = ChartReader(wide=False, encoding="cp932")
    for part in block(0x1025, (0x100D, b"\0\0\4" + "題名".encode("cp932")), (0x1027, b"\1\0")):
        chart.take(Record(*part))
    assert chart.chart().titles == ("題名",)


def test_the_object_of_a_presentation_keeps_a_datasheet() -> None:
    def cell(row: int, column: int, shown: float | str) -> Record:
        place = struct.pack("<HHBH", row, column, 0, 0)
        if isinstance(shown, str):
            return Record(0x0204, place + struct.pack("<BB", len(shown), 0) + shown.encode("latin-1"))
        return Record(0x0203, place + struct.pack("<d", shown))

    chart = ChartReader()
    for one in (cell(0, 1, "1st Qtr"), cell(1, 0, "East"), cell(1, 1, 20.4), cell(2, 0, "West")):
        chart.take(one)
    assert chart.chart().rows == (("", "1st Qtr"), ("East", "20.4"), ("West", ""))


@given(st.data())
def test_damage_beside_the_cells_ends_in_text_or_a_refusal(data: st.DataObject) -> None:
    stream = bytearray(chart_records() + box_records([b"\0box"], 3) + record(0x00EC, picture("A duck")))
    for _ in range(data.draw(st.integers(1, 4))):
        stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    head = record(0x0809, struct.pack("<4H", 0x0600, 0x0005, 0, 0) + bytes(8))
    head += record(0x0085, struct.pack("<LBB", len(head) + 4 + 10 + 4, 0, 2) + b"\1\1S\0") + record(10, b"")
    try:
        pages = read(compound_file({"Workbook": (head + bytes(stream)).ljust(4096, b"\0")}, sector=512))
    except IndxError:
        return
    assert all(page.text is not None for page in pages)
