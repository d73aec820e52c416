from __future__ import annotations

from typing import ClassVar

from indx_reader_html import provider
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

HTML, XHTML = provider.MEDIA_TYPES

PAGE = """<!DOCTYPE html>
<html lang="ja"><head><meta charset="utf-8"><title>アヒル</title><style>p { color: red }</style></head>
<body><header>site</header><h1>Ducks &amp; geese</h1><p>See <a href="weed.html#diet">their diet</a>.</p>
<table><caption>Counts</caption><tr><th>Year<th>Birds<tr><td rowspan=2>2024<td>12<tr><td>13<br>or 14</table>
<p hidden>draft</p><pre>a
  b</pre><ul><li>one<li>two</ul></body></html>"""
STRICT = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><script src="x.js"/></head>
<body><p>strict<br/>markup</p></body></html>"""
DOCUMENTS = [
    DocumentSample(
        PAGE.encode(),
        HTML,
        "ducks.html",
        pages=1,
        expected=["アヒル", "Ducks & geese", "their diet", "Year\tBirds", "draft", "a\n  b", "- one"],
        renders=False,
        members=[],
    ),
    DocumentSample(PAGE.encode("utf-16"), HTML, pages=1, expected=["アヒル"]),
    DocumentSample(STRICT.encode(), XHTML, "strict.xhtml", pages=1, expected=["strict\nmarkup"]),
    DocumentSample(b"", HTML, pages=1),
]


class TestSniffer(SnifferKit):
    factory = staticmethod(provider.sniffer)
    samples: ClassVar = [
        SniffSample(PAGE.encode(), HTML, strength="strong"),
        SniffSample(PAGE.encode(), HTML, "notes.txt", "text/plain", strength="strong"),
        SniffSample(b"\xef\xbb\xbf\r\n<!-- saved --> <!-- twice -->\n<HTML>", HTML, strength="strong"),
        SniffSample(PAGE.encode("utf-16"), HTML, strength="strong"),
        SniffSample(PAGE.encode("utf-16-be"), HTML, strength="strong"),
        SniffSample(PAGE.encode("utf-16-le"), HTML, strength="strong"),
        SniffSample(STRICT.encode(), XHTML, strength="strong"),
        SniffSample(STRICT.encode(), HTML, declared=HTML, strength="strong"),
        SniffSample(STRICT.encode(), HTML, "saved.html", strength="strong"),
        SniffSample(PAGE.encode(), XHTML, declared=XHTML, strength="strong"),
        SniffSample(b"<head><title>x</title>", HTML, strength="weak"),
        SniffSample(b"text and <b>tags</b>", HTML, "part.HTM", strength="weak"),
        SniffSample(b"<table><tr><td>1</table>", HTML, "report.XLS", strength="weak"),
        SniffSample(b"text and <b>tags</b>", None),
        SniffSample(b"<p align=center><img src=logo.png></p>\n\n# Readme", None, "README.md"),
        SniffSample(b"a < b and c > d", None, "sum.html"),
        SniffSample(b"<htmlx>", None),
        SniffSample(b"<?xml version='1.0'?><svg/>", None),
        SniffSample(b"From: <html> is no header", None),
        SniffSample(b"# Markdown with\n<html> inside", None, "page.md"),
        SniffSample(b"%PDF-1.7 <html>", None),
        SniffSample(b"", None, "empty.html"),
    ]


class TestObserver(ObserverKit):
    factory = staticmethod(provider.observer)
    documents = DOCUMENTS


class TestReader(CapabilityKit):
    factory = staticmethod(provider.reader)
    observer = staticmethod(provider.observer)
    documents = DOCUMENTS
