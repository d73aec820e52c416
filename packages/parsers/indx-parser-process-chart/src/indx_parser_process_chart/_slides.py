"""The slides of an open presentation: their parts in order, and the shapes on each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from indx_core.ports import PageReading, Session
from indx_format_office.geometry import slide_map
from indx_format_office.names import P, R
from indx_format_office.session import OfficeSession
from indx_format_office.shapes import tree_of
from indx_format_office.values import whole
from indx_parser_process_chart._shapes import Shape, shapes_of

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Slides", "opened"]

_USUAL_SIZE: Final = (9_144_000, 6_858_000)
_CONNECTOR: Final = (b"cxnSp", b"c\0x\0n\0S\0p")  # in UTF-8, in UTF-16


class Slides:
    """The slides of an open presentation.

    Attributes:
        names: Their parts, each once, in the order of the presentation.
    """

    def __init__(self, office: OfficeSession) -> None:
        """Find the slides of the presentation that `office` holds open.

        Raises:
            SourceError: Its main part is damaged.
        """
        self._office = office
        package = office.package
        root = package.parse(package.main)
        relationships = package.relationships(package.main)
        found: dict[str, str] = {}
        for entry in root.iter(P + "sldId"):
            relation = relationships.get(entry.get(R + "id", ""))
            if relation is not None and relation.part is not None:
                found.setdefault(relation.part.lower(), relation.part)
        self.names = list(found.values())
        size = root.find(P + "sldSz")
        width, height = _USUAL_SIZE if size is None else (whole(size.get("cx")), whole(size.get("cy")))
        self._map = slide_map(width or _USUAL_SIZE[0], height or _USUAL_SIZE[1])

    def has_connectors(self, page: int) -> bool:
        """Whether slide `page` draws a connector at all, which is cheaper to tell than where.

        Raises:
            SourceError: The slide is damaged.
        """
        data = self._office.package.read(self.names[page - 1])
        return any(mark in data for mark in _CONNECTOR)

    def root(self, page: int) -> Element:
        """The root element of slide `page`.

        Raises:
            SourceError: The slide is damaged.
        """
        return self._office.package.parse(self.names[page - 1])

    def shapes(self, root: Element) -> list[Shape]:
        """The shapes of a slide, given its root."""
        tree = tree_of(root)
        return [] if tree is None else shapes_of(tree, self._map)

    def reading(self, page: int) -> PageReading:
        """The text of slide `page`, as the session that is open reads it."""
        return self._office.reading(page)


@contextmanager
def opened(session: Session) -> Iterator[Slides]:
    """The slides of `session`: of what it holds open where it is a presentation's, else of its source.

    Raises:
        SourceError: The source is no presentation, or a password locks it.
        InputTooLarge: It inflates past its bounds, or has too many slides.
    """
    if isinstance(session, OfficeSession) and session.family == "slides":
        yield Slides(session)
        return
    from indx_parser_process_chart._texts import SlideTexts

    own = SlideTexts(session.source)
    try:
        yield own.slides
    finally:
        own.close()
