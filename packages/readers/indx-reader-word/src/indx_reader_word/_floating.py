"""What floats beside a paragraph: text boxes, pictures' descriptions, formulas, charts, SmartArt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from indx_core.ports import Role
from indx_format_office import TextWriter
from indx_format_office.chart import read_chart, write_chart
from indx_format_office.drawing import alt_text, chosen, diagram_texts, write_paragraphs
from indx_format_office.names import CX, DGM, MC, PIC, WP, A, C, R, V, W
from indx_format_office.values import switched_on

if TYPE_CHECKING:
    from indx_format_office._xml import Element
    from indx_reader_word._story import Story

__all__ = ["Floating"]


class Floating:
    """Collects what floats while a paragraph is read, and writes it after."""

    def __init__(self, story: Story) -> None:
        """Collect for `story`."""
        self._story = story
        self._waiting: list[tuple[Role, bool, Callable[[TextWriter], None]]] = []

    def formula(self, text: str) -> None:
        """A formula, as a line of text."""
        self._text("formula", False, text)

    def collect(self, drawing: Element, *, hidden: bool) -> None:
        """Look through a drawing, new or old, for whatever says something."""
        waiting = [drawing]
        while waiting:
            element = waiting.pop()
            tag = element.tag
            if tag in _LEAVES:
                _LEAVES[tag](self, element, hidden)
                continue
            if tag == _ALTERNATIVES:
                choice = chosen(element)
                waiting += [] if choice is None else [choice]
                continue
            if tag == _PROPERTIES:
                hidden = hidden or switched_on(element.get("hidden"))
                self._text("caption", hidden, alt_text(element))
            elif tag in _PICTURES:
                self._story.document.images += 1
            elif tag == _WORD_ART:
                self._text("text_box", hidden, element.get("string", ""))
            waiting += list(element)[::-1]

    def write(self, writer: TextWriter) -> None:
        """Write what was collected, each on lines of its own."""
        while self._waiting:
            waiting, self._waiting = self._waiting, []
            for role, hidden, write in waiting:
                with writer.block() as start:
                    write(writer)
                    writer.role(start, role)
                    if hidden:
                        writer.hide(start)

    def _wait(self, role: Role, hidden: bool, write: Callable[[TextWriter], None]) -> None:
        self._waiting.append((role, hidden, write))

    def _text(self, role: Role, hidden: bool, text: str) -> None:
        if text.strip():
            self._wait(role, hidden, lambda writer: writer.write(text.strip()))

    def _text_box(self, element: Element, hidden: bool) -> None:
        story = self._story
        self._wait("text_box", hidden, lambda writer: story.blocks(element, writer))

    def _shape(self, element: Element, hidden: bool) -> None:
        self._wait("text_box", hidden, lambda writer: write_paragraphs(element, writer, self._target))

    def _chart(self, element: Element, hidden: bool) -> None:
        root = self._related(element.get(R + "id", ""))
        if root is not None:
            chart = read_chart(root)
            self._wait("text_box", hidden, lambda writer: write_chart(chart, writer))

    def _diagram(self, element: Element, hidden: bool) -> None:
        root = self._related(element.get(R + "dm", ""))
        if root is not None:
            self._text("text_box", hidden, "\n".join(diagram_texts(root)))

    def _related(self, key: str) -> Element | None:
        relation = self._story.relationships.get(key)
        if relation is None or relation.part is None:
            return None
        return self._story.document.part(relation.part)

    def _target(self, key: str) -> str:
        relation = self._story.relationships.get(key)
        return "" if relation is None else relation.target


_ALTERNATIVES: Final = MC + "AlternateContent"
_PROPERTIES: Final = WP + "docPr"
_PICTURES: Final = frozenset((PIC + "pic", V + "imagedata"))
_WORD_ART: Final = V + "textpath"
_LEAVES: Final[dict[str, Callable[[Floating, Element, bool], None]]] = {
    W + "txbxContent": Floating._text_box,  # noqa: SLF001
    A + "txBody": Floating._shape,  # noqa: SLF001
    C + "chart": Floating._chart,  # noqa: SLF001
    CX + "chart": Floating._chart,  # noqa: SLF001
    DGM + "relIds": Floating._diagram,  # noqa: SLF001
}
