"""An open binary presentation: a page is a slide, in the order of the presentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from indx_core.ports import Member, PageEvidence, PageReading
from indx_core.text import counted
from indx_format_office.compound import open_compound, read_stream
from indx_format_office.objects import described
from indx_format_office.session import PagedSession, text_characters
from indx_format_office.summary import properties
from indx_reader_ppt._deck import Deck
from indx_reader_ppt._file import Objects
from indx_reader_ppt._slide import Slide

__all__ = ["PptSession"]

_STREAM, _USER, _BOTH = "PowerPoint Document", "Current User", "PP97_DUALSTORAGE"


class PptSession(PagedSession):
    """A binary presentation, whose list of slides is read when it is opened."""

    def _open(self) -> int:
        with self.source.buffer() as buffer, open_compound(buffer) as file:
            # A file for PowerPoint 95 and 97 alike holds what is for the later of them apart.
            folder = f"{_BOTH}/" if file.exists(f"{_BOTH}/{_STREAM}") else ""
            stream = read_stream(file, folder + _STREAM)
            user = read_stream(file, folder + _USER) if file.exists(folder + _USER) else b""
            self._properties = properties(file)
        self._deck = Deck(Objects(stream, user))
        self._objects: dict[int, list[int]] = {}
        self._seen: dict[int, tuple[int, float, bool]] = {}
        return len(self._deck.slides)

    def _read(self, page: int) -> PageReading:
        slide = Slide(self._deck, self._deck.slides[page - 1], page)
        slide.read()
        self.unread.update(slide.unread)
        self._objects[page] = slide.objects
        self._seen[page] = slide.images, slide.image_share, slide.hidden
        return slide.writer.page(page, metadata={"slide": {"hidden": True}} if slide.hidden else None)

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        images, share, hidden = self._seen.get(page, (0, 0.0, False))
        return PageEvidence(page, text_characters(reading), share, images, hidden=hidden)

    def _facts(self) -> Mapping[str, str]:
        hidden = sum(hidden for _, _, hidden in self._seen.values())
        slides = {"slides": counted(self.page_count, "slide")}
        return slides | ({"hidden_slides": counted(hidden, "hidden slide")} if hidden else {})

    def _described(self, page: int) -> Mapping[str, Any]:
        facts: dict[str, Any] = {}
        if page == 1 and self._properties:
            facts["properties"] = self._properties
        if members := described(self._deck.embedded.members(self._objects[page])):
            facts["members"] = members
        return facts

    def members(self) -> Iterator[Member]:
        """The documents embedded in the slides, in the order of these."""
        for page in range(1, self.page_count + 1):
            self.reading(page)
        pages = sorted(self._objects.items())
        return self._deck.embedded.members([name for _, names in pages for name in names])
