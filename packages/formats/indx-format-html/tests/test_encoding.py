"""Which encoding bytes are read in."""

from __future__ import annotations

import pytest

from indx_format_html import decode, read_html

JAPANESE = "これは文字コードの判定を試すための日本語の文章です。会議は明日の午後三時から始まります。"
RUSSIAN = "Это предложение написано по-русски для проверки кодировки. Завтра будет собрание."
KOREAN = "이것은 문자 인코딩 감지를 시험하기 위한 한국어 문장입니다. 회의는 내일 오후에 시작합니다."
CHINESE = "这是一个用于测试字符编码检测的中文句子。会议将于明天下午三点开始。"
FRENCH = "L'été était très chaud cette année. J'ai acheté un café au lait pour 3,50 €."


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-be", "utf-16-le"])
def test_wide_text_and_marks_need_no_label(codec: str) -> None:
    data = f"<p>{JAPANESE}</p>".encode(codec)
    assert read_html(data).text == JAPANESE
    assert read_html(data, charset="cp1252").text == JAPANESE


@pytest.mark.parametrize(
    ("label", "codec", "encoding"),
    [
        ("shift_jis", "cp932", "cp932"),
        ("x-sjis", "cp932", "cp932"),
        ("Windows-31J", "cp932", "cp932"),
        ("EUC-JP", "euc_jp", "euc_jp"),
        ("iso-2022-jp", "iso2022_jp", "iso2022_jp"),
        ("gb2312", "gb18030", "gb18030"),
        ("utf8", "utf-8", "utf-8"),
    ],
)
def test_a_label_beside_or_inside_the_bytes_is_followed(label: str, codec: str, encoding: str) -> None:
    text = "日本語①" if codec == "cp932" else "日本語"
    beside = decode(text.encode(codec), charset=label)
    assert (beside.text, beside.encoding, beside.note) == (text, encoding, None)
    inside = read_html(f"<meta charset='{label}'><p>{text}".encode(codec))
    assert (inside.text, inside.encoding) == (text, encoding)
    old = read_html(
        f'<meta http-equiv=Content-Type content="text/html; charset={label}">{text}'.encode(codec)
    )
    assert old.text == text


def test_latin_1_means_windows_1252_as_on_the_web() -> None:
    assert decode(b"\x93quoted\x94 \x80 5", charset="ISO-8859-1").text == "“quoted” € 5"


def test_the_label_beside_beats_the_label_inside() -> None:
    assert read_html("<meta charset=koi8-r>Привет".encode("cp1251"), charset="windows-1251").text == "Привет"


def test_a_label_in_a_comment_or_too_far_in_is_none() -> None:
    commented = f"<!-- <meta charset=utf-16> --><p>{JAPANESE}".encode()
    assert read_html(commented).text == JAPANESE
    far = ("<p>x</p>" * 200 + f"<meta charset=euc-jp><p>{JAPANESE}").encode("cp932")
    assert read_html(far).encoding == "cp932"


@pytest.mark.parametrize(
    "html",
    [
        f"\r\n  <p>{JAPANESE}</p>",
        f"<!-- {JAPANESE} -->{JAPANESE}<br>",
        f"x<b>y</b> {JAPANESE}",
        "<a>" + JAPANESE * 50,
    ],
)
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_a_mark_need_not_begin_with_a_tag(html: str, codec: str) -> None:
    document = read_html(html.encode(codec))
    assert document.encoding in (codec, "cp1252") if "<a>" in html else document.encoding == codec
    if document.encoding == codec:
        assert JAPANESE in document.text


def test_zeros_in_other_bytes_do_not_make_them_wide() -> None:
    assert read_html(b"<p>a\0b</p>" * 10).encoding == "utf-8"
    assert read_html(b"<\0p\0>\0" + b"\0\xd8" * 30).encoding != "utf-16-le"


@pytest.mark.parametrize(
    "before", ["<script>var x = '<meta charset=koi8-r>';{}</script>", "<!-- {} -->", "<title>{}</title>"]
)
def test_a_label_far_down_in_the_head_is_followed(before: str) -> None:
    for end in ("</head><body>", ""):
        page = f"<html><head>{before.format('x' * 5000)}<meta charset=windows-1251>{end}<p>да"
        document = read_html(page.encode("cp1251"))
        assert (document.text.rpartition("\n")[2], document.encoding, document.note) == ("да", "cp1251", None)


def test_a_label_shown_in_the_body_is_none() -> None:
    page = "<html><head>" + " " * 2000 + "</head><body><meta charset=koi8-r>" + f"<p>{RUSSIAN}"
    assert read_html(page.encode("cp1251")).text == RUSSIAN


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("x-user-defined", b"\x80\xe9", "€é"),
        ("euc-jp", b"\x8e\xb1\x8f\xb0\xa1", "ｱ丂"),
        ("iso-2022-jp", b'\x1b$B$"\x1b(J\\\x1b(B', "あ¥"),
        ("utf-16le", "日本".encode(), "日本"),
        ("unicode", "日本".encode(), "日本"),
        ("ks_c_5601-1987", "한국".encode("cp949"), "한국"),
        ("big5", "中文".encode("big5"), "中文"),
        ("tis-620", b"\xa1\x85", "ก…"),
        ("macintosh", b"\x8e", "é"),
        ("iso-8859-1", b"\x85", "…"),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label: str, data: bytes, text: str) -> None:
    assert read_html(b"<meta charset=" + label.encode() + b"><p>" + data).text == text


def test_a_label_inside_cannot_be_utf_16() -> None:
    assert read_html(f"<meta charset=utf-16><p>{JAPANESE}".encode()).text == JAPANESE


def test_an_xml_declaration_is_a_label() -> None:
    assert (
        read_html(f"<?xml version='1.0' encoding='Shift_JIS'?><p>{JAPANESE}</p>".encode("cp932")).text
        == JAPANESE
    )


@pytest.mark.parametrize("label", ["cp1252", "iso-8859-1", "shift_jis", "us-ascii", "x-unknown-9"])
def test_a_wrong_label_on_utf_8_does_no_harm_and_is_told(label: str) -> None:
    decoded = decode((FRENCH + JAPANESE).encode(), charset=label)
    assert (decoded.text, decoded.encoding) == (FRENCH + JAPANESE, "utf-8")
    assert decoded.note is not None
    assert label in decoded.note


def test_a_label_of_utf_8_on_other_bytes_is_not_believed() -> None:
    html = f"<meta charset=utf-8><p>{JAPANESE}"
    document = read_html(html.encode("cp932"))
    assert (document.text, document.encoding) == (JAPANESE, "cp932")
    assert document.metadata()["encoding_note"] == "not 'utf-8' throughout"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (KOREAN, "cp949"),
        (CHINESE, "gb18030"),
        (FRENCH, "cp1252"),
        ("café", "cp1252"),
    ],
)
def test_unlabelled_legacy_text_is_told_by_its_bytes(text: str, codec: str) -> None:
    document = read_html(f"<html><p>{text}</p></html>".encode(codec))
    assert (document.text, document.encoding) == (text, codec)
    assert document.note is not None


def test_unlabelled_legacy_text_far_into_a_large_page_is_told_too() -> None:
    page = "<script>" + "x();" * 50_000 + f"</script><p>{JAPANESE}" + f"<p>{JAPANESE}" * 1000
    assert read_html(page.encode("cp932")).encoding == "cp932"


def test_escapes_of_iso_2022_jp_are_believed_under_any_label() -> None:
    assert decode("まみむ".encode("iso2022_jp"), charset="us-ascii").text == "まみむ"


def test_iso_2022_jp_with_vendor_characters_is_read() -> None:
    rows = b"\x1b$B" + bytes.fromhex("2d21 2d6a 467c") + b"\x1b(B ok\r\n\x1b(I" + b"\x31" + b"\x1b(B"
    decoded = decode(rows, charset="iso-2022-jp")
    assert (decoded.text, decoded.encoding) == ("①㈱日 ok\r\nｱ", "iso2022_jp")


def test_a_few_wrong_bytes_are_replaced_and_the_rest_stands() -> None:
    data = f"<p>{JAPANESE}</p>".encode() + b"\xff"
    document = read_html(data)
    assert document.text == JAPANESE + "\n\n\ufffd"
    assert document.encoding == "utf-8"
    assert document.metadata()["encoding_note"] == "1 places are not valid utf-8"


@pytest.mark.parametrize(
    "label", ["rot13", "base64", "idna", "unicode_escape", "../../etc", "a" * 100, "\ud800"]
)
def test_labels_that_are_no_encoding_are_passed_over(label: str) -> None:
    assert decode(FRENCH.encode(), charset=label).text == FRENCH


@pytest.mark.parametrize("label", ["utf-16", "utf-16-le", "UTF-16BE", "utf-32"])
@pytest.mark.parametrize("text", ["<p>even</p>.", "<p>four by four</p>!", f"<p>{JAPANESE}</p>"])
def test_a_label_of_wide_text_on_other_text_is_not_believed(label: str, text: str) -> None:
    decoded = decode(text.encode(), charset=label)
    assert (decoded.text, decoded.encoding) == (text, "utf-8")
    assert decoded.note is not None
    wide = decode(JAPANESE.encode("utf-16-le"), charset="utf-16-le")
    assert (wide.text, wide.note) == (JAPANESE, None)


@pytest.mark.parametrize("label", ['"shift_jis"', "shift_jis; x=y", " 'Shift_JIS' ", "shift_jis;"])
def test_a_label_may_stand_in_quotes_and_before_others(label: str) -> None:
    decoded = decode("日本語".encode("cp932"), charset=label)
    assert (decoded.text, decoded.note) == ("日本語", None)


def test_utf8_with_an_old_template_around_it_stays_utf8() -> None:
    data = "<meta charset=utf-8><title>caf\xe9</title>".encode("latin-1") + "<p>Über uns, größer".encode()
    assert read_html(data).text == "caf\ufffd\n\nÜber uns, größer"
    assert read_html(data.removeprefix(b"<meta charset=utf-8>")).text == "caf\ufffd\n\nÜber uns, größer"
    assert read_html("<p>größer, Über uns ist ß".encode("latin-1")).encoding == "cp1252"
