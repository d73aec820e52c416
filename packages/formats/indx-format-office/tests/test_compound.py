"""Compound files: what stands at their root, and nothing of what is inside."""

from __future__ import annotations

import struct

import pytest

from indx_core.errors import SourceError
from indx_format_office.compound import open_compound, read_stream, root_names
from indx_format_office.compound_writer import compound_file


@pytest.mark.parametrize("sector", [512, 4096])
def test_only_names_at_the_root_are_told(sector: int) -> None:
    data = compound_file({"WordDocument": b"x" * 5000, "Pool": {"Workbook": b"y"}}, sector=sector)
    assert root_names(data) == {"worddocument", "pool"}
    with open_compound(data) as opened:
        assert opened.openstream("Pool/Workbook").read() == b"y"
        assert opened.openstream("WordDocument").read() == b"x" * 5000


def test_a_locked_package_is_that_whatever_stands_beside_it() -> None:
    data = compound_file({"EncryptionInfo": b"x", "EncryptedPackage": b"x" * 5000, "WordDocument": b"y"})
    assert root_names(data) == {"encryptedpackage"}


def test_thousands_of_names_stand_in_a_balanced_tree() -> None:
    data = compound_file({f"stream {number}": str(number).encode() for number in range(5000)})
    assert len(root_names(data)) == 5000
    with open_compound(data) as opened:
        assert opened.openstream("stream 4321").read() == b"4321"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 600])
def test_other_bytes_have_no_names_and_are_refused(data: bytes) -> None:
    assert root_names(data) == frozenset()
    with pytest.raises(SourceError):
        open_compound(data)


def test_tables_and_streams_that_claim_more_than_the_file_holds_are_refused() -> None:
    data = compound_file({"A": b"x" * 5000}, sector=512)
    large = struct.pack("<L", 0x7FFFFFFF)
    claims = [data[:at] + large + data[at + 4 :] for at in (44, 64, 72)]
    entry = data.index("A\0".encode("utf-16-le"))
    claims.append(data[: entry + 120] + large + data[entry + 124 :])
    for claim in claims:
        with pytest.raises(SourceError, match="more than it holds"):
            open_compound(claim)
        assert root_names(claim) == frozenset()


def test_a_stream_is_read_and_a_missing_one_refused() -> None:
    with open_compound(compound_file({"A": b"x"})) as opened:
        assert read_stream(opened, "A") == b"x"
        with pytest.raises(SourceError, match="'B'"):
            read_stream(opened, "B")
