"""The ZIP container: what is read, and what is refused before it costs anything."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import InputTooLarge, SourceError
from indx_format_office import _zip
from indx_format_office._zip import Archive
from indx_testkit.checks import tolerate_typed

Build = Callable[..., bytes]


def archive_of(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


@given(
    st.dictionaries(
        st.text("abcé漢/._", min_size=1, max_size=12).filter(lambda name: name.strip("/")),
        st.binary(max_size=2000),
        max_size=6,
    ),
    st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    st.binary(max_size=40),
)
def test_every_entry_is_read_as_it_was_written(parts: dict[str, bytes], method: int, lead: bytes) -> None:
    archive = Archive(lead + archive_of(parts, method))
    seen: set[str] = set()
    for name, data in parts.items():
        key = name.lstrip("/").lower()
        if key not in seen:
            assert archive.read(name.lstrip("/")) == data
        seen.add(key)


def test_names_are_compared_without_case_and_with_either_slash() -> None:
    archive = Archive(archive_of({"word\\Document.xml": b"x"}))
    assert "WORD/document.XML" in archive
    assert archive.read("word/document.xml") == b"x"


def test_zip64_sizes_are_read() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, archive.open("a", "w", force_zip64=True) as part:
        part.write(b"large in name only")
    data = bytearray(file.getvalue())
    central = data.index(b"PK\x01\x02")
    packed, size = struct.unpack_from("<2L", data, central + 20)
    extra = struct.pack("<2H2Q", 1, 16, size, packed)
    struct.pack_into("<2L", data, central + 20, 0xFFFFFFFF, 0xFFFFFFFF)
    struct.pack_into("<H", data, central + 30, len(extra))
    end = data.index(b"PK\x05\x06")
    data[end:end] = extra
    grown = data.index(b"PK\x05\x06")
    struct.pack_into("<L", data, grown + 12, grown - central)
    assert Archive(bytes(data)).read("a") == b"large in name only"


def test_a_file_that_was_cut_short_is_refused() -> None:
    data = archive_of({"a": b"x" * 500})
    with pytest.raises(SourceError, match="cut short") as caught:
        Archive(data[: len(data) // 2])
    assert caught.value.code == "source_unreadable"


def test_a_part_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(SourceError, match=r"'word/none\.xml'"):
        Archive(archive_of({"a": b"x"})).read("word/none.xml")


def test_a_locked_entry_is_refused_as_encrypted() -> None:
    data = bytearray(archive_of({"a": b"x"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SourceError) as caught:
        Archive(bytes(data)).read("a")
    assert caught.value.code == "source_encrypted"


def test_an_entry_packed_otherwise_is_refused() -> None:
    with pytest.raises(SourceError, match="method 12"):
        Archive(archive_of({"a": b"x" * 99}, zipfile.ZIP_BZIP2)).read("a")


def test_a_wrong_checksum_is_refused() -> None:
    data = bytearray(archive_of({"a": b"plain"}, zipfile.ZIP_STORED))
    data[data.index(b"plain")] ^= 1
    with pytest.raises(SourceError, match="damaged"):
        Archive(bytes(data)).read("a")


def test_an_entry_that_inflates_past_the_size_it_states_is_refused() -> None:
    data = bytearray(archive_of({"a": b"x" * 5000}))
    struct.pack_into("<L", data, data.index(b"PK\x01\x02") + 24, 10)
    with pytest.raises(SourceError, match="damaged"):
        Archive(bytes(data)).read("a")


def test_too_many_entries_are_refused_while_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_zip, "MAX_ENTRIES", 3)
    Archive(archive_of(dict.fromkeys("abc", b"")))
    with pytest.raises(InputTooLarge, match="more than 3 parts"):
        Archive(archive_of(dict.fromkeys("abcd", b"")))


def test_a_part_stops_inflating_at_its_limit() -> None:
    archive = Archive(archive_of({"a": bytes(3_000_000)}))
    pieces: list[int] = []
    with pytest.raises(InputTooLarge, match="1000000 bytes"):
        pieces.extend(map(len, archive.chunks("a", limit=1_000_000)))
    assert sum(pieces) <= 1_000_000


def test_all_parts_together_stop_inflating_at_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_zip, "MAX_TOTAL_BYTES", 5_000)
    archive = Archive(archive_of({"a": bytes(3_000), "b": bytes(3_000)}))
    archive.read("a")
    with pytest.raises(InputTooLarge, match="5000 bytes"):
        archive.read("b")


def test_a_bomb_is_known_by_its_ratio() -> None:
    archive = Archive(archive_of({"bomb": bytes(30_000_000)}))
    pieces: list[int] = []
    with pytest.raises(InputTooLarge, match="250 times"):
        pieces.extend(map(len, archive.chunks("bomb")))
    assert sum(pieces) <= _zip.RATIO_FREE_BYTES + 4 * _zip.CHUNK


@given(st.data())
def test_damage_anywhere_gives_typed_errors_or_the_bytes_that_were_written(data: st.DataObject) -> None:
    parts = {"a": b"hello " * 50, "b": bytes(range(256))}
    whole = bytearray(archive_of(parts))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with tolerate_typed("damaged archive"):
        archive = Archive(bytes(whole))
        for name in archive.names():
            assert archive.read(name) in parts.values()
