"""An open binary Word document: one page."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from indx_core.errors import SourceError
from indx_core.ports import Member, PageReading
from indx_core.text import counted
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.objects import described, members_at
from indx_format_office.rc4 import unlock
from indx_format_office.session import PagedSession
from indx_format_office.summary import properties
from indx_reader_doc._lists import Lists, Styles
from indx_reader_doc._pictures import Pictures
from indx_reader_doc._pieces import Layout
from indx_reader_doc._reading import captions, read_story

if TYPE_CHECKING:
    from indx_core.ports import Role
    from indx_format_office import TextWriter

__all__ = ["DocSession"]

_POOL: Final = "ObjectPool"
_MARK: Final = 0xA5EC
_ENCRYPTED, _OTHER_TABLE, _DISGUISED = 0x0100, 0x0200, 0x8000
_LOCK_SIZE, _UNLOCKED = 0x0E, 0x44
_COUNTS, _FONTS = 0x4C, 0x112
_PIECES, _CHARACTERS, _PARAGRAPHS = 0x1A2, 0xFA, 0x102
_STYLES, _LISTS, _NAMED_LISTS = 0xA2, 0x2E2, 0x2EA
_SHORTEST: Final = 0x1AA
_STORIES: Final[tuple[Role | None, ...]] = (
    None, "footnote", "header", None, "comment", "endnote", "text_box", "text_box",
)  # fmt: skip
"""The stories in the order in which their characters stand; the fourth is no longer in use."""
_MACROS: Final = 3


class DocSession(PagedSession):
    """A binary Word document, read when it is opened."""

    def _open(self) -> int:
        with self.source.buffer() as buffer, open_compound(buffer) as file:
            main = read_stream(file, "WordDocument")
            if len(main) < _SHORTEST or struct.unpack_from("<H", main)[0] != _MARK:
                raise SourceError("the document is older than Word 97, or damaged; save it in a newer format")
            (flags,) = struct.unpack_from("<H", main, 0x0A)
            self._properties = properties(file)
            table = read_stream(file, "1Table" if flags & _OTHER_TABLE else "0Table")
            data = read_stream(file, "Data") if file.exists("Data") else b""
        if flags & _ENCRYPTED:
            main, table, data = _unlocked(main, table, data, flags)
        places = tuple(
            value
            for at in (_PIECES, _CHARACTERS, _PARAGRAPHS)
            for value in struct.unpack_from("<2L", main, at)
        )
        at, size = struct.unpack_from("<2L", main, _FONTS)
        layout = Layout(main, table, places, table[at : at + size])
        at, size = struct.unpack_from("<2L", main, _STYLES)
        styles = Styles(table[at : at + size])
        listed = struct.unpack_from("<4L", main.ljust(_NAMED_LISTS + 8, b"\0"), _LISTS)
        lists = Lists(table, listed[0] if listed[1] and listed[3] else 0, listed[2])
        counts = struct.unpack_from("<8l", main, _COUNTS)
        pictures = Pictures(main, table, data, max(0, counts[0]) + max(0, counts[1]))
        self._whole = _whole(
            lambda first, last: read_story(layout, styles, lists, pictures, first, last), counts, pictures
        )
        return 1

    def _read(self, page: int) -> PageReading:  # noqa: ARG002  there is one
        return self._whole

    def _described(self, page: int) -> Mapping[str, Any]:  # noqa: ARG002  there is one
        facts: dict[str, Any] = {"properties": self._properties, "members": described(self.members())}
        return {name: fact for name, fact in facts.items() if fact}

    def members(self) -> Iterator[Member]:
        """The documents embedded in this one."""
        with self.source.buffer() as buffer, open_compound(buffer) as file:
            pool = next((kid for kid in file.root.kids if kid.name == _POOL), None)
            yield from members_at(
                file, [(_POOL, kid.name) for kid in (pool.kids if pool is not None else ())]
            )

    def _facts(self) -> Mapping[str, str]:
        reading = self.reading(1)
        found = {"table": len(reading.tables), "heading": len(reading.headings)}
        return {f"{noun}s": counted(count, noun) for noun, count in found.items() if count}


def _whole(
    read: Callable[[int, int], TextWriter], counts: tuple[Any, ...], pictures: Pictures
) -> PageReading:
    """The body, then each other story with its role; headers and footers cannot be told apart."""
    position = max(0, counts[0])
    writer = read(0, position)
    seen: set[str] = set()
    for place, (role, count) in enumerate(zip(_STORIES[1:], counts[1:], strict=True), start=1):
        if count <= 0:
            continue
        text = read(position, position + count)
        position += count
        said = text.text().strip()
        if place == _MACROS or role is None or not said or said in seen:
            continue
        seen.add(said)
        start = writer.start_line()
        writer.append(text)
        writer.role(start, role)
    for role, text in captions(pictures.left()):
        start = writer.start_line()
        writer.append(text)
        writer.role(start, role)
    return writer.page(1)


def _unlocked(main: bytes, table: bytes, data: bytes, flags: int) -> tuple[bytes, bytes, bytes]:
    """The streams of a locked document, opened; its first bytes, and how it is locked, are not."""
    if flags & _DISGUISED:
        raise SourceError(
            "the document is locked in a way that is not opened here; save it without a password",
            code="source_encrypted",
        )
    key = unlock(table[: struct.unpack_from("<L", main, _LOCK_SIZE)[0]])
    return main[:_UNLOCKED] + key.decrypt(main)[_UNLOCKED:], key.decrypt(table), key.decrypt(data)
