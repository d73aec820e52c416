"""The headings in force at any place of a document, for chunkers that name sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from indx_core.ports import DocumentReading, Heading, PageReading

__all__ = ["Section", "sections_at", "titles_of"]

Section: TypeAlias = "tuple[tuple[int, str], ...]"
"""The headings in force: levels and texts, outermost first."""


def sections_at(document: DocumentReading, pages: Iterable[int]) -> Mapping[int, Section]:
    """The headings in force where each of `pages` begins."""
    wanted = set(pages)
    sections: dict[int, Section] = {}
    section: Section = ()
    for page, reading in document.pages.items():
        if page in wanted:
            sections[page] = section
        for heading in reading.headings:
            section = _under(section, heading, reading.text)
    return sections


def titles_of(reading: PageReading, section: Section) -> list[tuple[str, ...]]:
    """The texts of the headings in force before the first heading of a page, and after each.

    Args:
        reading: The page.
        section: The headings in force where it begins.
    """
    sections = [section]
    for heading in reading.headings:
        sections.append(_under(sections[-1], heading, reading.text))
    return [tuple(title for _, title in one) for one in sections]


def _under(section: Section, heading: Heading, text: str) -> Section:
    title = " ".join(text[heading.start : heading.end].split())
    kept = tuple(one for one in section if one[0] < heading.level)
    return (*kept, (heading.level, title)) if title else section
