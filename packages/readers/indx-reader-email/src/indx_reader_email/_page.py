"""The page of a message: subject, sender and receivers, then the text of its bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from indx_core.canonical import clean_text
from indx_core.ports import Heading, Link, PageReading, RoleSpan, Span, Table, line_columns
from indx_format_html import HtmlDocument, decode, read_html
from indx_reader_email._mime import Part
from indx_reader_email._plain import quoted_runs, unflowed

__all__ = ["Page"]

_AS_IT_IS = ("7bit", "8bit", "binary")


class Page:
    """Puts a page together, piece by piece."""

    def __init__(self, *, recoded: bool) -> None:
        """Begin an empty page; `recoded` when the whole message had to be made UTF-8."""
        self._recoded = recoded
        self._parts: list[str] = []
        self._length = 0
        self.notes: list[str] = []
        self.images = 0
        self._tables: list[Table] = []
        self._links: list[Link] = []
        self._headings: list[Heading] = []
        self._roles: list[RoleSpan] = []
        self._hidden: list[Span] = []

    def head(self, subject: str, fields: Sequence[tuple[str, str]]) -> None:
        """The subject as the main heading, then a line for each field that says something."""
        if subject:
            self._headings.append(Heading(0, len(subject), 1))
            self._add(subject)
        if lines := [f"{name}: {value}" for name, value in fields if value]:
            self._gap()
            self._add("\n".join(lines))

    def body(self, part: Part) -> None:
        """The text of one body part."""
        content = part.content()
        charset = part.parameter("charset")
        if self._recoded and part.transfer_encoding in _AS_IT_IS:
            charset = "utf-8"
        if part.media_type == "text/html":
            document = read_html(content, charset=charset, with_title=False)
            self._note(document.note, document.encoding)
            self._document(document)
        else:
            decoded = decode(content, charset=charset, markup=False)
            self._note(decoded.note, decoded.encoding)
            self._plain(decoded.text, part)

    def reading(self, metadata: dict[str, Any]) -> PageReading:
        """The page as read."""
        text = "".join(self._parts)
        starts, ends = line_columns(text)
        return PageReading(
            1,
            text,
            starts,
            ends,
            tables=self._tables,
            links=self._links,
            headings=self._headings,
            roles=self._roles,
            hidden=self._hidden,
            metadata=metadata or None,
        )

    def _note(self, note: str | None, encoding: str) -> None:
        if note:
            self.notes.append(f"body: {note}; read as {encoding}")

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _gap(self) -> None:
        if self._length:
            self._add("\n\n")

    def _plain(self, text: str, part: Part) -> None:
        text = clean_text(text.replace("\r\n", "\n").replace("\r", "\n"))
        if (part.parameter("format") or "").lower() == "flowed":
            delete_space = (part.parameter("delsp") or "").lower() == "yes"
            text = unflowed(text, delete_space=delete_space)
        text = text.strip("\n").rstrip()
        if not text.strip():
            return
        self._gap()
        start = self._length
        self._roles += [RoleSpan(start + first, start + last, "quote") for first, last in quoted_runs(text)]
        self._add(text)

    def _document(self, document: HtmlDocument) -> None:
        """An HTML body, its marks moved to where it stands, its headings below the subject."""
        self.images += document.images
        if not document.text.strip() and not document.links:
            return
        self._gap()
        by = self._length
        self._tables += [
            replace(
                table,
                start=table.start + by,
                end=table.end + by,
                cells=[replace(cell, start=cell.start + by, end=cell.end + by) for cell in table.cells],
            )
            for table in document.tables
        ]
        self._links += [Link(one.start + by, one.end + by, one.target) for one in document.links]
        self._headings += [Heading(one.start + by, one.end + by, one.level + 1) for one in document.headings]
        self._roles += [RoleSpan(one.start + by, one.end + by, one.role) for one in document.roles]
        self._hidden += [(start + by, end + by) for start, end in document.hidden]
        self._add(document.text)
