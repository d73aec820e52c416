"""Archives told by their bytes, which nobody vouches for."""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib

import pytest

from indx_core.errors import InputTooLarge
from indx_source.archives import BROKEN, PACKED, archive_type, asks_too_much, is_tar, packed_type, unpacked

MIB = 1_048_576


def tar() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return made.getvalue()


def xz_of_dictionary(mib: int, data: bytes) -> bytes:
    """An XZ whose header asks for a dictionary of so many MiB."""
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": MIB}]
    packed = bytearray(lzma.compress(data, filters=filters))
    asked = packed.index(b"\x21\x01") + 2  # the ID of the filter and the size of what follows: the dictionary
    packed[asked] += 2 * (mib.bit_length() - 1)
    end = 12 + 4 * packed[12] + 4  # of the block's header, behind that of the stream
    packed[end - 4 : end] = zlib.crc32(packed[12 : end - 4]).to_bytes(4, "little")
    return bytes(packed)


@pytest.mark.parametrize("packed", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_is_told_plain_or_compressed(packed):
    assert archive_type(packed(tar())) == "application/x-tar"
    assert archive_type(packed(bytes(2048))) == ""
    assert archive_type(packed(tar())[:40]) == ""


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_a_tar_that_is_cut_in_its_first_header_is_told_by_its_mark(packed):
    assert is_tar(packed(tar()[:262]))
    assert is_tar(packed(tar()[:511]))
    assert not is_tar(packed(tar()[:261]))
    assert not is_tar(packed(bytes(257) + b"ustar"))


def test_a_compressed_tar_that_is_cut_before_the_end_of_its_first_header_is_told():
    stored = gzip.compress(tar(), compresslevel=0)  # its bytes as they are, behind a head of 15
    assert is_tar(stored[: 15 + 400])
    assert not is_tar(stored[: 15 + 200])


def test_a_compressed_tar_is_told_by_its_first_block_however_soon_after_it_is_cut():
    packed = gzip.compress(tar() + bytes(range(256)) * 40)
    assert is_tar(packed[:-9])
    whole = [at for at in range(len(packed)) if is_tar(packed[:at])]
    assert whole == list(range(whole[0], len(packed)))


def test_a_zip_is_told_by_its_first_entry_or_by_its_end_and_a_text_is_no_archive():
    for begin in (b"PK\x03\x04", b"PK\x05\x06"):
        assert archive_type(begin + bytes(18)) == "application/zip"
    assert archive_type(b"text " * 200) == ""


@pytest.mark.parametrize(("mib", "told"), [(1, True), (64, True), (128, True), (256, False), (2048, False)])
def test_an_xz_that_asks_for_too_much_memory_is_no_archive_for_that_reason(mib, told):
    packed = xz_of_dictionary(mib, tar())
    assert len(packed) < 512
    assert is_tar(packed) is told
    assert asks_too_much(packed) is not told


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
def test_a_first_block_may_stand_in_more_than_one_stream(packed):
    begin, rest = packed(tar()[:100]), tar()[100:]
    assert is_tar(begin + packed(rest))
    assert not is_tar(begin + packed(rest)[:20])
    assert not is_tar(begin)
    assert not asks_too_much(begin)


def test_every_stream_of_an_xz_is_unpacked_within_its_memory():
    begin = lzma.compress(tar()[:100])
    hungry = begin + xz_of_dictionary(512, tar()[100:])
    assert asks_too_much(hungry)
    parts = unpacked(io.BytesIO(hungry), 64)
    assert [next(parts), next(parts)] == [tar()[:64], tar()[64:100]]
    with pytest.raises(
        InputTooLarge, match=r"^the XZ asks for more than 256 MiB to unpack; pack it again with a"
    ):
        next(parts)


def test_zeros_between_streams_and_what_is_behind_them_are_passed_over():
    data = lzma.compress(b"one") + bytes(5000) + lzma.compress(b"two") + bytes(4) + b"behind" * 100
    for step in (16, 4096, MIB):
        assert b"".join(unpacked(io.BytesIO(data), step)) == b"onetwo"


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
def test_what_is_damaged_or_cut_short_says_so_and_what_is_plain_is_not_unpacked(packed):
    data = packed(bytes(range(256)) * 40)
    assert b"".join(unpacked(io.BytesIO(data))) == bytes(range(256)) * 40
    with pytest.raises(EOFError):
        list(unpacked(io.BytesIO(data[:-12])))
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 0xFF
    with pytest.raises(BROKEN):
        list(unpacked(io.BytesIO(damaged)))
    assert unpacked(io.BytesIO(b"plain")) is None


def test_what_memory_does_not_hold_is_a_fault_of_the_archive(monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(lzma, "LZMADecompressor", full)
    assert not is_tar(lzma.compress(tar()))


def test_whatever_stands_behind_a_gzip_is_left_as_gzip_leaves_it():
    data = gzip.compress(tar()[:700]) + gzip.compress(tar()[700:]) + b"and so on"
    assert b"".join(unpacked(io.BytesIO(data), 300)) == tar()
    broken = bytearray(gzip.compress(tar()))
    broken[-6] ^= 1
    for damaged in (bytes(broken), b"\x1f\x8bnone"):
        with pytest.raises(BROKEN):
            list(unpacked(io.BytesIO(damaged)))


@pytest.mark.parametrize(
    ("begin", "media_type"),
    [
        (b"7z\xbc\xaf\x27\x1c\0\4", "application/x-7z-compressed"),
        (b"Rar!\x1a\x07\1\0", "application/vnd.rar"),
        (b"\x28\xb5\x2f\xfd\x24", "application/zstd"),
        (b"\x1f\x9d\x90a", "application/x-compress"),
        (b"!<arch>\ndebian-binary   ", "application/vnd.debian.binary-package"),
        (b"!<arch>\na.o/", "application/x-archive"),
        (b"070701" + b"0" * 104, "application/x-cpio"),
        (b"070707" + b"0" * 70, "application/x-cpio"),
        (bytes(32_769) + b"CD001", "application/x-iso9660-image"),
    ],
)
def test_what_is_packed_otherwise_is_told_by_its_bytes(begin, media_type):
    assert packed_type(begin) == media_type
    assert media_type in PACKED


@pytest.mark.parametrize(
    "begin", [b"", b"070701 is a number", b"\x1f\x9d\xff", b"7z is a name", bytes(40_000)]
)
def test_what_only_looks_packed_is_not(begin):
    assert packed_type(begin) == ""
