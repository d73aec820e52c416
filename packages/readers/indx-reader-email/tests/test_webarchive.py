"""Web pages saved with what they show: told from mail, and read as the page."""

from __future__ import annotations

import plistlib
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Member, PageReading, SourceContent
from indx_reader_email import observer, reader, sniffer
from indx_reader_email.provider import MEDIA_TYPES
from indx_testkit.checks import assert_reading

PAGE = MEDIA_TYPES[2]
KIND = b'Content-Type: multipart/related; type="text/html"; boundary="b"\n'
BROWSER = (
    b"From: <Saved by Blink>\nSnapshot-Content-Location: https://a.example/p\nSubject: S\nMIME-Version: 1.0\n"
)
HTML = (
    "<title>Über</title><h2>Head</h2><p>text <a href='https://a.example/x'>link</a>"
    "<table><tr><th>a<th>b<tr><td>1<td>2</table><img src='cid:i' alt='drawn'>"
).encode()


def archive(*parts: tuple[bytes, bytes], head: bytes = BROWSER + KIND) -> bytes:
    return (
        head
        + b"\n"
        + b"".join(b"--b\n" + fields + b"\n\n" + body + b"\n" for fields, body in parts)
        + b"--b--"
    )


def read(data: bytes, kind: str = PAGE) -> tuple[PageReading, list[Member]]:
    with closing(observer().open(SourceContent.of_bytes(data, media_type=kind))) as session:
        (page,) = reader().read(session, [1], deadline=Deadline())
        assert_reading(page)
        return page, list(session.members())


MAIN = b"Content-Type: text/html; charset=utf-8\nContent-Location: https://a.example/p", HTML
PICTURE = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-ID: <i>", b"iVBORw0KGgo="
STYLE = b"Content-Type: text/css; name=a.css\nContent-Location: a.css", b"p { color: red }"
PLAIN = b"Content-Type: text/plain; charset=utf-8", b"notes for nobody"


def test_it_is_read_as_the_page_it_is() -> None:
    page, members = read(archive(MAIN, PICTURE, STYLE, PLAIN))
    assert page.text.startswith("Über\n\nHead\n\ntext link\n\na\tb\n1\t2")
    assert "Saved by" not in page.text
    assert "color" not in page.text
    assert members == []
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("Head", 2)]
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [("link", "https://a.example/x")]
    assert [(table.rows, table.columns) for table in page.tables] == [(2, 2)]
    assert page.metadata is not None
    assert (page.metadata["title"], page.metadata["location"]) == ("Über", "https://a.example/p")


def test_the_page_is_the_part_that_is_named_and_its_frames_follow() -> None:
    kind = b'Content-Type: multipart/related; boundary=b; start="<main>"; type="text/html"\n'
    frame = b"Content-Type: text/html\nContent-ID: <f>", b"<p>in a frame"
    main = b"Content-Type: text/html\nContent-ID: <main>", b"<p>the page"
    page, _ = read(archive(PICTURE, frame, frame, main, head=BROWSER + kind))
    assert page.text == "the page\n\nin a frame"


def test_what_is_attached_is_a_document_of_its_own() -> None:
    attached = b"Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf", b"%PDF"
    page, members = read(archive(MAIN, PICTURE, attached))
    assert [(member.name, member.data) for member in members] == [("a.pdf", b"%PDF")]
    assert page.metadata is not None
    assert page.metadata["members"] == [{"name": "a.pdf", "media_type": "application/pdf", "size": 4}]


def test_encodings_of_the_page_count() -> None:
    fields = b"Content-Type: text/html; charset=shift_jis\nContent-Transfer-Encoding: quoted-printable"
    body = b"<p>=93=FA=96{=8C=EA"
    assert read(archive((fields, body)))[0].text == "日本語"
    whole = archive((b"Content-Type: text/html", "<p>日本".encode())).decode().encode("utf-16")
    assert read(whole)[0].text == "日本"


def test_a_page_without_its_end_is_read() -> None:
    assert read(archive(MAIN)[:-40])[0].text.startswith("Über\n\nHead")


def test_an_archive_without_a_page_is_refused() -> None:
    with pytest.raises(SourceError, match="HTML"):
        read(archive(PICTURE, PLAIN))


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (BROWSER, PAGE),
        (b'From: "Saved by Windows Internet Explorer 8"\nSubject: S\nMIME-Version: 1.0\n', PAGE),
        (b"MIME-Version: 1.0\n", PAGE),
        (b"Date: Mon, 1 Jan 2024 10:00:00 +0000\nMessage-ID: <1@wiki>\nMIME-Version: 1.0\n", PAGE),
        (b"From: ann@example.com\nMIME-Version: 1.0\n", MEDIA_TYPES[0]),
        (b"To: ann@example.com\nMIME-Version: 1.0\n", MEDIA_TYPES[0]),
        (b"Received: from a\nMIME-Version: 1.0\n", MEDIA_TYPES[0]),
    ],
)
def test_pages_are_told_from_mail_whatever_they_are_called(head: bytes, found: str) -> None:
    data = archive(MAIN, PICTURE, head=head + KIND)
    for name, declared in ((None, None), ("a.eml", "message/rfc822"), ("a.doc", "application/msword")):
        told = sniffer().sniff(data, filename=name, declared=declared)
        assert told is not None
        assert (told.media_type, told.strength) == (found, "strong")


def test_mail_with_pictures_and_no_page_stays_mail() -> None:
    data = archive(
        PICTURE, head=b"MIME-Version: 1.0\nSubject: s\nContent-Type: multipart/related; boundary=b\n"
    )
    told = sniffer().sniff(data, filename=None, declared=None)
    assert told is not None
    assert told.media_type == MEDIA_TYPES[0]


SAFARI = MEDIA_TYPES[4]


def resource(data: bytes, **said: object) -> dict[str, object]:
    named = {"WebResourceMIMEType": "text/html", "WebResourceURL": "https://a.example/p", **said}
    return {"WebMainResource": {"WebResourceData": data, **named}}


def saved(page: object) -> bytes:
    return plistlib.dumps(page, fmt=plistlib.FMT_BINARY)


def test_a_page_that_safari_saved_is_read_as_the_page_with_its_frames() -> None:
    frames = [
        resource(b"<p>first frame"),
        resource(b"<p>second frame"),
        resource(b"%!", WebResourceMIMEType="a/b"),
    ]
    main = resource(HTML, WebResourceTextEncodingName="UTF-8") | {
        "WebSubframeArchives": frames,
        "WebSubresources": [{"WebResourceData": b"p { color: red }", "WebResourceMIMEType": "text/css"}],
    }
    data = saved(main)
    found = sniffer().sniff(data, filename="a.bin", declared=None)
    assert found is not None
    assert (found.media_type, found.strength) == (SAFARI, "strong")
    page, members = read(data, SAFARI)
    assert page.text.startswith("Über\n\nHead\n\ntext link\n\na\tb\n1\t2")
    assert page.text.endswith("first frame\n\nsecond frame")
    assert "color" not in page.text
    assert members == []
    assert page.metadata is not None
    assert (page.metadata["title"], page.metadata["location"]) == ("Über", "https://a.example/p")


def test_what_safari_says_of_a_page_is_kept_in_bounds() -> None:
    said = {"WebResourceTextEncodingName": "windows-1252\nX: y", "WebResourceURL": "https://a\nX: y"}
    page, _ = read(saved(resource(b"<meta charset=windows-1251><p>\xcf", **said)), SAFARI)
    assert page.text == "П"
    assert page.metadata is not None
    assert page.metadata["location"] == "https://a X: y"
    page, _ = read(saved(resource(b"<p>text", WebResourceMIMEType=7, WebResourceURL=7)), SAFARI)
    assert page.text == "text"


def test_frames_are_read_once_and_not_without_end() -> None:
    deep: dict[str, object] = resource(b"<p>innermost")
    for number in range(50):
        deep = resource(b"<p>frame %d" % number) | {"WebSubframeArchives": [deep, "none", 7]}
    page, _ = read(saved(deep), SAFARI)
    assert page.text.split("\n\n")[:2] == ["frame 49", "frame 48"]
    assert page.text.endswith("innermost")
    frames = [resource(b"<p>x") for _ in range(1_000)]
    for many in (frames, [7] * 1_001):
        with pytest.raises(InputTooLarge, match="frames"):
            read(saved(resource(b"<p>x") | {"WebSubframeArchives": many}), SAFARI)


def test_a_list_of_more_values_than_a_page_has_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(resource(b"<p>x"))
    monkeypatch.setattr("indx_reader_email._safari._MOST_VALUES", 9)
    assert read(data, SAFARI)[0].text == "x"
    monkeypatch.setattr("indx_reader_email._safari._MOST_VALUES", 8)
    with pytest.raises(InputTooLarge, match="values"):
        read(data, SAFARI)


def test_an_address_that_is_none_is_left_out() -> None:
    nested: list[object] = ["a"]
    for _ in range(60):  # a list twice in the next is one value, and written out it would have no end
        nested = [nested, nested]
    page, _ = read(saved(resource(b"<p>x", WebResourceURL=nested)), SAFARI)
    assert page.text == "x"
    assert "location" not in (page.metadata or {})


def test_frames_that_show_one_page_again_and_again_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = resource(b"<p>" + b"x" * 2_000)
    frames = [
        {**shown, "number": number} for number in range(8)
    ]  # each has the same bytes, which are there once
    data = saved(resource(b"<p>main") | {"WebSubframeArchives": frames})
    assert len(data) < 8 * 2_000
    assert read(data, SAFARI)[0].text.startswith("main\n\nxxx")
    monkeypatch.setattr("indx_reader_email._safari._MOST_AGAIN", 4_000)
    with pytest.raises(InputTooLarge, match="again"):
        read(data, SAFARI)


@pytest.mark.parametrize(
    "data",
    [
        saved({"WebSubresources": []}),
        saved({"WebMainResource": {"WebResourceData": "no bytes"}}),
        saved(resource(b"x", WebResourceMIMEType="image/png")),
        saved([1]),
        saved(resource(b"<p>x"))[:-9],
        b"bplist00WebMainResource",
        b"bplist00" + b"\xd1" * 4000,
    ],
)
def test_what_safari_did_not_save_as_a_page_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match="no web archive"):
        read(data, SAFARI)


def test_another_property_list_is_none() -> None:
    assert sniffer().sniff(saved({"a": 1}), filename="a.plist", declared=None) is None
