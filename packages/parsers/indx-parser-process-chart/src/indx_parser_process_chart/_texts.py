"""The text of slides, for sessions that do not read it: a slide's title, then its shapes as they are drawn.

The session of the reader of slides does this better: it knows what layouts lend to placeholders, and tables
as tables. This one serves where the session is of somebody else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from indx_core.ports import PageReading
from indx_format_office import TextWriter, flat
from indx_format_office.chart import read_chart, write_chart
from indx_format_office.drawing import diagram_texts, plain_text, write_paragraphs
from indx_format_office.geometry import box_of, rectangle, slide_map
from indx_format_office.names import CX, DGM, A, C, P, R
from indx_format_office.session import OfficeSession
from indx_format_office.shapes import tree_of
from indx_format_office.values import switched_on
from indx_parser_process_chart._shapes import Shape, shapes_of
from indx_parser_process_chart._slides import Slides

if TYPE_CHECKING:
    from indx_format_office import Family
    from indx_format_office._xml import Element

__all__ = ["SlideTexts"]


class SlideTexts(OfficeSession):
    """A presentation whose slides are read for the texts of their shapes.

    Attributes:
        slides: Its slides.
    """

    family: ClassVar[Family] = "slides"

    def _open(self) -> int:
        self.slides = Slides(self)
        return len(self.slides.names)

    def _parts_of(self, page: int) -> Sequence[str]:
        return (self.slides.names[page - 1],)

    def _read(self, page: int) -> PageReading:
        root = self.slides.root(page)
        name = self.slides.names[page - 1]
        relationships = self.package.relationships(name)

        def target(key: str) -> str:
            relation = relationships.get(key)
            return "" if relation is None or relation.part is not None else relation.target

        writer = TextWriter()
        shapes = self.slides.shapes(root)
        for shape in sorted(shapes, key=lambda shape: not shape.title):
            self._write(shape, writer, name, target)
        self._notes(name, writer)
        hidden = not switched_on(root.get("show"), default=True)
        if hidden:
            writer.hide(0)
        return writer.page(page, metadata={"slide": {"hidden": True}} if hidden else None)

    def _write(self, shape: Shape, writer: TextWriter, name: str, target: Callable[[str], str]) -> None:
        """Write one shape on lines of its own, and say what it is."""
        with writer.block() as start:
            writer.place(None if shape.place is None else box_of(rectangle(shape.place)))
            body = shape.element.find(P + "txBody")
            if body is not None:
                write_paragraphs(body, writer, target)
            elif shape.kind == "frame":
                self._frame(shape.element, writer, name)
            elif shape.text:
                writer.write(shape.text)
                writer.role(start, "caption")
            if shape.title:
                writer.heading(start, 1)
            elif shape.margin:
                writer.role(start, "footer")
            if shape.hidden:
                writer.hide(start)

    def _frame(self, frame: Element, writer: TextWriter, name: str) -> None:
        """Write a table, a row a line; or what a chart or a SmartArt says."""
        for row in frame.iter(A + "tr"):
            writer.start_line()
            cells = (cell.find(A + "txBody") for cell in row.iterchildren(A + "tc"))
            writer.write("\t".join("" if body is None else flat(plain_text(body)) for body in cells))
        for chart in frame.iter(C + "chart", CX + "chart"):
            if (root := self._related(name, chart.get(R + "id", ""))) is not None:
                write_chart(read_chart(root), writer)
        for diagram in frame.iter(DGM + "relIds"):
            if (root := self._related(name, diagram.get(R + "dm", ""))) is not None:
                writer.write("\n".join(diagram_texts(root)))

    def _related(self, name: str, key: str) -> Element | None:
        relation = self.package.relationships(name).get(key)
        return None if relation is None or relation.part is None else self.part(relation.part)

    def _notes(self, name: str, writer: TextWriter) -> None:
        for relation in self.package.related(name, "notesSlide"):
            root = self.part(relation.part or "")
            tree = None if root is None else tree_of(root)
            for shape in () if tree is None else shapes_of(tree, slide_map(1, 1)):
                body = shape.element.find(P + "txBody")
                if body is None or shape.margin:
                    continue
                with writer.block() as start:
                    writer.place(None)
                    write_paragraphs(body, writer, lambda _: "")
                    writer.role(start, "notes")
