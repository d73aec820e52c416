"""What slides say: every shape at any depth, tables, notes, margins, comments, links, and what they hide."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import Box, PageReading, SourceContent
from indx_format_office.compound_writer import compound_file
from indx_reader_ppt import MEDIA_TYPES, observer, reader
from indx_reader_ppt._deck import Deck
from indx_reader_ppt._file import Objects

Read = Callable[[bytes], list[PageReading]]
Make = SimpleNamespace


def boxes(page: PageReading) -> list[Box | None]:
    assert page.boxes is not None
    rows = [page.boxes[4 * at : 4 * at + 4] for at in range(len(page.line_starts))]
    return [None if math.isnan(row[0]) else (row[0], row[1], row[2], row[3]) for row in rows]


def marked(page: PageReading) -> list[tuple[str, str]]:
    return [(page.text[x.start : x.end], x.role) for x in page.roles]


def links(page: PageReading) -> list[tuple[str, str]]:
    return [(page.text[x.start : x.end], x.target) for x in page.links]


def test_shapes_are_lines_of_their_own_with_their_boxes(make: Make, read: Read) -> None:
    (page,) = read(
        make.deck(
            make.slide(
                make.shape("BOX", (100, 50, 300, 150)),
                make.shape("SECOND\r\rline\vbreak", (500, 250, 1000, 500)),
                make.shape("nowhere"),
                make.shape("flat", (500, 250, 500, 400)),
            )
        )
    )
    assert page.text == "BOX\nSECOND\nline\nbreak\nnowhere\nflat"
    half = (0.5, 0.5, 1, 1)
    assert boxes(page) == [(0.1, 0.1, 0.3, 0.3), half, half, half, None, None]


def test_the_title_comes_first_and_is_a_heading(make: Make, read: Read) -> None:
    pages = read(
        make.deck(
            make.slide(make.shape("body"), make.shape("Title", place=13)),
            make.slide(make.shape("body"), make.shape(make.characters("By its text", 6))),
        )
    )
    assert [page.text for page in pages] == ["Title\nbody", "By its text\nbody"]
    assert [[(h.start, h.end, h.level) for h in page.headings] for page in pages] == [
        [(0, 5, 1)],
        [(0, 11, 1)],
    ]


def test_placeholders_take_their_text_from_the_outline(make: Make, read: Read) -> None:
    refer = [make.rec(0x0F9E, struct.pack("<L", at)) for at in (0, 1)]
    outline = make.characters("Outlined title", 0) + make.characters("日本語\rsecond", 1)
    shapes = [make.shape(refer[1], (0, 100, 500, 500), place=14), make.shape(refer[0], place=13)]
    (page,) = read(make.deck(make.slide(*shapes), outlines=[outline]))
    assert page.text == "Outlined title\n日本語\nsecond"
    assert [page.text[h.start : h.end] for h in page.headings] == ["Outlined title"]


def test_texts_of_the_outline_that_no_shape_shows_are_read(make: Make, read: Read) -> None:
    outline = make.characters("title", 0) + make.characters("body", 1)
    (page,) = read(make.deck(make.slide(make.shape("shape")), outlines=[outline]))
    assert page.text == "shape\ntitle\nbody"
    assert boxes(page)[1:] == [None, None]


def test_groups_are_looked_through_at_any_depth(make: Make, read: Read) -> None:
    inner = make.group(
        (0, 0, 100, 100), (0, 0, 10, 10), make.shape("deep", (5, 0, 10, 10), child=True), child=True
    )
    outer = make.group(
        (500, 0, 1000, 500), (0, 0, 200, 200), inner, make.shape("up", (100, 100, 200, 200), child=True)
    )
    (page,) = read(make.deck(make.slide(outer)))
    assert page.text == "deep\nup"
    assert boxes(page) == [(0.625, 0, 0.75, 0.5), (0.75, 0.5, 1, 1)]


def test_a_turned_shape_has_the_box_that_it_fills(make: Make, read: Read) -> None:
    # A shape on its side states the place it would have if it were turned back by a right angle.
    turned = make.shape("on its side", (400, 200, 600, 300), says={4: 90 << 16})
    other = make.shape("on its other side", (400, 200, 600, 300), says={4: 270 << 16})
    upside = make.shape("upside down", (400, 200, 600, 300), says={4: 180 << 16})
    slanted = make.shape("slanted", (400, 200, 600, 300), says={4: -30 % 360 << 16})
    (page,) = read(make.deck(make.slide(turned, other, upside, slanted), size=(1000, 1000)))
    found = boxes(page)
    assert found[:3] == [(0.4, 0.2, 0.6, 0.3)] * 3
    wide = 0.1 * math.cos(math.radians(30)) + 0.05 * math.sin(math.radians(30))
    assert found[3] is not None
    assert math.isclose(found[3][0], 0.5 - wide, abs_tol=1e-5)


def test_hidden_slides_and_shapes_are_read_and_marked(make: Make, read: Read) -> None:
    seen, unseen = read(
        make.deck(
            make.slide(make.shape("seen"), make.shape("unseen", says={0x03BF: 0x20002})),
            make.slide(make.shape("skipped"), hidden=True),
        )
    )
    assert [seen.text[start:end] for start, end in seen.hidden] == ["unseen"]
    assert unseen.hidden == ((0, 7),)
    assert unseen.metadata == {"slide": {"hidden": True}}
    assert seen.metadata is None


def test_shapes_that_were_deleted_are_not_read(make: Make, read: Read) -> None:
    (page,) = read(make.deck(make.slide(make.shape("gone", flags=0x208), make.shape("here"))))
    assert page.text == "here"


def cells(make: Make, *places: tuple[str, int, int, int, int]) -> bytes:
    line = make.shape(where=(0, 0, 0, 40), child=True, kind=20)
    made = [make.shape(text, where, child=True, kind=1) for text, *where in places]
    return bytes(make.group((0, 0, 1000, 500), (0, 0, 60, 40), *made, line, table=True))


def test_a_table_is_a_table_with_its_merged_cells(make: Make, read: Read) -> None:
    table = cells(
        make,
        ("below", 20, 20, 40, 40),
        ("down", 0, 0, 20, 40),
        ("both", 20, 0, 60, 20),
        ("last\rline", 40, 20, 60, 40),
    )
    (page,) = read(make.deck(make.slide(table, make.shape("after"))))
    (found,) = page.tables
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in found.cells] == [
        (1, 1, 2, 1, "down"),
        (1, 2, 1, 2, "both"),
        (2, 2, 1, 1, "below"),
        (2, 3, 1, 1, "last\nline"),
    ]
    assert found.cells[1].box == (0.333333, 0, 1, 0.5)
    assert page.text == "down\tboth\t\n\tbelow\tlast line\nafter"
    assert boxes(page) == [(0, 0, 1, 0.5), (0, 0.5, 1, 1), None]


def test_boxes_that_overlap_are_no_table_and_are_read(make: Make, read: Read) -> None:
    table = cells(make, ("one", 0, 0, 40, 40), ("two", 20, 0, 60, 40))
    (page,) = read(make.deck(make.slide(table)))
    assert (page.text, page.tables) == ("one\ntwo", ())


def test_notes_are_read_without_what_stands_at_their_margins(make: Make, read: Read) -> None:
    number = make.characters("*", 4, make.rec(0x0FD8, bytes(4)))
    notes = make.notes(
        make.shape("the slide again", place=11),
        make.group((0, 0, 9, 9), (0, 0, 9, 9), make.shape("Say this.\rAnd that.", place=12)),
        make.shape(number),
        make.shape("3", place=8),
    )
    one, two = read(
        make.deck(make.slide(make.shape("a")), make.slide(make.shape("b"), notes=1), pages=[notes])
    )
    assert one.text == "a"
    assert two.text == "b\nSay this.\nAnd that."
    assert marked(two) == [("Say this.\nAnd that.", "notes")]


def test_the_masters_margins_are_read_where_the_slide_shows_them(make: Make, read: Read) -> None:
    master = make.master(
        make.shape("Click to edit the title", place=1),
        make.shape(make.characters("*", 4, make.rec(0x0FFA, bytes(4))), (100, 400, 500, 500), place=9),
        make.shape(make.characters("*", 4, make.rec(0x0FD8, bytes(4))), (800, 400, 1000, 500), place=8),
        make.shape(make.characters("*", 4, make.rec(0x0FF8, bytes(4))), place=7),
    )
    own = make.margins(0x01 | 0x04 | 0x20, make.string("2 May 2003"), make.string("Own", 2))
    data = make.deck(
        make.slide(make.shape("a")),
        make.slide(make.shape("b"), more=own),
        make.slide(make.shape("c"), flags=0),
        make.slide(make.shape("d"), make.shape("said itself", place=9)),
        make.slide(make.shape("e"), layout=0),
        masters=[master],
        more=make.margins(0x08 | 0x20, make.string("Secret & Co", 2), instance=3),
        bare_titles=True,
    )
    pages = read(data)
    assert [page.text for page in pages] == [
        "a\nSecret & Co\n1",
        "b\nOwn\n2 May 2003",
        "c",
        "d\nsaid itself\n4",
        "e",
    ]
    assert marked(pages[0]) == [("Secret & Co", "footer"), ("1", "footer")]
    assert boxes(pages[0])[1:] == [(0.1, 0.8, 0.5, 1), (0.8, 0.8, 1, 1)]
    assert marked(pages[3]) == [("said itself", "footer"), ("4", "footer")]


def test_one_master_under_several_names_is_looked_through_once(make: Make) -> None:
    master = make.master(make.shape(make.characters("*", 4, make.rec(0x0FFA, bytes(4))), place=9))
    document = make.document(make.listing(1, [(100, 7, b""), (100, 8, b"")]))
    deck = Deck(Objects(*make.edits({1: document, 100: master})))
    assert deck.places(7) is deck.places(8)
    assert list(deck.places(7)) == ["footer"]
    assert deck.places(9) == {}


def test_what_stands_in_for_a_number_is_that_number(make: Make, read: Read) -> None:
    text = make.characters("Slide * of many", 4, make.rec(0x0FD8, struct.pack("<L", 6)))
    today = make.characters("Today: *", 4, make.rec(0x0FF7, struct.pack("<L", 7)))
    pages = read(make.deck(make.slide(), make.slide(make.shape(text), make.shape(today))))
    assert pages[1].text == "Slide 2 of many\nToday: "


def test_comments_are_read(make: Make, read: Read) -> None:
    comment = make.box(0x2EE0, make.string("Author"), make.string("Is this\rright?", 1), make.string("A", 2))
    tag = make.box(0x138A, make.string("___PPT10"), make.rec(0x138B, comment))
    other = make.box(0x138A, make.string("___PPT9"), make.rec(0x138B, b"anything"))
    (page,) = read(make.deck(make.slide(make.shape("a"), more=make.box(0x1388, other, tag))))
    assert page.text == "a\nIs this\nright?"
    assert marked(page) == [("Is this\nright?", "comment")]


def test_links_of_texts_and_shapes_lead_out_or_to_slides(make: Make, read: Read) -> None:
    def link(number: int, *said: bytes) -> bytes:
        return bytes(make.box(0x0FD7, make.rec(0x0FD3, struct.pack("<L", number)), *said))

    def click(number: int, action: int = 4, jump: int = 0) -> bytes:
        held = struct.pack("<LLBBBBB3x", 0, number, action, 0, jump, 0, 0)
        return bytes(make.box(0x0FF2, make.rec(0x0FF3, held)))

    def over(begin: int, end: int) -> bytes:
        return bytes(make.rec(0x0FDF, struct.pack("<ll", begin, end)))

    known = make.box(
        0x0409,
        make.rec(0x040A, bytes(4)),
        link(1, make.string("there"), make.string("https://a.example", 1)),
        link(2, make.string("next", 0), make.string("257,2,Next", 3)),
    )
    text = make.characters("go \U0001d400 there\rand next", 4, click(1), over(6, 15), click(2), over(16, 20))
    whole = make.shape("all of it", data=click(1))
    last = make.shape("to the end", data=click(0, 3, 4))
    pages = read(make.deck(make.slide(make.shape(text), whole, last), make.slide(), more=known))
    assert pages[0].text == "go 𝐀 there\nand next\nall of it\nto the end"
    assert links(pages[0]) == [
        ("there", "https://a.example"),
        ("and", "https://a.example"),
        ("next", "#slide2"),
        ("all of it", "https://a.example"),
        ("to the end", "#slide2"),
    ]


def test_letters_drawn_as_a_picture_and_descriptions_are_read(make: Make, read: Read) -> None:
    art = make.shape(says={0x00C0: "Grand opening"})
    picture = make.shape(where=(0, 0, 500, 250), kind=75, says={0x0381: "A ribbon is cut"})
    named = make.shape(kind=75, says={0x0381: "C:\\My Pictures\\a ribbon.jpg"})
    (page,) = read(make.deck(make.slide(art, picture, named)))
    assert page.text == "Grand opening\nA ribbon is cut"
    assert marked(page) == [("A ribbon is cut", "caption")]


def held(make: Make, number: int, data: bytes, *, packed: bool = True) -> bytes:
    if packed:
        data = struct.pack("<L", len(data)) + zlib.compress(data)
    return bytes(make.rec(0x1011, data, instance=packed))


def test_documents_in_slides_are_members_of_them_however_often_they_are_asked_for(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = compound_file({"WordDocument": b"x" * 5000})
    native = struct.pack("<LH", 0, 2) + b"C:\\a b.txt\0C:\\a b.txt\0" + struct.pack("<LL", 3, 2) + b"x\0"
    native += struct.pack("<L", 5) + b"inner"
    objects = {
        20: held(make, 1, word),
        21: held(make, 2, compound_file({"\x01Ole10Native": native}), packed=False),
        22: held(make, 3, compound_file({"Package": b"%PDF-1.7"})),
        23: held(make, 4, compound_file({"Contents": b"a drawing"})),
        24: make.rec(0x1011, b"\0\0\0\0 no zlib", instance=1),
    }
    facts = [
        make.box(0x0FCC, make.rec(0x0FC3, struct.pack("<6L", 0, 0, number, 0, 19 + number, 0)))
        for number in range(1, 6)
    ]

    def shows(number: int) -> bytes:
        return bytes(
            make.shape(where=(0, 0, 9, 9), kind=75, data=make.rec(0x0BC1, struct.pack("<L", number)))
        )

    lists = make.box(0x0409, *facts), make.listing(0, [(2, 256, b""), (3, 257, b"")])
    objects |= {
        1: make.document(*lists),
        2: make.slide(shows(2), shows(1)),
        3: make.slide(*map(shows, range(3, 7))),
    }
    source = SourceContent.of_bytes(make.file_of(*make.edits(objects)), media_type=MEDIA_TYPES[0])
    packed = len(word) + 2 * len(compound_file({"Package": b"%PDF-1.7"}))
    monkeypatch.setattr("indx_reader_ppt._objects._MOST_BYTES", packed)
    with closing(observer().open(source)) as session:
        members = list(session.members())
        pages = list(reader().read(session, [1, 2], deadline=Deadline()))
        assert list(session.members()) == members
    assert [(member.name, member.media_type, member.data[:8]) for member in members] == [
        ("a b.txt", None, b"inner"),
        ("object-1.doc", "application/msword", word[:8]),
        ("object-3.pdf", "application/pdf", b"%PDF-1.7"),
        ("object-5", None, b""),
    ]
    assert members[3].reason is not None
    assert [[fact["name"] for fact in (page.metadata or {})["members"]] for page in pages] == [
        ["a b.txt", "object-1.doc"],
        ["object-3.pdf", "object-5"],
    ]
