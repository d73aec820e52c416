"""What the first bytes of a file say about it being HTML."""

from __future__ import annotations

import codecs
import re
from typing import Final

from indx_core.ports import Buffer, Sniffed
from indx_reader_html.provider import MEDIA_TYPES

__all__ = ["sniff"]

_SAMPLE: Final = 8192
_HTML, _XHTML = MEDIA_TYPES
_HTML_NAMES: Final = ("html", "htm", "shtml")
_XHTML_NAMES: Final = ("xhtml", "xht")
_OFFICE_NAMES: Final = ("xls", "doc")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
# What may stand before the document itself: white space, an XML declaration, comments.
_PROLOG: Final = re.compile(r"(?:\s++|(?><!--.*?-->)|(?><\?.*?\?>))*+", re.DOTALL)
_ROOT: Final = re.compile(r"<(?:!doctype\s+html|html)(?=[\s>/])", re.IGNORECASE)
_PART: Final = re.compile(r"<(?:head|body|title|meta|table|div|h1|p)(?=[\s>/])", re.IGNORECASE)
_TAG: Final = re.compile(r"<(?:!--|!doctype|/?[a-z][a-z0-9]*[\s>/])", re.IGNORECASE)


def sniff(head: Buffer, filename: str | None, declared: str | None) -> Sniffed | None:
    """Strong for a document that begins as HTML; weak for a part of one, or a fitting name with tags."""
    text = _text(bytes(head[:_SAMPLE]))
    start = _PROLOG.match(text)
    position = start.end() if start else 0
    is_xml = text.lstrip().startswith("<?xml")
    extension = _extension(filename)
    if _ROOT.match(text, position):
        if declared in MEDIA_TYPES:
            return Sniffed(declared, "strong")
        # Much that is served and saved as HTML begins with an XML declaration.
        return Sniffed(_XHTML if is_xml and extension not in _HTML_NAMES else _HTML, "strong")
    if is_xml:
        return None
    if extension in _HTML_NAMES + _XHTML_NAMES and _TAG.search(text):
        return Sniffed(_XHTML if extension in _XHTML_NAMES else _HTML, "weak")
    # Markdown and templates begin with tags too: their names say what they are. Tables go by names of Office.
    may_be = not extension or extension in _OFFICE_NAMES
    return Sniffed(_HTML, "weak") if may_be and _PART.match(text, position) else None


def _extension(filename: str | None) -> str:
    name = (filename or "").replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def _text(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff")
    return data.decode("latin-1")
