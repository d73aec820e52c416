"""Formats are told by what they hold, and each is named with the filter that reads it."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_office.compound_writer import compound_file
from indx_reader_libreoffice._kinds import recognise
from indx_reader_libreoffice._locked import is_locked
from indx_reader_libreoffice.provider import MEDIA_TYPES, sniffer


def package(**entries):
    """A package; `mimetype` comes first."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return file.getvalue()


def word(version, mark=0xA5DC):
    return compound_file({"WordDocument": struct.pack("<2H", mark, version) + bytes(600)})


KINDS = [
    (b"\xffWPC\x10\0\0\0\x01\x0a\0\x01\0\0\0\0text", None, "application/vnd.wordperfect", "WordPerfect"),
    (b"\x31\xbe\0\0\0\xab\0\0", None, "application/x-mswrite", "MS_Write"),
    (b"\x32\xbe\0\0\0\xab\0\0", None, "application/x-mswrite", "MS_Write"),
    (b"\0\0\x02\0\x06\x04\x06\0\x08\0", None, "application/vnd.lotus-1-2-3", "WPS_Lotus_Calc"),
    (b"\0\0\x1a\0\x03\x10\x04\0", None, "application/vnd.lotus-1-2-3", "WPS_Lotus_Calc"),
    (b"\0\0\x02\0\x02\x10", None, "application/x-quattropro", "WPS_QPro_Calc"),
    (b"\0\0\x02\0\x20\x51", None, "application/x-quattropro", "WPS_QPro_Calc"),
    (b"\xff\0\x02\0\x04\x04\x05\x54", None, "application/vnd.ms-works", "MS_Works_Calc"),
    (b"\x01\xfe\x32\0\0\0", "a.WPS", "application/vnd.ms-works", "MS_Works"),
    (b"WordPro\0\x0d", None, "application/vnd.lotus-wordpro", "LotusWordPro"),
    (b"HWP Document File V3.00 \x1a", None, "application/x-hwp", "writer_MIZI_Hwp_97"),
    (b"RIFF\x10\0\0\0CDR8vrsn", None, "application/vnd.corel-draw", "Corel Draw Document"),
    (b"\0" * 60 + b"TEXtREAd\0\0", None, "application/x-aportisdoc", "PalmDoc"),
    (b"@CT 1\r\n@LM 1\r\n", None, "application/x-t602", "T602Document"),
    (b'TABLE\r\n0,1\r\n"x"\r\n', None, "application/x-dif", "DIF"),
    (b"ID;PWXL;N;E\r\n", None, "text/spreadsheet", "SYLK"),
    (b"\xdb\xa5\x2d\0\0\0", None, "application/msword", "MS WinWord 5"),
    (b"\x09\x02\x06\0\0\0\x10\0", None, "application/vnd.ms-excel", "MS Excel 4.0"),
    (word(0x65), None, "application/msword", "MS WinWord 6.0"),
    (word(0x68), None, "application/msword", "MS Word 95"),
    (word(0xC1, 0xA5EC), None, "application/msword", "MS Word 97"),
    (compound_file({"Workbook": b"x"}), None, "application/vnd.ms-excel", "MS Excel 97"),
    (compound_file({"Book": b"x"}), None, "application/vnd.ms-excel", "MS Excel 95"),
    (compound_file({"PowerPoint Document": b"x"}), None, "application/vnd.ms-powerpoint", "MS PowerPoint 97"),
    (compound_file({"VisioDocument": b"x"}), None, "application/vnd.visio", "Visio Document"),
    (
        compound_file({"Quill": {"A": b"x"}, "Contents": b""}),
        None,
        "application/x-mspublisher",
        "Publisher Document",
    ),
    (compound_file({"PageMaker": b"x"}), None, "application/x-pagemaker", "PageMaker Document"),
    (compound_file({"MatOST": b"x"}), None, "application/vnd.ms-works", "MS_Works"),
    (compound_file({"CONTENTS": b"CHNKWKS \x04\0"}), None, "application/vnd.ms-works", "MS_Works"),
    (compound_file({"NativeContent_MAIN": b"x"}), None, "application/x-quattropro", "WPS_QPro_Calc"),
    (
        compound_file({"StarWriterDocument": b"x"}),
        None,
        "application/vnd.stardivision.writer",
        "StarOffice_Writer",
    ),
    (
        compound_file({"StarCalcDocument": b"x"}),
        None,
        "application/vnd.stardivision.calc",
        "StarOffice_Spreadsheet",
    ),
    (
        compound_file({"StarDrawDocument3": b""}),
        "a.sda",
        "application/vnd.stardivision.draw",
        "StarOffice_Drawing",
    ),
    (
        compound_file({"StarDrawDocument3": b""}),
        "a.sdd",
        "application/vnd.stardivision.impress",
        "StarOffice_Presentation",
    ),
    (
        package(mimetype="application/vnd.sun.xml.writer", **{"content.xml": "<x/>"}),
        None,
        "application/vnd.sun.xml.writer",
        "StarOffice XML (Writer)",
    ),
    (
        package(**{"[Content_Types].xml": "<x/>", "visio/document.xml": "<x/>"}),
        None,
        "application/vnd.ms-visio.drawing",
        "Visio Document",
    ),
    (package(**{"index.apxl": "<x/>"}), None, "application/vnd.apple.keynote", "Apple Keynote"),
    (package(**{"index.xml": "<x/>"}), "a.pages", "application/vnd.apple.pages", "Apple Pages"),
    (
        package(**{"Index/Document.iwa": b"", "Index/Slide-1.iwa": b""}),
        "a.zip",
        "application/vnd.apple.keynote",
        "Apple Keynote",
    ),
    (package(**{"Index/Document.iwa": b""}), "a.numbers", "application/vnd.apple.numbers", "Apple Numbers"),
    (package(**{"Index/Document.iwa": b""}), None, "application/vnd.apple.pages", "Apple Pages"),
    (
        b'<?xml version="1.0"?>\n<!DOCTYPE abiword PUBLIC "-//x" "http://x">\n<!-- x --><abiword v="1">',
        None,
        "application/x-abiword",
        "AbiWord",
    ),
    (
        b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?><FictionBook xmlns="x">',
        None,
        "application/x-fictionbook+xml",
        "FictionBook 2",
    ),
]


@pytest.mark.parametrize(("data", "name", "media_type", "filter_"), KINDS)
def test_a_format_is_told_by_what_it_holds(data, name, media_type, filter_):
    kind = recognise(data, name)
    assert (kind.media_type, kind.filter) == (media_type, filter_)
    assert media_type in MEDIA_TYPES


def test_every_type_that_is_declared_is_told():
    told = {media_type for _, _, media_type, _ in KINDS}
    untried = {f"application/vnd.sun.xml.{kind}" for kind in ("calc", "draw", "impress")}
    assert told | untried == set(MEDIA_TYPES)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xffWPC",
        b"\xffWPC\x10\0\0\0\x01\x16\0\x01\0\0\0\0",  # a picture of WordPerfect
        "\ttext that begins with a tab, in UTF-16".encode("utf-16-le"),
        b"RIFF\x10\0\0\0WAVEfmt ",
        b"ID; a line of text",
        b"\x01\xfe\x32\0\0\0",
        b"<html><body>abiword</body></html>",
        b'<?xml version="1.0"?><!DOCTYPE abiword [<!ENTITY x SYSTEM "file:///etc/passwd">]><abiword/>',
        package(mimetype="application/vnd.oasis.opendocument.text"),
        package(**{"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"}),
        package(**{"index.xml": "<x/>"}),
        compound_file({"Contents": b"x", "Other": b"y"}),
        compound_file({"EncryptedPackage": b"x", "WordDocument": struct.pack("<2H", 0xA5EC, 0xC1)}),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100),
    ],
)
def test_what_is_not_for_it_is_not_named(data):
    assert recognise(data, "a.doc") is None


@given(
    st.binary(max_size=300), st.sampled_from([b"", b"PK\x03\x04", b"<", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
)
def test_nothing_makes_it_raise(data, start):
    recognise(start + data, "a.pages")


def test_what_is_text_to_others_is_left_to_them_without_libreoffice(program, monkeypatch, tmp_path):
    program()
    table = b"ID;PWXL;N;E\r\nC;X1;Y1;K1\r\n"
    assert sniffer().sniff(table, filename=None, declared=None).media_type == "text/spreadsheet"
    monkeypatch.setenv("INDX_LIBREOFFICE_COMMAND", str(tmp_path / "nowhere"))
    assert sniffer().sniff(table, filename=None, declared=None) is None
    other = b"WordPro\0\x0d"
    assert sniffer().sniff(other, filename=None, declared=None) is not None


@pytest.mark.parametrize(
    ("data", "locked"),
    [
        (compound_file({"PowerPoint Document": b"x", "EncryptedSummary": b"y"}), True),
        (compound_file({"PowerPoint Document": b"x"}), False),
        (
            package(
                mimetype="application/vnd.sun.xml.writer",
                **{"META-INF/manifest.xml": "<manifest:encryption-data/>"},
            ),
            True,
        ),
        (package(mimetype="application/vnd.sun.xml.writer", **{"META-INF/manifest.xml": "<x/>"}), False),
        (package(**{"Index/Document.iwa": b"", ".iwpv2": b""}), True),
    ],
)
def test_a_password_is_seen(data, locked):
    assert is_locked(data, recognise(data)) is locked
