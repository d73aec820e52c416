"""How bytes become text: strictly, by a mark or by the list, or not at all."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.errors import ConfigurationError, SourceError
from indx_core.ports import SourceContent
from indx_reader_text._session import TextSession

JAPANESE = "名前,値\n東京,1\n"


def test_utf_8_is_the_default_and_its_mark_is_no_text(read):
    assert read(b"\xef\xbb\xbfid,v\n1,2\n", "text/csv").tables[0].cells[0].text == "id"
    assert read("\ufeff# Title", "text/markdown").headings[0].start == 2
    assert read("naïve").metadata is None


def test_a_file_in_another_encoding_is_refused_and_never_mangled(read):
    with pytest.raises(SourceError, match="INDX_TEXT_ENCODING") as caught:
        read(JAPANESE.encode("cp932"), "text/csv")
    assert caught.value.code == "source_unreadable"


WESTERN, EASTERN = "utf-8-sig,cp1252 for Western text", "utf-8-sig,cp932 for Japanese text"


@pytest.mark.parametrize("kind", ["text/plain", "text/csv", "application/json"])
@pytest.mark.parametrize(
    ("data", "example"),
    [
        ("Le général a déjeuné; même l’été dernier, où ça?".encode("cp1252"), WESTERN),
        ("don’t".encode("cp1252"), WESTERN),
        ("Größe für Äpfel, 5 €".encode("cp1252"), WESTERN),
        ("名前,値\n東京,1\n".encode("cp932"), EASTERN),
        ("カタカナ".encode("cp932"), EASTERN),
        ("Здравствуйте, юный друг".encode("cp1251"), f"{WESTERN} or {EASTERN}"),
        (b"a\x81 b", f"{WESTERN} or {EASTERN}"),
    ],
)
def test_the_refusal_names_the_encoding_that_the_bytes_look_like(read, data, example, kind):
    with pytest.raises(SourceError) as caught:
        read(data, kind)
    assert str(caught.value).endswith(f"; add the file's own to it, for instance {example}")


@pytest.mark.parametrize(
    ("listed", "end"),
    [
        ("utf-8-sig,cp932", ", for instance utf-8-sig,cp932,cp1252 for Western text"),
        ("cp1252,cp932", ", for instance cp1252,cp932,gb18030"),
        ("cp1252,cp932,gb18030,euc-kr,utf-16,big5", " to it"),
    ],
)
def test_the_refusal_names_no_encoding_that_is_listed_already(read, listed, end):
    with pytest.raises(SourceError) as caught:
        read(b"a\x81 bc", encoding=listed)
    assert str(caught.value).endswith(end)


def test_the_first_encoding_listed_that_decodes_wins(read):
    page = read(JAPANESE.encode("cp932"), "text/csv", "utf-8-sig, cp932")
    assert page.text == "名前\t値\n東京\t1"
    assert page.metadata == {"encoding": "cp932"}
    assert read(JAPANESE, "text/csv", "utf-8-sig,cp932").metadata is None
    assert read("é", encoding="latin-1,utf-8").text == "Ã©"


@pytest.mark.parametrize("charset", ["shift_jis", "cp932", "ms_kanji"])
def test_an_encoding_declared_beside_the_bytes_is_tried_first(charset):
    source = SourceContent.of_bytes(JAPANESE.encode("cp932"), media_type="text/csv", charset=charset)
    session = TextSession(source, "text/csv")
    assert session.reading().text == "名前\t値\n東京\t1"


@pytest.mark.parametrize("charset", ["latin-1", "utf-99", "hex", "us-ascii"])
def test_a_mark_beats_what_is_declared_and_what_is_no_encoding_is_passed_over(charset):
    source = SourceContent.of_bytes("\ufeff名前".encode(), media_type="text/plain", charset=charset)
    assert TextSession(source, "text/plain").reading().text == "名前"


@pytest.mark.parametrize("name", ["utf-99", "hex", "rot13", "ütf-8"])
def test_an_unknown_encoding_names_the_variable_and_itself(read, name):
    with pytest.raises(ConfigurationError, match="INDX_TEXT_ENCODING") as caught:
        read("text", encoding=f"utf-8-sig,{name}")
    assert caught.value.code == "invalid_setting"
    assert repr(name) in caught.value.message


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_is_decoded_by_its_mark(read, codec):
    text = "wide 漢字\r\nlines"
    page = read((("\ufeff" if codec[-2:] in ("le", "be") else "") + text).encode(codec), encoding="cp932")
    assert page.text == "wide 漢字\nlines"
    assert page.metadata == {"encoding": codec[:6]}


def test_a_wide_mark_on_other_bytes_is_refused(read):
    with pytest.raises(SourceError, match="utf-16"):
        read(b"\xff\xfea")


@pytest.mark.parametrize(
    "data",
    [bytes(range(256)) * 20, b"\x89PNG\r\n\x1a\n" + bytes(range(200)) * 9, "no mark".encode("utf-16-le") * 9],
)
@pytest.mark.parametrize("encoding", ["", "utf-8-sig,latin-1"])
def test_binary_content_under_a_text_name_is_refused(read, data, encoding):
    with pytest.raises(SourceError) as caught:
        read(data, encoding=encoding)
    assert caught.value.code == "source_unreadable"


def test_wide_text_without_a_mark_is_read_when_its_encoding_is_listed(read):
    assert read("no mark".encode("utf-16-le"), encoding="utf-16-le").text == "no mark"


def test_a_stray_nul_is_replaced_and_said_so(read):
    page = read(b"a\x00b")
    assert page.text == "a\ufffdb"
    assert page.metadata == {"replaced_characters": 1}


def test_line_ends_are_one_character(read):
    page = read("a\r\nb\rc\n")
    assert page.text == "a\nb\nc\n"
    assert list(page.line_starts) == [0, 2, 4, 6]


@given(st.text())
@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_plain_text_stays_as_it_is(read, text):
    try:
        page = read(text.encode())
    except SourceError:
        assert sum(sign < " " or sign == "\x7f" for sign in text) > 4
        return
    expected = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    assert page.text == expected


@pytest.mark.parametrize("text", ["①㈱髙﨑", "～∥－￠", "ｶﾅ", "名前,値"])
def test_windows_japanese_is_more_than_shift_jis(read, text):
    page = read(f"{text}\n".encode("cp932"), encoding="utf-8-sig,cp932")
    assert (page.text, page.metadata) == (f"{text}\n", {"encoding": "cp932"})


@pytest.mark.parametrize(
    ("source", "kind", "text"),
    [
        ('"id",v\n1,2\n', "text/csv", "id\tv\n1\t2"),
        ("id\tv\n1\t2\n", "text/tab-separated-values", "id\tv\n1\t2"),
        ("---\na: 1\n---\n# T\n", "text/markdown", "# T\n"),
        ('{"a": 1}', "application/json", '{"a": 1}'),
        ("<a>x</a>", "application/xml", "x"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", "text/vtt", "Hi"),
        ("BEGIN:VCARD\nFN:A\n", "text/vcard", "BEGIN: VCARD\nFN: A"),
        ('{"cells": [{"cell_type": "raw", "source": "x"}]}', "application/x-ipynb+json", "x"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_no_mark_of_an_encoding_stays_in_what_is_read(read, source, kind, text, codec):
    page = read(source.encode(codec), kind)
    assert page.text == text
    if page.tables:
        assert page.tables[0].cells[0].text == "id"


@pytest.mark.parametrize(
    "charset", ["utf-16", "UTF-16LE", "utf-32", "iso-8859-1", "windows-1252", "us-ascii"]
)
@pytest.mark.parametrize("text", ["even", "four by four", "名前,値\n", "naïve"])
def test_utf_8_that_is_declared_as_something_any_bytes_fit_is_read_as_utf_8(charset, text):
    source = SourceContent.of_bytes(text.encode(), media_type="text/plain", charset=charset)
    assert TextSession(source, "text/plain").reading().text == text


def test_what_is_declared_counts_where_it_can_be_wrong():
    for text, charset in (("né", "iso-8859-1"), ("ﾃｱ", "cp932"), ("ab", "utf-16-le")):
        source = SourceContent.of_bytes(text.encode(charset), media_type="text/plain", charset=charset)
        assert TextSession(source, "text/plain").reading().text == text


@pytest.mark.parametrize(
    ("charset", "data", "text", "encoding"),
    [
        ("Shift_JIS", "①㈱髙".encode("cp932"), "①㈱髙", "cp932"),
        ("x-sjis", "名前".encode("cp932"), "名前", "cp932"),
        ("euc-kr", "똠방각하".encode("cp949"), "똠방각하", "cp949"),
        ("gb2312", "朱镕基".encode("gbk"), "朱镕基", "gb18030"),
        ("iso-8859-1", "“né” – 5 €".encode("cp1252"), "“né” – 5 €", "cp1252"),
        ("iso-8859-1", b"n\xe9", "né", "iso8859-1"),
        ("iso-8859-1", b"n\xe9\x81", "né\x81", "iso8859-1"),
    ],
)
def test_a_declared_encoding_is_the_larger_one_that_goes_by_its_name(read, charset, data, text, encoding):
    source = SourceContent.of_bytes(data, media_type="text/plain", charset=charset)
    assert TextSession(source, "text/plain").reading().text == text
    xml = b'<?xml version="1.0" encoding="' + charset.encode() + b'"?><a>' + data + b"</a>"
    page = read(xml, "application/xml")
    assert (page.text, page.metadata) == (text, {"encoding": encoding})


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_wide_xml_without_a_mark_is_told_by_its_declaration(read, codec):
    source = '<?xml version="1.0" encoding="UTF-16"?><a>名前</a>'
    assert read(source.encode(codec), "application/xml").text == "名前"


@pytest.mark.parametrize(
    ("source", "kind", "encoding"),
    [
        ("\\documentclass{a}\n\\usepackage[latin1]{inputenc}\né", "text/x-tex", "iso8859-1"),
        ("\\documentclass{a} \\usepackage[ansinew]{inputenc}\n“é”", "text/x-tex", "cp1252"),
        ("% \\usepackage[utf8]{inputenc}\n\\inputencoding{latin2}\nőř", "text/x-tex", "iso8859-2"),
        ("% !TEX encoding = ISO-8859-15\n5 €", "text/x-tex", "iso8859-15"),
        ("#!/usr/bin/python\n# -*- coding: latin-1-unix -*-\né = 1", "text/x-python", "iso8859-1"),
        ("/* vim: set fileencoding=koi8-r : */\nпривет", "text/x-c", "koi8-r"),
        (".. -*- coding: shift_jis -*-\n\n名前", "text/x-rst", "cp932"),
        ("# coding: iso-2022-jp\n名前", "text/x-python", "iso2022_jp"),
    ],
)
def test_a_text_may_state_its_encoding_itself(read, source, kind, encoding):
    page = read(source.encode(encoding), kind)
    assert page.text == source
    assert page.metadata["encoding"] == encoding
    page = read(source.encode(), kind)
    assert page.text == source
    assert "encoding" not in (page.metadata or {})


@pytest.mark.parametrize(
    "line",
    ["# coding: nonsense", "# coding: hex", "\n\n# coding: latin-1", "# coding: cp037", "# coding: idna"],
)
def test_what_states_no_encoding_is_refused_as_before(read, line):
    with pytest.raises(SourceError):
        read(f"{line}\né".encode("latin-1"), "text/x-python")


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [("日本語 text\n", "iso2022_jp", "iso2022_jp_ext"), ("한국어 text\n", "iso2022_kr", "iso2022_kr")],
)
def test_a_text_of_seven_bits_that_shifts_to_other_letters_is_read(read, text, encoding, name):
    page = read(text.encode(encoding), "text/plain")
    assert (page.text, page.metadata["encoding"]) == (text, name)


def test_colours_of_a_terminal_are_no_letters(read):
    assert read(b"\x1b[31mred\x1b[0m $B \x1b$z", "text/plain").text == "\x1b[31mred\x1b[0m $B \x1b$z"


def test_bytes_that_are_no_text_are_not_said_to_be_in_an_encoding(read):
    with pytest.raises(SourceError) as refused:
        read(bytes(range(256)) * 9, "text/plain")
    assert "control characters" in refused.value.message
    assert "cp1252" not in refused.value.message
