"""What the slides of a presentation share: their frame, links, margins, masters and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from indx_core.errors import SourceError
from indx_core.ports import Box, Role
from indx_format_office.geometry import box_of, rectangle, slide_map
from indx_reader_ppt._file import Entry, Objects, listed
from indx_reader_ppt._objects import Embedded
from indx_reader_ppt._records import Record, first, strings, within
from indx_reader_ppt._shapes import Shape, shapes_of
from indx_reader_ppt._text import click

__all__ = ["MARGINS", "Deck", "Margins", "margins_of", "placeholder_of"]

_DOCUMENT, _FACTS, _OBJECTS, _LINK, _LINK_FACTS = 0x03E8, 0x03E9, 0x0409, 0x0FD7, 0x0FD3
_MARGINS, _MARGIN_FACTS, _PLACEHOLDER, _LATER_PLACEHOLDER = 0x0FD9, 0x0FDA, 0x0BC3, 0x0420
_SLIDES, _MASTERS, _NOTES = 0, 1, 2
_OF_SLIDES: Final = 3
_USUAL_SIZE: Final = (5760, 4320)
_TO_A_LINK, _TO_A_SLIDE = 4, 3
_JUMPS: Final = {3: "first", 4: "last"}

MARGINS: Final[dict[int, tuple[str, Role]]] = {
    7: ("date", "footer"), 8: ("number", "footer"), 9: ("footer", "footer"), 10: ("header", "header"),
}  # fmt: skip
"""Of the kinds of placeholders, those at the margins of a page."""


@dataclass(frozen=True, slots=True)
class Margins:
    """What stands at the margins of a page, by name, and which of it is shown."""

    values: dict[str, str]
    shown: frozenset[str]


class Deck:
    """A presentation, of which one slide at a time is read.

    Attributes:
        objects: What it consists of.
        slides: Its slides, in their order.
        frame: From the units of a slide to shares of it.
        first_number: What the first slide is numbered.
        bare_titles: Whether the margins of title slides are left empty.
        embedded: Documents that slides hold.
        margins: What stands at the margins of slides that say nothing of it.
    """

    def __init__(self, objects: Objects) -> None:
        """Read what the document itself says.

        Raises:
            SourceError: `source_unreadable`.
        """
        self.objects = objects
        document = objects.object(objects.document)
        if document.kind != _DOCUMENT:
            raise SourceError("the presentation is damaged: its document is missing; save it anew")
        facts = first(document, _FACTS)
        width, height, self.first_number, self.bare_titles = _USUAL_SIZE[0], _USUAL_SIZE[1], 1, False
        if facts is not None:
            width, height = facts.numbers("<2l")
            (self.first_number,) = facts.numbers("<H", 32)
            self.bare_titles = bool(facts.numbers("<B", 37)[0])
        usual = width < 1 or height < 1
        self.frame = slide_map(*_USUAL_SIZE) if usual else slide_map(width, height)
        self.slides = self._once(listed(document, _SLIDES))
        self._numbers = {entry.id: number for number, entry in enumerate(self.slides, start=1)}
        self._masters = {entry.id: entry.object for entry in listed(document, _MASTERS)}
        self._notes = {entry.id: entry.object for entry in self._once(listed(document, _NOTES))}
        self._links = dict(_links(document))
        self.embedded = Embedded(objects, document)
        self._margins_at: dict[int | None, dict[str, Box | None]] = {}  # by where the master stands
        self.margins = Margins({}, frozenset())
        for record in within(document):
            if record.kind == _MARGINS and record.instance == _OF_SLIDES:
                self.margins = margins_of(record)

    def notes(self, name: int) -> Record | None:
        """The page of notes that a slide names; None when it names none."""
        number = self._notes.get(name) if name else None
        return None if number is None else self.objects.object(number)

    def places(self, master: int) -> dict[str, Box | None]:
        """Where a master has its margins, by what stands there."""
        number = self._masters.get(master)
        place = None if number is None else self.objects.place(number)
        known = self._margins_at.get(place)
        if known is None:
            known = self._margins_at[place] = {}
            shapes = [] if number is None else shapes_of(self.objects.object(number), self.frame)
            for shape in shapes:
                kind = placeholder_of(shape)
                if kind in MARGINS:
                    box = None if shape.place is None else box_of(rectangle(shape.place))
                    known.setdefault(MARGINS[kind][0], box)
        return known

    def target(self, record: Record) -> str:
        """Where a click leads: out of the presentation, or to one of its slides by number."""
        found = click(record)
        if found is None:
            return ""
        link, action, jump = found
        if action == _TO_A_SLIDE and jump in _JUMPS and self.slides:
            return "#slide1" if _JUMPS[jump] == "first" else f"#slide{len(self.slides)}"
        if action != _TO_A_LINK:
            return ""
        address, place = self._links.get(link, ("", ""))
        name = place.partition(",")[0]
        if name.isdecimal() and "," in place and (not address or address.isdecimal() or "," in address):
            number = self._numbers.get(int(name))
            return "" if number is None else f"#slide{number}"
        return f"{address}#{place}" if address and place else address

    def _once(self, entries: list[Entry]) -> list[Entry]:
        """The entries, each place in the file once: no presentation has a slide twice."""
        seen: set[int] = set()
        found: list[Entry] = []
        for entry in entries:
            place = self.objects.place(entry.object)
            if place is not None and place in seen:
                continue
            if place is not None:
                seen.add(place)
            found.append(entry)
        return found


def placeholder_of(shape: Shape) -> int:
    """Which placeholder a shape is; 0 for none."""
    if shape.data is None:
        return 0
    kind = 0
    for record in within(shape.data):
        if record.kind == _PLACEHOLDER:
            (kind,) = record.numbers("<B", 4)
        elif record.kind == _LATER_PLACEHOLDER and not kind:
            (kind,) = record.numbers("<B")
    return kind


def margins_of(record: Record) -> Margins:
    """What a record says of the margins of pages."""
    said = strings(record)
    facts = first(record, _MARGIN_FACTS)
    flags = 0 if facts is None else facts.numbers("<H", 2)[0]
    values = {"date": said.get(0, ""), "header": said.get(1, ""), "footer": said.get(2, "")}
    bits = {"date": 0x05, "number": 0x08, "header": 0x10, "footer": 0x20}
    shown = frozenset(name for name, mask in bits.items() if flags & mask == mask)
    return Margins(values, shown)


def _links(document: Record) -> Iterator[tuple[int, tuple[str, str]]]:
    """Links by number: their address, and the place there."""
    held = first(document, _OBJECTS)
    for record in () if held is None else within(held):
        facts = first(record, _LINK_FACTS) if record.kind == _LINK else None
        if facts is not None:
            said = strings(record)
            yield facts.numbers("<L")[0], (said.get(1, ""), said.get(3, ""))
