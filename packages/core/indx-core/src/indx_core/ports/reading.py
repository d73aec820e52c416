"""Ports that look at and read a document: observers, sessions, capabilities, page readings.

Text is one string a page; everything else about it is offsets into that string, in characters, held in
`array.array` columns. Boxes are `x0, y0, x1, y1` in 0..1 of the page as displayed, origin top left.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from indx_core.ports.declarations import Device, Unavailability

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.ports.sources import SourceContent

__all__ = [
    "Box",
    "Capability",
    "CapabilityDeclaration",
    "CapabilityKind",
    "Cell",
    "Heading",
    "Link",
    "Member",
    "Observation",
    "Observer",
    "ObserverDeclaration",
    "PageEvidence",
    "PageReading",
    "Parser",
    "Raster",
    "Role",
    "RoleSpan",
    "Session",
    "Signature",
    "Span",
    "Table",
    "line_columns",
]

Box: TypeAlias = "tuple[float, float, float, float]"
"""`x0, y0, x1, y1` in 0..1 of the displayed page."""

Span: TypeAlias = "tuple[int, int]"
"""`[start, end)` in characters of a page's text."""

CapabilityKind: TypeAlias = Literal["native", "parser", "ocr", "vision", "manual"]

Role: TypeAlias = Literal[
    "title",
    "header",
    "footer",
    "footnote",
    "endnote",
    "comment",
    "text_box",
    "caption",
    "notes",
    "formula",
    "code",
    "quote",
    "deleted",
    "attachment",
]
"""What a stretch of text is, where it is not plain body text; `notes` are a speaker's notes."""


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """What one page holds, as far as it can be told without reading it.

    Attributes:
        page: Counted from 1.
        text_characters: Characters of its text layer, not counting white space.
        image_share: The part of its area that images cover, 0..1.
        images: How many images it draws.
        plausible: Whether the text layer looks like text of some script.
        hidden: Whether the document hides the page (a hidden slide or sheet).
        body_characters: Those of its text that stand away from its margins; None where that is not known, and
            all of them count.
        drawings: How many lines and shapes show on a page that shows nothing else.
        seen: Whether it could be looked at; if not, nothing is known of it.
    """

    page: int
    text_characters: int
    image_share: float = 0.0
    images: int = 0
    plausible: bool = True
    hidden: bool = False
    body_characters: int | None = None
    drawings: int = 0
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Observation:
    """The evidence a plan is made from; it never reaches the wire as it is.

    Attributes:
        media_type: What was observed.
        pages: One entry a page, in order.
        facts: Public facts of the whole document, code to sentence (`{"tables": "3 worksheets"}`).
    """

    media_type: str
    pages: Sequence[PageEvidence]
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raster:
    """Pixels: `height` rows of `width` RGB triples, one byte a colour, and the resolution they stand for.

    Where only the size was asked for, `rgb` is empty.
    """

    width: int
    height: int
    rgb: bytes
    dpi: int


@dataclass(frozen=True, slots=True)
class Member:
    """A document inside a document: an attachment, a nested mail, an archive entry.

    Attributes:
        name: As written in the container, a relative POSIX path; never to be used as a path to write.
        media_type: As declared by the container, if it did.
        data: Its bytes.
        reason: Why it could not be taken out; `data` is then empty.
    """

    name: str
    media_type: str | None
    data: bytes
    reason: str | None = None


class Session(Protocol):
    """One open document. Whoever opened it closes it; a reader of the same format uses it again."""

    media_type: str
    source: SourceContent
    page_count: int

    def observe(self) -> Observation:
        """Look at every page without reading it."""
        ...

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:
        """The page as displayed, or None when the format draws nothing or it would pass `max_pixels`.

        Args:
            page: Counted from 1.
            dpi: The resolution to draw at.
            max_pixels: The most pixels the picture may have.
            pixels: Whether they are wanted. Without them the answer is the size alone, its `rgb` empty:
                nothing needs to be drawn.
        """
        ...

    def members(self) -> Iterator[Member]:
        """The documents inside this one, in their order."""
        ...

    def close(self) -> None:
        """Release what is open; calling it again does nothing."""
        ...


@dataclass(frozen=True, slots=True)
class ObserverDeclaration:
    """An observer's facts: its ID, the media types it opens, and whether native code parses them.

    `hostile` formats are opened in a worker process wherever isolation is on; plain text need not be.
    Of several observers of a type, the one of the lowest `rank` is asked first, and the next where that one
    refuses the bytes as unreadable.
    """

    id: str
    media_types: tuple[str, ...]
    hostile: bool = True
    rank: int = 100


class Observer(Protocol):
    """Opens documents of its media types."""

    port_version: int
    declaration: ObserverDeclaration

    def open(self, source: SourceContent) -> Session:
        """Open `source`, whose media type is one of the declared.

        Raises:
            SourceError: `source_unreadable` when the bytes are not such a document, `source_encrypted`
                when it needs a password none of INDX_SOURCE_PASSWORDS is.
            InputTooLarge: It has more pages than INDX_MAX_PAGES, or inflates past its bounds.
        """
        ...


@dataclass(slots=True, unsafe_hash=True)
class Cell:
    """A cell of a table: where in the grid (from 1), its own text, and where its text stands in the page's.

    `text` keeps line breaks; the page's text has white space in their place, so that a table is one row a
    line and one tab between cells. A merged cell appears once, at its first row and column.

    Nobody changes one once it is made. It is not frozen as the rest is, since a worksheet has a hundred
    thousand of them and making a frozen one takes four times as long.
    """

    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    start: int
    end: int
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its stretch of the page's text. `header_rows` counts rows that head the others."""

    start: int
    end: int
    rows: int
    columns: int
    header_rows: int
    cells: Sequence[Cell]
    caption: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link: its text, and its target as written; one that is a file itself ends before what it holds."""

    start: int
    end: int
    target: str

    def __post_init__(self) -> None:
        """Leave out what a target holds itself."""
        if self.target[:5].lower() == "data:":
            object.__setattr__(self, "target", self.target[:200].partition(",")[0])


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its text is `text[start:end]`, its level counts from 1."""

    start: int
    end: int
    level: int


@dataclass(frozen=True, slots=True)
class RoleSpan:
    """A stretch of text that is not plain body text."""

    start: int
    end: int
    role: Role


@dataclass(slots=True)
class PageReading:
    r"""What one attempt read of one page.

    A page is *read* when `reason` is None, even if it is blank. Otherwise it is unread, `text` is empty
    and the next rung of the route gets it.

    Attributes:
        page: Counted from 1.
        text: The page's text, `\n` between lines, no NUL, no lone surrogate.
        line_starts: Start offset of each line, `array('q')`; lines in reading order, not overlapping.
        line_ends: End offset of each line, without its line break.
        boxes: Four numbers a line, `array('d')`, NaN where a line's place is unresolved; None when the
            format or the reader knows no positions.
        tables: Tables in order of their start.
        links: Links in order of their start.
        headings: Headings in order of their start.
        roles: Stretches that are not plain body text, in order of their start.
        hidden: Stretches that the document hides, in order of their start.
        metadata: Facts for the page's block, JSON values only.
        confidence: The reader's own claim about its reading, 0..1, where it makes one.
        reason: Why the page is unread; one word or short phrase, `no_text_layer`.
        cost_usd: What reading it was charged.
        part_starts: Start offset of each part of those lines that were put together from several, as a row
            is from its cells, `array('q')`, in the order of the text; a line of one part has none.
        part_ends: End offset of each part.
        part_boxes: Four numbers a part, `array('d')`, NaN where its place is unresolved.
    """

    page: int
    text: str = ""
    line_starts: array[int] = field(default_factory=lambda: array("q"))
    line_ends: array[int] = field(default_factory=lambda: array("q"))
    boxes: array[float] | None = None
    tables: Sequence[Table] = ()
    links: Sequence[Link] = ()
    headings: Sequence[Heading] = ()
    roles: Sequence[RoleSpan] = ()
    hidden: Sequence[Span] = ()
    metadata: Mapping[str, Any] | None = None
    confidence: float | None = None
    reason: str | None = None
    cost_usd: float = 0.0
    part_starts: array[int] = field(default_factory=lambda: array("q"))
    part_ends: array[int] = field(default_factory=lambda: array("q"))
    part_boxes: array[float] = field(default_factory=lambda: array("d"))


def line_columns(text: str) -> tuple[array[int], array[int]]:
    r"""Start and end offsets of the lines of `text`, split at `\n`; empty text has no line."""
    starts, ends = array("q"), array("q")
    if not text:
        return starts, ends
    position = 0
    while (end := text.find("\n", position)) >= 0:
        starts.append(position)
        ends.append(end)
        position = end + 1
    starts.append(position)
    ends.append(len(text))
    return starts, ends


@dataclass(frozen=True, slots=True)
class CapabilityDeclaration:
    """A capability's facts. Its price and quality are not among them: the operator states those.

    `hostile` capabilities run in a worker process wherever isolation is on. One that `converts` reads what
    another program makes of the document, which takes longer and keeps less than reading the document itself.
    """

    id: str
    kind: CapabilityKind
    media_types: tuple[str, ...]
    device: Device = "cpu"
    hostile: bool = True
    converts: bool = False


class Capability(Protocol):
    """Reads pages."""

    port_version: int
    declaration: CapabilityDeclaration

    def availability(self) -> Unavailability | None:
        """Why it cannot read now; None when it can. Imports nothing heavy."""
        ...

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages`, one reading each, in the order given, each handed over as soon as it is done.

        The deadline is that of a page: it starts anew with each reading handed over.
        The session may come from another provider of the same media type; a capability that cannot use
        it opens `session.source` itself. A page it cannot read is a reading with a `reason`; an exception
        fails the page in flight and ends this attempt for the pages after it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Signature:
    """A parser's answer that it knows a document, or a page of it.

    Attributes:
        signature: The signature's name.
        scope: What it covers.
        pages: The pages it covers.
        evidence: The signals found, as short public sentences.
        confidence: The share of independent signals matched; a signal that is a share counts as its share.
    """

    signature: str
    scope: Literal["DOCUMENT", "PAGE"]
    pages: Sequence[int]
    evidence: Sequence[str]
    confidence: float


class Parser(Capability, Protocol):
    """A capability of kind `parser`: it reads what it recognises, and only when nominated."""

    def recognise(self, observation: Observation, session: Session) -> Sequence[Signature]:
        """The signatures found; empty when the document is not of this parser's kind."""
        ...
