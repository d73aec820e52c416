"""Labels of lists and headings, by paragraph and by style, and lists that are damaged."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from contextlib import closing

import pytest

from indx_core.ports import PageReading, SourceContent
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.compound_writer import compound_file
from indx_reader_doc import MEDIA_TYPES, observer
from indx_testkit.checks import assert_reading

Make = Callable[..., bytes]
Para = Callable[..., object]


def in_list(number: int, depth: int = 0) -> bytes:
    return struct.pack("<HhHB", 0x460B, number, 0x260A, depth)


def level(start: int, style: int, text: str, *, legal: bool = False) -> bytes:
    head = struct.pack("<lBB", start, style, 4 * legal).ljust(24, b"\0") + bytes((2, 3)) + b"\0\0"
    return head + b"ppp" + b"cc" + struct.pack("<H", len(text)) + text.encode("utf-16-le")


def outline(*levels: bytes) -> bytes:
    return b"".join((*levels, *[level(1, 0, "")] * (9 - len(levels))))


LISTS = (
    struct.pack("<H", 3)
    + struct.pack("<l22xBx", 100, 0)
    + struct.pack("<l22xBx", 200, 1)
    + struct.pack("<l22xBx", 300, 1)
    + outline(level(1, 0, "\x00."), level(1, 0, "\x00.\x01"), level(3, 4, "(\x02)"))
    + level(1, 23, "\uf0b7")
    + level(1, 1, "Art. \x00")
)
NAMED = struct.pack("<L", 4) + b"".join(
    struct.pack("<lLLBBBB", name, 0, 0, levels, 0, 0, 0)
    for name, levels in ((100, 0), (200, 0), (300, 1), (300, 1))
)
NAMED += (
    bytes(4) * 2
    + struct.pack("<LlL", 0, 7, 0x10)
    + struct.pack("<LlL", 0, 0, 0x20)
    + level(2, 11, "第\x00条")
)


def style(base: int, said: bytes, name: str = "s", known: int = 0xFFE, letters: bytes = b"") -> bytes:
    data = struct.pack("<HHHHH", known, base << 4 | 1, 1, 0, 0) + struct.pack("<H", len(name))
    data += name.encode("utf-16-le") + b"\0\0" + struct.pack("<HH", len(said) + 2, 0) + said
    data += b"\0" * (len(said) % 2) + struct.pack("<H", len(letters)) + letters if letters else b""
    return struct.pack("<H", len(data)) + data + b"\0" * (len(data) % 2)


def sheet(*styles: bytes) -> bytes:
    return struct.pack("<HHH", 4, len(styles), 10) + b"".join(styles)


@pytest.fixture
def listed(doc: Make) -> Callable[..., bytes]:
    """A document with lists and styles."""

    def make(*paras: object, styles: bytes = b"", lists: bytes = LISTS, named: bytes = NAMED) -> bytes:
        with open_compound(doc(list(paras))) as file:
            main, table = (bytearray(read_stream(file, name)) for name in ("WordDocument", "1Table"))
        for at, data in ((0xA2, styles), (0x2E2, lists), (0x2EA, named)):
            struct.pack_into("<LL", main, at, len(table), len(data))
            table += data
        return compound_file({"WordDocument": bytes(main), "1Table": bytes(table)})

    return make


def read(data: bytes) -> PageReading:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))) as session:
        page: PageReading = session.reading(1)  # type: ignore[attr-defined]
    assert_reading(page)
    return page


def test_paragraphs_of_lists_have_their_labels(listed: Make, para: Para) -> None:
    page = read(
        listed(
            para("one", ops=in_list(1)),
            para("inner", ops=in_list(1, 1)),
            para("third", ops=in_list(1, 2)),
            para("two", ops=in_list(1)),
            para("again", ops=in_list(1, 1)),
            para("no list", ops=in_list(0)),
            para("sign", ops=in_list(2)),
            para("restarted", ops=in_list(3)),
            para("of another form", ops=in_list(4)),
        )
    )
    assert page.text.splitlines() == [
        "1. one", "  1.1 inner", "    (c) third", "2. two", "  2.1 again", "no list", "• sign",
        "Art. VII restarted", "第二条 of another form",
    ]  # fmt: skip


def test_numbered_headings_are_not_set_in(listed: Make, para: Para) -> None:
    level = b"\x40\x26\x01"
    page = read(listed(para("one", ops=in_list(1)), para("inner", ops=in_list(1, 1) + level)))
    assert page.text == "1. one\n1.1 inner"
    assert [(one.start, one.level) for one in page.headings] == [(7, 2)]


def test_empty_paragraphs_have_no_label(listed: Make, para: Para) -> None:
    page = read(listed(para("a", ops=in_list(1)), para(ops=in_list(1)), para("c", ops=in_list(1))))
    assert page.text == "1. a\n\n3. c"


def test_styles_give_lists_and_levels_of_headings(listed: Make, para: Para) -> None:
    styles = sheet(
        struct.pack("<H", 0),
        style(0x0FFF, in_list(1) + b"\x40\x26\x00"),
        style(1, b"\x0a\x26\x01" + b"\x40\x26\x01"),
        *[struct.pack("<H", 0)] * 10,
        style(2, b""),
    )
    page = read(
        listed(
            para("Top", style=1), para("Below", style=2), para("Own", style=13), para("text"), styles=styles
        )
    )
    assert page.text == "1. Top\n1.1 Below\n1.2 Own\ntext"
    found = [(page.text[h.start : h.end], h.level) for h in page.headings]
    assert found == [("1. Top", 1), ("1.1 Below", 2), ("1.2 Own", 2)]


def test_titles_captions_and_quotes_are_told_by_what_their_style_is(listed: Make, para: Para) -> None:
    none = struct.pack("<H", 0)
    styles = sheet(
        *[none] * 10,
        style(0xFFF, b"", "Titel", known=62),
        style(0xFFF, b"", "Beschriftung", known=34),
        style(0xFFF, b"", "Quote"),
        style(0xFFF, b"", "Mine"),
    )
    page = read(listed(*(para(text, style=at) for at, text in enumerate("tcqm", start=10)), styles=styles))
    assert page.text == "t\nc\nq\nm"
    assert [(page.text[r.start : r.end], r.role) for r in page.roles] == [
        ("t", "title"), ("c", "caption"), ("q", "quote"),
    ]  # fmt: skip
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("t", 1)]


def test_the_size_of_the_style_counts_where_the_text_before_states_none(listed: Make, para: Para) -> None:
    size = struct.Struct("<HH").pack
    styles = sheet(style(0xFFF, b"\x40\x26\x09", letters=size(0x4A43, 30)), style(0, b""), style(0xFFF, b""))
    runs = ["10", ("6", size(0x4845, 8) + size(0x4A43, 22))]
    page = read(listed(*(para(*runs, style=at) for at in range(3)), styles=styles))
    assert page.text == "10^6\n10^6\n106"


def test_styles_made_from_each_other_end(listed: Make, para: Para) -> None:
    styles = sheet(style(1, b""), style(0, in_list(1)))
    assert read(listed(para("x", style=1), styles=styles)).text == "1. x"


def test_damaged_lists_leave_the_text(listed: Make, para: Para) -> None:
    chance = random.Random(4)
    paras = [para("text", ops=in_list(number, 1)) for number in range(1, 5)]
    for _ in range(300):
        lists, named = bytearray(LISTS), bytearray(NAMED)
        for data in (lists, named):
            data[chance.randrange(len(data))] = chance.choice((0, 0xFF, chance.randrange(256)))
        cut = bytes(lists[: chance.choice((len(lists), chance.randrange(len(lists))))])
        styles = sheet(style(0, in_list(1)))[: chance.randrange(40)]
        page = read(listed(*paras, styles=styles, lists=cut, named=bytes(named)))
        assert page.text.count("text") == 4
