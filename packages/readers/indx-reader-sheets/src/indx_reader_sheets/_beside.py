"""What stands beside the cells of a worksheet: comments, text boxes, charts, pictures' descriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from indx_format_office import Relationship, TextWriter
from indx_format_office.chart import read_chart, write_chart
from indx_format_office.drawing import alt_text, diagram_texts, write_paragraphs
from indx_format_office.names import CX, DGM, XDR, C, R, S
from indx_format_office.values import switched_on
from indx_reader_sheets._cells import area_of
from indx_reader_sheets._strings import rich_text, unescaped

if TYPE_CHECKING:
    from indx_format_office._xml import Element
    from indx_reader_sheets._session import SheetsSession

__all__ = ["Beside"]

_BINARY: Final = ".bin"
_PICTURE, _SHAPE = XDR + "pic", XDR + "sp"
_DIAGRAM: Final = DGM + "relIds"
_CHARTS: Final = (C + "chart", CX + "chart")


class Beside:
    """Writes what stands beside the cells of one worksheet.

    Attributes:
        images: How many pictures were met.
    """

    def __init__(self, session: SheetsSession, part: str, writer: TextWriter) -> None:
        """Write what belongs to the worksheet whose part is `part`."""
        self.images = 0
        self._session = session
        self._part = part
        self._writer = writer

    def write(self, *, whole_charts: bool) -> None:
        """Write all of it.

        Args:
            whole_charts: Whether charts are written with their values, which otherwise stand in cells.
        """
        for reference, text in self._comments():
            start = self._writer.start_line()
            self._writer.write(f"{reference}: {text}" if reference else text)
            self._writer.role(start, "comment")
        for root, part in self._roots("drawing", self._part):
            for anchor in root:
                self._read_anchor(anchor, part, whole_charts=whole_charts)

    def _roots(self, kind: str, part: str) -> Iterator[tuple[Element, str]]:
        for relation in self._session.package.related(part, kind):
            name = relation.part or ""
            root = self._session.part(name)
            if root is not None:
                yield root, name

    def _comments(self) -> Iterator[tuple[str, str]]:
        """Comments with the cells they are on; a thread takes the place of its summary for older programs."""
        threaded: set[str] = set()
        for root, _ in self._roots("threadedComment", self._part):
            for comment in root:
                text = "".join(child.text or "" for child in comment if child.tag.endswith("}text")).strip()
                reference = comment.get("ref", "")
                if text:
                    threaded.add(reference)
                    yield reference, unescaped(text)
        for relation in self._session.package.related(self._part, "comments"):
            name = relation.part or ""
            if name.lower().endswith(_BINARY):
                told = self._session.binary(name)
                yield from (one for one in told if one[0] not in threaded)
                continue
            listed = self._session.part(name)
            for comment in () if listed is None else listed.iter(S + "comment"):
                reference = comment.get("ref", "")
                body = comment.find(S + "text")
                text = "" if body is None else rich_text(body).strip()
                if text and reference not in threaded:
                    yield reference if area_of(reference) else "", text

    def _read_anchor(self, anchor: Element, part: str, *, whole_charts: bool) -> None:
        relationships = self._session.package.relationships(part)
        for element in anchor.iter(_SHAPE, _PICTURE, _DIAGRAM, *_CHARTS):
            with self._writer.block() as start:
                self._read(element, relationships, start, whole_charts=whole_charts)
                if any(switched_on(each.get("hidden")) for each in element.iter(XDR + "cNvPr")):
                    self._writer.hide(start)

    def _read(
        self,
        element: Element,
        relationships: Mapping[str, Relationship],
        start: int,
        *,
        whole_charts: bool,
    ) -> None:
        if element.tag == _SHAPE:
            for body in element.iterchildren(XDR + "txBody"):
                write_paragraphs(body, self._writer, lambda key: _target(relationships, key))
            self._writer.role(start, "text_box")
            return
        if element.tag == _PICTURE:
            self.images += 1
            for properties in element.iter(XDR + "cNvPr"):
                self._writer.write(alt_text(properties))
            self._writer.role(start, "caption")
            return
        key = "dm" if element.tag == _DIAGRAM else "id"
        if (relation := relationships.get(element.get(R + key, ""))) is not None and relation.part:
            root = self._session.part(relation.part)
            if root is None:
                return
            if element.tag == _DIAGRAM:
                self._writer.write("\n".join(diagram_texts(root)))
                self._writer.role(start, "text_box")
            else:
                chart = read_chart(root)
                write_chart(chart if whole_charts else chart.without_values(), self._writer)
                self._writer.role(start, "caption")


def _target(relationships: Mapping[str, Relationship], key: str) -> str:
    relation = relationships.get(key)
    return "" if relation is None else relation.target
