"""Texts that were read apart, joined to one page with all their marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from indx_core.ports import Heading, Link, PageReading, RoleSpan, Span, Table, line_columns
from indx_format_html._ruby import Ruby

if TYPE_CHECKING:
    from indx_core.ports import Role
    from indx_format_html.document import HtmlDocument

__all__ = ["Joined"]

_GAP: Final = "\n\n"


class Joined:
    """The text of a page in the making. Between two pieces is a blank line."""

    def __init__(self) -> None:
        """Begin an empty page."""
        self._parts: list[str] = []
        self._length = 0
        self._tables: list[Table] = []
        self._links: list[Link] = []
        self._headings: list[Heading] = []
        self._roles: list[RoleSpan] = []
        self._hidden: list[Span] = []
        self._ruby = Ruby()

    def write(self, text: str, *, level: int = 0, role: Role | None = None) -> int:
        """Add plain text and say where it starts; a heading of `level` where that is not 0."""
        start = self._begin()
        if level:
            self._headings.append(Heading(start, start + len(text), level))
        if role is not None:
            self._roles.append(RoleSpan(start, start + len(text), role))
        self._write(text)
        return start

    def mark(self, start: int, end: int, role: Role) -> None:
        """What stands from `start` to `end` is `role`."""
        self._roles.append(RoleSpan(start, end, role))

    def add(self, read: HtmlDocument | PageReading, *, below: int = 0) -> None:
        """Add what was read elsewhere; its headings stand `below` levels under where they were."""
        if not read.text.strip():
            return
        by = self._begin()
        self._tables += [
            replace(
                table,
                start=table.start + by,
                end=table.end + by,
                cells=[replace(cell, start=cell.start + by, end=cell.end + by) for cell in table.cells],
            )
            for table in read.tables
        ]
        self._links += [Link(one.start + by, one.end + by, one.target) for one in read.links]
        self._headings += [Heading(one.start + by, one.end + by, one.level + below) for one in read.headings]
        self._roles += [RoleSpan(one.start + by, one.end + by, one.role) for one in read.roles]
        self._hidden += [(start + by, end + by) for start, end in read.hidden]
        if isinstance(read, PageReading):
            facts = read.metadata or {}
            pairs = [(one["base"], one["reading"]) for one in facts.get("ruby", ())]
            self._ruby.add(pairs, more=facts.get("more_ruby", 0))
        else:
            self._ruby.add(read.ruby, more=read.more_ruby)
        self._write(read.text)

    def reading(self, page: int, *, metadata: Mapping[str, Any] | None = None) -> PageReading:
        """The page as read; its metadata holds the readings of words too."""
        text = "".join(self._parts)
        starts, ends = line_columns(text)
        return PageReading(
            page,
            text,
            starts,
            ends,
            tables=self._tables,
            links=self._links,
            headings=self._headings,
            roles=self._roles,
            hidden=self._hidden,
            metadata={**(metadata or {}), **self._ruby.metadata()} or None,
        )

    def _begin(self) -> int:
        if self._length:
            self._write(_GAP)
        return self._length

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
