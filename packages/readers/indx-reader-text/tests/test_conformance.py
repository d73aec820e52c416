"""The kits of the three ports."""

import json

from indx_reader_text.provider import observer, reader, sniffer
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "cells": [{"cell_type": "markdown", "source": ["# T\n", "[a](b)"]}, {"cell_type": "code"}],
    }
).encode()
MARKDOWN = b"""---
title: Guide
---
# Guide

See [the other](other.md) and `code`.

| name | value |
| ---- | ----- |
| a    | 1\\|2 |

```sh
# no heading
```
<!-- hidden -->
"""
DOCUMENTS = [
    DocumentSample(
        MARKDOWN,
        "text/markdown",
        "guide.md",
        1,
        ["# Guide", "name\tvalue\na\t1|2"],
        renders=False,
        members=(),
    ),
    DocumentSample(b'a;b\n1;2\n"x\ny";3\n', "text/csv", "t.csv", 1, ["a\tb\n1\t2\nx y\t3"]),
    DocumentSample("naïve\r\ntext\r".encode(), "text/plain", "t.txt", 1, ["naïve\ntext\n"]),
    DocumentSample("text".encode("utf-16"), "text/plain", None, 1, ["text"]),
    DocumentSample(
        b"<?xml version='1.0'?><a><b>one</b><c>two</c></a>", "application/xml", "t.xml", 1, ["one\ntwo"]
    ),
    DocumentSample(NOTEBOOK, "application/x-ipynb+json", "t.ipynb", 1, ["# T\n[a](b)"]),
    DocumentSample(b"print(1)\n", "text/x-python", "t.py", 1, ["print(1)"]),
    DocumentSample(b"Title\n=====\n\ntext\n", "text/x-rst", "t.rst", 1, ["Title\n====="]),
    DocumentSample(
        b"Title\n=====\n\n.. code::\n\n   x\n\n===  ===\na    b\n===  ===\n1    2\n===  ===\n\n.. c\n",
        "text/x-rst",
        "u.rst",
        1,
        ["a\tb\n1\t2"],
    ),
    DocumentSample(
        b"= Title\n\n// c\n----\nx\n----\n\n|===\n|a |b\n\n|1 |2\n|===\n",
        "text/asciidoc",
        "t.adoc",
        1,
        ["a\tb\n1\t2"],
    ),
    DocumentSample(
        b"\\section{T} % c\n\\begin{tabular}{l}a&b\\\\\\hline 1&2\\end{tabular}\n\\'e \\[x\\]\n",
        "text/x-tex",
        "t.tex",
        1,
        ["a\tb\n1\t2", "\u00e9"],
    ),
    DocumentSample(
        b"* T\n| a | b |\n|---+---|\n| 1 | 2 |\n[[x][y]]\n", "text/x-org", "t.org", 1, ["a\tb\n1\t2"]
    ),
    DocumentSample(
        b"WEBVTT\n\nNOTE c\n\n00:01.000 --> 00:02.000\n<v Ann>Hi <b>there</b>\n",
        "text/vtt",
        "t.vtt",
        1,
        ["Ann: Hi there"],
    ),
    DocumentSample(b"1\n00:00:01,000 --> 00:00:02,000\nHi\n\n", "application/x-subrip", "t.srt", 1, ["Hi"]),
    DocumentSample(
        b"BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE:=C3=A9=\n=20a\nPHOTO;BASE64:AAAA\nEND:VCARD\n",
        "text/vcard",
        "t.vcf",
        1,
        ["N: \u00e9 a"],
    ),
    DocumentSample(
        b"<sec><title>T</title><table><tr><td rowspan='2'>a</td><td>b</td></tr>"
        b"<tr><td>c</td></tr></table></sec>",
        "application/xml",
        "u.xml",
        1,
        ["T\na\tb\n\tc"],
    ),
    DocumentSample(
        b"<svg><title>T</title><text y='1'>a<tspan y='2'>b</tspan></text></svg>",
        "image/svg+xml",
        "t.svg",
        1,
        ["a b"],
    ),
    DocumentSample(b'{"a": "\\u65e5"}', "application/json", "t.json", 1, ["\u65e5"]),
    DocumentSample(b"", "text/plain", "empty.txt", 1),
]


class TestSniffer(SnifferKit):
    factory = staticmethod(sniffer)
    samples = (
        SniffSample(b"# Title\n", "text/markdown", "guide.MD", strength="weak"),
        SniffSample(b"a,b\n", "text/csv", "dir/data.csv", strength="weak"),
        SniffSample("名前".encode("cp932"), "text/csv", "data.csv", strength="weak"),
        SniffSample("a,b".encode("utf-16"), "text/csv", "data.csv", strength="strong"),
        SniffSample("a,b".encode("utf-16"), "text/plain", None, strength="strong"),
        SniffSample(b"<?xml version='1.0'?><feed/>", "application/xml", None, strength="strong"),
        SniffSample(b"def f(): pass\n", "text/x-python", "f.py", strength="weak"),
        SniffSample("plain words, naïve".encode(), "text/plain", "README", strength="weak"),
        SniffSample(b"<!doctype html><p>x", None),
        SniffSample(b"PK\x03\x04\x00\x00\x00", None),
    )


class TestObserver(ObserverKit):
    factory = staticmethod(observer)
    documents = DOCUMENTS


class TestReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)
    documents = DOCUMENTS
