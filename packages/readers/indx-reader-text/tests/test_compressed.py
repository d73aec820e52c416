"""Texts compressed as a whole: read as what is inside, within a bound, or refused by name."""

import bz2
import gzip
import io
import lzma
import tarfile
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_reader_text.provider import compressed_observer, reader, sniffer
from indx_testkit.checks import assert_reading
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample

GZIP, BZIP2, XZ = "application/gzip", "application/x-bzip2", "application/x-xz"
CSV = b"name,size\nbolt,8\n"
DOCUMENTS = [
    DocumentSample(
        gzip.compress(CSV), GZIP, "t.csv.gz", 1, ["name\tsize\nbolt\t8"], renders=False, members=()
    ),
    DocumentSample(bz2.compress(b"# T\n\n[a](b.md)\n"), BZIP2, "t.md.bz2", 1, ["# T"]),
    DocumentSample(lzma.compress(b"<a b='c'>text</a>"), XZ, "t.xml.xz", 1, ["b: c\ntext"]),
]


class TestObserver(ObserverKit):
    factory = staticmethod(compressed_observer)
    documents = DOCUMENTS


class TestReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(compressed_observer)
    documents = DOCUMENTS


@pytest.fixture
def unpack():
    def read_page(data, name=None):
        sniffed = sniffer().sniff(data, filename=name, declared=None)
        source = SourceContent.of_bytes(data, media_type=sniffed.media_type, filename=name)
        with closing(compressed_observer().open(source)) as session:
            session.observe()
            (page,) = reader().read(session, [1], deadline=Deadline())
        assert_reading(page)
        return page

    return read_page


@pytest.mark.parametrize(
    ("pack", "kind", "ending"),
    [(gzip.compress, GZIP, "gz"), (bz2.compress, BZIP2, "bz2"), (lzma.compress, XZ, "xz")],
)
def test_the_text_inside_is_read_as_its_own_type(unpack, pack, kind, ending):
    page = unpack(pack(CSV), f"dir/Data.CSV.{ending.upper()}")
    assert len(page.tables) == 1
    assert page.metadata == {"compressed": kind, "media_type": "text/csv"}
    assert unpack(pack(b'{"a": 1}')).metadata["media_type"] == "application/json"


def test_a_drawing_that_is_packed_is_a_drawing(unpack):
    page = unpack(gzip.compress(b"<svg xmlns='http://www.w3.org/2000/svg'><text>hi</text></svg>"), "a.svgz")
    assert page.text == "hi"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_streams_one_after_the_other_are_one_text(unpack, pack):
    assert unpack(pack(b"one ") + pack(b"two") + pack(b" three")).text == "one two three"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_zeros_between_streams_and_behind_them_hide_none(unpack, pack):
    zeros = b"\0" * 20_000
    assert unpack(pack(b"one ") + zeros + pack(b"two") + zeros).text == "one two"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_stands_behind_the_last_stream_is_not_passed_over(unpack, pack):
    with pytest.raises(SourceError, match="cannot be inflated"):
        unpack(pack(b"one") + b"garbage")


@pytest.mark.parametrize("kind", [GZIP, BZIP2, XZ])
def test_a_file_without_bytes_is_an_empty_text(kind):
    with closing(compressed_observer().open(SourceContent.of_bytes(b"", media_type=kind))) as session:
        assert session.observe().facts["empty"] == "the file is empty: it holds no text"


def test_the_name_decides_nothing_where_the_bytes_are_of_another_format(unpack):
    for inner in (b"%PDF-1.7 ", b"PK\x03\x04 word ", b"\xd0\xcf\x11\xe0 "):
        with pytest.raises(SourceError, match=r"holds something other than a text.*unpack it first"):
            unpack(gzip.compress(inner * 9), "a.txt.gz")


def test_archives_and_what_is_packed_twice_are_named(unpack):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    with pytest.raises(SourceError, match=r"holds a TAR archive.*unpack it first"):
        unpack(gzip.compress(held.getvalue()), "a.tar.gz")
    with pytest.raises(SourceError, match="something other than a text"):
        unpack(gzip.compress(bz2.compress(b"text")), "a.txt.bz2.gz")
    with pytest.raises(SourceError, match="something other than a text"):
        unpack(lzma.compress(b"<!doctype html><p>x"), "a.html.xz")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_damaged_file_is_refused_in_words(unpack, pack):
    data = pack(bytes(range(32, 127)) * 500)
    for length in (6, len(data) // 2, len(data) - 1):
        with pytest.raises(SourceError, match=r"cannot be inflated \(\w.+\); check that it is whole"):
            unpack(data[:length], "a.txt.gz")
    wrong = bytearray(data)
    wrong[len(data) // 2] ^= 0xFF
    with pytest.raises(SourceError, match="cannot be inflated"):
        unpack(bytes(wrong), "a.txt.gz")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_inflating_stops_at_its_bound(unpack, monkeypatch, pack):
    monkeypatch.setenv("INDX_TEXT_INFLATED_BYTES", "1000")
    assert len(unpack(pack(b"x" * 1000)).text) == 1000
    for data in (pack(b"x" * 1001), pack(b"x" * 50_000_000), pack(b"x" * 500) * 3):
        with pytest.raises(InputTooLarge, match=r"more than 1000 bytes \(INDX_TEXT_INFLATED_BYTES\)"):
            unpack(data)


def test_an_xz_file_that_asks_for_much_memory_is_refused(unpack):
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 29}]
    data = bytearray(lzma.compress(b"text", format=lzma.FORMAT_XZ, check=lzma.CHECK_NONE, filters=[
        {"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}
    ]))  # fmt: skip
    assert unpack(bytes(data)).text == "text"
    decoder = lzma.LZMACompressor(lzma.FORMAT_XZ, check=lzma.CHECK_NONE, filters=filters)
    with pytest.raises(
        InputTooLarge, match=r"asks for more than 256 MiB to unpack; pack it again with a smaller"
    ):
        unpack(decoder.compress(b"text") + decoder.flush())


def test_other_formats_that_are_packed_as_a_whole_are_left_to_their_readers():
    packed = gzip.compress(b"x")
    assert sniffer().sniff(packed, filename="a.zabw", declared=None).strength == "weak"
    assert sniffer().sniff(packed, filename="a.txt.gz", declared=None).strength == "strong"
    assert sniffer().sniff(packed, filename=None, declared="text/plain").strength == "strong"
    assert compressed_observer().declaration.hostile


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"", "holds no text"), (b"\n \t\n", "holds white space alone"), (b"\xef\xbb\xbf", "holds no text")],
)
def test_an_empty_text_says_that_it_is_empty(read, data, says):
    from indx_reader_text import observer

    for kind in (
        "text/plain",
        "text/markdown",
        "text/csv",
        "application/json",
        "application/xml",
        "text/vcard",
    ):
        assert read(data, kind).metadata["empty"] == says
        with closing(observer().open(SourceContent.of_bytes(data, media_type=kind))) as session:
            assert session.observe().facts["empty"] == f"the file is empty: it {says}"
    assert "empty" not in (read(b"a", "text/plain").metadata or {})
    assert unpacked_empty()["empty"] == "holds no text"


def unpacked_empty():
    source = SourceContent.of_bytes(gzip.compress(b""), media_type=GZIP, filename="a.txt.gz")
    with closing(compressed_observer().open(source)) as session:
        return session.reading().metadata
