"""Binary workbooks: the same cells, read record by record."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import PageReading, SourceContent
from indx_format_office import cells as office_cells
from indx_reader_sheets.provider import observer, reader, sniffer
from indx_testkit.checks import assert_reading
from indx_testkit.reading import CapabilityKit
from indx_testkit.samples import DocumentSample

BINARY = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def record(kind: int, content: bytes) -> bytes:
    head = bytes((kind,)) if kind < 0x80 else bytes((kind & 0x7F | 0x80, kind >> 7))
    size = len(content)
    length = b""
    while True:
        length += bytes((size & 0x7F | (0x80 if size > 0x7F else 0),))
        size >>= 7
        if not size:
            return head + length + content


def text(value: str) -> bytes:
    return struct.pack("<L", len(value.encode("utf-16-le")) // 2) + value.encode("utf-16-le")


def row(number: int, *cells: bytes, hidden: bool = False) -> bytes:
    head = struct.pack("<LLHBB", number, 0, 300, 0, 0x10 if hidden else 0) + bytes(5)
    return record(0, head) + b"".join(cells)


def cell(column: int, value: object, style: int = 0) -> bytes:
    place = struct.pack("<LL", column, style)
    if isinstance(value, bool):
        return record(4, place + bytes((value,)))
    if isinstance(value, str):
        return record(6, place + text(value))
    if isinstance(value, int):
        return record(7, place + struct.pack("<L", value))
    return record(5, place + struct.pack("<d", value))


def rk(column: int, packed: int) -> bytes:
    return record(2, struct.pack("<LLl", column, 0, packed))


def relations(entries: Mapping[str, tuple[str, str]]) -> str:
    made = "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in entries.items()
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{made}</Relationships>'


@pytest.fixture
def xlsb() -> Callable[..., bytes]:
    """A binary workbook: its sheets by name, shared strings, formats of the styles, hidden sheets."""

    def make(
        sheets: Mapping[str, bytes],
        *,
        shared: Sequence[str] = (),
        formats: Sequence[str] = (),
        hidden: Sequence[str] = (),
        early: bool = False,
        epoch_1904: bool = False,
        links: str = "",
        comments: bytes = b"",
        fonts: Sequence[tuple[str, int]] = (),
        set_in: Sequence[int] = (),
        rich: Sequence[bytes] = (),
    ) -> bytes:
        book = record(153, struct.pack("<LL", epoch_1904, 0) + text(""))
        entries = {"st": ("styles", "styles.bin"), "ss": ("sharedStrings", "sharedStrings.bin")}
        parts: dict[str, bytes | str] = {}
        for number, (name, body) in enumerate(sheets.items(), start=1):
            lead = struct.pack("<L", name in hidden) + bytes(8 if early else 4)
            book += record(156, lead + text(f"rId{number}") + text(name))
            entries[f"rId{number}"] = ("worksheet", f"worksheets/sheet{number}.bin")
            parts[f"xl/worksheets/sheet{number}.bin"] = body
        codes = b"".join(
            record(44, struct.pack("<H", 164 + at) + text(code)) for at, code in enumerate(formats)
        )
        styles = b"".join(
            record(47, struct.pack("<HHH", 0, 164 + at, font) + bytes(10))
            for at, font in zip(range(len(formats)), (*set_in, *[0] * len(formats)), strict=False)
        )
        named = b"".join(
            record(43, struct.pack("<4H", 200, 0, 400, raised) + bytes(13) + text(name))
            for name, raised in fonts
        )
        parts["xl/styles.bin"] = codes + named + record(617, b"") + styles + record(618, b"")
        items = [*(b"\0" + text(one) for one in shared), *rich]
        parts["xl/sharedStrings.bin"] = b"".join(record(19, item) for item in items)
        parts["xl/workbook.bin"] = book
        parts["xl/_rels/workbook.bin.rels"] = relations(entries)
        parts["_rels/.rels"] = relations({"r": ("officeDocument", "xl/workbook.bin")})
        if links:
            parts["xl/worksheets/_rels/sheet1.bin.rels"] = links
        if comments:
            parts["xl/worksheets/_rels/sheet1.bin.rels"] = relations({"c": ("comments", "../comments1.bin")})
            parts["xl/comments1.bin"] = comments
        parts["[Content_Types].xml"] = (
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="bin" '
            'ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>'
        )
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in parts.items():
                archive.writestr(zipfile.ZipInfo(name), data)
        return file.getvalue()

    return make


def read(data: bytes) -> list[PageReading]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=BINARY))) as session:
        pages = list(reader().read(session, range(1, session.page_count + 1), deadline=Deadline()))
    for page in pages:
        assert_reading(page)
    return pages


class TestBinaryReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)

    @pytest.fixture(autouse=True)
    def _documents(self, xlsb: Callable[..., bytes]) -> None:
        body = row(0, cell(0, 0), cell(1, 1.5, 1)) + record(176, struct.pack("<4L", 0, 1, 0, 0))
        data = xlsb({"S": body, "T": row(2, cell(2, "far"))}, shared=["共有"], formats=["0%", "0"])
        self.documents = [DocumentSample(data, BINARY, pages=2, expected={1: ["共有\t1.5"], 2: ["far"]})]


def test_it_is_told_by_its_content_types(xlsb: Callable[..., bytes]) -> None:
    found = sniffer().sniff(xlsb({"S": b""}), filename="a.zip", declared=None)
    assert found is not None
    assert (found.media_type, found.strength) == (BINARY, "strong")


@pytest.mark.parametrize("early", [False, True])
def test_values_are_read_by_their_kind_and_format(xlsb: Callable[..., bytes], early: bool) -> None:
    body = (
        row(0, cell(0, 0), cell(1, "inline"), cell(2, True))
        + row(1, rk(0, 123 << 2 | 2), rk(1, 1250 << 2 | 3), rk(2, -5 << 2 | 2))
        + row(2, cell(0, 43831.0, 1), cell(1, 0.125, 2), record(3, struct.pack("<LLB", 2, 0, 0x07)))
        + row(3, record(8, struct.pack("<LL", 0, 0) + text("of a formula") + bytes(6)), cell(1, 1.5, 7))
        + row(4, record(62, struct.pack("<LLB", 0, 0, 0) + text("rich")), rk(1, 0x40590000))
    )
    (page,) = read(xlsb({"S": body}, shared=["共有"], formats=["General", "yyyy-mm-dd", "0%"], early=early))
    assert page.text == (
        "共有\tinline\tTRUE\n123\t12.5\t-5\n2020-01-01\t12.5%\t#DIV/0!\nof a formula\t1.5\t\nrich\t100\t"
    )
    assert (page.metadata or {})["sheet"] == {"name": "S", "range": "A1:C5"}


def test_merged_and_hidden_cells_and_links(xlsb: Callable[..., bytes]) -> None:
    body = (
        record(60, struct.pack("<LLLLH", 1, 1, 2560, 0, 1))
        + row(0, cell(0, "both"), cell(1, "hidden column"))
        + row(2, cell(0, "hidden row"), hidden=True)
        + record(176, struct.pack("<4L", 2, 2, 0, 1))
        + record(494, struct.pack("<4L", 0, 0, 0, 0) + text("h") + text("") + text("") + text(""))
    )
    links = (
        f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="h" Type="{OFFICE}/hyperlink" '
        'Target="https://a.example" TargetMode="External"/></Relationships>'
    )
    shown, unseen = read(xlsb({"S": body, "H": row(0, cell(0, "secret"))}, hidden=["H"], links=links))
    assert [(c.row, c.column, c.column_span, c.text) for c in shown.tables[0].cells] == [
        (1, 1, 1, "both"),
        (1, 2, 1, "hidden column"),
        (3, 1, 2, "hidden row"),
    ]
    hidden = "".join(shown.text[start:end] for start, end in shown.hidden)
    assert "hidden column" in hidden
    assert "hidden row" in hidden
    assert [link.target for link in shown.links] == ["https://a.example"]
    assert unseen.hidden == ((0, 6),)


def test_rows_and_cells_out_of_order_are_put_in_order(xlsb: Callable[..., bytes]) -> None:
    (page,) = read(xlsb({"S": row(1, cell(1, "d"), cell(0, "c")) + row(0, cell(0, "a"), cell(1, "b"))}))
    assert page.text == "a\tb\nc\td"


@pytest.mark.parametrize(
    "body",
    [
        record(0, b"\0"),
        row(1_048_576, cell(0, "x")),
        row(0, cell(16_384, "x")),
        row(0, record(6, struct.pack("<LLL", 0, 0, 1_000_000))),
        record(176, struct.pack("<4L", 5, 1, 0, 0)),
        b"\x06\xff\xff\xff\x7f",
    ],
)
def test_a_damaged_sheet_is_unread_and_the_others_are_read(xlsb: Callable[..., bytes], body: bytes) -> None:
    first, second = read(xlsb({"A": body, "B": row(0, cell(0, "fine"))}))
    assert first.reason == "damaged_part"
    assert second.text == "fine"


def test_more_cells_than_are_read_are_refused(
    xlsb: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_cells, "MAX_CELLS", 2)
    assert len(read(xlsb({"S": row(0, cell(0, 1.0), cell(1, 2.0))}))) == 1
    with pytest.raises(InputTooLarge, match="more than 2 cells"):
        read(xlsb({"S": row(0, cell(0, 1.0), cell(1, 2.0)) + row(1, cell(0, 3.0))}))


def test_a_damaged_list_of_sheets_is_refused(xlsb: Callable[..., bytes]) -> None:
    data = xlsb({"S": b""})
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"\x9c\x01\x04\0\0\0\0" if name == "xl/workbook.bin" else old.read(name))
    with pytest.raises(SourceError):
        observer().open(SourceContent.of_bytes(file.getvalue(), media_type=BINARY))


def comment(row: int, column: int, said: str) -> bytes:
    place = struct.pack("<5L", 0, row, row, column, column) + bytes(16)
    return record(635, place) + record(637, b"\0" + text(said)) + record(636, b"")


def test_comments_are_read_with_their_cells(xlsb: Callable[..., bytes]) -> None:
    told = comment(0, 1, "first\r\nline") + comment(9, 27, "覚書") + comment(2, 2, "")
    (page,) = read(xlsb({"S": row(0, cell(0, "x"))}, comments=told))
    assert page.text == "x\nB1: first\nline\nAB10: 覚書"
    found = [(page.text[mark.start : mark.end], mark.role) for mark in page.roles]
    assert found == [("B1: first\nline", "comment"), ("AB10: 覚書", "comment")]


def test_damaged_comments_are_noted_and_the_cells_are_read(xlsb: Callable[..., bytes]) -> None:
    (page,) = read(xlsb({"S": row(0, cell(0, "x"))}, comments=comment(0, 0, "said")[:-6]))
    assert page.text == "x"
    assert list((page.metadata or {})["unread_parts"]) == ["xl/comments1.bin"]


def rich(value: str, *runs: tuple[int, int]) -> bytes:
    told = b"".join(struct.pack("<HH", *run) for run in runs)
    return b"\1" + text(value) + struct.pack("<L", len(runs)) + told


FONTS = (("Calibri", 0), ("Calibri", 1), ("Calibri", 2), ("Symbol", 0), ("Wingdings", 0))


def test_a_number_raised_behind_a_number_is_set_off(xlsb: Callable[..., bytes]) -> None:
    inline = record(62, struct.pack("<LL", 2, 0) + rich("x 10-3", (4, 1)))
    items = [rich("\U0001f40c 10-6 m2", (5, 1), (7, 0), (9, 1)), rich("106", (2, 2))]
    data = xlsb({"S": row(0, cell(0, 0), cell(1, 1), inline)}, fonts=FONTS, rich=items)
    assert read(data)[0].text == "\U0001f40c 10^-6 m2\t106\tx 10^-3"


def test_letters_of_symbol_fonts_are_the_signs_that_they_show_as(xlsb: Callable[..., bytes]) -> None:
    inline = record(62, struct.pack("<LL", 5, 1) + rich("ab", (1, 0)))
    cells = [cell(0, 0, 1), cell(1, 1, 1), cell(2, "ü", 2), cell(3, "ü"), cell(4, 5.0, 1), inline]
    data = xlsb(
        {"S": row(0, *cells)},
        shared=["a"],
        rich=[rich("Da = 5 a", (2, 0), (7, 3))],
        fonts=FONTS,
        formats=["0", "0", "0"],
        set_in=[0, 3, 4],
    )
    assert read(data)[0].text == "α\tΔα = 5 α\t✓\tü\t5\tαb"


def test_each_piece_of_a_cell_of_a_symbol_font_that_has_no_font_is_in_that_of_the_cell(
    xlsb: Callable[..., bytes],
) -> None:
    items = [rich("a\r\nbcd", (4, 0)), rich("22abc", (1, 1), (2, 0)), rich("a\r\nb cd", (4, 0))]
    cells = [cell(at, at, 1) for at in range(3)]
    inline = record(62, struct.pack("<LL", 3, 1) + items[1])
    data = xlsb(
        {"S": row(0, *cells, inline, cell(4, 1))},
        rich=items,
        fonts=FONTS,
        formats=["0", "0"],
        set_in=[0, 3],
    )
    texts = [one.text for one in read(data)[0].tables[0].cells]
    assert texts == ["α\nβcd", "2^2abc", "α\nβ cd", "2^2abc", "2^2abc"]


def test_a_run_that_begins_inside_a_character_begins_with_it(xlsb: Callable[..., bytes]) -> None:
    items = [rich("\U0001f40c x", (1, 0)), rich("7\U0001f40c", (2, 0)), rich("Da \U0001f40c", (2, 3), (4, 0))]
    data = xlsb({"S": row(0, *(cell(at, at) for at in range(3)))}, fonts=FONTS, rich=items)
    assert read(data)[0].text == "\U0001f40c x\t7\U0001f40c\tDa \U0001f40c"


def test_runs_that_are_not_in_order_neither_lose_nor_repeat_text(xlsb: Callable[..., bytes]) -> None:
    items = [rich("about a", (6, 3), (2, 0))]
    data = xlsb({"S": row(0, cell(0, 0))}, fonts=FONTS, rich=items)
    assert read(data)[0].text == "about α"


def test_runs_and_fonts_that_are_damaged_take_no_text_away(xlsb: Callable[..., bytes]) -> None:
    items = [b"\1" + text("106"), rich("106", (9, 1), (2, 99)), rich("10", (1, 0))[:-2]]
    data = xlsb({"S": row(0, *(cell(at, at) for at in range(3)))}, rich=items, fonts=FONTS)
    assert read(data)[0].text == "106\t106\t10"
