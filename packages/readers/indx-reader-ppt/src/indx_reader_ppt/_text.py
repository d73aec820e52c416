"""The text of a shape: its characters, what stands in for dates and numbers, and where clicks lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from indx_core.canonical import clean_text
from indx_format_office import TextWriter
from indx_reader_ppt._numbers import indents
from indx_reader_ppt._records import Record, first, units

__all__ = ["TITLES", "Text", "click", "read_text"]

TITLES: Final = frozenset((0, 6))
"""Of the kinds of text, those that are a slide's title."""

_HEADER, _WIDE, _NARROW, _CLICK, _CLICKED, _RANGE = 0x0F9F, 0x0FA0, 0x0FA8, 0x0FF2, 0x0FF3, 0x0FDF
_HALVES: Final = re.compile("[\ud800-\udfff]")
_STYLES: Final = 0x0FA1
_FIELDS: Final = {
    0x0FD8: "number", 0x0FF7: "", 0x1015: "", 0x0FF8: "date", 0x0FF9: "header", 0x0FFA: "footer",
}  # fmt: skip
"""What stands in for a text that a slide shows when it is shown; today's date is none of the file's."""


@dataclass(slots=True)
class Text:
    """A text as it stands in a file.

    Attributes:
        kind: Of what kind it is: a title, a body, notes.
        characters: Each is one unit of UTF-16.
        links: Where its stretches lead.
        fields: What stands at a place instead of the character there.
        styles: What is said of its stretches.
        labels: What is put before the paragraphs that start at a place.
    """

    kind: int = -1
    characters: str = ""
    links: list[tuple[int, int, str]] = field(default_factory=list)
    fields: dict[int, str] = field(default_factory=dict)
    styles: bytes = b""
    labels: dict[int, str] = field(default_factory=dict)

    @property
    def stands_in(self) -> bool:
        """Whether all of it stands in for a number or a date."""
        return bool(self.fields) and all(
            place in self.fields or sign.isspace() for place, sign in enumerate(self.characters)
        )

    def write(self, writer: TextWriter) -> None:
        """Write its paragraphs, each on lines of its own, empty ones left out."""
        links = self._apart()
        at = 0
        for paragraph in self.characters.split("\r"):
            start, at = at, at + len(paragraph) + 1
            while links and links[-1][1] <= start:
                links.pop()
            if _shown(self._replaced(start, at - 1)).strip():
                writer.start_line()
                writer.write(self.labels.get(start, ""))
                self._stretches(writer, start, at - 1, links)

    def _apart(self) -> list[tuple[int, int, str]]:
        """The links of which no two overlap, the first last."""
        apart: list[tuple[int, int, str]] = []
        for begin, end, target in sorted(self.links):
            if begin < end and (not apart or begin >= apart[-1][1]):
                apart.append((begin, end, target))
        return apart[::-1]

    def _stretches(self, writer: TextWriter, start: int, end: int, links: list[tuple[int, int, str]]) -> None:
        """Write one paragraph, links and what is between them."""
        while links and links[-1][0] < end:
            begin, last, target = links[-1]
            begin = max(begin, start)
            writer.write(_shown(self._replaced(start, begin)))
            linked, start = writer.length, min(last, end)
            writer.write(_shown(self._replaced(begin, start)))
            writer.link(linked, target)
            if last > end:
                break
            links.pop()
        writer.write(_shown(self._replaced(start, end)))

    def _replaced(self, start: int, end: int) -> str:
        if not self.fields:
            return self.characters[start:end]
        return "".join(self.fields.get(place, self.characters[place]) for place in range(start, end))


def read_text(held: Iterable[Record], target: Callable[[Record], str], values: dict[str, str]) -> Text:
    """The text that records make up.

    Args:
        held: The records.
        target: Where a click leads.
        values: What stands for `number`, `date`, `header` and `footer`.
    """
    text = Text()
    leads = ""
    for record in held:
        if record.kind == _HEADER:
            (text.kind,) = record.numbers("<L")
        elif record.kind in (_WIDE, _NARROW) and not text.characters:
            data = record.content
            text.characters = units(data) if record.kind == _WIDE else data.decode("latin-1")
        elif record.kind == _STYLES:
            text.styles = text.styles or record.content
        elif record.kind in _FIELDS:
            (place,) = record.numbers("<L")
            text.fields[place] = values.get(_FIELDS[record.kind], "")
        elif record.kind == _CLICK and record.instance == 0:
            leads = target(record)
        elif record.kind == _RANGE and leads:
            begin, end = record.numbers("<2l")
            text.links.append((max(0, begin), end, leads))
            leads = ""
    if text.styles and text.kind not in TITLES:  # a title is at the margin
        text.labels = indents(text.characters, text.styles)
    return text


def click(record: Record) -> tuple[int, int, int] | None:
    """What a click does: the number of its link, the action, the jump; None for nothing."""
    found = first(record, _CLICKED)
    if found is None:
        return None
    _, link, action, _, jump = found.numbers("<2L3B")
    return link, action, jump


def _shown(characters: str) -> str:
    """Units as text, with breaks of lines."""
    if _HALVES.search(characters):
        characters = characters.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return clean_text(characters.replace("\v", "\n"))
