"""Edits, locks and damage: which objects count, what opens, what is refused and how much it costs."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from contextlib import closing
from types import SimpleNamespace

import pytest

from indx_core.errors import IndxError, InputTooLarge, SourceError
from indx_core.ports import PageReading, SourceContent
from indx_format_office.compound_writer import compound_file
from indx_reader_ppt import MEDIA_TYPES, observer

Read = Callable[[bytes], list[PageReading]]
Make = SimpleNamespace


def refusal(data: bytes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[0]))
    return caught.value


def told(make: Make, text: str) -> bytes:
    return bytes(make.slide(make.shape(text)))


def listed(make: Make, *numbers: int) -> bytes:
    return bytes(make.document(make.listing(0, [(number, 254 + number, b"") for number in numbers])))


def test_slides_are_in_the_order_of_the_presentation(make: Make, read: Read) -> None:
    objects = {2: told(make, "first"), 1: listed(make, 3, 2), 3: told(make, "second")}
    assert [page.text for page in read(make.file_of(*make.edits(objects)))] == ["second", "first"]


def test_the_last_edit_wins_and_deleted_slides_are_not_read(make: Make, read: Read) -> None:
    saves = (
        {1: listed(make, 2, 3), 2: told(make, "old"), 3: told(make, "deleted")},
        {2: told(make, "newer")},
        {1: listed(make, 4, 2), 2: told(make, "newest"), 4: told(make, "added")},
    )
    stream, user = make.edits(*saves)
    assert [page.text for page in read(make.file_of(stream, user))] == ["added", "newest"]
    assert [page.text for page in read(make.file_of(stream, b""))] == ["added", "newest"]


def test_an_earlier_program_finds_its_own_and_a_later_one_what_is_apart(make: Make, read: Read) -> None:
    stream, user = make.edits({1: listed(make, 2), 2: told(make, "for 97")})
    both = {"PP97_DUALSTORAGE": {"PowerPoint Document": stream, "Current User": user}, "PP40": b"x"}
    assert read(compound_file(both))[0].text == "for 97"


def test_edits_that_lead_back_to_themselves_end(make: Make, read: Read) -> None:
    stream, user = make.edits({1: listed(make, 2), 2: told(make, "once")}, {3: told(make, "x")})
    (last,) = struct.unpack_from("<L", user, 16)
    looped = bytearray(stream)
    struct.pack_into("<L", looped, last + 16, last)
    refused = refusal(make.file_of(bytes(looped), user))
    assert refused.code == "source_unreadable"
    first = stream.index(struct.pack("<HHL", 0, 0x0FF5, 28))
    looped = bytearray(stream)
    struct.pack_into("<L", looped, first + 16, last)
    assert read(make.file_of(bytes(looped), user))[0].text == "once"


def test_edits_that_list_more_than_there_is_are_refused(make: Make) -> None:
    stream, _ = make.edits({1: listed(make, 2), 2: told(make, "x")})
    directory = len(stream)
    stream += make.rec(0x1772, struct.pack("<L", 1 | 1000 << 20) + bytes(4000))
    last = 0
    for _ in range(30):
        facts = struct.pack("<LHBBLLLLHH", 0, 0, 0, 3, last, directory, 1, 1000, 1, 0)
        last = len(stream)
        stream += make.rec(0x0FF5, facts)
    user = make.rec(0x0FF6, struct.pack("<LLLHHBBH", 20, 0xE391C05F, last, 0, 0x3F4, 3, 0, 0))
    assert "more objects" in refusal(make.file_of(stream, user)).message


def test_a_slide_that_is_listed_many_times_is_read_once(make: Make, read: Read) -> None:
    stream, user = make.edits({1: listed(make, *[2] * 500), 2: told(make, "once")})
    assert [page.text for page in read(make.file_of(stream, user))] == ["once"]


def test_objects_inside_one_another_end_where_the_next_begins(make: Make, read: Read) -> None:
    inner = told(make, "inner")
    outer = make.slide(make.shape("outer"), more=inner)
    stream, user = make.edits({1: listed(make, 2, 3), 3: b"", 2: outer})
    at = stream.index(inner)
    directory = struct.unpack_from("<L", stream, struct.unpack_from("<L", user, 16)[0] + 20)[0]
    changed = bytearray(stream)
    struct.pack_into("<L", changed, directory + 8 + 8 + 4, at)
    outside, inside = read(make.file_of(bytes(changed), user))
    assert (outside.reason, inside.text) == ("damaged_part", "inner")


def test_objects_behind_the_end_are_missing(make: Make, read: Read) -> None:
    stream, user = make.edits({1: listed(make, 2, 3), 2: told(make, "a"), 3: told(make, "b")})
    directory = struct.unpack_from("<L", stream, struct.unpack_from("<L", user, 16)[0] + 20)[0]
    for places in ((0x80000000, 0x90000000), (len(stream) - 4, len(stream))):
        changed = bytearray(stream)
        for at, place in enumerate(places, start=1):
            struct.pack_into("<L", changed, directory + 8 + 8 * at + 4, place)
        pages = read(make.file_of(bytes(changed), user))
        assert [page.reason for page in pages] == ["damaged_part", "damaged_part"]


def test_a_damaged_slide_is_unread_and_the_others_are_read(make: Make, read: Read) -> None:
    cut = told(make, "cut short")
    damaged = make.rec(0x03EE, cut[8:-4], version=15)
    pages = read(make.deck(told(make, "a"), damaged, make.rec(0x0FA0, b"no slide"), told(make, "b")))
    assert [(page.reason, page.text) for page in pages] == [
        (None, "a"),
        ("damaged_part", ""),
        ("damaged_part", ""),
        (None, "b"),
    ]


def test_damage_beside_a_slide_is_noted(make: Make, read: Read) -> None:
    notes = make.rec(0x03F0, make.notes(make.shape("x"))[8:-3], version=15)
    (page,) = read(make.deck(make.slide(make.shape("a"), notes=1), pages=[notes]))
    assert page.text == "a"
    assert page.metadata is not None
    assert list(page.metadata["unread_parts"]) == ["notes"]


def test_groups_nested_beyond_what_is_followed_make_a_slide_unread(make: Make, read: Read) -> None:
    shape = make.shape("deep", (0, 0, 1, 1), child=True)
    for _ in range(3000):
        shape = make.group((0, 0, 1, 1), (0, 0, 1, 1), shape, child=True)
    assert [page.reason for page in read(make.deck(make.slide(shape)))] == ["damaged_part"]


def test_one_of_the_known_passwords_opens_it(make: Make, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    slides = told(make, "秘密"), told(make, "second")
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["wrong", "pässword"]))
    assert [page.text for page in read(make.deck(*slides, password="pässword"))] == ["秘密", "second"]
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", "[]")
    assert read(make.deck(*slides, password="/01Hannes Ruescher/01"))[0].text == "秘密"


def test_without_the_password_the_refusal_names_the_setting(make: Make) -> None:
    refused = refusal(make.deck(told(make, "secret"), password="right"))
    assert refused.code == "source_encrypted"
    assert "INDX_SOURCE_PASSWORDS" in refused.message


def test_what_is_older_damaged_or_something_else_is_refused(make: Make) -> None:
    stream, user = make.edits({1: told(make, "no document")})
    whole = make.deck(told(make, "x"))
    for data in (
        b"text",
        compound_file({"WordDocument": b"x"}),
        compound_file({"PowerPoint Document": b"older", "Current User": b""}),
        make.file_of(stream, user),
        make.file_of(stream[:-60], b""),
        whole[:600],
    ):
        assert refusal(data).code == "source_unreadable"


def test_more_slides_than_allowed_are_refused(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_MAX_PAGES", "2")
    with pytest.raises(InputTooLarge):
        observer().open(SourceContent.of_bytes(make.deck(*[told(make, "x")] * 3), media_type=MEDIA_TYPES[0]))


def test_any_damage_ends_in_pages_or_a_refusal(make: Make) -> None:
    table = make.group(
        (0, 0, 9, 9), (0, 0, 9, 9), make.shape("c", (0, 0, 9, 9), child=True, kind=1), table=True
    )
    outline = make.characters("title", 0)
    refer = make.rec(0x0F9E, bytes(4))
    slide = make.slide(
        make.shape(refer, place=13), table, make.shape("文", says={4: 1 << 16, 0x0381: "d"}), notes=1
    )
    whole = make.deck(slide, slide, outlines=[outline], pages=[make.notes(make.shape("n", place=12))])
    start = whole.index(slide[8:40])
    chance = random.Random(7)
    ends = {"read": 0, "refused": 0}
    for _ in range(600):
        data = bytearray(whole)
        low = chance.choice((0, start - 400, start - 400))
        for _ in range(chance.choice((1, 1, 3, 20))):
            at = chance.randrange(low, len(data))
            data[at] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
        cut = bytes(data[: chance.choice((len(data), len(data), chance.randrange(len(data))))])
        try:
            with closing(observer().open(SourceContent.of_bytes(cut, media_type=MEDIA_TYPES[0]))) as session:
                session.observe()
            ends["read"] += 1
        except IndxError:
            ends["refused"] += 1
    assert min(ends.values()) > 20
