"""What is laid over a page: links, comments, the values of form fields, and attached files."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from indx_core.canonical import clean_text
from indx_format_pdf._pdfium import TooMuch, bytes_of, pdfium, text_of

__all__ = ["Box", "Mark", "file_name", "files_on", "marks"]

_MOST: Final = 500_000  # annotations of a page
_FIELD: Final = 25  # annotations that are looked at in the time of a field, of which there may be thousands
_MOST_TEXT: Final = 1 << 25  # characters laid over a page
_MOST_BYTES: Final = 2 * _MOST_TEXT
_MOST_QUADS: Final = 100  # a link of more stands on what is within the whole of its rectangle
_HIDDEN: Final = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_COMMENTS: Final = frozenset(
    {
        pdfium.FPDF_ANNOT_TEXT,
        pdfium.FPDF_ANNOT_LINE,
        pdfium.FPDF_ANNOT_SQUARE,
        pdfium.FPDF_ANNOT_CIRCLE,
        pdfium.FPDF_ANNOT_POLYGON,
        pdfium.FPDF_ANNOT_POLYLINE,
        pdfium.FPDF_ANNOT_HIGHLIGHT,
        pdfium.FPDF_ANNOT_UNDERLINE,
        pdfium.FPDF_ANNOT_SQUIGGLY,
        pdfium.FPDF_ANNOT_STRIKEOUT,
        pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_CARET,
        pdfium.FPDF_ANNOT_INK,
    }
)
_FILE_ACTIONS: Final = frozenset({pdfium.PDFACTION_REMOTEGOTO, pdfium.PDFACTION_LAUNCH})

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing laid over a page.

    Attributes:
        kind: `link`, or what its text is: a `comment`, a `text_box`, the value of a `field`, the name of
            the file in an `attachment`.
        text: The target of a link, or the text.
        boxes: Where it stands, left, bottom, right, top in the page's own coordinates.
        hidden: Whether the document hides it.
    """

    kind: Literal["link", "comment", "text_box", "field", "attachment"]
    text: str
    boxes: tuple[Box, ...]
    hidden: bool = False


def marks(page: Any, document: Any, form: Callable[[], Any]) -> list[Mark]:
    """What is laid over an open page.

    Args:
        page: The page.
        document: Its document.
        form: Gives the form environment that field values are asked from; called only for a page with fields.

    Raises:
        TooMuch: There is more than is looked at; a part of it would pass for the whole.
    """
    found: list[Mark] = []
    count = pdfium.FPDFPage_GetAnnotCount(page)
    left, room = _MOST - count, _MOST_TEXT
    for index in range(count):
        _check(left, room)
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            mark = _mark(annotation, document, form)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
        if mark is None:
            continue
        left -= _FIELD if mark.kind == "field" else 0
        room -= len(mark.text)
        if mark.text.strip():
            found.append(mark)
    _check(left, room)
    return found


def _check(left: int, room: int) -> None:
    """Refuse a page over which more is laid than is looked at."""
    if left < 0 or room < 0:
        raise TooMuch("more annotations than are looked at, or more text in them")


def _mark(annotation: Any, document: Any, form: Callable[[], Any]) -> Mark | None:
    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if kind == pdfium.FPDF_ANNOT_LINK:
        link = pdfium.FPDFAnnot_GetLink(annotation)
        target = _target(link, document) if link else ""
        return Mark("link", target, _quads(annotation) or _rectangle(annotation)) if target else None
    hidden = bool(pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN)
    if kind == pdfium.FPDF_ANNOT_WIDGET:
        return Mark("field", _value(annotation, form()), _rectangle(annotation), hidden)
    if kind == pdfium.FPDF_ANNOT_FREETEXT:
        return Mark("text_box", _contents(annotation), _rectangle(annotation), hidden)
    if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT:
        return Mark("attachment", file_name(_file(annotation)), _rectangle(annotation), hidden)
    if kind in _COMMENTS:
        return Mark("comment", _contents(annotation), _rectangle(annotation), hidden)
    return None


def _file(annotation: Any) -> Any:
    return pdfium.FPDFAnnot_GetFileAttachment(annotation)


def file_name(file: Any) -> str:
    """The name of an embedded file, as written; empty when there is none."""
    return clean_text(text_of(pdfium.FPDFAttachment_GetName, file)).strip() if file else ""


def files_on(page: Any) -> Iterator[Any]:
    """The files in the attachment annotations of an open page that have a name, valid until it is closed."""
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_FILEATTACHMENT:
                file = _file(annotation)
                if file_name(file):
                    yield file
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _contents(annotation: Any) -> str:
    return text_of(pdfium.FPDFAnnot_GetStringValue, annotation, b"Contents", most=_MOST_BYTES)


def _target(link: Any, document: Any) -> str:
    """Where a link leads out of the document: an address, or the name of a file; empty within it."""
    action = pdfium.FPDFLink_GetAction(link)
    if not action:
        return ""
    kind = pdfium.FPDFAction_GetType(action)
    if kind == pdfium.PDFACTION_URI:
        raw = bytes_of(pdfium.FPDFAction_GetURIPath, document, action, most=_MOST_BYTES)
    elif kind in _FILE_ACTIONS:
        raw = bytes_of(pdfium.FPDFAction_GetFilePath, action, most=_MOST_BYTES)
    else:
        return ""
    raw = raw.partition(b"\0")[0]
    with suppress(UnicodeDecodeError):
        return raw.decode("utf-8")
    return raw.decode("latin-1")


def _rectangle(annotation: Any) -> tuple[Box, ...]:
    rect = pdfium.FS_RECTF()
    if not pdfium.FPDFAnnot_GetRect(annotation, ctypes.byref(rect)):
        return ()
    # Its corners may be any two that lie opposite each other.
    (left, right), (bottom, top) = sorted((rect.left, rect.right)), sorted((rect.bottom, rect.top))
    return ((left, bottom, right, top),)


def _quads(annotation: Any) -> tuple[Box, ...]:
    """The rectangles of a link that runs over several lines, where they are not too many."""
    count = pdfium.FPDFAnnot_CountAttachmentPoints(annotation)
    if count > _MOST_QUADS:
        return ()
    boxes: list[Box] = []
    quad = pdfium.FS_QUADPOINTSF()
    for index in range(count):
        if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, ctypes.byref(quad)):
            across, down = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            boxes.append((min(across), min(down), max(across), max(down)))
    return tuple(boxes)


def _value(annotation: Any, form: Any) -> str:
    """What a field holds; a ticked box holds its name."""
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in {pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON}:
        if text_of(pdfium.FPDFAnnot_GetStringValue, annotation, b"AS") in {"", "Off"}:
            return ""
        name = text_of(pdfium.FPDFAnnot_GetFormFieldAlternateName, form, annotation)
        return f"[x] {name}".strip()
    if kind in {
        pdfium.FPDF_FORMFIELD_TEXTFIELD,
        pdfium.FPDF_FORMFIELD_COMBOBOX,
        pdfium.FPDF_FORMFIELD_LISTBOX,
    }:
        return text_of(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation, most=_MOST_BYTES)
    return ""
