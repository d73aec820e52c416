"""What the first bytes and the name of a file say about a text."""

from __future__ import annotations

import codecs
import re
from typing import Final

from indx_core.ports import PORT_VERSION, Buffer, Sniffed, SnifferDeclaration
from indx_reader_text._decode import declared_encoding, looks_binary, wide_encoding
from indx_reader_text._types import (
    CARDS,
    COMPRESSED,
    EXTENSIONS,
    FOREIGN,
    JSON,
    JSON_LINES,
    MEDIA_TYPES,
    NOTEBOOK,
    PLAIN,
    SUBSTATION,
    SVG,
    XML,
)

__all__ = ["TextSniffer"]

_SAMPLE: Final = 1 << 16
_TAIL: Final = 256
_HTML: Final = re.compile(
    r"\s*+(?:(?><!--.{0,4000}?-->)\s*+)*+<(?:(?P<page>!doctype\s+html|html)|head|body)\b", re.I | re.S
)
_OF_OTHERS: Final = re.compile(
    r"PK\x03\x04|%PDF-|%!PS|\{\\rtf"
    r"|(?:\s{0,8}999\n[^\n]{0,300}\n){0,20}\s{0,8}0\n\s{0,8}SECTION\n"  # DXF
)
_ROOT: Final = re.compile(
    r"\s*+<\?xml[^>]{0,300}\?>"
    r"(?P<prolog>(?:\s++|(?><!--.{0,4000}?-->)|(?><\?.{0,1000}?\?>)"
    r"|(?><!DOCTYPE[^\[>]{0,1000}(?:\[.{0,8000}?\]\s*)?>))*+)"
    r"<(?:[A-Za-z_][\w.-]*:)?(?P<root>[A-Za-z_][\w.-]*)",
    re.S,
)
_BARE_ROOT: Final = re.compile(
    r"\s*+(?:(?><!--.{0,4000}?-->)\s*+)*+(?:<!DOCTYPE\s[^>\[]{0,1000}>\s*+)?"
    r"<((?:[A-Za-z_][\w.-]{0,100}:)?[A-Za-z_][\w.-]{0,100})(?=[\s>])",
    re.DOTALL,
)
_OF_HTML: Final = frozenset((
    "a", "article", "aside", "b", "blockquote", "body", "center", "code", "details", "div", "dl", "em",
    "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "html", "i", "iframe",
    "kbd", "li", "main", "nav", "ol", "p", "picture", "pre", "sami", "script", "section", "small", "span",
    "strong", "style", "sub", "summary", "sup", "table", "template", "tr", "td", "u", "ul", "video",
))  # fmt: skip
"""Elements that Markdown and pieces of pages begin with, and subtitles that are written like a page."""
_ROOTS_OF_OTHERS: Final = ("package", "document", "wordDocument", "Workbook")
"""Roots of documents that other readers may know, who then are sure of it."""
_TYPES_OF_OTHERS: Final = ("text/html", "message/rfc822", "application/xhtml+xml")
_MARKED: Final = (
    (re.compile(r"WEBVTT(?:[ \t\n]|\Z)"), "text/vtt"),
    (re.compile(r"\s*+BEGIN:VCARD[ \t]*\n[\w.-]+[:;]", re.IGNORECASE), CARDS[1]),
    (re.compile(r"\s*+BEGIN:VCALENDAR[ \t]*\n[\w.-]+[:;]", re.IGNORECASE), CARDS[0]),
    (re.compile(r"\s*+\d{1,6}[ \t]*\n\d\d:\d\d:\d\d,\d{3} --> \d\d:"), "application/x-subrip"),
    (re.compile(r"\s*+\[Script Info\][ \t]*\n", re.IGNORECASE), SUBSTATION),
    (re.compile(r"(?:\s*+(?:%[^\n]*\n)?)*+\\documentclass\s*[\[{]"), "text/x-tex"),
    (
        re.compile(
            r"\s*+(?:(?><!--.{0,4000}?-->)\s*+)*+(?:<!DOCTYPE svg\b[^>\[]{0,1000}>\s*+)?"
            r"<svg\s[^>]{0,4000}http://www\.w3\.org/2000/svg",
            re.DOTALL,
        ),
        SVG,
    ),
)
"""How texts begin that say what they are, and their types."""
_NOTEBOOK: Final = re.compile(r'"nbformat"\s*:\s*[1-9]')
_CELLS: Final = re.compile(r'"(?:cells|worksheets)"\s*:\s*\[')
_JSON: Final = re.compile(
    r'\s*+(?:\{\s*+(?:"|\})|\[\s*+(?:["\[{]|\]\s*+\Z'
    r"|(?:-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?|true|false|null)\s*+(?:,|\]\s*+\Z)))"
)
_JSON_LINES: Final = re.compile(r'\s*+(?:\{"[^\n]*\}[ \t]*\n){2}')


_PACKED: Final = ("gz", "gzip", "bz2", "bzip2", "xz", "svgz", "tgz", "tbz", "tbz2", "txz")
"""Extensions of compressed files; other formats that are compressed as a whole are told by their own."""


class TextSniffer:
    """Strong for what signs itself: a wide byte-order mark, an XML declaration. Weak for the rest."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration("text", (*MEDIA_TYPES, *COMPRESSED.values()))

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
        """The media type of a text; None where the bytes are another reader's or no text."""
        name = (filename or "").replace("\\", "/").rpartition("/")[2].lower()
        extension = name.rpartition(".")[2] if "." in name else ""
        if packed := next((kind for mark, kind in COMPRESSED.items() if head[: len(mark)] == mark), None):
            return Sniffed(packed, "strong" if extension in _PACKED or not extension else "weak")
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
        if (marked := _marked(text, head)) is not None:
            return Sniffed(marked, "strong")
        if by_name:
            return Sniffed(by_name, "weak")
        if not text or "\0" in text or looks_binary(data) or _OF_OTHERS.match(text.replace("\r\n", "\n")):
            return None
        if (page := _HTML.match(text)) and (page["page"] or not extension):
            return None
        if _is_bare_xml(text, head):
            return Sniffed(XML[0], "weak")
        lines = _JSON_LINES.match(text)
        kind = JSON_LINES if lines else JSON if _JSON.match(text) and text.rstrip()[-1:] in "}]" else PLAIN
        return Sniffed(kind, "weak")


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


def _marked(text: str | None, head: Buffer) -> str | None:
    """The type of a text that says what it is, a notebook by what stands at either end of its JSON."""
    if not text:
        return None
    text = text.replace("\r\n", "\n")
    if text.lstrip()[:1] == "{" and (len(text) < _SAMPLE // 2 or '"cell' in text):
        ends = bytes(head[-_SAMPLE // 16 :]).decode("utf-8", "replace")
        if _CELLS.search(text) and (_NOTEBOOK.search(text) or _NOTEBOOK.search(ends)):
            return NOTEBOOK
    found = next((kind for pattern, kind in _MARKED if pattern.match(text)), None)
    # Markdown may begin with a drawing, and goes on after it.
    whole = found != SVG or bytes(head[-_TAIL:]).rstrip().endswith(b"</svg>")
    return found if whole else None


def _is_bare_xml(text: str, head: Buffer) -> bool:
    """Whether a text is one element from its beginning to its end, and none of HTML's."""
    found = _BARE_ROOT.match(text)
    if found is None or found[1].lower() in _OF_HTML:
        return False
    end = f"</{found[1]}>".encode()
    if not bytes(head[-_TAIL:]).rstrip().endswith(end):
        return False
    return len(re.findall(f"<{re.escape(found[1])}(?=[\\s>])", text)) == 1


def _xml(text: str, declared: str | None) -> Sniffed | None:
    found = _ROOT.match(text.removeprefix("\ufeff"))
    if found is None:
        return Sniffed(XML[0], "weak")
    if found["root"] == "html":
        return None
    if found["root"] in _ROOTS_OF_OTHERS or "mso-application" in found["prolog"]:
        return Sniffed(XML[0], "weak")
    if found["root"] == "svg":
        return Sniffed(SVG, "strong")
    return Sniffed(declared if declared in XML else XML[0], "strong")
