"""What compound files state about themselves: names and times, and nothing of what is damaged."""

from __future__ import annotations

import random
import struct

from indx_format_office.compound import open_compound
from indx_format_office.compound_writer import compound_file
from indx_format_office.summary import properties

TICKS = 132_485_000_000_000_000


def value(kind: int, data: bytes, size: int | None = None) -> bytes:
    head = struct.pack("<L", kind)
    return head + (b"" if size is None else struct.pack("<L", size)) + data


def stream(values: dict[int, bytes]) -> bytes:
    places, held, at = b"", b"", 8 + 8 * len(values)
    for number, data in values.items():
        places += struct.pack("<LL", number, at + len(held))
        held += data
    section = struct.pack("<LL", at + len(held), len(values)) + places + held
    return struct.pack("<HHL16sL16sL", 0xFFFE, 0, 2, bytes(16), 1, bytes(16), 48) + section


def read(data: bytes) -> dict[str, str]:
    with open_compound(compound_file({"\x05SummaryInformation": data})) as file:
        return properties(file)


def text(said: str, encoding: str) -> bytes:
    raw = said.encode(encoding) + b"\0"
    return value(30, raw, len(raw))


WHOLE = stream(
    {
        1: value(2, struct.pack("<HH", 932, 0)),
        4: text("著者", "cp932"),
        2: text("題名 ", "cp932"),
        3: text("", "ascii"),
        5: value(31, "wide\0".encode("utf-16-le"), 5),
        12: value(64, struct.pack("<Q", TICKS)),
        13: value(64, bytes(8)),
    }
)


def test_names_and_times_are_read_in_their_encoding() -> None:
    assert read(WHOLE) == {
        "title": "題名",
        "author": "著者",
        "keywords": "wide",
        "created": "2020-10-30T02:53:20Z",
    }


def test_a_time_that_is_none_takes_nothing_else_along() -> None:
    values = {12: value(64, struct.pack("<Q", (1 << 64) - 1)), 2: text("a", "ascii"), 13: value(64, b"cut")}
    assert read(stream(values)) == {"title": "a"}


def test_a_file_without_them_has_none() -> None:
    with open_compound(compound_file({"x": b"y"})) as file:
        assert properties(file) == {}


def test_damage_and_claims_end_quickly_in_what_is_left() -> None:
    chance = random.Random(1)
    for _ in range(500):
        data = bytearray(WHOLE)
        for _ in range(chance.choice((1, 3))):
            at = chance.randrange(len(data) - 4)
            data[at : at + 4] = struct.pack("<L", chance.choice((0, 0x7FFFFFFF, 0xFFFFFFFF, 0x101E)))
        assert set(read(bytes(data))) <= {
            "title",
            "subject",
            "author",
            "keywords",
            "description",
            "created",
            "modified",
        }
