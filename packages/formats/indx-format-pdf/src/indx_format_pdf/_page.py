"""One page: everything that is asked of PDFium about it, in one visit."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat
from math import isfinite
from typing import Any, Final, Protocol

from indx_core.ports import Link, RoleSpan, Span, Table
from indx_format_pdf._annotations import Mark, marks
from indx_format_pdf._assemble import Assembled
from indx_format_pdf._draft import Draft
from indx_format_pdf._geometry import Frame
from indx_format_pdf._lattice import lattices
from indx_format_pdf._links import link_spans
from indx_format_pdf._pdfium import fast, pdfium
from indx_format_pdf._pictures import Pictures, pictures
from indx_format_pdf._plausible import characters, plausible
from indx_format_pdf._rules import rules_of
from indx_format_pdf._text import PageText, clean
from indx_format_pdf._unseen import unseen
from indx_format_pdf._upright import Upright, put_back, quarters_of, set_upright

__all__ = ["PageContent", "frame_of", "page_content"]

_MARGIN: Final = 0.12  # of the page's width or height: an inch, where scans are stamped and numbered
_LARGE: Final = 0.5  # of the page; pictures that cover less leave room for text of its own
_SAMPLE: Final = 24  # glyphs asked whether they map to a character
_KEPT: Final = 0.99  # of the letters of a page that stay when it is set upright


class Opened(Protocol):
    """A document that is open at PDFium.

    Attributes:
        document: Its handle.
    """

    document: Any

    @property
    def ghostscript(self) -> bool:
        """Whether Ghostscript wrote it."""

    def form(self) -> Any:
        """Its form environment."""


@dataclass(frozen=True, slots=True)
class PageContent:
    r"""What a page holds.

    Attributes:
        number: Counted from 1.
        width: Points across, as displayed.
        height: Points down.
        text: The text layer, in reading order, then comments; `\n` between lines, a tab between cells.
        line_starts: Where each line starts in it.
        line_ends: Where it ends.
        boxes: Four numbers a line, shares of the displayed page, NaN where unknown.
        links: Links out of the document.
        attachments: Names of files attached to the page.
        roles: Comments and text boxes laid over the page.
        hidden: Text that nobody sees, and that of annotations that the document hides.
        characters: Characters of the text, not counting white space.
        body: Those of them that stand away from the margins, comments left out.
        images: Images drawn.
        image_share: The share of the page they cover.
        drawings: Lines and shapes that show on a page without text and images.
        unmapped: Glyphs that map to no character; each run of them is one U+FFFD in the text.
        off_page: Characters left out because they stand off the displayed page.
        plausible: Whether the text layer looks like text.
        opened: False when PDFium could not open the page; everything else is then empty.
        part_starts: Where each part starts of those lines that have several: cells, words drawn apart.
        part_ends: Where it ends.
        part_boxes: Four numbers a part, as of a line.
        tables: Tables whose rules are drawn.
        form: On the first page of a document whose pages only say to wait until its form is drawn: `read`
            where it has the text of the form, `unread` where that cannot be told.
    """

    number: int
    width: float = 0.0
    height: float = 0.0
    text: str = ""
    line_starts: array[int] = field(default_factory=lambda: array("q"))
    line_ends: array[int] = field(default_factory=lambda: array("q"))
    boxes: array[float] = field(default_factory=lambda: array("d"))
    links: tuple[Link, ...] = ()
    attachments: tuple[str, ...] = ()
    roles: tuple[RoleSpan, ...] = ()
    hidden: tuple[Span, ...] = ()
    characters: int = 0
    images: int = 0
    image_share: float = 0.0
    unmapped: int = 0
    off_page: int = 0
    plausible: bool = True
    opened: bool = True
    part_starts: array[int] = field(default_factory=lambda: array("q"))
    part_ends: array[int] = field(default_factory=lambda: array("q"))
    part_boxes: array[float] = field(default_factory=lambda: array("d"))
    tables: tuple[Table, ...] = ()
    body: int = 0
    drawings: int = 0
    form: str = ""


def frame_of(page: Any) -> Frame:
    """The displayed box of an open page, and its turn."""
    rect = pdfium.FS_RECTF()
    found = pdfium.FPDF_GetPageBoundingBox(page, ctypes.byref(rect))
    left, bottom, right, top = sides = rect.left, rect.bottom, rect.right, rect.top
    if not (found and all(map(isfinite, sides)) and right - left >= 1 and top - bottom >= 1):
        left, bottom, right, top = 0.0, 0.0, 612.0, 792.0
    return Frame(left, bottom, right, top, pdfium.FPDFPage_GetRotation(page) % 4)


def page_content(page: Any, number: int, opened: Opened) -> PageContent:
    """Look at an open page, which may come out turned.

    Args:
        page: The page.
        number: Its number, counted from 1.
        opened: Its document.
    """
    frame = frame_of(page)
    content = _content(Upright(page, frame, lambda: page), number, opened)
    if isinstance(content, PageContent):
        return content
    quarters, letters = content
    document = opened.document
    with set_upright(page, frame, quarters, lambda: pdfium.FPDF_LoadPage(document, number - 1)) as upright:
        content = _content(upright, number, opened, letters=letters)
    if isinstance(content, PageContent):
        return put_back(content, frame, (quarters + frame.turns) % 4)
    # Text in fonts without outlines may be lost when it is turned: it is read as it stands.
    page = pdfium.FPDF_LoadPage(document, number - 1)
    try:
        content = _content(Upright(page, frame, lambda: page), number, opened, letters=0)
    finally:
        pdfium.FPDF_ClosePage(page)
    assert isinstance(content, PageContent)
    return content


def _content(
    upright: Upright, number: int, opened: Opened, *, letters: int | None = None
) -> PageContent | tuple[int, int]:
    """What a page holds, if it has so many letters.

    Without `letters`, a page that is to be set upright first is told by the quarters by which its letters
    are set, and how many there are.
    """
    page, frame = upright.page, upright.frame
    handle = pdfium.FPDFText_LoadPage(page)
    if not handle:
        return PageContent(number, frame.width, frame.height, opened=False)
    try:
        text = PageText(handle, ghostscript=opened.ghostscript)
        if letters is None:
            quarters = quarters_of(text, frame.turns)
            if quarters is not None and (quarters or frame.turns):
                return quarters, text.letters()
        elif text.letters() < _KEPT * letters:
            return 0, letters
        drawn = pictures(page, frame)
        found = upright.marks(marks(page, opened.document, opened.form))
        rules = rules_of(drawn.paths, frame)
        grids = lattices(rules) if rules is not None else []
        fields = [mark.boxes[0] for mark in found if mark.kind == "field" and mark.boxes and not mark.hidden]
        return _read(upright, Draft(text, frame, grids, upright.level, fields), number, drawn, found)
    finally:
        pdfium.FPDFText_ClosePage(handle)


def _read(upright: Upright, draft: Draft, number: int, drawn: Pictures, found: list[Mark]) -> PageContent:
    page, frame = draft.page, draft.frame
    legible = plausible("\n".join(draft.lines.texts), unmapped=_unmapped_share(page), lost=page.unmapped)
    added = _lay_over(draft, found)
    done = draft.finish()
    out_of_sight = unseen(upright, drawn, draft)
    roles, hidden = _spans(added, out_of_sight, done)
    starts, ends, boxes = draft.parts(done)
    said = characters(done.text)
    return PageContent(
        number,
        frame.width,
        frame.height,
        done.text,
        done.starts,
        done.ends,
        draft.line_boxes(),
        link_spans(found, draft, done) if found else (),
        tuple(mark.text for mark in found if mark.kind == "attachment"),
        roles,
        hidden,
        said,
        drawn.images,
        drawn.share,
        page.unmapped,
        draft.off_page,
        legible,
        part_starts=starts,
        part_ends=ends,
        part_boxes=boxes,
        tables=draft.tables(done),
        body=_in_body(draft, done, added) if drawn.share >= _LARGE else said,
        drawings=0 if said or drawn.images else drawn.drawings(frame),
    )


def _in_body(draft: Draft, done: Assembled, added: list[tuple[Mark, list[int]]]) -> int:
    """Characters of the page's own text and its fields that stand away from its margins."""
    beside = {index for mark, indices in added if mark.kind != "field" for index in indices}
    far = 1 - _MARGIN
    return sum(
        characters(text)
        for index, (text, x0, y0, x1, y1) in enumerate(zip(draft.lines.texts, *draft.shares, strict=True))
        if index not in beside
        and done.bases[index] >= 0
        and not (y1 <= _MARGIN or y0 >= far or x1 <= _MARGIN or x0 >= far)
    )


def _unmapped_share(page: PageText) -> float:
    """Of a sample of glyphs, the share whose character is only guessed."""
    size = page.size
    if not size:
        return 0.0
    sample = range(0, size, max(1, size // _SAMPLE))
    return list(map(fast.char_unmapped, repeat(page.place), sample)).count(1) / len(sample)


def _lay_over(draft: Draft, found: list[Mark]) -> list[tuple[Mark, list[int]]]:
    """Add the text of annotations: field values beside their labels, comments at the end."""
    added: list[tuple[Mark, list[int]]] = []
    fields: list[int] = []
    for mark in found:
        if mark.kind == "link" or not mark.boxes:
            continue
        box = draft.frame.ordered(*mark.boxes[0])
        if mark.kind == "field":
            value = " ".join(clean(" ".join(mark.text.split())).split())
            indices = [draft.add(value, box)] if value else []
            fields += [index for index in indices if not draft.takes(index)]
        else:
            lines = [line for line in map(str.strip, map(clean, mark.text.splitlines())) if line]
            indices = [draft.add(line, box) for line in lines]
        if indices:
            added.append((mark, indices))
    if fields:
        draft.place(fields)
    for mark, indices in added:
        if mark.kind != "field":
            for index in indices:
                draft.append(index)
    return added


def _spans(
    added: list[tuple[Mark, list[int]]], out_of_sight: Sequence[int], done: Assembled
) -> tuple[tuple[RoleSpan, ...], tuple[Span, ...]]:
    roles: list[RoleSpan] = []
    hidden: list[Span] = []
    for start, end in sorted(span for line in out_of_sight if (span := done.span(line)) is not None):
        if hidden and start < hidden[-1][1]:  # a word that is broken over two lines
            hidden[-1] = hidden[-1][0], max(end, hidden[-1][1])
        else:
            hidden.append((start, end))
    for mark, indices in added:
        start, end = done.bases[indices[0]], done.bases[indices[-1]] + len(done.texts[indices[-1]])
        if mark.kind in {"comment", "text_box", "attachment"}:
            roles.append(RoleSpan(start, end, mark.kind))
        if mark.hidden:
            hidden.append((start, end))
    return tuple(sorted(roles, key=lambda role: (role.start, role.end))), tuple(sorted(hidden))
