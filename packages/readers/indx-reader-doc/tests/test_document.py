"""Binary documents: structure, stories, what is hidden or deleted, what is refused."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import IndxError, InputTooLarge, SourceError
from indx_core.ports import PageReading, SourceContent
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.compound_writer import compound_file
from indx_reader_doc import MEDIA_TYPES, _pieces, observer, reader
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]
Para = Callable[..., object]
IN_TABLE = b"\x16\x24\x01"
ROW_ENDS = b"\x17\x24\x01"


def read(data: bytes) -> PageReading:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert_reading(page)
    return page


def test_headings_are_told_by_style_and_outline_level(doc: Make, para: Para) -> None:
    page = read(
        doc(
            [
                para("One", style=1),
                para("Two", style=2),
                para("outlined", ops=b"\x40\x26\x02"),
                para("body of a heading's style", style=1, ops=b"\x40\x26\x09"),
            ]
        )
    )
    found = [(page.text[h.start : h.end], h.level) for h in page.headings]
    assert found == [("One", 1), ("Two", 2), ("outlined", 3)]
    assert not page.roles


def test_hidden_text_is_marked_and_deleted_text_left_out(doc: Make, para: Para) -> None:
    page = read(doc([para("seen ", ("unseen", b"\x3c\x08\x01"), ("gone", b"\x00\x08\x01"), " end")]))
    assert page.text == "seen unseen end"
    assert [page.text[start:end] for start, end in page.hidden] == ["unseen"]


def test_every_story_is_read_with_its_role(doc: Make, para: Para) -> None:
    stories = [
        [para(name)] for name in ("body", "foot", "head", "macro", "comment", "end", "box", "head box")
    ]
    page = read(doc(*stories))
    assert page.text.split() == ["body", "foot", "head", "comment", "end", "box", "head", "box"]
    assert [(r.role, page.text[r.start : r.end]) for r in page.roles] == [
        ("footnote", "foot"),
        ("header", "head"),
        ("comment", "comment"),
        ("endnote", "end"),
        ("text_box", "box"),
        ("text_box", "head box"),
    ]


def definition(*edges: int, flags: tuple[int, ...] = ()) -> bytes:
    data = bytes((len(edges) - 1,)) + struct.pack(f"<{len(edges)}h", *edges)
    data += b"".join(struct.pack("<H", flag) + bytes(18) for flag in flags)
    return struct.pack("<HH", 0xD608, len(data) + 1) + data


def test_tables_keep_their_merged_cells(doc: Make, para: Para) -> None:
    def row(cells: list[str], ops: bytes) -> list[object]:
        made = [para(text, end="\x07", ops=IN_TABLE) for text in cells]
        return [*made, para(end="\x07", ops=IN_TABLE + ROW_ENDS + ops)]

    page = read(
        doc(
            [
                *row(["both"], definition(0, 2000)),
                *row(["down", "r1"], definition(0, 1000, 2000, flags=(3 << 5, 0))),
                *row(["", "r2"], definition(0, 1000, 2000, flags=(1 << 5, 0))),
                para("after"),
            ]
        )
    )
    (table,) = page.tables
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in table.cells] == [
        (1, 1, 1, 2, "both"),
        (2, 1, 2, 1, "down"),
        (2, 2, 1, 1, "r1"),
        (3, 2, 1, 1, "r2"),
    ]
    assert page.text.endswith("\nafter")


def test_fields_give_their_results_and_links_their_targets(doc: Make, para: Para) -> None:
    page = read(
        doc([para('a \x13HYPERLINK "https://a.example"\x14link\x15 \x13PAGE\x143\x15 \x13 TOC \x15b')])
    )
    assert page.text == "a link 3 b"
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [("link", "https://a.example")]


def test_a_field_in_the_instruction_of_another_is_none_of_the_text(doc: Make, para: Para) -> None:
    choice = '\x13 IF \x13 MERGEFIELD Sex \x14M\x15 = "M" "Mr" "Ms" \x14Mr\x15 Smith'
    link = '\x13HYPERLINK "\x13 REF at \x14https://a.example\x15"\x14the \x13 REF it \x14link\x15\x15 after'
    page = read(doc([para(choice), para(link)]))
    assert page.text == "Mr Smith\nthe link after"
    assert {x.target for x in page.links} == {"https://a.example"}
    assert "".join(page.text[x.start : x.end] for x in page.links) == "the link"


def test_equations_and_words_with_readings_are_text(doc: Make, para: Para) -> None:
    ruby = "\x13 EQ \\* jc2 \\o\\ad(\\s\\up 9(かんじ),漢字)\x15"
    page = read(doc([para(f"the {ruby} word, \x13EQ \\f(a+b,2)\x14\x15.")]))
    assert page.text == "the 漢字 word, (a+b)/2."
    assert (page.metadata or {})["ruby"] == [{"base": "漢字", "reading": "かんじ"}]


def test_signs_of_symbol_fonts_are_characters(doc: Make, para: Para) -> None:
    def font(number: int) -> bytes:
        return struct.pack("<HH", 0x4A4F, number)

    inserted = struct.pack("<HHH", 0x6A09, 1, 0xF061)
    page = read(
        doc(
            [
                para(
                    "a ",
                    ("(", inserted),
                    " (b) ",
                    ("\uf0fc", font(2)),
                    ("\uf0fc", font(0)),
                    ("\uf0fc", font(9)),
                )
            ],
            fonts=["Times", "Symbol", "Wingdings"],
        )
    )
    assert page.text == "a α (b) ✓\uf0fc\uf0fc"


def test_letters_of_symbol_fonts_are_the_signs_that_they_show_as(doc: Make, para: Para) -> None:
    def font(number: int) -> bytes:
        return struct.pack("<HH", 0x4A4F, number)

    runs = ["a", ("a\xa3", font(1)), ("\xfc", font(2)), ("\xfc", font(0)), ("a", font(9))]
    assert read(doc([para(*runs)], fonts=["Arial", "Symbol", "Wingdings"])).text == "aα≤✓üa"


def test_a_number_raised_behind_a_number_is_set_off(doc: Make, para: Para) -> None:
    up, down = struct.pack("<HB", 0x2A48, 1), struct.pack("<HB", 0x2A48, 2)
    assert read(doc([para("10", ("6", up), " 10", ("6", down))])).text == "10^6 106"


@pytest.mark.parametrize(
    ("before", "rise", "size", "shown"),
    [
        (None, 8, 14, "10^6"),
        (24, 8, 19, "10^6"),
        (24, 8, None, "10^6"),
        (None, 8, None, "106"),
        (None, 8, 19, "106"),
        (16, 8, 16, "106"),
        (24, -4, 19, "106"),
        (24, None, 19, "106"),
    ],
)
def test_a_smaller_number_that_is_moved_up_behind_a_number_is_set_off(
    doc: Make, para: Para, before: int | None, rise: int | None, size: int | None, shown: str
) -> None:
    def said(number: int, value: int | None) -> bytes:
        return b"" if value is None else struct.pack("<Hh", number, value)

    runs = [("10", said(0x4A43, before)), ("6", said(0x4845, rise) + said(0x4A43, size))]
    assert read(doc([para(*runs)])).text == shown


def test_characters_beyond_the_first_plane_stay_whole(doc: Make, para: Para) -> None:
    assert read(doc([para("a \ud83d\ude00 b")])).text == "a 😀 b"


def test_more_characters_than_a_document_may_have_are_refused(
    doc: Make, para: Para, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_pieces, "MAX_CHARACTERS", 5)
    with pytest.raises(InputTooLarge):
        read(doc([para("more than five")]))


def test_what_is_locked_older_or_something_else_is_refused(doc: Make, para: Para) -> None:
    def refused(data: bytes) -> str:
        with pytest.raises(SourceError) as caught:
            observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))
        return str(caught.value.code)

    assert refused(doc([para("x")], flags=0x0300)) == "source_encrypted"
    assert refused(doc([para("x")], mark=0xA5DC)) == "source_unreadable"
    assert refused(doc([para("x")], flags=0)) == "source_unreadable"
    assert refused(compound_file({"Workbook": b"x"})) == "source_unreadable"
    assert refused(b"text") == "source_unreadable"


def test_any_damage_ends_in_text_or_a_refusal(doc: Make, para: Para) -> None:
    whole = doc([para("text " * 20, ("bold", b"\x35\x08\x01")), para("two")], [para("note")])
    with open_compound(whole) as file:
        streams = {name: read_stream(file, name) for name in ("WordDocument", "1Table")}
    chance = random.Random(2)
    refused = 0
    for _ in range(400):
        name = chance.choice(list(streams))
        data = bytearray(streams[name])
        for _ in range(chance.choice((1, 4))):
            at = chance.choice((chance.randrange(len(data)), chance.randrange(0x20, 0x1AA) % len(data)))
            at = chance.choice((at, len(data) - 1 - chance.randrange(min(512, len(data)))))
            data[at] = chance.choice((0, 0x7F, 0xFF, chance.randrange(256)))
        changed = compound_file(streams | {name: bytes(data)})
        try:
            read(changed)
        except IndxError:
            refused += 1
    assert 20 < refused < 400


def test_a_page_that_says_more_than_fits_in_it_is_passed_over(doc: Make, para: Para) -> None:
    with open_compound(doc([para("text")])) as file:
        streams = {name: read_stream(file, name) for name in ("WordDocument", "1Table")}
    main = streams["WordDocument"]
    assert main[-1] == 1  # how many paragraphs the last page tells of
    assert read(compound_file(streams | {"WordDocument": main[:-1] + b"\x60"})).text == "text"


def test_embedded_documents_are_members(doc: Make, para: Para) -> None:
    with open_compound(doc([para("text")])) as file:
        streams = {name: read_stream(file, name) for name in ("WordDocument", "1Table")}
    pool = {"_1": {"Workbook": b"x" * 10}, "_2": {"Equation Native": b"x"}}
    source = SourceContent.of_bytes(compound_file(streams | {"ObjectPool": pool}), media_type=MEDIA_TYPES[0])
    with closing(observer().open(source)) as session:
        assert [(member.name, member.media_type) for member in session.members()] == [
            ("object-1.xls", "application/vnd.ms-excel")
        ]
        (page,) = reader().read(session, [1], deadline=Deadline())
    assert [fact["name"] for fact in (page.metadata or {})["members"]] == ["object-1.xls"]
