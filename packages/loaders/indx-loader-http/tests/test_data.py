from __future__ import annotations

import base64
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_loader_http import _data, data_loader


def load(uri: str, limit: int = 1 << 20) -> SourceContent:
    return data_loader().load(uri, limit=limit, deadline=Deadline()).content


@pytest.mark.parametrize(
    ("uri", "data", "media_type"),
    [
        ("data:,", b"", "text/plain"),
        ("data:,a%20b", b"a b", "text/plain"),
        ("data:text/html,<p>x", b"<p>x", "text/html"),
        ("DATA:Text/HTML;Charset=UTF-8,caf%C3%A9", b"caf\xc3\xa9", "text/html"),
        ("data:text/plain,日本", "日本".encode(), "text/plain"),
        ("data:text/plain;base64,aGVsbG8=", b"hello", "text/plain"),
        ("data:;base64,aGVsbG8", b"hello", "text/plain"),
        ("data:application/pdf;x=1;base64,aGVs bG8%3D%0A", b"hello", "application/pdf"),
        ("data:nonsense,x", b"x", "text/plain"),
        ("data:text/plain;base64=no,aGk=", b"aGk=", "text/plain"),
    ],
)
def test_data_is_decoded(uri: str, data: bytes, media_type: str) -> None:
    content = load(uri)
    assert (content.data, content.media_type, content.filename) == (data, media_type, None)


@pytest.mark.parametrize(
    ("uri", "charset"),
    [
        ("data:,x", None),
        ("data:text/plain;charset=Shift_JIS,%93%fa", "shift_jis"),
        ('data:text/csv;header=present;charset="EUC-JP";base64,eA==', "euc-jp"),
    ],
)
def test_a_charset_written_in_the_uri_is_handed_on(uri: str, charset: str | None) -> None:
    assert load(uri).charset == charset


@pytest.mark.parametrize(
    "uri",
    ["data:text/plain", "data:;base64,a", "data:;base64,aGk=aGk=", "data:;base64,a-_b", "data:,50%",
     "data:,%zz", "data:text/markdown,# Title", "data:" + "a" * 2000 + ",x"],
)  # fmt: skip
def test_malformed_data_is_unreadable(uri: str) -> None:
    with pytest.raises(SourceError) as caught:
        load(uri)
    assert caught.value.code == "source_unreadable"
    assert len(caught.value.message) < 200


def test_the_limit_counts_decoded_bytes() -> None:
    assert load("data:,%41%42", 2).data == b"AB"
    assert load("data:;base64,QUI=", 2).data == b"AB"
    for uri in ("data:,%41%42%43", "data:;base64,QUJD"):
        with pytest.raises(InputTooLarge, match="more than 2 bytes"):
            load(uri, 2)


@given(st.binary(max_size=60), st.integers(3, 9), st.booleans())
def test_any_bytes_come_back_wherever_the_pieces_end(data: bytes, step: int, padded: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_data, "_STEP", step)
        encoded = base64.b64encode(data).decode()
        assert load("data:;base64," + (encoded if padded else encoded.rstrip("="))).data == data
        assert load("data:;base64," + encoded.replace("=", "%3D").replace("+", "%2B")).data == data
        assert load("data:," + quote_from_bytes(data)).data == data
