"""What was packed is unpacked within the limit, or refused; never half, and never more than is allowed."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_loader_object import PackingError, unpacked

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "x-gzip": lambda data: gzip.compress(data[:7], mtime=0) + bytes(3) + gzip.compress(data[7:], mtime=0),
    "GZip, identity": lambda data: gzip.compress(data, mtime=0) + bytes(600),
    "deflate": zlib.compress,
    " Deflate ": lambda data: zlib.compress(data, wbits=-15),
}


def cut(data: bytes, sizes: Iterable[int]) -> list[bytes]:
    """The data as it may come: in pieces of these sizes, and the rest."""
    pieces = []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    return [*pieces, data]


SIZES = st.lists(st.integers(0, 40), max_size=6)


@given(
    data=st.binary(max_size=300) | st.binary(max_size=20).map(lambda piece: piece * 5000),
    encoding=st.sampled_from(sorted(PACKERS)),
    sizes=SIZES,
    spare=st.integers(0, 3),
)
def test_it_is_what_was_packed_however_it_comes(
    data: bytes, encoding: str, sizes: list[int], spare: int
) -> None:
    pieces = cut(PACKERS[encoding](data), sizes)
    assert b"".join(unpacked(pieces, encoding, len(data) + spare)) == data


@given(data=st.binary(min_size=2, max_size=300), encoding=st.sampled_from(sorted(PACKERS)), sizes=SIZES)
def test_no_piece_goes_past_the_limit_by_more_than_a_byte(
    data: bytes, encoding: str, sizes: list[int]
) -> None:
    limit, size = len(data) // 2, 0
    for part in unpacked(cut(PACKERS[encoding](data), sizes), encoding, limit):
        size += len(part)
        if size > limit:
            break
    assert size == limit + 1


def test_a_bomb_is_taken_piece_by_piece() -> None:
    bomb = gzip.compress(bytes(64 << 20), mtime=0)
    parts = unpacked([bomb], "gzip", 1 << 30)
    assert max(map(len, (next(parts), next(parts), next(parts)))) <= 1 << 20
    assert len(next(unpacked([bomb], "gzip", 1000))) == 1001


@pytest.mark.parametrize("over", [1, 2, 100, 257, 258, 259])
def test_what_zlib_still_holds_when_all_was_given_to_it_comes_too(over: int) -> None:
    data = bytes((1 << 20) + over)
    assert b"".join(unpacked([zlib.compress(data, wbits=-15)], "deflate", 1 << 30)) == data


def test_streams_that_hold_nothing_do_not_cost_their_number_squared() -> None:
    empty = gzip.compress(b"", mtime=0)
    copied = 0

    class Counted(bytes):
        def __getitem__(self, key: object) -> bytes:
            nonlocal copied
            part = bytes(self)[key]  # type: ignore[index]
            copied = max(copied, len(part))
            return part

    assert b"".join(unpacked([Counted(empty * 5000)], "gzip", 10)) == b""
    assert 0 < copied <= 1 << 13, "what is left is copied once for each stream in it"


@given(
    data=st.binary(max_size=200),
    encoding=st.sampled_from(sorted(set(PACKERS) - {"GZip, identity"})),
    sizes=SIZES,
    lost=st.integers(1, 3),
)
def test_what_is_cut_short_is_never_taken_for_whole(
    data: bytes, encoding: str, sizes: list[int], lost: int
) -> None:
    packed = PACKERS[encoding](data)[:-lost]
    if packed:  # of nothing at all nobody can tell
        with pytest.raises(PackingError, match="is not, or is damaged"):
            list(unpacked(cut(packed, sizes), encoding, 1 << 20))


@given(data=st.binary(max_size=200), encoding=st.sampled_from(["gzip", "deflate"]), sizes=SIZES)
def test_any_bytes_are_unpacked_or_refused(data: bytes, encoding: str, sizes: list[int]) -> None:
    with suppress(PackingError):
        list(unpacked(cut(data, sizes), encoding, 1 << 20))


def test_an_empty_body_is_empty_whatever_it_is_said_to_be() -> None:
    assert list(unpacked([], "gzip", 10)) == []
    assert list(unpacked([b"", b""], "gzip", 10)) == []


@pytest.mark.parametrize("encoding", ["", "identity", "aws-chunked", " , "])
def test_what_is_not_packed_is_left_alone(encoding: str) -> None:
    assert list(unpacked([b"\x1f\x8bplain"], encoding, 3)) == [b"\x1f\x8bplain"]


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip,gzip", "compress", "x" * 5000])
def test_another_packing_is_refused_by_its_name_at_once(encoding: str) -> None:
    with pytest.raises(PackingError, match="which is not unpacked here") as caught:
        unpacked([b"data"], encoding, 100)
    assert len(str(caught.value)) < 200
