"""Cards: the encodings that programs and telephones write them in."""

from __future__ import annotations

from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_reader_text import observer, reader


def read(data: bytes) -> list[str]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type="text/vcard"))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
    return page.text.split("\n")[1:-1]


def test_a_line_is_read_in_the_charset_that_it_names() -> None:
    data = (
        b'BEGIN:VCARD\r\nN;CHARSET=windows-1252:Do\xeb;John;;;\r\nFN;LANGUAGE=ja;CHARSET="Shift_JIS":\x8eR\x93c\r\n'
        b"ORG;CHARSET=UTF-8:\xc3\xa9t\xc3\xa9\r\nNOTE;CHARSET=latin-1:on\r\n e \xe9t\xe9\r\nEND:VCARD"
    )
    assert read(data) == [
        "N: Do\u00eb, John",
        "FN: \u5c71\u7530",
        "ORG: \u00e9t\u00e9",
        "NOTE: one \u00e9t\u00e9",
    ]


@pytest.mark.parametrize(
    "line",
    [b"N:Do\xeb", b"N;CHARSET=no-such-one:Do\xeb", b"N;CHARSET=hex:Do\xeb", b"N;CHARSET=utf-16:Do\xeb"],
)
def test_a_line_that_names_none_is_not_guessed(line: bytes) -> None:
    with pytest.raises(SourceError, match="INDX_TEXT_ENCODING"):
        read(b"BEGIN:VCARD\n" + line + b"\nEND:VCARD")


@pytest.mark.parametrize("codec", ["utf-16-be", "utf-16-le", "utf-16"])
def test_cards_in_wide_characters_need_no_mark(codec: str) -> None:
    data = "BEGIN:VCARD\nFN:\u00fcgean \u0161ef\nEND:VCARD\n".encode(codec)
    assert read(data) == ["FN: \u00fcgean \u0161ef"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Iksi=F1ski", "Iksi\u00f1ski"),
        ("=D1=8F=D1=8F=D0=\n =D1=8F", "\u044f\u044f\ufffd \u044f"),
        ("=C3=A9", "\u00e9"),
    ],
)
def test_quoted_bytes_without_a_charset_are_utf_8_or_of_windows(written: str, shown: str) -> None:
    assert read(f"BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:{written}\nEND:VCARD".encode()) == [
        f"FN: {shown}"
    ]
