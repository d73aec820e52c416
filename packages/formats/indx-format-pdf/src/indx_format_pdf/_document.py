"""One open PDF document."""

from __future__ import annotations

import ctypes
import math
import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Heading, Member, Raster, SourceContent
from indx_core.settings import MAX_PAGES, SOURCE_PASSWORDS
from indx_format_pdf._annotations import file_name, files_on
from indx_format_pdf._forms import with_form
from indx_format_pdf._outline import OutlineItem, headings, outline
from indx_format_pdf._page import PageContent, frame_of, page_content
from indx_format_pdf._pdfium import TooMuch, abandon, exclusive, pdfium, text_of
from indx_format_pdf._pictures import undecoded

__all__ = ["PdfDocument"]

_POINTS: Final = 72  # an inch
_INFORMATION: Final = (
    ("title", b"Title"),
    ("author", b"Author"),
    ("subject", b"Subject"),
    ("keywords", b"Keywords"),
)
_NOTHING: Final = frozenset(
    {"", "untitled", "anonymous", "unspecified"}
)  # what writers put when told nothing
_LONGEST_FACT: Final = 1000
_LONGEST_LABEL: Final = 100
_MOST_NAMES: Final = 10_000
_TRIES: Final = range(2)  # in some damaged files PDFium finds a page the second time it is asked for
_ENCRYPTED: Final = b"/Encrypt"
_POINTER: Final = b"startxref"
_TAIL: Final = 4096
_AT_ONCE: Final = 1 << 24  # bytes of a file that are read into memory as a whole
_GHOSTSCRIPT: Final = "Ghostscript"


class PdfDocument:
    """A PDF document, opened once and closed by whoever opened it.

    Every method takes PDFium's lock for its length. Pages are looked at once and remembered. A document that
    is dropped without `close()` is closed by whoever uses PDFium next, never by the garbage collector.

    Args:
        source: Its bytes, in memory or in a file.

    Attributes:
        source: What it was opened from.
        page_count: How many pages it has.
        encrypted: Whether it is encrypted, opened by a password or by none.

    Raises:
        SourceError: `source_encrypted` when none of INDX_SOURCE_PASSWORDS opens it, `source_unreadable` when
            it is not a PDF document with a page.
        InputTooLarge: It has more pages than INDX_MAX_PAGES.
    """

    def __init__(self, source: SourceContent) -> None:
        """Open it."""
        self.source = source
        self._pages: dict[int, PageContent] = {}
        passwords = ("", *SOURCE_PASSWORDS.get())
        limit = MAX_PAGES.get()
        with exclusive():
            self._handles = _open(source, passwords)
            self._finalizer = weakref.finalize(self, abandon, self._handles.close)
            self._finalizer.atexit = False
            try:
                self.page_count = _count_pages(self._handles.document, limit)
            except BaseException:
                self.close()
                raise
            self.encrypted = pdfium.FPDF_GetSecurityHandlerRevision(self._handles.document) >= 0

    def close(self) -> None:
        """Close it; calling it again does nothing."""
        with exclusive():
            self._finalizer.detach()
            self._handles.close()

    def page(self, number: int) -> PageContent:
        """What page `number`, counted from 1, holds.

        A page that PDFium cannot open, or over which more is laid than is looked at, has `opened=False`.
        """
        found = self._pages.get(number)
        if found is None:
            found = self._pages[number] = self.look(number)
        return found

    def look(self, number: int) -> PageContent:
        """What page `number` holds, looked at anew and not remembered."""
        with exclusive():
            handles = self._opened()
            page = self._load(number)
            if not page:
                return PageContent(number, opened=False)
            try:
                content = page_content(page, number, handles)
                return with_form(content, handles.document) if number == 1 else content
            except TooMuch:
                return PageContent(number, opened=False)
            finally:
                pdfium.FPDF_ClosePage(page)

    @cached_property
    def whole(self) -> bool:
        """Whether every page is there and the table of objects is sound.

        If not, what a number names depends on the pages asked for before. To ask is to have asked before, so
        it is another opening of the bytes that is asked.
        """
        size = pdfium.FS_SIZEF()
        with exclusive():
            if not pdfium.FPDF_DocumentHasValidCrossReferenceTable(self._opened().document):
                return False
            other = _open(self.source, ("", *SOURCE_PASSWORDS.get()))
            try:
                return all(
                    pdfium.FPDF_GetPageSizeByIndexF(other.document, index, ctypes.byref(size))
                    for index in range(self.page_count)
                )
            finally:
                other.close()

    def take_over(self, content: PageContent) -> None:
        """Remember what another opening of the same bytes found on a page."""
        self._check(content.number)
        self._pages[content.number] = content

    def headings(self, number: int) -> tuple[Heading, ...]:
        """The lines of page `number` that the document's outline names."""
        items = self._outline_by_page.get(number)
        if not items:
            return ()
        page = self.page(number)
        return headings(page.text, page.line_starts, page.line_ends, items)

    @cached_property
    def outline(self) -> tuple[OutlineItem, ...]:
        """The document's outline, its entries in order."""
        with exclusive():
            return tuple(outline(self._opened().document))

    @cached_property
    def _outline_by_page(self) -> Mapping[int, Sequence[OutlineItem]]:
        pages: dict[int, list[OutlineItem]] = {}
        for item in self.outline:
            pages.setdefault(item.page, []).append(item)
        return pages

    @cached_property
    def damaged(self) -> bool:
        """Whether what ends every PDF is missing; it was then opened by searching it."""
        with self.source.buffer() as data:
            return data.find(_POINTER, max(0, self.source.size - _TAIL)) < 0

    def label(self, number: int) -> str:
        """What the document calls page `number`: "iv", "A-3"; empty where it does not say."""
        self._check(number)
        with exclusive():
            written = text_of(pdfium.FPDF_GetPageLabel, self._opened().document, number - 1)
        return " ".join(clean_text(written).split())[:_LONGEST_LABEL]

    @cached_property
    def information(self) -> Mapping[str, str]:
        """What the document says of itself: title, author, subject, keywords, where it says anything."""
        facts: dict[str, str] = {}
        with exclusive():
            document = self._opened().document
            for name, tag in _INFORMATION:
                text = " ".join(clean_text(text_of(pdfium.FPDF_GetMetaText, document, tag)).split())
                if text.lower() not in _NOTHING:
                    facts[name] = text[:_LONGEST_FACT]
        return facts

    def render(self, number: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:
        """Page `number` as displayed; None when it would have more than `max_pixels`, or cannot be drawn.

        The size is checked before anything is allocated; without `pixels` it is all there is. A page that
        comes out in one colour because an image of it cannot be decoded cannot be drawn.
        """
        with exclusive():
            document = self._opened().document
            self._check(number)
            size, place = pdfium.FS_SIZEF(), number - 1
            if not any(pdfium.FPDF_GetPageSizeByIndexF(document, place, ctypes.byref(size)) for _ in _TRIES):
                return None
            scale = dpi / _POINTS
            if not (0 < size.width * scale < math.inf and 0 < size.height * scale < math.inf):
                return None
            width, height = max(1, math.ceil(size.width * scale)), max(1, math.ceil(size.height * scale))
            if width * height > max_pixels:
                return None
            page = self._load(number)
            if not page:
                return None
            try:
                drawn = _draw(page, width, height, dpi) if pixels else Raster(width, height, b"", dpi)
                is_plain = drawn is not None and drawn.rgb == drawn.rgb[:3] * (len(drawn.rgb) // 3)
                return None if pixels and is_plain and undecoded(page, frame_of(page)) else drawn
            finally:
                pdfium.FPDF_ClosePage(page)

    @cached_property
    def member_count(self) -> int:
        """How many files are embedded in the document as a whole."""
        with exclusive():
            return max(0, int(pdfium.FPDFDoc_GetAttachmentCount(self._opened().document)))

    @cached_property
    def member_names(self) -> tuple[str, ...]:
        """The names of the first 10,000 of them, as written."""
        with exclusive():
            document, count = self._opened().document, min(self.member_count, _MOST_NAMES)
            return tuple(file_name(pdfium.FPDFDoc_GetAttachment(document, index)) for index in range(count))

    def members(self, *, limit: int) -> Iterator[Member]:
        """The embedded files: those of the document, then those attached to its pages, in order.

        One of more than `limit` bytes is a member without its bytes, as are those attached to one page from
        where they have more together.
        """
        for index in range(self.member_count):
            with exclusive():
                file = pdfium.FPDFDoc_GetAttachment(self._opened().document, index)
                written, data = file_name(file), _file_bytes(file, limit)
            yield _member(_relative(written) or f"attachment-{index + 1}", data)
        for number in range(1, self.page_count + 1):
            if self.page(number).attachments:
                yield from self._attached(number, limit)

    def _attached(self, number: int, limit: int) -> list[Member]:
        with exclusive():
            page = self._load(number)
            if not page:
                return []
            try:
                return list(_members_on(page, number, limit))
            finally:
                pdfium.FPDF_ClosePage(page)

    def _opened(self) -> _Handles:
        if self._handles.document is None:
            raise ValueError("the document is closed")
        return self._handles

    def _check(self, number: int) -> None:
        if not 1 <= number <= self.page_count:
            raise ValueError(f"page {number!r} is not one of the {self.page_count} pages")

    def _load(self, number: int) -> Any:
        self._check(number)
        document = self._opened().document
        return next(filter(None, (pdfium.FPDF_LoadPage(document, number - 1) for _ in _TRIES)), None)


class _Handles:
    """What is open at PDFium for one document, and the memory it reads."""

    def __init__(self, document: Any, data: bytes | None) -> None:
        self.document = document
        self.data = data
        self._form: Any = None
        self._callbacks: Any = None

    def form(self) -> Any:
        """The environment that field values are asked from, made on first need."""
        if self._form is None:
            self._callbacks = pdfium.FPDF_FORMFILLINFO(version=2)
            self._form = pdfium.FPDFDOC_InitFormFillEnvironment(self.document, self._callbacks)
        return self._form

    @cached_property
    def ghostscript(self) -> bool:
        """Whether Ghostscript wrote it."""
        return _GHOSTSCRIPT in text_of(pdfium.FPDF_GetMetaText, self.document, b"Producer")

    def close(self) -> None:
        """Close all of it; the caller holds PDFium."""
        if self._form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(self._form)
        if self.document is not None:
            pdfium.FPDF_CloseDocument(self.document)
        self.document = self._form = self._callbacks = self.data = None


def _open(source: SourceContent, passwords: Sequence[str]) -> _Handles:
    error = pdfium.FPDF_ERR_FORMAT
    # From a file PDFium reads 512 bytes at a time.
    data = source.read() if source.size <= _AT_ONCE else source.data
    for password in passwords:
        secret = password.encode("utf-8") or None
        if data is None:
            assert source.path is not None
            document = pdfium.FPDF_LoadDocument(os.fsencode(source.path), secret)
        else:
            document = pdfium.FPDF_LoadMemDocument64(data, len(data), secret)
        if document:
            return _Handles(document, data)
        error = pdfium.FPDF_GetLastError()
        if error != pdfium.FPDF_ERR_PASSWORD:
            break
    raise _refusal(source, error)


def _refusal(source: SourceContent, error: int) -> SourceError:
    if not source.size:
        return SourceError("the file is empty: it holds no bytes; save or send it again")
    with source.buffer() as data:
        encrypted = data.find(_ENCRYPTED) >= 0
    if error == pdfium.FPDF_ERR_PASSWORD and encrypted:
        return SourceError(
            "the PDF needs a password and none of INDX_SOURCE_PASSWORDS opens it; add its password there",
            code="source_encrypted",
        )
    if error == pdfium.FPDF_ERR_SECURITY:
        return SourceError(
            "the PDF is encrypted by a scheme other than passwords; save it without encryption",
            code="source_encrypted",
        )
    return SourceError("the bytes are not a PDF that can be opened; check that the file is whole")


def _count_pages(document: Any, limit: int) -> int:
    count = int(pdfium.FPDF_GetPageCount(document))
    if count > limit:
        raise InputTooLarge(
            f"the PDF has {count} pages and INDX_MAX_PAGES allows {limit}; raise it or split the file"
        )
    if count < 1:
        raise SourceError("the PDF has no pages; check that the file is whole")
    return count


def _draw(page: Any, width: int, height: int, dpi: int) -> Raster | None:
    stride = 3 * width
    pixels = bytearray(stride * height)
    room = (ctypes.c_char * len(pixels)).from_buffer(pixels)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGR, room, stride)
    if not bitmap:
        return None
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return Raster(width, height, bytes(pixels), dpi)


def _members_on(page: Any, number: int, limit: int) -> Iterator[Member]:
    """The files attached to an open page; they are held together, and so bounded together."""
    left = limit
    for file in files_on(page):
        data = (
            f"not taken out: the files of its page have more than {limit} bytes"
            if left < 0
            else _file_bytes(file, limit)
        )
        if not isinstance(data, str):
            left -= len(data)
        yield _member(_relative(file_name(file)) or f"page-{number}-attachment", data)


def _file_bytes(file: Any, limit: int) -> bytes | str:
    """The bytes of an embedded file, or why there are none."""
    size = ctypes.c_ulong()
    if not file or not pdfium.FPDFAttachment_GetFile(file, None, 0, ctypes.byref(size)):
        return "cannot be read"
    if size.value > limit:
        return f"has {size.value} bytes, more than the {limit} allowed"
    room = ctypes.create_string_buffer(max(1, size.value))
    if not pdfium.FPDFAttachment_GetFile(file, room, size.value, ctypes.byref(size)):
        return "cannot be read"
    return room.raw[: size.value]


def _member(name: str, data: bytes | str) -> Member:
    return Member(name, None, b"", data) if isinstance(data, str) else Member(name, None, data)


def _relative(name: str) -> str:
    """A name as a relative path that leads nowhere else."""
    parts = name.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part.strip() not in {"", ".", ".."})[:255].strip()
