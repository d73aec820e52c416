"""Reads one slide: its shapes at any depth, each with its place, then comments and the speaker's notes.

The title comes first, then the shapes in the order in which they are drawn. Every line of a shape has the
shape's box, a row of a table that of the row. What the slide hides is read and marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_core.ports import Box, Role
from indx_format_office import Package, TextWriter
from indx_format_office.chart import read_chart, write_chart
from indx_format_office.drawing import alt_text, diagram_texts, write_paragraphs
from indx_format_office.geometry import Map, box_of, rectangle
from indx_format_office.names import CX, DGM, A, C, P, R
from indx_format_office.shapes import Placed, named_of, placed_in, tree_of
from indx_format_office.values import switched_on
from indx_reader_slides._placeholders import Placeholders, placeholder_of
from indx_reader_slides._tables import Frame, read_table

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Deck", "Slide"]

_TITLES: Final = frozenset(("title", "ctrTitle"))
_MARGINS: Final[dict[str, Role]] = {"ftr": "footer", "dt": "footer", "sldNum": "footer", "hdr": "header"}
_NOT_NOTES: Final = frozenset(("sldImg", "sldNum", "hdr", "ftr", "dt"))


@dataclass(frozen=True, slots=True)
class Deck:
    """What the slides of a presentation share.

    Attributes:
        package: The open package.
        part: Parses a part that a slide can do without; None when it is damaged.
        frame: From the units of a slide to shares of it.
        slides: The number of each slide by the name of its part.
        placeholders: What layouts and masters give.
        first: The number that the first slide shows.
    """

    package: Package
    part: Callable[[str], Element | None]
    frame: Map
    slides: dict[str, int]
    placeholders: Placeholders
    first: int = 1


class Slide:
    """One slide being read.

    Attributes:
        writer: What has been read.
        images: How many pictures it draws.
        image_share: The part of the slide that they cover, overlaps counted twice, at most 1.
        hidden: Whether the presentation skips it.
    """

    def __init__(self, deck: Deck, name: str) -> None:
        """Read the slide whose part is `name`."""
        self.writer = TextWriter()
        self.images = 0
        self.image_share = 0.0
        self.hidden = False
        self._deck = deck
        self._name = name
        self._number = str(deck.first + deck.slides.get(name.lower(), 1) - 1)
        self._relationships = deck.package.relationships(name)

    def read(self, root: Element) -> None:
        """Read the slide, whose root is `root`."""
        self.hidden = not switched_on(root.get("show"), default=True)
        tree = tree_of(root)
        shapes = [] if tree is None else placed_in(tree, self._deck.frame, groups=True)
        kinds = [placeholder_of(shape.element) for shape in shapes]
        order = sorted(range(len(shapes)), key=lambda at: (kinds[at] or ("",))[0] not in _TITLES)
        for at in order:
            self._shape(shapes[at], kinds[at])
        self._comments()
        self._notes()
        if self.hidden:
            self.writer.hide(0)

    def _shape(self, shape: Placed, placeholder: tuple[str, str] | None) -> None:
        element, writer, name = shape.element, self.writer, self._name
        place = self._place(shape, placeholder)
        box = None if place is None else box_of(rectangle(place))
        role = None if placeholder is None else _MARGINS.get(placeholder[0])
        with writer.block() as start:
            writer.place(box)
            if element.tag == P + "graphicFrame":
                self._graphic(element, None if place is None else Frame.of(place, shape.outer))
            elif element.tag == P + "pic":
                self._picture(box)
            body = element.find(P + "txBody")
            if body is not None:
                numbers = () if placeholder is None else self._deck.placeholders.numbers(name, *placeholder)
                level = placeholder is None or placeholder[0] not in _TITLES  # a title is at the margin
                write_paragraphs(body, writer, self._target, numbers, slide=self._number, set_in=level)
            if writer.length == start and element.tag != P + "cxnSp":
                properties = named_of(element)
                if described := "" if properties is None else alt_text(properties):
                    writer.write(described)
                    role = "caption"
            self._mark(shape, placeholder, start, role)

    def _mark(
        self, shape: Placed, placeholder: tuple[str, str] | None, start: int, role: Role | None
    ) -> None:
        """Say what the shape that was just written is."""
        writer = self.writer
        if role is not None:
            writer.role(start, role)
        if placeholder is not None and placeholder[0] in _TITLES:
            writer.heading(start, 1)
        properties = named_of(shape.element)
        click = None if properties is None else properties.find(A + "hlinkClick")
        if click is not None:
            writer.link(start, self._target(click.get(R + "id", "")))
        if shape.hidden:
            writer.hide(start)

    def _place(self, shape: Placed, placeholder: tuple[str, str] | None) -> Map | None:
        """Where a shape stands; one without height or width does not say where its text is."""
        place = shape.place()
        if place is None and placeholder is not None:
            place = self._deck.placeholders.place(self._name, *placeholder)
        if place is None:
            return None
        left, top, right, bottom = rectangle(place)
        return place if left < right and top < bottom else None

    def _picture(self, box: Box | None) -> None:
        self.images += 1
        if box is not None:
            share = (box[2] - box[0]) * (box[3] - box[1])
            self.image_share = min(1.0, self.image_share + share)

    def _graphic(self, frame: Element, around: Frame | None) -> None:
        """Read a table, a chart or a SmartArt."""
        for element in frame.iter(A + "tbl", C + "chart", CX + "chart", DGM + "relIds"):
            if element.tag == A + "tbl":
                read_table(element, self.writer, self._target, around)
                continue
            diagram = element.tag == DGM + "relIds"
            root = self._related(element.get(R + ("dm" if diagram else "id"), ""))
            if root is None:
                continue
            if diagram:
                self.writer.write("\n".join(diagram_texts(root)))
            else:
                write_chart(read_chart(root), self.writer)

    def _related(self, key: str) -> Element | None:
        relation = self._relationships.get(key)
        if relation is None or relation.part is None:
            return None
        return self._deck.part(relation.part)

    def _target(self, key: str) -> str:
        """Where a click leads: out of the deck, or to another of its slides by number."""
        relation = self._relationships.get(key)
        if relation is None:
            return ""
        if relation.type == "slide":
            number = self._deck.slides.get((relation.part or "").lower())
            return "" if number is None else f"#slide{number}"
        return relation.target

    def _aside(self, role: Role, bodies: Iterator[Element]) -> None:
        """Write text that belongs to the slide and stands nowhere on it."""
        for body in bodies:
            with self.writer.block() as start:
                self.writer.place(None)
                write_paragraphs(body, self.writer, lambda _: "")
                self.writer.role(start, role)

    def _comments(self) -> None:
        for relation in self._deck.package.related(self._name, "comments"):
            root = self._deck.part(relation.part or "")
            if root is None:
                continue
            for text in root.iter(P + "text"):
                if (text.text or "").strip():
                    start = self.writer.start_line()
                    self.writer.place(None)
                    self.writer.write(text.text or "")
                    self.writer.role(start, "comment")
            self._aside("comment", (body for body in root.iter() if body.tag.endswith("}txBody")))

    def _notes(self) -> None:
        for relation in self._deck.package.related(self._name, "notesSlide"):
            root = self._deck.part(relation.part or "")
            tree = None if root is None else tree_of(root)
            if tree is None:
                continue
            shapes = (shape.element for shape in placed_in(tree, self._deck.frame))
            bodies = (
                body
                for shape in shapes
                if (placeholder_of(shape) or ("",))[0] not in _NOT_NOTES
                for body in shape.iterchildren(P + "txBody")
            )
            self._aside("notes", bodies)
