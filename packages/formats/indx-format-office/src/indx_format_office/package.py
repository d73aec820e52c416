"""One open package: its parts by name, their content types and relationships, core properties, members."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Member
from indx_format_office._zip import MAX_PART_BYTES, Archive
from indx_format_office.kinds import CONTENT_TYPES, Family, Kind, is_encrypted, kind_of

if TYPE_CHECKING:
    from indx_core.ports import Buffer, SourceContent
    from indx_format_office._xml import Element

__all__ = ["Package", "Relationship"]

MAX_TREE_BYTES: Final = 128 * 1024 * 1024
"""What a part that is parsed as a whole may inflate to: its tree takes about ten times as much."""

MAX_MEMBERS: Final = 1000
MAX_MEMBER_BYTES: Final = 64 * 1024 * 1024

_CORE_PROPERTIES: Final = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
    "language": "language",
    "created": "created",
    "modified": "modified",
}
_EMBEDDED: Final = ("package", "oleObject", "aFChunk")


@dataclass(frozen=True, slots=True)
class Relationship:
    """One relationship of a part.

    Attributes:
        id: What the part's XML names.
        type: The last segment of its type, which strict and transitional files share.
        target: The target as written.
        part: The name of the part it leads to; None when it leads out of the package.
    """

    id: str
    type: str
    target: str
    part: str | None


class Package:
    """An Office package held open over the bytes of a source, which are mapped, not copied.

    Attributes:
        kind: The family and media type of its main part.
        main: The name of its main part.
    """

    def __init__(self, source: SourceContent, family: Family) -> None:
        """Open `source` and find its main part, which must be of `family`.

        Raises:
            SourceError: `source_encrypted` when a password locks it that is none of INDX_SOURCE_PASSWORDS,
                `source_unreadable` when it is no package of this family.
            InputTooLarge: It has too many parts.
        """
        self._closing = ExitStack()
        self._relationships: dict[str, Mapping[str, Relationship]] = {}
        try:
            buffer = self._closing.enter_context(source.buffer())
            self._archive = _archive(buffer)
            self._defaults, self._overrides = self._content_types()
            self.main = self._main_part()
            found = kind_of(self.content_type(self.main))
            if found is None or found.family != family:
                raise SourceError(f"the file is {_called(found)}, not {family!r}: check its media type")
            self.kind: Kind = found
        except BaseException:
            self._closing.close()
            raise

    def close(self) -> None:
        """Release the bytes; calling it again does nothing."""
        self._closing.close()

    def __contains__(self, name: str) -> bool:
        """Whether there is a part of this name."""
        return name in self._archive

    def read(self, name: str, *, limit: int = MAX_PART_BYTES) -> bytes:
        """The bytes of the part `name`.

        Raises:
            SourceError: It is missing, damaged or locked.
            InputTooLarge: It inflates past the bounds.
        """
        return self._archive.read(name, limit=limit)

    def parse(self, name: str) -> Element:
        """The root element of the part `name`, parsed whole.

        Raises:
            SourceError: It is missing, damaged, not well-formed, or has a DOCTYPE.
            InputTooLarge: It inflates past the bounds.
        """
        from indx_format_office._xml import parse

        return parse(self._archive.read(name, limit=MAX_TREE_BYTES), name)

    def iterate(self, name: str, *tags: str) -> Iterator[Element]:
        """The elements with one of `tags` in the part `name`, one after the other, for parts of any size.

        Each is emptied when the next is asked for. Raises what `parse` raises, in the course of it.
        """
        from indx_format_office._xml import iterate

        return iterate(self._archive.chunks(name), name, *tags)

    def content_type(self, name: str) -> str:
        """The content type of the part `name`, empty when none is stated."""
        key = name.lower()
        return self._overrides.get(key) or self._defaults.get(key.rpartition(".")[2], "")

    def relationships(self, name: str) -> Mapping[str, Relationship]:
        """The relationships of the part `name` by their ID; the package's own for an empty name."""
        known = self._relationships.get(name)
        if known is None:
            known = self._relationships[name] = self._read_relationships(name)
        return known

    def related(self, name: str, *types: str) -> list[Relationship]:
        """The relationships of the part `name` of one of `types` that lead to a part at hand, one a part."""
        found: dict[str, Relationship] = {}
        for relation in self.relationships(name).values():
            if relation.type in types and relation.part is not None and relation.part in self._archive:
                found.setdefault(relation.part.lower(), relation)
        return list(found.values())

    def properties(self) -> dict[str, str]:
        """Title, author and the like, as the document states them; those it leaves empty are absent."""
        from indx_format_office._xml import DoctypeRefused

        found: dict[str, str] = {}
        for relation in self.related("", "core-properties"):
            try:
                root = self.parse(relation.part or "")
            except DoctypeRefused:
                raise
            except SourceError:
                continue
            for child in root:
                name = _CORE_PROPERTIES.get(child.tag.rpartition("}")[2])
                text = clean_text((child.text or "").strip())
                if name and text:
                    found.setdefault(name, text)
        return found

    def embedded(self, *parts: str) -> list[str]:
        """The parts that hold what is embedded in `parts`: packages, OLE objects, alternative chunks."""
        names: dict[str, str] = {}
        for part in parts:
            for relation in self.related(part, *_EMBEDDED):
                name = relation.part or ""
                names.setdefault(name.lower(), name)
        return list(names.values())

    def described(self, *parts: str) -> list[dict[str, str | int]]:
        """Name, stated size and where it is known media type of the documents embedded in `parts`."""
        described: list[dict[str, str | int]] = []
        for name in self.embedded(*parts)[:MAX_MEMBERS]:
            facts: dict[str, str | int] = {"name": clean_text(name), "size": self._archive.size(name)}
            if (media_type := self._media_type(name)) is not None:
                facts["media_type"] = media_type
            described.append(facts)
        return described

    def members(self, *parts: str) -> Iterator[Member]:
        """The documents embedded in `parts`, each once.

        One that cannot be taken out is there with its reason. Past `MAX_MEMBERS` the last one says so.
        """
        names = self.embedded(*parts)
        for name in names[:MAX_MEMBERS]:
            yield self._member(name)
        for name in names[MAX_MEMBERS : MAX_MEMBERS + 1]:
            yield Member(clean_text(name), None, b"", f"more than {MAX_MEMBERS} embedded documents")

    def _media_type(self, name: str) -> str | None:
        return clean_text(self.content_type(name).lower()) or None

    def _member(self, name: str) -> Member:
        media_type = self._media_type(name)
        try:
            return Member(clean_text(name), media_type, self._archive.read(name, limit=MAX_MEMBER_BYTES))
        except (SourceError, InputTooLarge) as error:
            return Member(clean_text(name), media_type, b"", clean_text(error.message))

    def _content_types(self) -> tuple[dict[str, str], dict[str, str]]:
        if CONTENT_TYPES not in self._archive:
            raise SourceError(
                "the file is a ZIP archive and no Office file: it lists no types of content; check what it is"
            )
        defaults: dict[str, str] = {}
        overrides: dict[str, str] = {}
        for element in self.parse(CONTENT_TYPES):
            content_type = element.get("ContentType", "")
            if element.tag.endswith("}Default"):
                defaults[element.get("Extension", "").lower()] = content_type
            elif element.tag.endswith("}Override"):
                overrides[element.get("PartName", "").lstrip("/").lower()] = content_type
        return defaults, overrides

    def _main_part(self) -> str:
        for relation in self.related("", "officeDocument"):
            return relation.part or ""
        for name, content_type in self._overrides.items():
            if kind_of(content_type) is not None and name in self._archive:
                return name
        raise SourceError(
            "the file is no Office document: no relationship leads to its main part; check that it is whole"
        )

    def _read_relationships(self, name: str) -> dict[str, Relationship]:
        folder, _, base = name.rpartition("/")
        part = f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels"
        if part not in self._archive:
            return {}
        found: dict[str, Relationship] = {}
        for element in self.parse(part):
            target = element.get("Target", "")
            external = element.get("TargetMode", "").lower() == "external"
            relation = Relationship(
                id=element.get("Id", ""),
                type=element.get("Type", "").rpartition("/")[2],
                target=clean_text(target),
                part=None if external else self._resolve(folder, target),
            )
            found.setdefault(relation.id, relation)
        return found

    def _resolve(self, folder: str, target: str) -> str:
        """The part a relative target leads to; one that climbs out of the package stays at its root."""
        path = target.partition("#")[0].replace("\\", "/")
        for spelled in (path, unquote(path).replace("\\", "/")):
            absolute = posixpath.normpath(posixpath.join("/", folder, spelled)).lstrip("/")
            if absolute in self._archive:
                break
        return absolute


def _archive(buffer: Buffer) -> Archive:
    if is_encrypted(buffer):
        from indx_format_office._locked import unlocked

        buffer = unlocked(buffer)
    if buffer[:2] != b"PK":
        raise SourceError(
            "the file is no Office Open XML document: it is not a ZIP container; check that it is whole"
        )
    return Archive(buffer)


def _called(found: Kind | None) -> str:
    return "an Office file of another kind" if found is None else repr(found.family)
