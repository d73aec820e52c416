"""The ZIP writer and reader: readable by others, ZIP64 where numbers need it, bounds everywhere."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import ArchiveError
from indx_space.archive.zipreader import ZipReader
from indx_space.archive.zipwriter import ZipWriter, deflated_part

members = st.lists(
    st.tuples(st.binary(max_size=300), st.sampled_from(["add", "deflate", "stream", "map", "pack"])),
    max_size=6,
)


def write(path: Path, content: list[tuple[bytes, str]], **options) -> list[str]:
    names = [f"folder/{number}" for number in range(len(content))]
    with path.open("wb") as file:
        writer = ZipWriter(file, **options)
        for name, (data, how) in zip(names, content, strict=True):
            if how in ("add", "deflate"):
                writer.add(name, data, level=9 if how == "deflate" else 0)
                continue
            with writer.stream(
                name, level=1 if how == "pack" else 0, align=64 if how == "map" else 1
            ) as stream:
                for start in range(0, len(data), 50):
                    stream.write(data[start : start + 50])
        writer.close()
    return names


@given(members, st.sampled_from([None, 1, 40, 200]))
def test_what_is_written_is_read_by_both_readers(tmp_path_factory, content, limit) -> None:
    path = tmp_path_factory.mktemp("zip") / "a.zip"
    names = write(path, content, **({} if limit is None else {"limit": limit}))
    with zipfile.ZipFile(path) as opened:
        assert opened.testzip() is None
        assert opened.namelist() == names
        assert [opened.read(name) for name in names] == [data for data, _ in content]
    reader = ZipReader(path)
    assert [reader.read(name, len(data)) for name, (data, _) in zip(names, content, strict=True)] == [
        data for data, _ in content
    ]
    reader.close()


@given(members)
def test_the_same_content_gives_the_same_bytes(tmp_path_factory, content) -> None:
    folder = tmp_path_factory.mktemp("zip")
    write(folder / "a", content)
    write(folder / "b", content)
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()


@pytest.mark.parametrize("limit", [0xFFFFFFFF, 8])
def test_an_aligned_member_begins_on_a_multiple(tmp_path: Path, limit: int) -> None:
    for length in range(70):
        content = [(bytes(length), "add"), (b"0123456789", "map")]
        names = write(tmp_path / "a", content, limit=limit)
        data = (tmp_path / "a").read_bytes()
        assert data.index(b"0123456789") % 64 == 0
        reader = ZipReader(tmp_path / "a")
        assert bytes(reader.packed(names[1])) == b"0123456789"
        reader.close()


def test_more_members_than_sixteen_bits_count(tmp_path: Path) -> None:
    names = write(tmp_path / "many", [(b"", "add")] * 65_540)
    with zipfile.ZipFile(tmp_path / "many") as opened:
        assert len(opened.namelist()) == 65_540
    reader = ZipReader(tmp_path / "many")
    assert len(reader.entries) == 65_540
    assert reader.read(names[-1], 0) == b""


def test_an_empty_archive_has_no_members(tmp_path: Path) -> None:
    write(tmp_path / "a", [])
    assert ZipReader(tmp_path / "a").entries == {}


def test_the_reader_reads_what_others_wrote(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("folder/", b"")
        target.writestr("a.txt", b"hello" * 100)
        target.comment = b"a note"
        with target.open("big", "w", force_zip64=True) as file:
            file.write(b"x")
    reader = ZipReader(path)
    assert reader.read("a.txt", 500) == b"hello" * 100
    assert reader.read("big", 1) == b"x"


@given(st.binary(max_size=400), st.integers(0, 400))
def test_a_cut_file_is_refused_and_never_misread(tmp_path_factory, data: bytes, length: int) -> None:
    path = tmp_path_factory.mktemp("zip") / "a.zip"
    write(path, [(data, "add"), (data, "pack")])
    whole = path.read_bytes()
    path.write_bytes(whole[: min(length, len(whole) - 1)])
    with pytest.raises(ArchiveError) as caught:
        ZipReader(path)
    assert caught.value.code in ("archive_corrupt", "archive_foreign")


def test_numbers_beyond_four_gigabytes_survive(tmp_path: Path) -> None:
    class Far(io.BytesIO):
        """A file that claims to be far ahead already."""

        ahead = 5 * 2**32

        def tell(self) -> int:
            return super().tell() + self.ahead

    file = Far()
    writer = ZipWriter(file)
    writer.add("a", b"x")
    writer.close()
    info = zipfile.ZipInfo()
    entry = file.getvalue()[file.getvalue().index(b"PK\x01\x02") :]
    info.extra = entry[47:59]
    assert info.extra == b"\x01\x00\x08\x00" + (5 * 2**32).to_bytes(8, "little")
    assert b"PK\x06\x06" in entry


@given(st.lists(st.binary(max_size=40), max_size=8))
def test_a_member_written_by_parts_is_one_member_to_every_reader(
    tmp_path_factory, parts: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("parts") / "a.zip"
    with path.open("wb") as file:
        writer = ZipWriter(file)
        with writer.stream("x", level=1, by_parts=True) as member:
            for part in parts:
                member.write_part(part, deflated_part(part, 1))
        writer.close()
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert archive.read("x") == b"".join(parts)


def test_members_are_copied_from_one_archive_into_another(tmp_path: Path) -> None:
    with (tmp_path / "one.zip").open("wb") as file:
        writer = ZipWriter(file)
        for name in "abcd":
            writer.add(name, name.encode() * 50, level=1)
        writer.close()
    with (tmp_path / "two.zip").open("wb") as file:
        reader = ZipReader(tmp_path / "one.zip")
        writer = ZipWriter(file)
        writer.add("z", b"first", level=1)
        writer.copy(reader.view(), [(name, reader.entries[name.encode()]) for name in "bc"])
        writer.add("y", b"last")
        writer.close()
        reader.close()
    with zipfile.ZipFile(tmp_path / "two.zip") as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "z": b"first", "b": b"b" * 50, "c": b"c" * 50, "y": b"last"
        }  # fmt: skip
