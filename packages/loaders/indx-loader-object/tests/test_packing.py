"""What was packed is unpacked within the limit, or refused; never half, and never more than is allowed."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import InputTooLarge, SourceError
from indx_loader_object import Storage, StoredObject, unpacked

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "x-gzip": lambda data: gzip.compress(data[:7], mtime=0) + gzip.compress(data[7:], mtime=0),
    "deflate": zlib.compress,
    " Deflate ": lambda data: zlib.compress(data, wbits=-15),
}


@pytest.fixture(scope="session")
def wanted(storage: Storage) -> StoredObject:
    return storage.parse("xs://docs/a.txt")


@given(
    data=st.binary(max_size=300) | st.binary(max_size=20).map(lambda piece: piece * 5000),
    encoding=st.sampled_from(sorted(PACKERS)),
    spare=st.integers(0, 3),
)
def test_it_is_what_was_packed_and_one_byte_less_is_too_little(
    wanted: StoredObject, data: bytes, encoding: str, spare: int
) -> None:
    packed = PACKERS[encoding](data)
    assert unpacked(wanted, packed, encoding, len(data) + spare) == data
    if data:
        with pytest.raises(InputTooLarge):
            unpacked(wanted, packed, encoding, len(data) - 1)


@given(data=st.binary(max_size=200), encoding=st.sampled_from(sorted(PACKERS)), cut=st.integers(1, 3))
def test_what_is_cut_short_is_never_taken_for_whole(
    wanted: StoredObject, data: bytes, encoding: str, cut: int
) -> None:
    packed = PACKERS[encoding](data)[:-cut]
    if packed:  # of nothing at all nobody can tell
        with pytest.raises(SourceError, match="is not, or is damaged"):
            unpacked(wanted, packed, encoding, 1 << 20)


@given(data=st.binary(max_size=200), encoding=st.sampled_from(["gzip", "deflate"]))
def test_any_bytes_are_unpacked_or_refused(wanted: StoredObject, data: bytes, encoding: str) -> None:
    with suppress(SourceError, InputTooLarge):
        assert len(unpacked(wanted, data, encoding, 1000)) <= 1000


def test_an_empty_object_is_empty_whatever_it_is_said_to_be(wanted: StoredObject) -> None:
    assert unpacked(wanted, b"", "gzip", 10) == b""


@pytest.mark.parametrize("encoding", ["", "identity", "aws-chunked", " , "])
def test_what_is_not_packed_is_left_alone(wanted: StoredObject, encoding: str) -> None:
    assert unpacked(wanted, b"\x1f\x8bplain", encoding, 100) == b"\x1f\x8bplain"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip,gzip", "compress", "x" * 5000])
def test_another_packing_is_refused_by_its_name(wanted: StoredObject, encoding: str) -> None:
    with pytest.raises(SourceError, match="store it plain, or packed once as gzip") as caught:
        unpacked(wanted, b"data", encoding, 100)
    assert caught.value.code == "source_unreadable"
    assert len(caught.value.message) < 300
