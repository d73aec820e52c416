"""What names of files suggest, held to what installed readers declare that they read."""

import pytest

from indx_core.discovery import default_registry
from indx_core.ports import SourceContent
from indx_source import guess_media_type, recognise
from indx_source.media import _table

ALIASES = frozenset((
    "application/csv", "application/javascript", "application/jsonl", "application/x-yaml", "text/json",
    "text/rtf", "text/x-log", "text/x-markdown", "text/xml", "text/yaml",
))  # fmt: skip
"""Other names of types that have their extensions under a usual one."""
WITHOUT = frozenset((
    "application/gzip", "application/x-aportisdoc", "application/x-bzip2", "application/x-xz",
))  # fmt: skip
"""Types whose extension is better known for something else, or only says how a file was compressed."""


def declared() -> set[str]:
    found = default_registry().usable("indx.observers")
    return {media_type for provider in found for media_type in provider.item.declaration.media_types}


def test_every_type_that_is_read_is_suggested_by_a_name():
    # Source code is text by its content, and its reader names it from the same extensions itself.
    read = {
        each for each in declared() if not each.startswith("text/x-") or each in ("text/x-rst", "text/x-tex")
    }
    assert len(read) > 60
    suggested = set(_table().types_map[True].values())
    assert read - suggested - ALIASES - WITHOUT == set()


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        *(("a.mht", "multipart/related"), ("a.MHTML", "multipart/related")),
        *(("a.ppt", "application/vnd.ms-powerpoint"), ("a.pps", "application/vnd.ms-powerpoint")),
        *(("a.odt", "application/vnd.oasis.opendocument.text"), ("a.epub", "application/epub+zip")),
        *(("a.rtf", "application/rtf"), ("a.xlsm", "application/vnd.ms-excel.sheet.macroenabled.12")),
        *(("a.msg", "application/vnd.ms-outlook"), ("a.srt", "application/x-subrip")),
    ],
)
def test_a_name_decides_where_nothing_is_known_of_the_content(name, media_type):
    assert guess_media_type(name) == media_type
    content = SourceContent.of_bytes(b"\0\1\2\3", filename=name)
    assert recognise(content, None, default_registry())[0] == media_type


@pytest.mark.parametrize("name", ["a", "a.txt.Z", "a.pdf", "a.tar.zst"])
def test_what_is_packed_otherwise_is_that_whatever_it_is_called(name):
    content = SourceContent.of_bytes(b"\x28\xb5\x2f\xfd\x24\0\1\2", filename=name)
    assert recognise(content, None, default_registry())[0] == "application/zstd"
    assert recognise(content, "application/x-own", default_registry())[0] == "application/x-own"


def test_a_name_that_tells_of_a_packing_tells_of_nothing_else():
    assert guess_media_type("a.tar.br") == "application/x-brotli"
    assert guess_media_type("a.txt.Z") == "application/x-compress"
    assert guess_media_type("a.tar.gz") == "application/x-tar"


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"FROM python:3.11\nRUN make\n", "text/plain"),
        (b"Name: x\nReceived: 5 parts\n", "text/plain"),
        (b"From: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\n\nx", "message/rfc822"),
        (b"From a@b.c Mon Jan  1 00:00:00 2024\nFrom: a@b.c\nTo: d@e.f\n\nx", "message/rfc822"),
        (b"<head><title>x</title></head>", "text/html"),
        (b"<!doctype html><p>x", "text/html"),
    ],
)
def test_what_begins_as_mail_or_a_page_is_one_or_a_text(data, media_type):
    content = SourceContent.of_bytes(data, filename="named")
    assert recognise(content, None, default_registry())[0] == media_type
