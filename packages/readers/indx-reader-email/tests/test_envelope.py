"""Files that are wrapped as a whole to be signed: what is signed is a document of its own."""

from __future__ import annotations

import base64
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import Member, PageEvidence, SourceContent
from indx_reader_email import observer, reader
from indx_reader_email._signed import is_wrapped
from indx_reader_email.provider import MEDIA_TYPES, sniffer
from indx_testkit.checks import assert_reading

CONTRACT = b"%PDF-1.7 a contract about oranges"
SEALED = "2a864886f70d010703"


def opened(data, filename="contract.pdf.p7m"):
    return observer().open(SourceContent.of_bytes(data, media_type=MEDIA_TYPES[3], filename=filename))


def armored(data, kind="PKCS7"):
    return b"-----BEGIN %s-----\n%s-----END %s-----\n" % (
        kind.encode(),
        base64.encodebytes(data),
        kind.encode(),
    )


def forms(data):
    return [
        data,
        armored(data),
        armored(data, "CMS"),
        armored(data, "PKCS #7 SIGNED DATA").replace(b"\n", b"\r\n"),
        base64.b64encode(data),
        base64.encodebytes(data),
    ]


@pytest.mark.parametrize("parted", [False, True])
def test_what_is_signed_is_a_member_named_without_its_wrapping(wrapped, parted):
    for data in forms(wrapped(CONTRACT, parted=parted)):
        assert sniffer().sniff(data, filename=None, declared=None).media_type == "application/pkcs7-mime"
        session = opened(data)
        assert list(session.members()) == [Member("contract.pdf", None, CONTRACT)]
        (page,) = reader().read(session, [1], deadline=Deadline())
        assert_reading(page)
        assert (page.text, page.reason) == ("", None)
        assert page.metadata == {
            "blank": True,
            "members": [{"name": "contract.pdf", "size": len(CONTRACT)}],
            "signed": True,
        }
        seen = session.observe()
        assert seen.pages == (PageEvidence(1, 0),)
        assert "contract.pdf" in seen.facts["signed"]


@pytest.mark.parametrize(
    ("filename", "content", "name"),
    [
        ("a/b.XML.P7M", b"<a/>", "b.XML"),
        ("invoice.p7s", b"x", "invoice"),
        (".p7m", b"x", ".p7m"),
        (None, b"x", "content"),
        ("contract.pdf.p7m.p7m", b"x", "contract.pdf.p7m"),
        ("smime.p7m", b"Content-Type: text/plain\n\nhi", "smime.eml"),
        ("smime.p7m", b"MIME-Version: 1.0\n\nhi", "smime.eml"),
        ("mail.txt.p7m", b"MIME-Version: 1.0\n\nhi", "mail.txt"),
    ],
)
def test_a_member_is_called_by_what_it_is(wrapped, filename, content, name):
    assert [one.name for one in opened(wrapped(content), filename).members()] == [name]


@pytest.mark.parametrize("size", [1, 100, 130, 300, 70_000], ids=lambda size: f"{size} bytes")
def test_an_envelope_is_known_however_its_length_is_written(size):
    length = bytes([size]) if size < 0x80 else bytes([0x80 + 3]) + size.to_bytes(3, "big")
    for written in (length, b"\x80", b"\x82\x01\x02", b"\x84\0\0\x01\x02"):
        assert is_wrapped(b"0" + written + bytes.fromhex("06092a864886f70d010702a080"))


def test_what_is_no_envelope_is_not_taken_for_one(wrapped):
    signed = wrapped(CONTRACT)
    certificate = b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(signed)
    data = wrapped(CONTRACT, kind="2a864886f70d010701")
    for head in (
        b"",
        b"0",
        b"MIIB",
        b"0123 is a text",
        certificate,
        data,
        b"Text\n" + armored(signed),
        signed[:9],
    ):
        assert sniffer().sniff(head, filename="a.p7m", declared=None) is None


def test_a_sealed_one_is_refused_with_that_reason(wrapped):
    for data in forms(wrapped(CONTRACT, kind=SEALED)):
        assert is_wrapped(data)
        with pytest.raises(SourceError, match="sealed") as refused:
            opened(data)
        assert refused.value.code == "source_encrypted"


@pytest.mark.parametrize("cut", [20, 60, -1])
def test_one_that_is_damaged_or_holds_nothing_is_refused(wrapped, cut):
    damaged = wrapped(CONTRACT)[:cut]
    for data in (wrapped(b""), damaged, armored(damaged), b"-----BEGIN CMS-----\nMII!B\n-----END CMS-----"):
        with pytest.raises(SourceError, match="no document is in it") as refused:
            opened(data)
        assert refused.value.code == "source_unreadable"


@given(noise=st.binary(max_size=300), place=st.integers(0, 400))
def test_no_bytes_do_more_than_be_refused(wrapped, noise, place):
    signed = wrapped(CONTRACT, parted=True)
    for data in (noise, signed[:place] + noise + signed[place + 1 :]):
        is_wrapped(data)
        for form in forms(data):
            with suppress(SourceError):
                opened(form or b"0")


@pytest.mark.parametrize("parted", [False, True])
def test_what_is_cut_anywhere_in_its_content_is_damaged(wrapped, parted):
    data = wrapped(CONTRACT, parted=parted)
    last = data.index(CONTRACT[-7:]) + 7
    first = data.index(CONTRACT[:7])
    for end in range(first, last + parted):
        with pytest.raises(SourceError, match="damaged"):
            opened(data[:end])


def test_a_part_that_reaches_out_of_its_string_is_damaged(wrapped):
    inner = b"\x04\x05first\x04\x04next"
    data = wrapped(b"?" * (len(inner)))
    whole = data.replace(
        b"\x04" + bytes((len(inner),)) + b"?" * len(inner), b"\x24" + bytes((len(inner),)) + inner
    )
    (member,) = opened(whole).members()
    assert member.data == b"firstnext"
    with pytest.raises(SourceError, match="damaged"):
        opened(whole.replace(b"\x04\x04next", b"\x04\x06next"))


def test_white_space_before_it_is_none_of_it(wrapped):
    data = b"\r\n  " + wrapped(CONTRACT)
    assert is_wrapped(data)
    assert list(opened(data).members()) == [Member("contract.pdf", None, CONTRACT)]
    with pytest.raises(SourceError, match="sealed"):
        opened(b"\n" + wrapped(CONTRACT, kind=SEALED))
