"""The text of Word documents, for sessions that do not read it: paragraphs, tables, headers and footers.

The session of the reader of Word documents does this better: it knows styles, lists and notes. This one
serves where the session is of somebody else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from indx_core.ports import PageReading, Role
from indx_format_office import TextWriter
from indx_format_office.drawing import chosen
from indx_format_office.grid import Slot, write_table
from indx_format_office.names import MC, W
from indx_format_office.session import OfficeSession

if TYPE_CHECKING:
    from indx_format_office import Family
    from indx_format_office._xml import Element

__all__ = ["WordTexts"]

_PARAGRAPH, _TABLE = W + "p", W + "tbl"
_SIGNS: Final = {W + "tab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-"}
_GONE: Final = frozenset(W + name for name in ("del", "moveFrom", "pPr", "rPr", "instrText"))
_MARGINS: Final[tuple[Role, ...]] = ("header", "footer")


class WordTexts(OfficeSession):
    """A Word document, one page."""

    family: ClassVar[Family] = "word"

    def _open(self) -> int:
        return 1

    def _parts_of(self, page: int) -> Sequence[str]:  # noqa: ARG002  there is one
        return (self.package.main,)

    def _read(self, page: int) -> PageReading:
        writer = TextWriter()
        body = self.package.parse(self.package.main).find(W + "body")
        if body is not None:
            _blocks(body, writer)
        for role in _MARGINS:
            for relation in self.package.related(self.package.main, role):
                root = self.part(relation.part or "")
                if root is not None:
                    with writer.block() as start:
                        _blocks(root, writer)
                        writer.role(start, role)
        return writer.page(page)


def _blocks(container: Element, writer: TextWriter) -> None:
    for element in container:
        if element.tag == _PARAGRAPH:
            text = "".join(_inline(element))
            if text.strip():
                writer.start_line()
                writer.write(text)
            else:
                writer.gap()
        elif element.tag == _TABLE:
            _table(element, writer)
        elif element.tag == MC + "AlternateContent":
            if (choice := chosen(element)) is not None:
                _blocks(choice, writer)
        elif element.tag not in _GONE:
            _blocks(element, writer)


def _table(table: Element, writer: TextWriter) -> None:
    slots: list[Slot] = []
    rows = 0
    for rows, row in enumerate(table.iterchildren(W + "tr"), start=1):
        for column, cell in enumerate(row.iterchildren(W + "tc"), start=1):
            text = TextWriter()
            _blocks(cell, text)
            slots.append(Slot(rows, column, text))
    write_table(writer, slots, rows)


def _inline(element: Element) -> Iterator[str]:
    """The text of a paragraph, what stands in text boxes on lines after a break."""
    for child in element:
        if child.tag == W + "t":
            yield " ".join((child.text or "").splitlines())
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        elif child.tag == MC + "AlternateContent":
            choice = chosen(child)
            yield from () if choice is None else _inline(choice)
        elif child.tag not in _GONE:
            if child.tag == _PARAGRAPH:
                yield "\n"
            yield from _inline(child)
