"""Media types: what the bytes say, then what was declared, then what the name suggests."""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import MutableMapping
from functools import cache
from typing import TYPE_CHECKING

from indx_core.errors import explain
from indx_core.media import split_media_type
from indx_core.ports import Sniffed, SourceContent
from indx_source.foreign import FOREIGN, foreign_type

if TYPE_CHECKING:
    from indx_core.discovery import Provider, Registry
    from indx_core.ports.sources import Sniffer

__all__ = ["OFFICE", "essence", "guess_media_type", "recognise"]

_log = logging.getLogger("indx.sniffers")

_NO_DECLARATION = frozenset({"", "application/octet-stream", "binary/octet-stream"})

_OPEN = "application/vnd.openxmlformats-officedocument"
_ODF = "application/vnd.oasis.opendocument"
_MACROS = "macroenabled.12"
_EXTRA = {
    "application/atom+xml": "atom",
    "application/epub+zip": "epub",
    "application/geo+json": "geojson",
    "application/json": "json json5 jsonc",
    "application/ld+json": "jsonld",
    "application/mbox": "mbox",
    "application/ms-tnef": "tnef",
    "application/rss+xml": "rss",
    "application/rtf": "rtf",
    "application/sql": "sql",
    "application/toml": "toml",
    "application/vnd.ms-excel": "xls xlt xla",
    f"application/vnd.ms-excel.sheet.binary.{_MACROS}": "xlsb",
    f"application/vnd.ms-excel.sheet.{_MACROS}": "xlsm",
    f"application/vnd.ms-excel.template.{_MACROS}": "xltm",
    "application/vnd.ms-outlook": "msg oft",
    "application/vnd.ms-powerpoint": "ppt pps pot",
    f"application/vnd.ms-powerpoint.presentation.{_MACROS}": "pptm",
    f"application/vnd.ms-powerpoint.slideshow.{_MACROS}": "ppsm",
    f"application/vnd.ms-powerpoint.template.{_MACROS}": "potm",
    f"application/vnd.ms-word.document.{_MACROS}": "docm",
    f"application/vnd.ms-word.template.{_MACROS}": "dotm",
    f"{_ODF}.graphics": "odg",
    f"{_ODF}.graphics-flat-xml": "fodg",
    f"{_ODF}.graphics-template": "otg",
    f"{_ODF}.presentation": "odp",
    f"{_ODF}.presentation-flat-xml": "fodp",
    f"{_ODF}.presentation-template": "otp",
    f"{_ODF}.spreadsheet": "ods",
    f"{_ODF}.spreadsheet-flat-xml": "fods",
    f"{_ODF}.spreadsheet-template": "ots",
    f"{_ODF}.text": "odt",
    f"{_ODF}.text-flat-xml": "fodt",
    f"{_ODF}.text-master": "odm",
    f"{_ODF}.text-template": "ott",
    f"{_ODF}.text-web": "oth",
    f"{_OPEN}.presentationml.presentation": "pptx",
    f"{_OPEN}.presentationml.slideshow": "ppsx",
    f"{_OPEN}.presentationml.template": "potx",
    f"{_OPEN}.spreadsheetml.sheet": "xlsx",
    f"{_OPEN}.spreadsheetml.template": "xltx",
    f"{_OPEN}.wordprocessingml.document": "docx",
    f"{_OPEN}.wordprocessingml.template": "dotx",
    "application/x-ipynb+json": "ipynb",
    "application/x-iso9660-image": "iso",
    "application/x-lzma": "lzma",
    "application/x-ndjson": "jsonl ndjson",
    "application/x-subrip": "srt",
    "application/x-webarchive": "webarchive",
    "application/xhtml+xml": "xhtml xht",
    "application/xml": "xml",
    "application/yaml": "yaml yml",
    "audio/flac": "flac",
    "audio/ogg": "ogg oga opus",
    "font/ttf": "ttf",
    "font/woff": "woff",
    "font/woff2": "woff2",
    "image/jp2": "jp2 jpf jpx j2k",
    "image/jxl": "jxl",
    "image/vnd.adobe.photoshop": "psd",
    "image/emf": "emf",
    "image/vnd.djvu": "djvu djv",
    "image/vnd.dxf": "dxf",
    "image/webp": "webp",
    "image/wmf": "wmf",
    "image/x-tga": "tga",
    "image/x-xcf": "xcf",
    "message/rfc822": "eml emlx",
    "multipart/related": "mht mhtml",
    "text/asciidoc": "adoc asciidoc",
    "text/calendar": "ics",
    "text/csv": "csv",
    "text/html": "html htm shtml",
    "text/javascript": "js mjs cjs",
    "text/markdown": "md markdown",
    "text/tab-separated-values": "tsv",
    "text/vcard": "vcf",
    "text/vtt": "vtt",
    "text/x-org": "org",
    "text/x-rst": "rst",
    "text/x-tex": "tex latex",
    "video/x-matroska": "mkv",
}
"""Types that Python's table lacks, differs in or has on some versions alone, and their extensions."""

OFFICE = {
    ".123": "application/vnd.lotus-1-2-3",
    ".602": "application/x-t602",
    ".abw": "application/x-abiword",
    ".cdr": "application/vnd.corel-draw",
    ".dif": "application/x-dif",
    ".fb2": "application/x-fictionbook+xml",
    ".hwp": "application/x-hwp",
    ".key": "application/vnd.apple.keynote",
    ".lwp": "application/vnd.lotus-wordpro",
    ".numbers": "application/vnd.apple.numbers",
    ".p65": "application/x-pagemaker",
    ".pages": "application/vnd.apple.pages",
    ".pub": "application/x-mspublisher",
    ".qpw": "application/x-quattropro",
    ".sda": "application/vnd.stardivision.draw",
    ".sdc": "application/vnd.stardivision.calc",
    ".sdd": "application/vnd.stardivision.impress",
    ".sdw": "application/vnd.stardivision.writer",
    ".slk": "text/spreadsheet",
    ".sxc": "application/vnd.sun.xml.calc",
    ".sxd": "application/vnd.sun.xml.draw",
    ".sxi": "application/vnd.sun.xml.impress",
    ".sxw": "application/vnd.sun.xml.writer",
    ".vsd": "application/vnd.visio",
    ".vsdx": "application/vnd.ms-visio.drawing",
    ".wb1": "application/x-quattropro",
    ".wk1": "application/vnd.lotus-1-2-3",
    ".wpd": "application/vnd.wordperfect",
    ".wps": "application/vnd.ms-works",
    ".wri": "application/x-mswrite",
}
"""Names and types of office formats that no reader of indx itself reads; LibreOffice does."""


_PACKINGS = {"br": "application/x-brotli", "compress": "application/x-compress"}
"""Types of what a name says to be compressed in a way that nothing here unpacks."""


def essence(media_type: str | None) -> str:
    """A media type in lower case without parameters; empty when it declares nothing."""
    bare, _ = split_media_type(media_type)
    return "" if bare in _NO_DECLARATION else bare


@cache
def _table() -> mimetypes.MimeTypes:
    # Python's own table, never the machine's: the same name means the same everywhere.
    table = mimetypes.MimeTypes(filenames=())
    for media_type, names in _EXTRA.items():
        for name in names.split():
            table.add_type(media_type, f".{name}")
    for media_type, foreign in FOREIGN.items():
        for extension in foreign.names:
            table.add_type(media_type, extension)
    for extension, media_type in OFFICE.items():
        table.add_type(media_type, extension)
    return table


def guess_media_type(filename: str | None) -> str:
    """The media type a file name suggests; empty when it suggests none."""
    if not filename:
        return ""
    media_type, packing = _table().guess_type(filename, strict=True)
    return _PACKINGS.get(packing or "") or media_type or ""


def recognise(
    content: SourceContent,
    declared: str | None,
    registry: Registry,
    *,
    failed: MutableMapping[str, str] | None = None,
) -> tuple[str, Provider | None]:
    """Name the media type of `content`.

    A strong answer of a sniffer beats the declaration; the declaration beats a weak answer; a weak answer
    beats the file name. Among answers of equal strength, one that is more than `text/plain` wins, then the
    sniffer whose ID sorts first. A sniffer that fails has no answer, and the log says why. What is neither
    named nor declared is what its bytes begin as, of the archives, or what its name says.

    Args:
        content: The bytes and their name.
        declared: The media type they were declared as.
        registry: What is installed.
        failed: Where each sniffer that fails is put down by its ID, with the reason.

    Returns:
        The media type (`application/octet-stream` when nothing is known) and the sniffer's provider where
        its answer, and not an agreeing declaration, became the media type.
    """
    stated = essence(declared)
    answers: list[tuple[bool, bool, str, Sniffed, Provider]] = []
    with content.buffer() as head:
        for provider in registry.usable("indx.sniffers"):
            sniffer: Sniffer = provider.item
            try:
                answer = sniffer.sniff(head, filename=content.filename, declared=stated or None)
                media_type = "" if answer is None else essence(answer.media_type)
            except (KeyboardInterrupt, GeneratorExit):
                raise
            except BaseException as error:  # a sniffer may fail in any way, even by what is no Exception
                reason = explain(error)
                _log.warning("sniffer %s failed: %s", sniffer.declaration.id, reason)
                if failed is not None:
                    failed[sniffer.declaration.id] = reason
                continue
            if answer is not None and media_type:
                weak, plain = answer.strength == "weak", media_type == "text/plain"
                named = Sniffed(media_type, answer.strength)
                answers.append((weak, plain, sniffer.declaration.id, named, provider))
    best = min(answers, key=lambda entry: entry[:3], default=None)
    if best is not None and (best[3].strength == "strong" or not stated):
        return best[3].media_type, best[4] if best[3].media_type != stated else None
    if stated:
        return stated, None
    return _unsniffed(content), None


def _unsniffed(content: SourceContent) -> str:
    """The media type of what neither a sniffer nor a declaration knows."""
    from indx_source.archives import archive_type, asks_too_much, packed_type  # late: few come so far

    with content.buffer() as head:
        if (
            named := packed_type(head)
            or foreign_type(head)
            or essence(guess_media_type(content.filename))
            or archive_type(head)
        ):
            return named
        return "application/x-xz" if asks_too_much(head) else "application/octet-stream"
