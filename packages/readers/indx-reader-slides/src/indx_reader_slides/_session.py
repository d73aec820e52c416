"""An open presentation: a page is a slide, in the order of the presentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from indx_core.canonical import clean_text
from indx_core.ports import PageEvidence, PageReading
from indx_core.text import counted
from indx_format_office.geometry import slide_map
from indx_format_office.names import P, R
from indx_format_office.session import OfficeSession, text_characters
from indx_format_office.values import whole
from indx_reader_slides._placeholders import Placeholders
from indx_reader_slides._slide import Deck, Slide

if TYPE_CHECKING:
    from indx_format_office import Family
    from indx_format_office._xml import Element

__all__ = ["SlidesSession"]

_P14: Final = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_USUAL_SIZE: Final = (9_144_000, 6_858_000)


class SlidesSession(OfficeSession):
    """A presentation, whose list of slides is read when it is opened."""

    family: ClassVar[Family] = "slides"

    def _open(self) -> int:
        root = self.package.parse(self.package.main)
        self._names, self._sections = self._slides(root)
        self._seen: dict[int, tuple[int, float, bool]] = {}
        size = root.find(P + "sldSz")
        width, height = _USUAL_SIZE if size is None else (whole(size.get("cx")), whole(size.get("cy")))
        frame = slide_map(width or _USUAL_SIZE[0], height or _USUAL_SIZE[1])
        self._deck = Deck(
            self.package,
            self.part,
            frame,
            {name.lower(): number for number, name in enumerate(self._names, start=1)},
            Placeholders(self.package, self.part, frame),
            whole(root.get("firstSlideNum"), 1),
        )
        return len(self._names)

    def _slides(self, root: Element) -> tuple[list[str], list[str]]:
        """The slides' parts in their order, each once, and the name of the section that each is in."""
        relationships = self.package.relationships(self.package.main)
        sections = {
            entry.get("id", ""): clean_text(section.get("name", "")).strip()
            for section in root.iter(_P14 + "section")
            for entry in section.iter(_P14 + "sldId")
        }
        found: dict[str, tuple[str, str]] = {}
        for entry in root.iter(P + "sldId"):
            relation = relationships.get(entry.get(R + "id", ""))
            if relation is not None and relation.part is not None:
                section = sections.get(entry.get("id", ""), "")
                found.setdefault(relation.part.lower(), (relation.part, section))
        return [part for part, _ in found.values()], [section for _, section in found.values()]

    def _read(self, page: int) -> PageReading:
        name = self._names[page - 1]
        slide = Slide(self._deck, name)
        slide.read(self.package.parse(name))
        self._seen[page] = slide.images, slide.image_share, slide.hidden
        section = self._sections[page - 1]
        facts = ({"hidden": True} if slide.hidden else {}) | ({"section": section} if section else {})
        return slide.writer.page(page, metadata={"slide": facts} if facts else None)

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        images, share, hidden = self._seen.get(page, (0, 0.0, False))
        return PageEvidence(page, text_characters(reading), share, images, hidden=hidden)

    def _facts(self) -> Mapping[str, str]:
        hidden = sum(hidden for _, _, hidden in self._seen.values())
        slides = {"slides": counted(self.page_count, "slide")}
        return slides | ({"hidden_slides": counted(hidden, "hidden slide")} if hidden else {})

    def _parts_of(self, page: int) -> Sequence[str]:
        return (self._names[page - 1],)
