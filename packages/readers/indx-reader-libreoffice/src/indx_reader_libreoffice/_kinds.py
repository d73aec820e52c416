"""Which of LibreOffice's formats a buffer is, from its content, and the filter that reads it.

The filter is always named to LibreOffice: left to itself it takes what it does not know for text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from indx_core.errors import SourceError
from indx_format_office.compound import LOCKED_PACKAGE, is_compound, open_compound
from indx_format_office.container import entries, inflate

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["Kind", "recognise"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A format: its media type, its usual extension, LibreOffice's filter, whether others read it as text."""

    media_type: str
    extension: str
    filter: str
    textual: bool = False


_SUN: Final = "application/vnd.sun.xml."
_STAR: Final = "application/vnd.stardivision."
_APPLE: Final = "application/vnd.apple."
_LOTUS: Final = Kind("application/vnd.lotus-1-2-3", "wk1", "WPS_Lotus_Calc")
_QUATTRO: Final = Kind("application/x-quattropro", "wb1", "WPS_QPro_Calc")
_WORKS: Final = Kind("application/vnd.ms-works", "wps", "MS_Works")
_WRITE: Final = Kind("application/x-mswrite", "wri", "MS_Write")

_STARTS: Final = tuple(
    (re.compile(pattern, re.DOTALL), kind)
    for pattern, kind in (
        (rb"\xffWPC.{5}\x0a", Kind("application/vnd.wordperfect", "wpd", "WordPerfect")),
        (rb"[\x31\x32]\xbe\0\0\0\xab", _WRITE),
        (rb"\0\0\x02\0[\x04-\x06]\x04", _LOTUS),
        (rb"\0\0\x1a\0[\0-\x05]\x10", _LOTUS),
        (rb"\0\0\x02\0[\x20\x21]\x51", _QUATTRO),
        (rb"\0\0\x02\0[\x01\x02]\x10", _QUATTRO),
        (rb"\xff\0\x02\0\x04\x04", Kind("application/vnd.ms-works", "wks", "MS_Works_Calc")),
        (rb"WordPro\0", Kind("application/vnd.lotus-wordpro", "lwp", "LotusWordPro")),
        (rb"HWP Document File V", Kind("application/x-hwp", "hwp", "writer_MIZI_Hwp_97")),
        (rb"RIFF.{4}CDR", Kind("application/vnd.corel-draw", "cdr", "Corel Draw Document")),
        (rb".{60}TEXtREAd", Kind("application/x-aportisdoc", "pdb", "PalmDoc")),
        (rb"@CT [0-2]\r?\n", Kind("application/x-t602", "602", "T602Document")),
        (rb"TABLE\r?\n0,1\r?\n", Kind("application/x-dif", "dif", "DIF", textual=True)),
        (rb"ID;P", Kind("text/spreadsheet", "slk", "SYLK", textual=True)),
        (rb"\xdb\xa5\x2d\0", Kind("application/msword", "doc", "MS WinWord 5")),
        (
            rb"\x09(?:\0\x04|[\x02\x04]\x06|\x08\x08)\0",
            Kind("application/vnd.ms-excel", "xls", "MS Excel 4.0"),
        ),
    )
)
_ROOTS: Final = {
    "powerpoint document": Kind("application/vnd.ms-powerpoint", "ppt", "MS PowerPoint 97"),
    "workbook": Kind("application/vnd.ms-excel", "xls", "MS Excel 97"),
    "book": Kind("application/vnd.ms-excel", "xls", "MS Excel 95"),
    "visiodocument": Kind("application/vnd.visio", "vsd", "Visio Document"),
    "quill": Kind("application/x-mspublisher", "pub", "Publisher Document"),
    "pagemaker": Kind("application/x-pagemaker", "p65", "PageMaker Document"),
    "starwriterdocument": Kind(f"{_STAR}writer", "sdw", "StarOffice_Writer"),
    "starcalcdocument": Kind(f"{_STAR}calc", "sdc", "StarOffice_Spreadsheet"),
    "matost": _WORKS,
    "nativecontent_main": _QUATTRO,
}
"""By the name that stands at the root of a compound file."""
_STATED: Final = {
    f"{_SUN}writer": Kind(f"{_SUN}writer", "sxw", "StarOffice XML (Writer)"),
    f"{_SUN}calc": Kind(f"{_SUN}calc", "sxc", "StarOffice XML (Calc)"),
    f"{_SUN}impress": Kind(f"{_SUN}impress", "sxi", "StarOffice XML (Impress)"),
    f"{_SUN}draw": Kind(f"{_SUN}draw", "sxd", "StarOffice XML (Draw)"),
}
"""By what the entry `mimetype` of a package says."""
_VISIO: Final = Kind("application/vnd.ms-visio.drawing", "vsdx", "Visio Document")
_IWORK: Final = {
    "key": Kind(f"{_APPLE}keynote", "key", "Apple Keynote"),
    "numbers": Kind(f"{_APPLE}numbers", "numbers", "Apple Numbers"),
    "pages": Kind(f"{_APPLE}pages", "pages", "Apple Pages"),
}
_IWORK_ROOTS: Final = {"index.apxl": "key", "presentation.apxl": "key", "index.numbers": "numbers"}
_XML: Final = tuple(
    (re.compile(rb"<(?:[a-z]{1,9}:)?" + root + rb"[\s>]"), kind)
    for root, kind in (
        (rb"abiword", Kind("application/x-abiword", "abw", "AbiWord", textual=True)),
        (rb"FictionBook", Kind("application/x-fictionbook+xml", "fb2", "FictionBook 2", textual=True)),
    )
)
_PROLOG: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]{0,200}\?>)?(?:\s++|(?><!--.{0,2000}?-->)|(?><!DOCTYPE[^\[>]{0,500}>))*+",
    re.DOTALL,
)
_SAMPLE: Final = 65_536
_MOST_ENTRIES: Final = 5_000
_WORD_97: Final = 0xC1
_WORD_6: Final = 0x67


def recognise(buffer: Buffer, filename: str | None = None) -> Kind | None:
    """The format of `buffer`; None when it is none of those that LibreOffice is asked to read. Never raises.

    Args:
        buffer: The document.
        filename: Decides between formats that look alike, and nothing else.
    """
    extension = (filename or "").rpartition(".")[2].lower()
    if is_compound(buffer):
        return _in_compound(buffer, extension)
    if buffer[:4] == b"PK\x03\x04":
        return _in_zip(buffer, extension)
    start = bytes(buffer[:128])
    for pattern, kind in _STARTS:
        if pattern.match(start):
            return kind
    if start[:2] == b"\x01\xfe" and extension == "wps":
        return _WORKS
    return _in_xml(buffer) if start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<" else None


def _in_compound(buffer: Buffer, extension: str) -> Kind | None:
    try:
        with open_compound(buffer) as file:
            names = {entry.name.lower(): entry.name for entry in file.root.kids}
            if LOCKED_PACKAGE in names:
                return None
            if "worddocument" in names:
                return _word(file.openstream(names["worddocument"]).read(4))
            if "contents" in names and file.openstream(names["contents"]).read(7) == b"CHNKWKS":
                return _WORKS
    except Exception:  # a library's, on bytes that may be anything
        return None
    for name, kind in _ROOTS.items():
        if name in names:
            return kind
    if any(name.startswith("stardrawdocument") for name in names):
        drawing = Kind(f"{_STAR}draw", "sda", "StarOffice_Drawing")
        slides = Kind(f"{_STAR}impress", "sdd", "StarOffice_Presentation")
        return drawing if extension == "sda" else slides
    return None


def _word(start: bytes) -> Kind:
    """Word's binary format of 1993, 1995 or 1997."""
    version = int.from_bytes(start[2:4], "little")
    known = "MS Word 97" if version >= _WORD_97 else "MS WinWord 6.0" if version <= _WORD_6 else "MS Word 95"
    return Kind("application/msword", "doc", known)


def _in_zip(buffer: Buffer, extension: str) -> Kind | None:
    try:
        found = {entry.name: entry for entry in islice(entries(buffer), _MOST_ENTRIES)}
        if "mimetype" in found:
            stated = b"".join(islice(inflate(buffer, found["mimetype"]), 1))[:100]
            return _STATED.get(stated.decode("ascii", "replace").strip())
    except SourceError:
        return None
    if "visio/document.xml" in found:
        return _VISIO
    name = next((kind for root, kind in _IWORK_ROOTS.items() if root in found or f"{root}.gz" in found), None)
    if name is None and "Index/Document.iwa" in found:
        slides = any(entry.startswith("Index/Slide") for entry in found)
        name = "key" if slides else "numbers" if extension == "numbers" else "pages"
    elif name is None and ("index.xml" in found or "index.xml.gz" in found) and extension in _IWORK:
        name = extension
    return _IWORK[name] if name else None


def _in_xml(buffer: Buffer) -> Kind | None:
    start = bytes(buffer[:_SAMPLE])
    begun = _PROLOG.match(start)
    if begun is None:
        return None
    for pattern, kind in _XML:
        if pattern.match(start, begun.end()):
            return kind
    return None
