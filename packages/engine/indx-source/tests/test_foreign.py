"""Formats that nothing here reads are told by their bytes, or by their names."""

from __future__ import annotations

import pytest

from indx_core.discovery import Registry
from indx_core.ports import SourceContent
from indx_source.archives import ARCHIVES, PACKED
from indx_source.foreign import FOREIGN, foreign_type
from indx_source.media import OFFICE, guess_media_type, recognise

MARKED = {name: bytes(one.at) + one.mark + b"\0" * 200 for name, one in FOREIGN.items() if one.mark}


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        *MARKED.items(),
        ("image/emf", b"\1\0\0\0" + bytes(36) + b" EMF"),
        ("image/vnd.djvu", b"AT&TFORM\0\0\0\1DJVU"),
        ("image/wmf", b"\xd7\xcd\xc6\x9a\0\0"),
    ],
)
def test_a_format_is_told_by_its_bytes_whatever_its_name(media_type, data):
    assert foreign_type(data) == media_type
    for name in ("a.bin", "a.pdf", None):
        assert recognise(SourceContent.of_bytes(data, filename=name), None, Registry(()))[0] == media_type


@pytest.mark.parametrize(
    ("name", "media_type"),
    [(f"a{extension}", kind) for kind, one in FOREIGN.items() for extension in one.names],
)
def test_a_format_is_told_by_its_name(name, media_type):
    assert guess_media_type(name) == guess_media_type(name.upper()) == media_type


@pytest.mark.parametrize(
    "data", [b"", b"!BD", b"DICM", b"PAR 1", b"a text about SQLite format 3", bytes(200)]
)
def test_what_only_looks_like_one_is_none(data):
    assert foreign_type(data) == ""


def test_no_format_is_told_twice():
    assert not set(FOREIGN) & ({*ARCHIVES, *PACKED} | set(OFFICE.values()))
    names = [name for one in FOREIGN.values() for name in one.names]
    assert len(names) == len({*names, *OFFICE}) - len(OFFICE)
