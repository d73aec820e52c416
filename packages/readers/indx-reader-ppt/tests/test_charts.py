"""Charts that slides hold as objects: what they say is text of the slide, and they are no members."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace
from uuid import UUID

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_format_office.compound_writer import compound_file
from indx_reader_ppt import MEDIA_TYPES, _objects, observer, reader
from indx_testkit.checks import assert_reading

Make = SimpleNamespace
GRAPH = UUID("00020803-0000-0000-C000-000000000046")


def record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def title(words: str, owner: int) -> bytes:
    text = struct.pack("<HBB", 0, len(words), 1) + words.encode("utf-16-le")
    return (
        record(0x1025, bytes(26))
        + record(0x1033)
        + record(0x100D, text)
        + record(0x1027, struct.pack("<3H", owner, 0, 0))
        + record(0x1034)
    )


def cell(row: int, column: int, shown: float | str) -> bytes:
    place = struct.pack("<HHBH", row, column, 0, 0)
    if isinstance(shown, str):
        return record(0x0204, place + struct.pack("<BB", len(shown), 0) + shown.encode("latin-1"))
    return record(0x0203, place + struct.pack("<d", shown))


def graph(stream: bytes, class_: UUID = GRAPH) -> bytes:
    """The object of Microsoft Graph."""
    data = bytearray(compound_file({"Workbook": stream.ljust(4096, b"\0")}))
    root = data.index("Root Entry".encode("utf-16-le"))
    data[root + 80 : root + 96] = class_.bytes_le
    return bytes(data)


BOF = record(0x0809, struct.pack("<4H", 0x0680, 0x8000, 0, 0) + bytes(8))
SHEET = (
    cell(0, 1, "1st Qtr") + cell(0, 2, "2nd Qtr") + cell(1, 0, "East") + cell(1, 1, 20.4) + cell(1, 2, 27.0)
)
CHART = BOF + SHEET + record(0x1033) + title("Axis", 2) + title("Sales 売上", 1) + record(0x1034) + record(10)


def package(content: bytes) -> bytes:
    """The object of LibreOffice, which is a document of OpenDocument."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.chart")
        archive.writestr("content.xml", content)
    return compound_file({"package_stream": held.getvalue()})


OPEN = (
    b'<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    b' xmlns:c="urn:oasis:names:tc:opendocument:xmlns:chart:1.0"'
    b' xmlns:b="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    b' xmlns:t="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><o:body><o:chart><c:chart>'
    b"<c:title><t:p>Ducks</t:p></c:title><b:table><b:table-row><b:table-cell/><b:table-cell><t:p>n</t:p>"
    b"</b:table-cell></b:table-row><b:table-row><b:table-cell><t:p>Q1</t:p></b:table-cell><b:table-cell>"
    b"<t:p>7</t:p></b:table-cell></b:table-row></b:table></c:chart></o:chart></o:body></o:document-content>"
)


def presentation(make: Make, data: bytes, *, hidden: bool = False) -> bytes:
    """One slide that shows the object `data`."""
    packed = struct.pack("<L", len(data)) + zlib.compress(data)
    facts = make.box(0x0FCC, make.rec(0x0FC3, struct.pack("<6L", 0, 0, 1, 0, 20, 0)))
    shown = make.shape(
        where=(100, 50, 500, 250),
        kind=75,
        data=make.rec(0x0BC1, struct.pack("<L", 1)),
        says={0x03BF: 0x20002} if hidden else None,
    )
    objects = {
        1: make.document(make.box(0x0409, facts), make.listing(0, [(2, 256, b"")])),
        2: make.slide(make.shape("before", (0, 0, 9, 9)), shown, make.shape("after", (0, 300, 9, 400))),
        20: make.rec(0x1011, packed, instance=1),
    }
    return bytes(make.file_of(*make.edits(objects)))


def read(data: bytes) -> tuple[PageReading, int]:
    """The slide, and how many members there are."""
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
        count = len(list(session.members()))
    assert_reading(page)
    return page, count


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (graph(CHART), "Sales 売上\nAxis\n\t1st Qtr\t2nd Qtr\nEast\t20.4\t27"),
        (package(OPEN), "Ducks\n\tn\nQ1\t7"),
    ],
    ids=["Graph", "LibreOffice"],
)
def test_a_chart_is_text_of_its_slide(make: Make, data: bytes, text: str) -> None:
    page, members = read(presentation(make, data))
    assert page.text == f"before\n{text}\nafter"
    assert [page.text[one.start : one.end] for one in page.roles if one.role == "caption"] == [text]
    assert page.tables[0].header_rows == 1
    assert members == 0
    assert page.boxes is not None
    assert page.boxes[4:8].tolist() == [0.1, 0.1, 0.5, 0.5]


def opened(count: int) -> bytes:
    """A chart of `count` rows, the first of which has a cell too many, and an empty one."""
    row = b"<b:table-row><b:table-cell><t:p>1</t:p></b:table-cell></b:table-row>"
    cells = b"<b:table-cell><t:p>2</t:p></b:table-cell>" * 101 + b"<b:table-cell/>"
    head, rest = OPEN.split(b"<b:table>")
    first = b"<b:table-row>" + cells + b"</b:table-row>"
    return head + b"<b:table>" + first + row * (count - 1) + rest[rest.index(b"</b:table>") :]


@pytest.mark.parametrize(
    "data",
    [
        graph(BOF + b"".join(cell(row, 1, 1.0) for row in range(1200)) + cell(0, 100, 1.0) + record(10)),
        graph(BOF + b"".join(cell(row, 100, 1.0) for row in range(201)) + record(10)),
        package(opened(1200)),
    ],
    ids=["Graph", "nothing but what is too much", "LibreOffice"],
)
def test_values_of_a_chart_that_are_left_out_are_counted(make: Make, data: bytes) -> None:
    page, _ = read(presentation(make, data))
    assert (page.metadata or {}) == {"chart_values_left_out": 201}
    assert all(table.rows == 1000 and table.columns <= 100 for table in page.tables)


def test_a_hidden_chart_is_hidden_text(make: Make) -> None:
    page, _ = read(presentation(make, graph(CHART), hidden=True))
    assert "".join(page.text[start:end] for start, end in page.hidden).startswith("Sales")


def test_an_object_of_another_program_is_a_member_and_no_chart(make: Make) -> None:
    page, members = read(presentation(make, graph(CHART, UUID(int=7))))
    assert page.text == "before\nafter"
    assert members == 1


@pytest.mark.parametrize(
    "data", [graph(BOF), package(b"<a"), package(b"<!DOCTYPE a><a/>"), graph(CHART)[:600]],
    ids=["nothing in it", "no XML", "a document type", "cut"],
)  # fmt: skip
def test_a_damaged_chart_is_noted_and_the_slide_is_read(make: Make, data: bytes) -> None:
    page, _ = read(presentation(make, data))
    assert page.text == "before\nafter"
    assert (page.metadata or {})["unread_parts"]["charts"]


def test_damage_anywhere_in_a_chart_loses_no_other_text(make: Make, read_raw: Callable[[bytes], str]) -> None:
    for place in range(len(CHART)):
        stream = CHART[:place] + bytes([CHART[place] ^ 0x81]) + CHART[place + 1 :]
        text = read_raw(presentation(make, graph(stream)))
        assert text.startswith("before\n")
        assert text.endswith("\nafter")


@pytest.fixture
def read_raw() -> Callable[[bytes], str]:
    return lambda data: read(data)[0].text


def test_charts_past_as_many_objects_as_are_looked_at_are_said_to_be_unread(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_objects, "MAX_OBJECTS", 0)
    page, _ = read(presentation(make, graph(CHART)))
    assert page.text == "before\nafter"
    assert "more than 0 embedded objects" in (page.metadata or {})["unread_parts"]["charts"]
