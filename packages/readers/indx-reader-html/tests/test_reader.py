from __future__ import annotations

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import PageReading, SourceContent
from indx_reader_html import observer, reader


def read(data: bytes, media_type: str = "text/html") -> PageReading:
    session = observer().open(SourceContent.of_bytes(data, media_type=media_type))
    (reading,) = reader().read(session, [1], deadline=Deadline())
    return reading


def test_what_a_page_holds_is_evidence() -> None:
    html = b"<h1>T</h1><p>a b</p><img src=x><p hidden>h</p><table><tr><td>1<td>2</table>"
    seen = observer().open(SourceContent.of_bytes(html, media_type="text/html")).observe()
    (page,) = seen.pages
    assert (page.text_characters, page.images) == (6, 1)
    assert dict(seen.facts) == {
        "tables": "1 table",
        "headings": "1 heading",
        "images": "1 image",
        "hidden_parts": "1 hidden part",
    }


def test_the_encoding_declared_beside_the_page_decides() -> None:
    data = "<p>\u65e5\u672c</p>".encode("cp932")
    source = SourceContent.of_bytes(data, media_type="text/html", charset="shift_jis")
    session = observer().open(source)
    (reading,) = reader().read(session, [1], deadline=Deadline())
    assert reading.text == "日本"


def test_metadata_tells_the_page_and_its_encoding() -> None:
    reading = read(
        '<html lang=fr><base href="https://example.com/"><title>é</title><a href=a>x</a>'.encode("cp1252")
    )
    assert reading.metadata is not None
    assert reading.metadata["title"] == "é"
    assert reading.metadata["language"] == "fr"
    assert reading.metadata["base"] == "https://example.com/"
    assert reading.metadata["encoding"] == "cp1252"
    assert [link.target for link in reading.links] == ["https://example.com/a"]
    assert reading.boxes is None


def test_nothing_a_page_names_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_named: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("socket.socket.connect", refuse)
    reading = read(
        b'<link rel=stylesheet href="http://169.254.169.254/"><img alt=pic src="http://169.254.169.254/">'
    )
    assert reading.text == "pic"


@pytest.mark.parametrize("data", [b"\x00" * 4096, bytes(range(1, 9)) * 100])
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match="most of it cannot be printed") as caught:
        read(data)
    assert caught.value.code == "source_unreadable"


def test_only_the_first_page_exists() -> None:
    session = observer().open(SourceContent.of_bytes(b"<p>x", media_type="text/html"))
    readings = list(reader().read(session, [2, 1], deadline=Deadline()))
    assert [(one.page, one.reason, one.text) for one in readings] == [(2, "no_such_page", ""), (1, None, "x")]
