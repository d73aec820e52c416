"""What the sessions of formats that are read whole share: each page is read once, whoever asks first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Self

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Observation, PageEvidence, PageReading
from indx_core.settings import MAX_PAGES
from indx_format_office._xml import DoctypeRefused
from indx_format_office.cells import refuse_more_cells
from indx_format_office.package import Package

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.ports import Member, Raster, Session, SourceContent
    from indx_format_office._xml import Element
    from indx_format_office.kinds import Family

__all__ = [
    "OfficeSession",
    "PagedSession",
    "read_pages",
    "refuse_empty",
    "text_characters",
]


def refuse_empty(source: SourceContent) -> None:
    """Say in words of a file without bytes what is wrong with it.

    Raises:
        SourceError: `source_unreadable`, there are none.
    """
    if not source.size:
        raise SourceError("the file is empty: it holds no bytes; save or send it again")


class PagedSession(ABC):
    """An open document whose pages are read once each. A format says what they are and reads one.

    Attributes:
        source: The bytes it was opened from.
        media_type: The source's.
        page_count: How many pages there are.
        unread: Parts that could not be read, with why, since the last page was begun.
    """

    def __init__(self, source: SourceContent) -> None:
        """Open `source`.

        Raises:
            SourceError: `source_encrypted`, or `source_unreadable`.
            InputTooLarge: It inflates past its bounds, or has more pages than INDX_MAX_PAGES.
        """
        self.source = source
        self.media_type = source.media_type
        self.unread: dict[str, str] = {}
        self._readings: dict[int, PageReading] = {}
        self._cells_read = 0
        try:
            refuse_empty(source)
            self.page_count = self._open()
            if self.page_count > MAX_PAGES.get():
                raise InputTooLarge(
                    f"the document has {self.page_count} pages, and {MAX_PAGES.name} allows {MAX_PAGES.get()}"
                )
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _open(self) -> int:
        """Parse what tells the pages, and say how many there are."""

    @abstractmethod
    def _read(self, page: int) -> PageReading:
        """Read `page`."""

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        """What `page` holds, given its reading."""
        return PageEvidence(page, text_characters(reading))

    def _facts(self) -> Mapping[str, str]:
        """Public facts of the document."""
        return {}

    def _described(self, page: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Facts for the metadata of `page`, asked once it is read."""
        return {}

    def reading(self, page: int) -> PageReading:
        """The reading of `page`; a damaged part makes the page unread, not the document.

        Raises:
            InputTooLarge: With the pages read before it, its tables have more cells than are read.
        """
        known = self._readings.get(page)
        if known is None:
            known = self._try(page)
            self._cells_read += sum(len(table.cells) for table in known.tables)
            refuse_more_cells(self._cells_read)
            self._readings[page] = known
        return known

    def _try(self, page: int) -> PageReading:
        self.unread = {}
        try:
            reading = self._read(page)
            facts = {**(reading.metadata or {}), **self._described(page)}
        except DoctypeRefused:
            raise
        except SourceError:
            return PageReading(page, reason="damaged_part")
        if self.unread:
            facts["unread_parts"] = self.unread
        reading.metadata = facts or None
        return reading

    def observe(self) -> Observation:
        """Look at every page, which reads it: a later read answers from what was found."""
        pages = [self._evidence(page, self.reading(page)) for page in range(1, self.page_count + 1)]
        return Observation(self.media_type, pages, self._facts())

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing: such documents are laid out by the programs that show them."""
        return None

    def members(self) -> Iterator[Member]:
        """The documents inside this one, in their order."""
        return iter(())

    def close(self) -> None:
        """Release the source; calling it again does nothing."""
        self._readings.clear()

    @classmethod
    @contextmanager
    def borrow(cls, session: Session) -> Iterator[Self]:
        """`session` itself when it is of this class, else an own session over its source, closed after."""
        if isinstance(session, cls):
            yield session
            return
        own = cls(session.source)
        try:
            yield own
        finally:
            own.close()


class OfficeSession(PagedSession):
    """An open Office document.

    Attributes:
        family: Which packages it opens.
        media_type: The source's, or where that is empty the package's own.
        package: The open package.
    """

    family: ClassVar[Family]

    def __init__(self, source: SourceContent) -> None:
        """Open `source`, under the rules of `PagedSession`."""
        refuse_empty(source)
        self.package = Package(source, self.family)
        super().__init__(source)
        self.media_type = source.media_type or self.package.kind.media_type

    @abstractmethod
    def _parts_of(self, page: int) -> Sequence[str]:
        """The parts that `page` is made of, whose embedded documents are members."""

    def _described(self, page: int) -> Mapping[str, Any]:
        facts: dict[str, Any] = {}
        if page == 1 and (properties := self.package.properties()):
            facts["properties"] = properties
        if members := self.package.described(*self._parts_of(page)):
            facts["members"] = members
        return facts

    def part(self, name: str) -> Element | None:
        """The root of a part that a page can do without; None, and noted in `unread`, when it is damaged."""
        try:
            return self.package.parse(name)
        except DoctypeRefused:
            raise
        except SourceError as error:
            self.unread[name] = error.message
            return None

    def members(self) -> Iterator[Member]:
        """The documents embedded in this one, in the order of the parts that hold them."""
        parts = (part for page in range(1, self.page_count + 1) for part in self._parts_of(page))
        return self.package.members(*parts)

    def close(self) -> None:
        """Release the source; calling it again does nothing."""
        self.package.close()
        super().close()


def read_pages(
    kind: type[PagedSession], session: Session, pages: Sequence[int], deadline: Deadline
) -> Iterator[PageReading]:
    """Read `pages` in the order given, each handed over as soon as it is done."""
    with kind.borrow(session) as own:
        for page in pages:
            deadline.check()
            if 1 <= page <= own.page_count:
                yield own.reading(page)
            else:
                yield PageReading(page, reason="no_such_page")


def text_characters(reading: PageReading) -> int:
    """The characters of a reading, not counting white space."""
    return sum(map(len, reading.text.split()))
