"""Archives told by their bytes, which nobody vouches for."""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib

import pytest

from indx_source.archives import archive_type, is_tar

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


@pytest.mark.parametrize(("mib", "told"), [(1, True), (64, True), (128, True), (256, False), (2048, False)])
def test_an_xz_that_asks_for_too_much_memory_is_no_archive(mib, told):
    packed = xz_of_dictionary(mib, tar())
    assert len(packed) < 512
    assert is_tar(packed) is told


def test_what_memory_does_not_hold_is_a_fault_of_the_archive(monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(lzma, "LZMADecompressor", full)
    assert not is_tar(lzma.compress(tar()))
