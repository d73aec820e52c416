from __future__ import annotations

from email.message import EmailMessage
from typing import ClassVar

from indx_reader_email import provider
from indx_testkit.loading import SnifferKit
from indx_testkit.reading import CapabilityKit, ObserverKit
from indx_testkit.samples import DocumentSample, SniffSample

MAIL = provider.MEDIA_TYPES[0]

PLAIN = b"From: Ann <ann@example.com>\r\nTo: Bob <bob@example.com>\r\nSubject: Hi\r\n\r\nHello Bob\r\n"


def _rich() -> bytes:
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "cy@example.com", "Inner"
    inner.set_content("the inner text")
    mail = EmailMessage()
    mail["From"] = "アン <ann@example.com>"
    mail["To"] = "bob@example.com"
    mail["Subject"] = "会議のご案内"
    mail["Message-ID"] = "<1@example.com>"
    mail.set_content("本文です。\n> quoted\n", charset="iso-2022-jp", cte="7bit")
    mail.add_alternative("<p>本文<b>です</b>。", subtype="html")
    mail.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="議事録.pdf")
    mail.add_attachment(inner)
    return mail.as_bytes()


HTML_ONLY = (
    b"MIME-Version: 1.0\nFrom: a@example.com\nSubject: =?utf-8?q?caf=C3=A9?=\n"
    b"Content-Type: text/html; charset=utf-8\n\n<h1>Title</h1><table><tr><th>a<th>b<tr><td>1<td>2</table>"
)
PAGE = (
    b"From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n"
    b"Content-Type: text/html\n\n<h1>Saved page</h1><p>its text\n--b--"
)
SIGNED = bytes.fromhex("302806092a864886f70d010702a01b30190201013100301006092a864886f70d010701a0030401783100")
DOCUMENTS = [
    DocumentSample(
        PAGE, provider.MEDIA_TYPES[2], pages=1, expected=["Saved page", "its text"], renders=False, members=[]
    ),
    DocumentSample(
        PLAIN, MAIL, "hi.eml", pages=1, expected=["Hi", "From: Ann <ann@example.com>", "Hello Bob"]
    ),
    DocumentSample(
        _rich(),
        MAIL,
        pages=1,
        expected=["会議のご案内", "アン <ann@example.com>", "本文です。"],
        renders=False,
        members=["議事録.pdf", "message-1.eml"],
    ),
    DocumentSample(
        SIGNED, provider.MEDIA_TYPES[3], "a.txt.p7m", pages=1, expected=[], renders=False, members=["a.txt"]
    ),
    DocumentSample(HTML_ONLY, MAIL, pages=1, expected=["café", "Title", "a\tb"]),
]


class TestSniffer(SnifferKit):
    factory = staticmethod(provider.sniffer)
    samples: ClassVar = [
        SniffSample(PLAIN, MAIL, strength="strong"),
        SniffSample(PAGE, provider.MEDIA_TYPES[2], "a.eml", MAIL, strength="strong"),
        SniffSample(SIGNED, provider.MEDIA_TYPES[3], "a.pdf", "application/pdf", strength="strong"),
        SniffSample(PLAIN, MAIL, "hi.txt", "text/plain", strength="strong"),
        SniffSample(_rich(), MAIL, strength="strong"),
        SniffSample(PLAIN.decode().encode("utf-16"), MAIL, strength="strong"),
        SniffSample(b"\xef\xbb\xbf" + PLAIN, MAIL, strength="strong"),
        SniffSample(b"\n\n" + PLAIN, MAIL, strength="strong"),
        SniffSample(b"From ann@example.com Tue May 10 11:28:07 2005\n" + PLAIN, MAIL, strength="strong"),
        SniffSample(b"Received: from a\n\tby b\nMIME-Version: 1.0\n\nx", MAIL, strength="strong"),
        SniffSample(b"X-Mailer: m\nSubject: s\nMessage-ID: <1>", MAIL, strength="strong"),
        SniffSample(b"X-Note: kept\n\ntext", MAIL, "draft.EML", strength="weak"),
        SniffSample(b"Content-Type: text/plain\nTo: b@c\n\ntext", MAIL, "draft.msg", strength="weak"),
        SniffSample(b"Content-Type: text/plain\nTo: b@c\n\ntext", MAIL, "one.mbox", strength="weak"),
        SniffSample(
            b"%d\n" % len(PLAIN) + PLAIN + b"<?xml version='1.0'?>", MAIL, "1.emlx", strength="strong"
        ),
        SniffSample(b"plain text", None, "draft.eml"),
        SniffSample(b"Name: x\nVersion: 2\nFrom: a@b\n\n", None),
        SniffSample(b"From: the board\nTo: all staff\nSubject: memo\n\ntext", None),
        SniffSample(b"Date: today\nSubject: none\n\n", None),
        SniffSample(b"Content-Type: text/html\nDate: today\n\n<p>", None),
        SniffSample(b"from: base\nto: image\n", None, "build.yaml"),
        SniffSample(
            b"From a@b.c Tue May 10 11:28:07 2005\n" + PLAIN + b"\nFrom d@e.f Wed May 11 2005\n" + PLAIN,
            "application/mbox",
        ),
        SniffSample(b"From - \n" + PLAIN + b"\nFrom - \n" + PLAIN, "application/mbox"),
        SniffSample(b"From \r\n" + PLAIN + b"\r\nFrom \r\n" + PLAIN, "application/mbox"),
        SniffSample(b"From " + b"a" * 40 + b" Mon Sep 17 00:00:00 2001\n" + PLAIN, None, "0001-fix.patch"),
        SniffSample(b"From here on, nothing: is a header\n", None),
        SniffSample(b"def f():\n    x: int\n", None, "f.py"),
    ]


class TestObserver(ObserverKit):
    factory = staticmethod(provider.observer)
    documents = DOCUMENTS


class TestReader(CapabilityKit):
    factory = staticmethod(provider.reader)
    observer = staticmethod(provider.observer)
    documents = DOCUMENTS
