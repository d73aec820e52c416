"""Descriptions of pictures: those in the text, those beside it, those of headers, and damage."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.compound_writer import compound_file
from indx_format_office.escher import described_shapes
from indx_reader_doc.provider import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]


def escher(kind: int, data: bytes, version: int = 0xF) -> bytes:
    return struct.pack("<HHL", version, kind, len(data)) + data


def shape(number: int, text: str, *, hidden: bool = False, words: str = "") -> bytes:
    texts = {0x80C0: words, 0xC381: text}
    parts = {name: (said + "\0").encode("utf-16-le") for name, said in texts.items() if said}
    written = b"".join(parts.values())
    heads = [struct.pack("<HL", 0x0104, 1)]
    heads += [struct.pack("<HL", name, len(part)) for name, part in parts.items()]
    heads += [struct.pack("<HL", 0x03BF, 0x20002)] if hidden else []
    options = escher(0xF00B, b"".join(heads) + written, len(heads) << 4 | 3)
    return escher(0xF004, escher(0xF00A, struct.pack("<LL", number, 0xA00), 0x4B2) + options)


def drawing(*shapes: bytes) -> bytes:
    return escher(0xF002, escher(0xF003, escher(0xF004, b"") + b"".join(shapes)))


def inline(text: str, *, named: bool = False) -> bytes:
    held = (b"\3a.b" if named else b"") + shape(1025, text)
    head = struct.pack("<LHH", 68 + len(held), 68, 0x66 if named else 0x64).ljust(68, b"\0")
    return head + held


def with_pictures(
    data: bytes,
    *,
    places: dict[int, int] | None = None,
    header_places: dict[int, int] | None = None,
    drawings: bytes = b"",
    pictures: bytes = b"",
) -> bytes:
    """A document with what says where pictures are, and what they show."""
    with open_compound(data) as file:
        main, table = bytearray(read_stream(file, "WordDocument")), read_stream(file, "1Table")
    for where, part in ((0x1DA, _plex(places)), (0x1E2, _plex(header_places)), (0x22A, drawings)):
        struct.pack_into("<2L", main, where, len(table), len(part))
        table += part
    return compound_file({"WordDocument": bytes(main), "1Table": table, "Data": pictures})


def _plex(places: dict[int, int] | None) -> bytes:
    if not places:
        return b""
    bounds = struct.pack(f"<{len(places) + 1}L", *places, max(places) + 1)
    return bounds + b"".join(struct.pack("<L22x", number) for number in places.values())


def read(data: bytes) -> PageReading:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert_reading(page)
    return page


def place(at: int) -> bytes:
    return struct.pack("<HL", 0x6A03, at)


def captions(page: PageReading) -> list[str]:
    return [page.text[one.start : one.end] for one in page.roles if one.role == "caption"]


def test_pictures_in_the_text_are_described_after_their_paragraph(doc: Make, para: Make) -> None:
    first = inline("A red square 赤")
    paras = [para("before ", ("\1", place(0)), " behind"), para(("\1", place(len(first)))), para("last")]
    page = read(with_pictures(doc(paras), pictures=first + inline("A named one", named=True)))
    assert page.text == "before  behind\nA red square 赤\n\nA named one\nlast"
    assert captions(page) == ["A red square 赤", "A named one"]


def test_pictures_in_cells_stay_in_them(doc: Make, para: Make) -> None:
    in_table = struct.pack("<HB", 0x2416, 1)
    row_ends = in_table + struct.pack("<HB", 0x2417, 1)
    cells = [
        para("a", end="\7", ops=in_table),
        para("b", ("\1", place(0)), end="\7", ops=in_table),
        para("", end="\7", ops=row_ends),
        para("after"),
    ]
    page = read(with_pictures(doc(cells), pictures=inline("A duck")))
    assert [cell.text for cell in page.tables[0].cells] == ["a", "b\nA duck"]
    assert page.text.endswith("\nafter")


def test_shapes_beside_the_text_are_described_where_they_are_anchored(doc: Make, para: Make) -> None:
    body = [para("one", "\x08", " and"), para("two")]
    header = [para("top", "\x08")]
    shapes = [shape(1026, "A floating duck"), shape(1027, "unseen", hidden=True), shape(1030, "nowhere")]
    shapes.append(shape(1031, "C:\\My Pictures\\a duck.jpg"))
    drawings = escher(0xF000, b"") + b"\0" + drawing(*shapes) + b"\1" + drawing(shape(2050, "A letterhead"))
    data = with_pictures(
        doc(body, [], header), places={3: 1026}, header_places={3: 2050}, drawings=drawings[:]
    )
    page = read(data)
    assert page.text == "one and\nA floating duck\ntwo\ntop\nA letterhead\nunseen\nnowhere"
    assert page.hidden == ((page.text.index("unseen"), page.text.index("\nnowhere")),)


def test_letters_that_are_drawn_are_text_as_a_watermark_is(doc: Make, para: Make) -> None:
    drawings = escher(0xF000, b"") + b"\0" + drawing(shape(1026, "A stamp", words="DRAFT"))
    page = read(with_pictures(doc([para("one", "\x08")]), places={3: 1026}, drawings=drawings))
    assert page.text == "one\nDRAFT"
    assert [(page.text[one.start : one.end], one.role) for one in page.roles] == [("DRAFT", "text_box")]


def test_a_button_in_the_text_shows_its_words(doc: Make, para: Make) -> None:
    page = read(doc([para("To: \x13 MACROBUTTON NoMacro [Click here and  type a name] \x15.")]))
    assert (page.text, page.roles) == ("To: [Click here and type a name].", ())


def test_deleted_pictures_and_those_of_instructions_are_not_described(doc: Make, para: Make) -> None:
    deleted = struct.pack("<HB", 0x0800, 1)
    runs = [("\1", place(0) + deleted), "\x13 EMBED ", ("\1", place(0)), "\x14shown\x15"]
    assert read(with_pictures(doc([para(*runs)]), pictures=inline("A duck"))).text == "shown"


def test_a_picture_that_is_not_there_is_passed_over(doc: Make, para: Make) -> None:
    for at in (1, 9, 1 << 31):
        assert read(with_pictures(doc([para("a", ("\1", place(at)), "b")]), pictures=bytes(12))).text == "ab"
    assert read(doc([para("a", ("\1", b""), "\x08", "b")])).text == "ab"


@given(st.data())
def test_damage_in_a_drawing_ends_what_is_found_in_it(data: st.DataObject) -> None:
    tree = bytearray(drawing(shape(1, "one"), shape(2, "two")))
    for _ in range(data.draw(st.integers(1, 3))):
        tree[data.draw(st.integers(0, len(tree) - 1))] = data.draw(st.integers(0, 255))
    assert len(described_shapes(bytes(tree))) <= 3


def test_groups_nested_without_end_are_followed_to_a_depth() -> None:
    tree = shape(1, "deep")
    for _ in range(99):
        tree = escher(0xF003, tree)
    assert [one.text for one in described_shapes(tree)] == ["deep"]
    for _ in range(2000):
        tree = escher(0xF003, tree)
    assert described_shapes(tree) == []
