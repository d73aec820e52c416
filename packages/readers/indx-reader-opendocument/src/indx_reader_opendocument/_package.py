"""One open OpenDocument file: a ZIP of XML parts, or one flat XML, and what is embedded in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Member
from indx_format_office.container import Archive, Element, parse
from indx_reader_opendocument._locked import PACKAGE, Locks
from indx_reader_opendocument._names import DC, DRAW, META, OFFICE, XLINK

if TYPE_CHECKING:
    from indx_core.ports import SourceContent

__all__ = ["OdfPackage"]

MAX_TREE_BYTES: Final = 128 * 1024 * 1024
MAX_PACKAGE_BYTES: Final = 256 * 1024 * 1024
MAX_MEMBERS: Final = 1000
MAX_MEMBER_BYTES: Final = 64 * 1024 * 1024
_PLAIN_DOCTYPE: Final = re.compile(
    rb'(\s*+(?:<\?xml[^>]{0,200}\?>)?\s*+)<!DOCTYPE\s[^"<>[]{1,100}"-//OpenOffice\.org//DTD[^"<>[]{0,100}"'
    rb'\s*+"[^"<>[]{0,100}"\s*+>'
)
"""What OpenOffice before 3.2 wrote before manifests and formulas: a name, nothing that would be expanded."""
_MANIFEST_PART: Final = "META-INF/manifest.xml"
_PROPERTIES: Final = {
    DC + "title": "title",
    DC + "subject": "subject",
    META + "initial-creator": "author",
    DC + "creator": "author",
    META + "keyword": "keywords",
    DC + "description": "description",
    DC + "language": "language",
    META + "creation-date": "created",
    DC + "date": "modified",
}


class OdfPackage:
    """An OpenDocument file held open.

    Attributes:
        content: The root of what it says.
        styles: The root of its styles; None when there are none.
    """

    def __init__(self, source: SourceContent) -> None:
        """Open `source`.

        Raises:
            SourceError: `source_encrypted`, or `source_unreadable`.
            InputTooLarge: It inflates past the bounds.
        """
        self._closing = ExitStack()
        self._archive: Archive | None = None
        self._locks = Locks(None)
        try:
            buffer = self._closing.enter_context(source.buffer())
            if buffer[:2] == b"PK":
                self._archive = Archive(buffer)
                self._unlock()
                self.content: Element = self.parse("content.xml")
                self.styles: Element | None = (
                    self.parse("styles.xml") if "styles.xml" in self._archive else None
                )
            else:
                self.content = self.styles = parse(bytes(buffer[: MAX_TREE_BYTES + 1]), "the document")
            if not self.content.tag.startswith(OFFICE + "document"):
                raise SourceError(
                    "the file is no OpenDocument: its root is another element; check what the file is"
                )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the bytes; calling it again does nothing."""
        self._closing.close()

    def __contains__(self, name: str) -> bool:
        """Whether there is a part of this name."""
        return self._archive is not None and name in self._archive

    def parse(self, name: str) -> Element:
        """The root of the part `name`.

        Raises:
            SourceError: It is missing, damaged, not well-formed, or has a DOCTYPE that is not OpenOffice's.
            InputTooLarge: It inflates past the bounds.
        """
        if self._archive is None:
            raise SourceError(f"the part {name!r} is missing from the file")
        data = self._read(name, MAX_TREE_BYTES)
        own = _PLAIN_DOCTYPE.match(data)
        return parse(data if own is None else own[1] + data[own.end() :], name)

    def _unlock(self) -> None:
        """Learn which parts a password locks; where one holds all others, go on inside it."""
        manifest = self.parse(_MANIFEST_PART) if _MANIFEST_PART in self else None
        self._locks = Locks(manifest)
        if PACKAGE in self:
            assert self._archive is not None
            locked = self._archive.read(PACKAGE, limit=MAX_PACKAGE_BYTES)
            self._archive = Archive(self._locks.open(PACKAGE, locked, limit=MAX_PACKAGE_BYTES))
            self._locks = Locks(None)

    def _read(self, name: str, limit: int) -> bytes:
        assert self._archive is not None
        data = self._archive.read(name, limit=limit)
        return self._locks.open(name, data, limit=limit) if name in self._locks else data

    def body(self, name: str) -> Element | None:
        """The element `office:<name>` of the body, `text` for instance."""
        body = self.content.find(OFFICE + "body")
        return None if body is None else body.find(OFFICE + name)

    def properties(self, root: Element | None) -> dict[str, str]:
        """Title, author and the like out of the part `meta.xml`, or of the flat document."""
        found: dict[str, str] = {}
        held = None if root is None else root.find(OFFICE + "meta")
        for child in () if held is None else held:
            name, text = _PROPERTIES.get(child.tag), clean_text((child.text or "").strip())
            if not name or not text:
                continue
            if name == "keywords" and name in found:
                found[name] += f", {text}"
            else:
                found.setdefault(name, text)
        return found

    def target(self, element: Element) -> str:
        """The name of the part that an embedded object leads to."""
        return element.get(XLINK + "href", "").removeprefix("./").strip("/")

    def embedded(self) -> list[str]:
        """The parts that hold foreign documents: OpenDocument's own objects are read with the page."""
        names: dict[str, None] = {}
        if self._archive is not None:
            for element in self.content.iter(DRAW + "object-ole", DRAW + "object"):
                name = self.target(element)
                if name in self._archive:
                    names.setdefault(name)
        return list(names)

    def described(self) -> list[dict[str, str | int]]:
        """Name and stated size of the embedded documents."""
        assert self._archive is not None
        return [
            {"name": clean_text(name), "size": self._archive.size(name)}
            for name in self.embedded()[:MAX_MEMBERS]
        ]

    def members(self) -> Iterator[Member]:
        """The embedded documents; one that cannot be taken out is there with its reason."""
        names = self.embedded()
        for name in names[:MAX_MEMBERS]:
            try:
                data = self._read(name, MAX_MEMBER_BYTES)
            except (SourceError, InputTooLarge) as error:
                yield Member(_safe(name), None, b"", clean_text(error.message))
            else:
                yield Member(_safe(name), None, data)
        for name in names[MAX_MEMBERS : MAX_MEMBERS + 1]:
            yield Member(_safe(name), None, b"", f"more than {MAX_MEMBERS} embedded documents")


def _safe(name: str) -> str:
    """A name that leads nowhere else."""
    parts = [part for part in clean_text(name).replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts)[:1000] or "object"
