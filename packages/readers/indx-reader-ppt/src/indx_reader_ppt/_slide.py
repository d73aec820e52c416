"""Reads one slide: its shapes at any depth, each with its place, then comments and the speaker's notes.

The title comes first, then the shapes in the order in which they are drawn. Every line of a shape has the
shape's box, a row of a table that of the row. What the slide hides is read and marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Box, Role
from indx_format_office import TextWriter
from indx_format_office.chart import write_chart
from indx_format_office.geometry import box_of, rectangle
from indx_format_office.values import description
from indx_reader_ppt._deck import MARGINS, Deck, margins_of, placeholder_of
from indx_reader_ppt._file import Entry
from indx_reader_ppt._numbers import labels
from indx_reader_ppt._records import Record, first, strings, within
from indx_reader_ppt._shapes import PICTURE, Shape, shapes_of
from indx_reader_ppt._tables import write_cells
from indx_reader_ppt._text import TITLES, Text, read_text

__all__ = ["Slide"]

_SLIDE, _FACTS, _SHOW, _MARGINS_HELD = 0x03EE, 0x03EF, 0x03F9, 0x0FD9
_REFERENCE, _CLICK, _OBJECT = 0x0F9E, 0x0FF2, 0x0BC1
_TAGS, _TAG, _TAG_DATA, _COMMENT = 0x1388, 0x138A, 0x138B, 0x2EE0
_HIDDEN, _SHOWS_MASTER = 0x04, 0x01
_TITLE_LAYOUT: Final = 0
_TITLE_PLACEHOLDERS: Final = frozenset((1, 3, 13, 15, 17))
_NOT_NOTES: Final = frozenset((5, 7, 8, 9, 10, 11))
_OF_COMMENTS: Final = "___PPT10"
_OF_NUMBERS: Final = "___PPT9"
_NUMBERS: Final = 0x0FAC
_COMMENT_TEXT: Final = 1


class Slide:
    """One slide being read.

    Attributes:
        writer: What has been read.
        images: How many pictures it draws.
        image_share: The part of the slide that they cover, overlaps counted twice, at most 1.
        hidden: Whether the presentation skips it.
        objects: The embedded objects that its shapes show, by number.
        unread: What beside the slide is damaged, with why.
    """

    def __init__(self, deck: Deck, entry: Entry, number: int) -> None:
        """Read slide `number` of the deck, which is `entry`."""
        self.writer = TextWriter()
        self.images = 0
        self.image_share = 0.0
        self.hidden = False
        self.objects: list[int] = []
        self.unread: dict[str, str] = {}
        self._deck = deck
        self._entry = entry
        self._outline = dict(enumerate(entry.texts))  # each is in one shape
        self._margins = deck.margins
        self._values = {"number": str(deck.first_number + number - 1)}

    def read(self) -> None:
        """Read the slide.

        Raises:
            SourceError: It is damaged.
        """
        record = self._deck.objects.object(self._entry.object)
        if record.kind != _SLIDE:
            raise SourceError(
                "the presentation is damaged: what it lists is no slide; check that it is whole"
            )
        layout, master, notes, flags = 1, 0, 0, 0
        own = None
        for one in within(record):
            if one.kind == _FACTS:
                (layout,) = one.numbers("<L")
                master, notes, flags = one.numbers("<2LH", 12)
            elif one.kind == _SHOW:
                self.hidden = bool(one.numbers("<H", 10)[0] & _HIDDEN)
            elif one.kind == _MARGINS_HELD:
                own = margins_of(one)
        self._margins = own or self._deck.margins
        self._values |= self._margins.values
        shapes = shapes_of(record, self._deck.frame)
        self._shapes(shapes)
        self._unplaced()
        if flags & _SHOWS_MASTER and not (self._deck.bare_titles and layout == _TITLE_LAYOUT):
            self._aside("the master's margins", lambda: self._write_margins(shapes, master))
        self._aside("comments", lambda: self._comments(record))
        self._aside("notes", lambda: self._notes(notes))
        if self.hidden:
            self.writer.hide(0)

    def _shapes(self, shapes: list[Shape]) -> None:
        texts = [self._text(shape) for shape in shapes]
        marks = [placeholder_of(shape) for shape in shapes]
        titles = [
            mark in _TITLE_PLACEHOLDERS or (text is not None and text.kind in TITLES)
            for mark, text in zip(marks, texts, strict=True)
        ]
        for at in sorted(range(len(shapes)), key=lambda at: not titles[at]):
            self._shape(shapes[at], texts[at], marks[at], title=titles[at])

    def _shape(self, shape: Shape, text: Text | None, mark: int, *, title: bool) -> None:
        if shape.shapes is not None:
            if not (shape.table and self._table(shape)):
                self._shapes(shape.shapes)
            return
        writer = self.writer
        box = _box(shape)
        held = None if shape.data is None else first(shape.data, _OBJECT)
        objects = () if held is None else held.numbers("<L")
        self.objects += objects
        if shape.kind == PICTURE:
            self._picture(box)
        role: Role | None = MARGINS[mark][1] if mark in MARGINS else None
        if text is not None and text.stands_in:
            role = "footer"
        with writer.block() as start:
            writer.place(box)
            if text is not None:
                text.write(writer)
            if writer.length == start and shape.words:
                writer.write(clean_text(shape.words))
            if writer.length == start:
                writer.write(description(clean_text(shape.description)))
                role = "caption"
            if role is not None:
                writer.role(start, role)
            if title:
                writer.heading(start, 1)
            writer.link(start, self._click(shape))
            if shape.hidden:
                writer.hide(start)
        for number in objects:
            self._aside("charts", partial(self._chart, number, shape, box))

    def _chart(self, number: int, shape: Shape, box: Box | None) -> None:
        """Write what an object says that is a chart; other objects are documents of their own."""
        chart = self._deck.embedded.chart(number)
        if chart is None:
            return
        with self.writer.block() as start:
            self.writer.place(box)
            write_chart(chart, self.writer)
            self.writer.role(start, "caption")
            if shape.hidden:
                self.writer.hide(start)

    def _table(self, shape: Shape) -> bool:
        start = self.writer.length

        def cell(one: Shape, writer: TextWriter) -> None:
            text = self._text(one)
            if text is not None:
                text.write(writer)

        written = write_cells(shape, self.writer, cell)
        if written and shape.hidden:
            self.writer.hide(start)
        return written

    def _text(self, shape: Shape) -> Text | None:
        if shape.textbox is None:
            return None
        held = list(within(shape.textbox))
        for record in held:
            if record.kind == _REFERENCE:
                (place,) = record.numbers("<L")
                held += self._outline.pop(place, ())
                break
        text = read_text(held, self._deck.target, self._values)
        if text.styles and shape.data is not None:
            self._aside("numbers of paragraphs", lambda: _number(text, shape.data))
        return text

    def _click(self, shape: Shape) -> str:
        if shape.data is None:
            return ""
        clicks = (one for one in within(shape.data) if one.kind == _CLICK and one.instance == 0)
        return next((self._deck.target(one) for one in clicks), "")

    def _picture(self, box: Box | None) -> None:
        self.images += 1
        if box is not None:
            share = (box[2] - box[0]) * (box[3] - box[1])
            self.image_share = min(1.0, self.image_share + share)

    def _unplaced(self) -> None:
        """Texts of the outline that no shape refers to are text of the slide all the same."""
        for place in sorted(self._outline):
            text = read_text(self._outline[place], self._deck.target, self._values)
            with self.writer.block() as start:
                self.writer.place(None)
                text.write(self.writer)
                if text.kind in TITLES:
                    self.writer.heading(start, 1)

    def _aside(self, what: str, read: Callable[[], None]) -> None:
        """Read what the slide can do without; where it is damaged, that is noted."""
        try:
            read()
        except (SourceError, InputTooLarge) as error:
            self.unread[what] = error.message

    def _write_margins(self, shapes: list[Shape], master: int) -> None:
        """Write what the master shows at its margins and the slide has no shape of its own for."""
        own = {MARGINS[mark][0] for mark in map(placeholder_of, shapes) if mark in MARGINS}
        for name, box in self._deck.places(master).items():
            text = self._values.get(name, "")
            if name in own or name not in self._margins.shown or not text.strip():
                continue
            with self.writer.block() as start:
                self.writer.place(box)
                self.writer.write(clean_text(text))
                self.writer.role(start, "header" if name == "header" else "footer")

    def _comments(self, record: Record) -> None:
        for comment in _tagged(record, _OF_COMMENTS):
            if comment.kind == _COMMENT:
                self._comment(strings(comment).get(_COMMENT_TEXT, ""))

    def _comment(self, text: str) -> None:
        with self.writer.block() as start:
            self.writer.place(None)
            self.writer.write(clean_text(text.replace("\r\n", "\n").replace("\r", "\n").strip()))
            self.writer.role(start, "comment")

    def _notes(self, name: int) -> None:
        page = self._deck.notes(name)
        for shape in () if page is None else _flat(shapes_of(page, self._deck.frame)):
            text = None if placeholder_of(shape) in _NOT_NOTES else self._text(shape)
            if text is not None and not text.stands_in:
                with self.writer.block() as start:
                    self.writer.place(None)
                    text.write(self.writer)
                    self.writer.role(start, "notes")


def _box(shape: Shape) -> Box | None:
    """Where a shape stands; one without height or width does not say where its text is."""
    if shape.place is None:
        return None
    left, top, right, bottom = rectangle(shape.place)
    return box_of((left, top, right, bottom)) if left < right and top < bottom else None


def _number(text: Text, data: Record | None) -> None:
    """Label the paragraphs of a text, of whose shape `data` says which are numbered."""
    for one in () if data is None else _tagged(data, _OF_NUMBERS):
        if one.kind == _NUMBERS:
            for start, label in labels(text.characters, text.styles, one.content).items():
                text.labels[start] = text.labels.get(start, "") + label
            return


def _tagged(record: Record, name: str) -> Iterator[Record]:
    """What a later version of the program has added to `record` under `name`."""
    for tags in within(record):
        for tag in within(tags) if tags.kind == _TAGS else ():
            held = first(tag, _TAG_DATA) if tag.kind == _TAG else None
            if held is not None and strings(tag).get(0, "") == name:
                yield from within(held)


def _flat(shapes: list[Shape]) -> Iterator[Shape]:
    """Shapes, groups looked through."""
    for shape in shapes:
        yield from (shape,) if shape.shapes is None else _flat(shape.shapes)
