"""`winmail.dat`: the message and its attachments out of a stream of attributes."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from contextlib import closing

import compressed_rtf
import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Member, PageReading, SourceContent
from indx_reader_msg import MEDIA_TYPES, _tnef, observer, reader, sniffer
from indx_testkit.checks import assert_reading
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample

TNEF = MEDIA_TYPES[1]
Value = str | bytes | int | bool


def attribute(number: int, data: bytes, level: int = 1) -> bytes:
    return struct.pack("<BLL", level, number, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def properties(values: Mapping[int, Value], *, named: bool = False) -> bytes:
    made = b""
    count = len(values)
    if named:
        name = "Keywords\0".encode("utf-16-le")
        made += (
            struct.pack("<HH", 0x1003, 0x8005) + bytes(16) + struct.pack("<LL", 1, len(name)) + padded(name)
        )
        made += struct.pack("<LLL", 2, 7, 8)
        made += (
            struct.pack("<HH", 0x0003, 0x8006) + bytes(16) + struct.pack("<LL", 0, 99) + struct.pack("<L", 5)
        )
        count += 2
    for number, value in values.items():
        if isinstance(value, bool):
            made += struct.pack("<HHL", 0x0B, number, value)
        elif isinstance(value, int):
            made += struct.pack("<HHl", 0x03, number, value)
        else:
            data = value if isinstance(value, bytes) else f"{value}\0".encode("utf-16-le")
            kind = 0x0102 if isinstance(value, bytes) else 0x1F
            made += struct.pack("<HHLL", kind, number, 1, len(data)) + padded(data)
    return struct.pack("<L", count) + made


def tnef(*attributes: bytes) -> bytes:
    return (
        b"\x78\x9f\x3e\x22" + struct.pack("<H", 1) + attribute(0x00089006, b"\0\0\1\0") + b"".join(attributes)
    )


def attached(values: Mapping[int, Value], title: str = "", data: bytes | None = None) -> bytes:
    made = attribute(0x00069002, bytes(14), 2)
    made += attribute(0x00018010, title.encode("cp932") + b"\0", 2) if title else b""
    made += b"" if data is None else attribute(0x0006800F, data, 2)
    return made + attribute(0x00069005, properties(values), 2)


def opened(data: bytes) -> tuple[PageReading, list[Member]]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=TNEF))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
        members = list(session.members())
    assert_reading(page)
    return page, members


WHOLE = tnef(
    attribute(0x00018004, b"old subject\0"),
    attribute(0x00038005, struct.pack("<7H", 2025, 1, 2, 10, 30, 0, 4)),
    attribute(
        0x00069003,
        properties(
            {0x0037: "題名", 0x0C1A: "Ann", 0x1009: compressed_rtf.compress(rb"{\rtf1 rich body\par}")},
            named=True,
        ),
    ),
    attribute(
        0x00069004, struct.pack("<L", 1) + properties({0x3001: "Bob", 0x39FE: "bob@b.example", 0x0C15: 1})
    ),
    attached({0x3707: "report.pdf", 0x370E: "application/pdf"}, "REPORT.PDF", b"%PDF"),
)
SAMPLES = (
    DocumentSample(
        WHOLE, TNEF, "winmail.dat", pages=1, expected=["題名", "rich body"], members=["report.pdf"]
    ),
)


class TestTnefObserver(ObserverKit):
    factory = staticmethod(observer)
    documents = SAMPLES


class TestTnefReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)
    documents = SAMPLES


def test_it_is_told_by_its_content() -> None:
    found = sniffer().sniff(WHOLE, filename="a.bin", declared="application/octet-stream")
    assert found is not None
    assert (found.media_type, found.strength) == (TNEF, "strong")
    assert (
        sniffer().sniff(b"\x78\x9f\x3e\x22 compressed otherwise", filename="winmail.dat", declared=TNEF)
        is None
    )


def test_the_message_is_read_from_properties_and_older_attributes() -> None:
    page, (member,) = opened(WHOLE)
    assert page.text == "題名\n\nFrom: Ann\nTo: Bob <bob@b.example>\nDate: 2025-01-02T10:30:00Z\n\nrich body"
    assert (member.name, member.media_type, member.data) == ("report.pdf", "application/pdf", b"%PDF")


def test_texts_of_old_attributes_are_decoded_by_the_stated_code_page() -> None:
    data = tnef(
        attribute(0x00069007, struct.pack("<LL", 932, 0)),
        attribute(0x00018004, "題名\0".encode("cp932")),
        attribute(0x0002800C, "本文\r\n二行".encode("cp932")),
        attached({}, "表.txt", b"text"),
    )
    page, (member,) = opened(data)
    assert page.text == "題名\n\n本文\n二行"
    assert member.name == "表.txt"


def test_an_embedded_message_is_a_stream_of_its_own() -> None:
    inner = tnef(attribute(0x00018004, b"inner\0"))
    held = struct.pack("<HHLL", 0x0D, 0x3701, 1, 16 + len(inner)) + padded(bytes(16) + inner)
    method = struct.pack("<HHl", 0x03, 0x3705, 5)
    data = tnef(
        attribute(0x00069002, bytes(14), 2), attribute(0x00069005, struct.pack("<L", 2) + method + held, 2)
    )
    _, (member,) = opened(data)
    assert (member.name, member.media_type) == ("message-1.dat", TNEF)
    assert opened(member.data[: len(inner)])[0].text == "inner"


def test_a_damaged_attribute_leaves_the_others() -> None:
    page, _ = opened(tnef(attribute(0x00069003, b"\xff\xff\0\0\x1f"), attribute(0x00018004, b"subject\0")))
    assert page.text == "subject"
    assert (page.metadata or {})["notes"] == ["1 damaged attributes of the message were not read"]


@pytest.mark.parametrize("length", [0x7FFFFFFF, 0xFFFFFFFF, 100])
def test_a_message_that_states_more_than_there_is_ends_and_says_so(length: int) -> None:
    whole = tnef(attribute(0x00018004, b"subject\0"))
    page, _ = opened(whole + struct.pack("<BLL", 1, 0x0002800C, length) + b"body")
    assert page.text == "subject"
    assert "cut short" in (page.metadata or {})["notes"][0]


@pytest.mark.parametrize("count", [0x7FFFFFFF, 0xFFFFFFFF])
def test_counts_that_the_data_does_not_bear_out_cost_nothing(count: int) -> None:
    for number in (0x00069003, 0x00069004):
        page, _ = opened(
            tnef(
                attribute(number, struct.pack("<LHHL", count, 0x1003, 0x1000, count)),
                attribute(0x00018004, b"s\0"),
            )
        )
        assert page.text == "s"


def test_receivers_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tnef, "MAX_ATTRIBUTES", 100)
    with pytest.raises(InputTooLarge, match="receivers"):
        opened(tnef(attribute(0x00069004, struct.pack("<L", 500) + bytes(2000))))


@pytest.mark.parametrize("stated", [0, 5, 0x7FFFFFFF, 0xFFFFFFFF])
def test_rich_text_that_states_another_size_ends(stated: int) -> None:
    packed = bytearray(compressed_rtf.compress(rb"{\rtf1 body}", compressed=True))
    packed[4:8] = struct.pack("<L", stated)
    page, _ = opened(
        tnef(attribute(0x00018004, b"s\0"), attribute(0x00069003, properties({0x1009: bytes(packed)})))
    )
    assert page.text.startswith("s")
    assert "body" in page.text or (page.metadata or {})["notes"]


def test_what_is_no_winmail_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError):
        opened(b"\x78\x9f\x3e\x22\0\0")
    with pytest.raises(SourceError):
        opened(b"text")
    monkeypatch.setattr(_tnef, "MAX_ATTRIBUTES", 3)
    with pytest.raises(InputTooLarge):
        opened(WHOLE)


def test_the_class_of_a_message_is_known_from_the_older_attribute() -> None:
    page, _ = opened(tnef(attribute(0x00078008, b"IPM.Microsoft Mail.Note\0"), attribute(0x0002800C, b"x\0")))
    assert (page.metadata or {})["message_class"] == "IPM.Microsoft Mail.Note"


def test_properties_with_names_are_told_apart_by_them() -> None:
    family = struct.pack("<L", 0x00062002) + bytes(4) + b"\xc0\0\0\0\0\0\0\x46"
    made = struct.pack("<L", 2)
    for number, text in ((0x8208, "Room 4"), (0x8232, "weekly")):  # under the same number, as programs do
        data = f"{text}\0".encode("utf-16-le")
        made += struct.pack("<HH", 0x1F, 0x8000) + family + struct.pack("<LL", 0, number)
        made += struct.pack("<LL", 1, len(data)) + padded(data)
    page, _ = opened(tnef(attribute(0x00078008, b"IPM.Appointment\0"), attribute(0x00069003, made)))
    assert page.text == "Location: Room 4\nRecurrence: weekly"
