"""What the first bytes and the name of a file say about a text."""

from __future__ import annotations

import codecs
import re
from typing import Final

from indx_core.ports import PORT_VERSION, Buffer, Sniffed, SnifferDeclaration
from indx_reader_text._decode import declared_encoding, looks_binary, wide_encoding
from indx_reader_text._types import EXTENSIONS, FOREIGN, MEDIA_TYPES, PLAIN, XML

__all__ = ["TextSniffer"]

_SAMPLE: Final = 1 << 16
_HTML: Final = re.compile(
    r"\s*+(?:(?><!--.{0,4000}?-->)\s*+)*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_MAIL: Final = re.compile(
    r"(?:From |(?:[A-Za-z-]+:[^\n]*\n(?:[ \t][^\n]*\n)*){0,40}?"
    r"(?:Received|Return-Path|Message-ID|MIME-Version|Delivered-To):)",
    re.I,
)
_PAGES: Final = ("%PDF-", "%!PS", "{\\rtf")
_ROOT: Final = re.compile(
    r"\s*+<\?xml[^>]{0,300}\?>"
    r"(?P<prolog>(?:\s++|(?><!--.{0,4000}?-->)|(?><\?.{0,1000}?\?>)"
    r"|(?><!DOCTYPE[^\[>]{0,1000}(?:\[.{0,8000}?\]\s*)?>))*+)"
    r"<(?:[A-Za-z_][\w.-]*:)?(?P<root>[A-Za-z_][\w.-]*)",
    re.S,
)
_ROOTS_OF_OTHERS: Final = ("html", "svg", "package", "document", "wordDocument", "Workbook")
_TYPES_OF_OTHERS: Final = ("text/html", "message/rfc822", "application/xhtml+xml", "image/svg+xml")


class TextSniffer:
    """Strong for what signs itself: a wide byte-order mark, an XML declaration. Weak for the rest."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("text", MEDIA_TYPES)

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
        """The media type of a text; None where the bytes are another reader's or no text."""
        name = (filename or "").replace("\\", "/").rpartition("/")[2].lower()
        extension = name.rpartition(".")[2] if "." in name else ""
        if extension in FOREIGN or declared in _TYPES_OF_OTHERS:
            return None
        by_name = EXTENSIONS.get(extension)
        data = bytes(head[:_SAMPLE])
        wide = wide_encoding(data)
        text = _text(data, wide or "utf-8-sig", whole=len(data) == len(head))
        if wide and text and not looks_binary(text.encode("utf-8")):
            return None if _HTML.match(text) else Sniffed(_kind(text, by_name, declared), "strong")
        if data.removeprefix(codecs.BOM_UTF8).lstrip()[:5] == b"<?xml":
            return _xml(
                text or _text(data, declared_encoding(data) or "latin-1", whole=False) or "", declared
            )
        if by_name:
            return Sniffed(by_name, "weak")
        if not text or "\0" in text or looks_binary(data) or text.startswith(_PAGES):
            return None
        return None if _HTML.match(text) or _MAIL.match(text) else Sniffed(PLAIN, "weak")


def _text(data: bytes, encoding: str, *, whole: bool) -> str | None:
    """The sample as text, a character cut at its end left out; None when it is not in `encoding`."""
    try:
        return codecs.getincrementaldecoder(encoding)("strict").decode(data, final=whole)
    except (UnicodeError, LookupError):
        return None


def _kind(text: str, by_name: str | None, declared: str | None) -> str:
    if declared in MEDIA_TYPES:
        return str(declared)
    if text.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        return XML[0]
    return by_name or PLAIN


def _xml(text: str, declared: str | None) -> Sniffed | None:
    found = _ROOT.match(text.removeprefix("\ufeff"))
    if found is None:
        return Sniffed(XML[0], "weak")
    if found["root"] in _ROOTS_OF_OTHERS or "mso-application" in found["prolog"]:
        return None
    return Sniffed(declared if declared in XML else XML[0], "strong")
