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
