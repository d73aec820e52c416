"""Automatic numbers: by level and scheme, from where they start, and styles that are damaged."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest

from indx_core.ports import PageReading
from indx_reader_ppt._numbers import labels

Read = Callable[[bytes], list[PageReading]]
NUMBERED, SCHEME, BULLET = 0x2000000, 0x1000000, 0x3


def entry(scheme: tuple[int, int] | None = None, *, numbered: bool = True) -> bytes:
    """What is said of numbers under one entry."""
    said = NUMBERED | (SCHEME if scheme else 0)
    data = struct.pack("<LH", said, numbered) if numbered or scheme else struct.pack("<L", 0)
    return data + (struct.pack("<HH", *scheme) if scheme else b"") + bytes(8)


def styles(
    paragraphs: Sequence[tuple[int, int]], characters: Sequence[tuple[int, int]], *, bullet: int = 1
) -> bytes:
    """Stretches of a text: of paragraphs length and level, of characters length and entry."""
    data = b""
    for count, level in paragraphs:
        said = BULLET | 0x10 | 0x800 | 0x100000
        data += struct.pack("<LHLHHHHL", count, level, said, bullet, 2, 0, 1, 99)
    for count, entry_ in characters:
        data += struct.pack("<LLHHH", count, 0x1 | 0x400 | 0x10000 | 0x20000, entry_ << 10, 3, 18)
    return data


def lines(text: str, said: bytes, beside: bytes) -> list[str]:
    found = labels(text, said, beside)
    starts = [at for at in range(len(text)) if at == 0 or text[at - 1] == "\r"]
    return [found.get(start, "") for start in starts]


def test_paragraphs_are_numbered_by_level_and_scheme() -> None:
    text = "a\rb\rc\rd\re\rf"
    said = styles([(2, 0), (4, 1), (2, 0), (4, 0)], [(2, 0), (4, 1), (2, 0), (2, 2), (2, 0)])
    beside = entry() + entry((0, 3)) + entry(numbered=False)
    assert lines(text, said, beside) == ["1. ", "c. ", "d. ", "2. ", "", "1. "]


@pytest.mark.parametrize(
    ("scheme", "label"),
    [(3, "4. "), (1, "D. "), (4, "(iv) "), (15, "IV) "), (12, "(4) "), (18, "④ "), (27, "四. "), (99, "4. ")],
)
def test_schemes_are_written_as_they_are_named(scheme: int, label: str) -> None:
    assert lines("a", styles([(2, 0)], [(2, 0)]), entry((scheme, 4))) == [label]


def test_a_bullet_that_is_switched_off_has_no_number() -> None:
    assert lines("a", styles([(2, 0)], [(2, 0)], bullet=0), entry()) == [""]


def test_the_text_of_a_shape_has_its_numbers(make: SimpleNamespace, read: Read) -> None:
    text = make.characters("intro\rone\r\rtwo", 4, make.rec(0x0FA1, styles([(15, 0)], [(6, 1), (9, 0)])))
    beside = make.rec(0x0FAC, entry() + entry(numbered=False))
    tags = make.box(0x1388, make.box(0x138A, make.string("___PPT9"), make.rec(0x138B, beside)))
    (page,) = read(make.deck(make.slide(make.shape(text, data=tags))))
    assert page.text == "intro\n1. one\n2. two"


def test_paragraphs_are_set_in_by_their_level_with_or_without_number(
    make: SimpleNamespace, read: Read
) -> None:
    said = make.rec(0x0FA1, styles([(4, 0), (4, 1), (6, 2), (5, 0)], [(4, 0), (10, 1), (5, 0)]))
    tags = make.box(
        0x1388,
        make.box(
            0x138A,
            make.string("___PPT9"),
            make.rec(0x138B, make.rec(0x0FAC, entry(numbered=False) + entry())),
        ),
    )
    text = "top\rone\rdeep\r\rback"
    (page,) = read(make.deck(make.slide(make.shape(make.characters(text, 4, said), data=tags))))
    assert page.text == "top\n  1. one\n    1. deep\nback"
    (page,) = read(make.deck(make.slide(make.shape(make.characters(text, 4, said)))))
    assert page.text == "top\n  one\n    deep\nback"
    (page,) = read(make.deck(make.slide(make.shape(make.characters(text, 0, said)))))
    assert page.text == "top\none\ndeep\nback"


def test_a_damaged_tag_is_noted_and_the_text_is_read(make: SimpleNamespace, read: Read) -> None:
    text = make.characters("one", 4, make.rec(0x0FA1, styles([(4, 0)], [(4, 0)])))
    tags = make.box(0x1388, make.box(0x138A, b"\0\0\xba\x0f\xff\xff\0\0"))
    (page,) = read(make.deck(make.slide(make.shape(text, data=tags))))
    assert page.text == "one"
    assert list((page.metadata or {})["unread_parts"]) == ["numbers of paragraphs"]


def test_any_damage_ends_in_labels_or_none() -> None:
    chance = random.Random(6)
    said, beside = styles([(2, 0), (4, 1)], [(2, 0), (4, 1)]), entry() + entry((0, 3))
    for _ in range(2000):
        pair = [bytearray(said), bytearray(beside)]
        for data in pair:
            data[chance.randrange(len(data))] = chance.choice((0, 0xFF, chance.randrange(256)))
        labels("a\rb\rc", bytes(pair[0][: chance.randrange(len(said) + 1)]), bytes(pair[1]))
