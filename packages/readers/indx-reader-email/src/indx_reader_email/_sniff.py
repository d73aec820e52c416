"""What the first lines of a file say about it being a mail."""

from __future__ import annotations

import re
from typing import Final, Literal

from indx_core.ports import Buffer, Sniffed
from indx_reader_email._mime import as_bytes
from indx_reader_email._safari import BEGINNING
from indx_reader_email._separator import SEPARATOR
from indx_reader_email._signed import is_wrapped
from indx_reader_email.provider import MEDIA_TYPES

__all__ = ["sniff"]

_SAMPLE: Final = 1 << 16
_WRAPPING: Final = 1 << 10
_SEARCHED: Final = 1 << 26
_POSTMARK: Final = re.compile(rb"From [^\r\n]{0,500}\r?\n")
_BEFORE: Final = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*+From ")
_PATCH: Final = re.compile(rb"From [0-9a-f]{40} Mon Sep 17 00:00:00 2001")
_FIELD: Final = re.compile(rb"([A-Za-z][A-Za-z0-9-]*):([^\n]*)\n(?:[ \t][^\n]*\n)*+")
_NAMES: Final = (".eml", ".emlx", ".mbox", ".msg")
_SAVED: Final = re.compile(rb"WebMainResource")
_LEAST: Final = 2
# What only mail has, and what mail has too.
_OF_MAIL: Final = frozenset({b"received", b"return-path", b"mime-version", b"message-id", b"delivered-to"})
_OF_SENDING: Final = frozenset(
    (b"received", b"return-path", b"delivered-to", b"to", b"cc", b"bcc", b"newsgroups")
)
_PAGE: Final = re.compile(rb"\btext/html\b|\bapplication/xhtml\+xml\b", re.IGNORECASE)
_USUAL: Final = _OF_MAIL | frozenset(
    (
        b"from to cc bcc date subject reply-to sender content-type content-transfer-encoding in-reply-to"
        b" references x-mailer user-agent dkim-signature domainkey-signature authentication-results"
        b" received-spf importance priority thread-topic thread-index list-id list-unsubscribe precedence"
        b" errors-to organization newsgroups path content-disposition content-language auto-submitted"
        b" return-receipt-to envelope-to delivery-date resent-from resent-date resent-to"
        b" status content-length lines apparently-to"
    ).split()
)


def sniff(head: Buffer, filename: str | None) -> Sniffed | None:
    """Strong for an envelope, a header of mail, of several, or of a web page; weak for a name of mail."""
    if bytes(head[: len(BEGINNING)]) == BEGINNING and _SAVED.search(head, 0, _SEARCHED):
        return Sniffed(MEDIA_TYPES[4], "strong")
    if is_wrapped(bytes(head[:_WRAPPING])):
        return Sniffed(MEDIA_TYPES[3], "strong")
    sample = as_bytes(bytes(head[:_SAMPLE])).data.lstrip(b"\r\n")
    if len(head) <= _SAMPLE:
        sample += b"\n"
    postmark = _POSTMARK.match(sample)
    if postmark and _PATCH.search(postmark[0]):
        return None  # a patch written by git
    fields = _fields(sample, postmark.end() if postmark else 0)
    names = [name for name, _ in fields]
    if names and _is_usual(names[0]) and len(_USUAL.intersection(names)) >= _LEAST and _is_mail(fields):
        if _is_page(fields, sample):
            return Sniffed(MEDIA_TYPES[2], "strong")
        strength: Literal["strong", "weak"] = "strong"
    elif names and (filename or "").lower().endswith(_NAMES):
        strength = "weak"
    else:
        return None
    return Sniffed(MEDIA_TYPES[1 if postmark and _is_followed(head) else 0], strength)


def _is_followed(head: Buffer) -> bool:
    """Whether another message comes after the first."""
    first = _BEFORE.match(head)
    return SEPARATOR.search(head, first.end() if first else 0, _SEARCHED) is not None


def _is_page(fields: list[tuple[bytes, bytes]], sample: bytes) -> bool:
    """Whether it is a saved web page: HTML with its resources, sent by nobody to nobody."""
    kinds = [value.strip().lower() for name, value in fields if name == b"content-type"]
    if not kinds or not kinds[0].startswith(b"multipart/related"):
        return False
    sent = any(name in _OF_SENDING or (name == b"from" and b"@" in value) for name, value in fields)
    return not sent and _PAGE.search(sample) is not None


def _fields(sample: bytes, position: int) -> list[tuple[bytes, bytes]]:
    fields = []
    while found := _FIELD.match(sample, position):
        fields.append((found[1].lower(), found[2]))
        position = found.end()
    return fields


def _is_usual(name: bytes) -> bool:
    return name in _USUAL or name.startswith((b"x-", b"arc-"))


def _is_mail(fields: list[tuple[bytes, bytes]]) -> bool:
    """A field that only mail has; a mere `From:` must name an address, or any memo would do."""
    return any(name in _OF_MAIL or (name == b"from" and b"@" in value) for name, value in fields)
