"""Documents whose pages only say to wait, until a program has drawn the form that they hold (XFA)."""

from __future__ import annotations

import ctypes
from array import array
from dataclasses import replace
from math import nan
from typing import Any, Final

from indx_core.canonical import clean_text
from indx_core.ports import line_columns
from indx_format_pdf._page import PageContent
from indx_format_pdf._pdfium import bytes_of, pdfium
from indx_format_pdf._plausible import characters
from indx_format_pdf._xfa import form_text

__all__ = ["with_form"]

_MOST_PACKETS: Final = 100
_MOST_WAITING: Final = 2_000  # characters of a page that says to wait; what is longer says something else
_MOST_BYTES: Final = 1 << 25  # of the XML of a form; a part of it would pass for the whole


def with_form(content: PageContent, document: Any) -> PageContent:
    """The first page of an open document, with the text of the form that is drawn in place of its pages.

    Nobody knows where that stands before it is drawn. Where it cannot be told the page is as it was, and says
    so.
    """
    if pdfium.FPDF_GetFormType(document) != pdfium.FORMTYPE_XFA_FULL or content.characters > _MOST_WAITING:
        return content
    text = form_text(_packets(document))
    if text is None:
        return replace(content, form="unread")
    text = clean_text(text)
    starts, ends = line_columns(text)
    said = characters(text)
    return PageContent(
        content.number,
        content.width,
        content.height,
        text,
        starts,
        ends,
        array("d", [nan]) * (4 * len(starts)),
        attachments=content.attachments,
        characters=said,
        body=said,
        form="read",
    )


def _packets(document: Any) -> dict[str, bytes]:
    """The parts of a form by their names; none where they are too many or too large."""
    found: dict[str, bytes] = {}
    left, count = _MOST_BYTES, pdfium.FPDF_GetXFAPacketCount(document)
    for index in range(count if count <= _MOST_PACKETS else 0):
        length = ctypes.c_ulong()
        pdfium.FPDF_GetXFAPacketContent(document, index, None, 0, ctypes.byref(length))
        left -= length.value
        if left < 0:
            return {}
        room = ctypes.create_string_buffer(length.value)
        pdfium.FPDF_GetXFAPacketContent(document, index, room, length.value, ctypes.byref(length))
        name = bytes_of(pdfium.FPDF_GetXFAPacketName, document, index)
        found.setdefault(name.rstrip(b"\0").decode("latin-1"), room.raw)
    return found
