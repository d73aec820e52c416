"""The package of a book: which documents it is made of, in which order, and what it says of itself."""

from __future__ import annotations

import posixpath
import re
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_format_html import reduced
from indx_format_office.container import Archive, DoctypeRefused, Element, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indx_core.ports import SourceContent

__all__ = ["Book", "Chapter"]

MAX_XML_BYTES: Final = 16 * 1024 * 1024
MAX_CHAPTER_BYTES: Final = 64 * 1024 * 1024
MAX_SHEET_BYTES: Final = 1024 * 1024
MAX_SHEETS: Final = 100

_CONTAINER: Final = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_ENCRYPTED: Final = "{http://www.w3.org/2001/04/xmlenc#}CipherReference"
_PLAIN_DOCTYPE: Final = re.compile(
    rb"<!DOCTYPE\s+(?:package|container|ncx)\b[^\[<>]{0,500}(?:\[\s{0,100}\]\s{0,100})?>"
)
"""What early books state and nobody fetches; one that declares anything of its own is refused."""
_PROPERTIES: Final = {
    "title": "title",
    "creator": "author",
    "publisher": "publisher",
    "language": "language",
    "date": "created",
    "identifier": "identifier",
    "subject": "keywords",
    "description": "description",
}
_BARE_AMPERSAND: Final = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9A-Fa-f]{1,6});)")
_TEXTS: Final = frozenset(
    ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/x-dtbook+xml")
)
_SAYING_LITTLE: Final = frozenset(("", "application/xml", "text/xml", "application/octet-stream"))
_TEXT_SUFFIXES: Final = (".xhtml", ".html", ".htm", ".xht", ".xml")
_DRAWING: Final = "image/svg+xml"
_MOST_FALLBACKS: Final = 10


@dataclass(frozen=True, slots=True)
class Chapter:
    """A document of the reading order.

    Attributes:
        name: Its name in the container; empty when the package names none.
        media_type: As the package states it, in lower case.
        encrypted: Whether it is locked.
    """

    name: str
    media_type: str
    encrypted: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it is a page of text, and no picture; where its type says little, by its name."""
        if self.media_type in _SAYING_LITTLE:
            return self.name.lower().endswith(_TEXT_SUFFIXES)
        return self.media_type in _TEXTS

    @property
    def is_drawing(self) -> bool:
        """Whether it is a picture that may hold text."""
        return self.media_type == _DRAWING

    @property
    def is_picture(self) -> bool:
        """Whether it is a picture, which may hold text or not."""
        return self.media_type.startswith("image/")


class Book:
    """An EPUB container held open.

    Attributes:
        chapters: The documents of the reading order, each once.
        images: How many pictures the package lists.
    """

    def __init__(self, source: SourceContent) -> None:
        """Open `source` and find its reading order.

        Raises:
            SourceError: `source_encrypted` when all its text is locked, or `source_unreadable`.
            InputTooLarge: It has too many parts, or inflates past the bounds.
        """
        self._closing = ExitStack()
        self._sheets: dict[str, str] = {}
        try:
            buffer = self._closing.enter_context(source.buffer())
            if buffer[:2] != b"PK":
                raise SourceError("the file is no EPUB: it is not a ZIP container; check that it is whole")
            self._archive = Archive(buffer)
            self._name = self._package_name()
            self._root = self._parse(self._name)
            self.images = 0
            self.chapters = self._spine()
            texts = [chapter for chapter in self.chapters if chapter.is_text]
            if texts and all(chapter.encrypted for chapter in texts):
                raise SourceError(
                    "the text of the book is locked by its publisher; only the shop's own programs open it",
                    code="source_encrypted",
                )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the bytes; calling it again does nothing."""
        self._closing.close()

    def read(self, chapter: Chapter) -> bytes:
        """The bytes of a document.

        Raises:
            SourceError: It is missing, damaged or locked.
            InputTooLarge: It inflates past the bounds.
        """
        if chapter.encrypted:
            raise SourceError("the part is locked", code="source_encrypted")
        return self._archive.read(chapter.name, limit=MAX_CHAPTER_BYTES)

    def sheet(self, chapter: Chapter, address: str) -> str | None:
        """What of the style sheet at `address` shows and hides parts of `chapter`, if there is one."""
        name = self._resolve(address, chapter.name)
        if name not in self._sheets:
            try:
                data = (
                    self._archive.read(name, limit=MAX_SHEET_BYTES) if len(self._sheets) < MAX_SHEETS else b""
                )
            except (SourceError, InputTooLarge):
                data = b""
            self._sheets[name] = reduced(data.decode("utf-8-sig", "replace"))
        return self._sheets[name] or None

    def properties(self) -> dict[str, str]:
        """Title, author and the like; of several authors or subjects all."""
        found: dict[str, str] = {}
        for holder in self._root:
            if _local(holder) != "metadata":
                continue
            for child in holder.iter():
                name = _PROPERTIES.get(child.tag.removeprefix(_DC)) if child.tag.startswith(_DC) else None
                text = clean_text(" ".join("".join(child.itertext()).split())) if name else ""
                if not name or not text:
                    continue
                if name in found and name in ("author", "keywords"):
                    found[name] += f", {text}"
                else:
                    found.setdefault(name, text)
        return found

    def _parse(self, name: str) -> Element:
        """A part of XML; blank lines above it and bare ampersands in it, which many books have, are borne."""
        data = _PLAIN_DOCTYPE.sub(b"", self._archive.read(name, limit=MAX_XML_BYTES).lstrip(), count=1)
        try:
            return parse(data, name)
        except DoctypeRefused:
            raise SourceError(
                f"the part {name!r} declares something of its own in its DOCTYPE; make the book anew without"
            ) from None
        except SourceError:
            mended = _BARE_AMPERSAND.sub(b"&amp;", data)
            if mended == data:
                raise
            return parse(mended, name)

    def _package_name(self) -> str:
        for name in self._stated_packages():
            if name in self._archive:
                return name
        for name in self._archive.names():
            if name.lower().endswith(".opf"):
                return name
        raise SourceError("the file is no EPUB: it has no package document; check that it is whole")

    def _stated_packages(self) -> list[str]:
        """What the container says its package is called; nothing when it is damaged."""
        if "META-INF/container.xml" not in self._archive:
            return []
        try:
            container = self._parse("META-INF/container.xml")
        except SourceError:
            return []
        return [
            name
            for rootfile in container.iter(_CONTAINER + "rootfile")
            for name in _spellings(rootfile.get("full-path", ""))
        ]

    def _spine(self) -> list[Chapter]:
        """The documents in their order; a package without an order gives those it lists."""
        locked = self._locked()
        items: dict[str, Chapter] = {}
        instead: dict[str, str] = {}
        for element in self._root.iter():
            if _local(element) == "item":
                media_type = element.get("media-type", "").strip().lower()
                name = self._resolve(element.get("href", ""))
                items.setdefault(element.get("id", ""), Chapter(name, media_type, name in locked))
                instead.setdefault(element.get("id", ""), element.get("fallback", ""))
                self.images += media_type.startswith("image/")
        order = [
            _readable(element.get("idref", ""), items, instead)
            for element in self._root.iter()
            if _local(element) == "itemref"
        ]
        once: dict[str, Chapter] = {}
        for chapter in order or [chapter for chapter in items.values() if chapter.is_text]:
            once.setdefault(chapter.name, chapter)
        return list(once.values())

    def _locked(self) -> set[str]:
        if "META-INF/encryption.xml" not in self._archive:
            return set()
        root = self._parse("META-INF/encryption.xml")
        return {name for reference in root.iter(_ENCRYPTED) for name in _spellings(reference.get("URI", ""))}

    def _resolve(self, href: str, beside: str | None = None) -> str:
        """The name in the container that an address of the package leads to, or of the part `beside` it."""
        try:
            path = urlsplit(href).path
        except ValueError:
            path = href
        folder = posixpath.dirname(self._name if beside is None else beside)
        found = ""
        for spelled in _spellings(path):
            found = posixpath.normpath(posixpath.join("/", folder, spelled)).lstrip("/")
            if found in self._archive:
                break
        return clean_text(found)


def _readable(key: str, items: Mapping[str, Chapter], instead: Mapping[str, str]) -> Chapter:
    """The document that a place of the order names, or the first of those in its stead that holds text."""
    named = items.get(key) or Chapter(clean_text(key), "application/xhtml+xml")  # not listed, so not there
    found: Chapter | None = named
    for _ in range(_MOST_FALLBACKS):
        if found is None or found.is_text or found.is_drawing:
            return found or named
        key = instead.get(key, "")
        found = items.get(key)
    return named


def _local(element: Element) -> str:
    """The name of an element, whatever namespace early packages state for it, or none."""
    return element.tag.rpartition("}")[2]


def _spellings(path: str) -> list[str]:
    """How a name may stand in the container: as meant, as written, with its accents composed or apart."""
    meant = unquote(path)
    slashed = meant.replace("\\", "/")
    forms = [normalize(form, slashed) for form in ("NFC", "NFD")] if not slashed.isascii() else []
    return list(dict.fromkeys((meant, path, slashed, *forms)))
