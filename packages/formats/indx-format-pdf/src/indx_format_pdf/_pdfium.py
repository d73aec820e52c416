"""PDFium: the one lock that every call holds, calls that are cheap, and handles that wait to be closed.

PDFium keeps state for the whole process and none of it may be touched by two threads at once, so everything
here is called inside `with exclusive():`. The garbage collector runs in whatever thread happens to allocate;
a finaliser therefore never calls PDFium but leaves its handle with `abandon`, and whoever holds the lock
next closes it.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable
from functools import cache
from threading import RLock
from typing import Any, Final

import pypdfium2.raw as pdfium

from indx_format_pdf._fonts import install

__all__ = [
    "TooMuch",
    "abandon",
    "address",
    "bytes_of",
    "exclusive",
    "fast",
    "pdfium",
    "place_of",
    "pointer",
    "text_of",
]

_LOCK: Final = RLock()
_ABANDONED: Final[deque[Callable[[], None]]] = deque()
_KEPT: Final = 1 << 20  # bytes; the letters of a page take a hundred each
_FONTS: Final = install(pdfium)
_SHORT: Final = 512  # bytes; most titles, labels and names are
_SCRATCH: Final = ctypes.create_string_buffer(_SHORT)
"""What is written and read again under PDFium's lock."""
_LONGEST: Final = 1 << 22  # bytes of any one title, label or name; what is longer is not one


def _keep_memory() -> None:
    """Have the C library keep for the next page what one let go.

    That of GNU takes what is larger than 128 KiB from the system and gives it back at once, so that letters
    of a page are written to memory that has to be found and cleared: a fifteenth of the time. When something
    larger is let go, it learns that this happens and keeps what is not larger from then on, for the whole
    process: twice as much at the end of its memory, and more where small things lie between.
    """
    bytes(_KEPT)


_keep_memory()


pointer: Final[Callable[[int | None], Any]] = ctypes.c_void_p.from_param
"""An address as the fast calls take it."""


class TooMuch(Exception):
    """More belongs to a page than is looked at."""


class exclusive:  # noqa: N801  used as a function is
    """Hold PDFium alone, after closing what was left open."""

    __slots__ = ()

    def __enter__(self) -> None:
        """Wait for it."""
        _LOCK.acquire()
        try:
            while _ABANDONED:
                _ABANDONED.popleft()()
        except BaseException:
            _LOCK.release()
            raise

    def __exit__(self, *_: object) -> None:
        """Let go."""
        _LOCK.release()


def abandon(close: Callable[[], None]) -> None:
    """Leave something behind that is closed by the next holder of PDFium; safe in a finaliser."""
    _ABANDONED.append(close)


def address(handle: Any) -> int:
    """A handle as a plain number."""
    return ctypes.c_void_p.from_buffer(handle).value or 0


def place_of(handle: Any) -> Any:
    """A handle as the fast calls take it."""
    return pointer(ctypes.c_void_p.from_buffer(handle).value)


@cache
def _scratch(kind: Any) -> Any:
    """The scratch buffer as a call takes it."""
    return ctypes.cast(_SCRATCH, kind)


def bytes_of(call: Any, *arguments: Any, most: int | None = None) -> bytes:
    """What a call writes whose last parameters are a buffer and its length, and that returns the length.

    Args:
        call: The call.
        arguments: Its other arguments.
        most: The most bytes, where what is longer may not be passed over.

    Raises:
        TooMuch: There are more than `most`.
    """
    length = call(*arguments, _scratch(call.argtypes[-2]), _SHORT)
    if most is not None and length > most:
        raise TooMuch(f"a text of {length} bytes")
    if not 0 < length <= (most or _LONGEST):
        return b""
    if length <= _SHORT:
        return _SCRATCH.raw[:length]
    room = ctypes.create_string_buffer(length)
    call(*arguments, ctypes.cast(room, call.argtypes[-2]), length)
    return room.raw


def text_of(call: Any, *arguments: Any, most: int | None = None) -> str:
    """What such a call writes as UTF-16, without its closing NUL; lone surrogates are replaced."""
    return bytes_of(call, *arguments, most=most).decode("utf-16-le", "replace").partition("\0")[0]


def _prototype(name: str, result: Any, *parameters: Any) -> Any:
    """A call that neither checks types nor releases the interpreter lock; both cost more than the call.

    Without parameters arguments are handed over as they are, which takes half as long: numbers as C's `int`,
    addresses that `pointer`, `place_of` or `ctypes.byref` made. A plain number for one of these would be cut
    to 32 bits. It is all parameters or none: past the last of some `ctypes` takes a call for one of variable
    arguments, which lie elsewhere on Apple's machines.
    """
    return ctypes.PYFUNCTYPE(result, *parameters)(address(getattr(pdfium, name)))


class fast:  # noqa: N801  a namespace of functions
    """The short calls made for every line, character or object.

    A page or its text is what `place_of` makes of its handle. Objects, marks and segments come as plain
    numbers, of which `pointer` makes what calls without parameters take.
    """

    _n, _p = ctypes.c_int, ctypes.c_void_p
    count_rects: Final = _prototype("FPDFText_CountRects", _n)
    rect: Final = _prototype("FPDFText_GetRect", _n)
    text: Final = _prototype("FPDFText_GetText", _n)
    char_box: Final = _prototype("FPDFText_GetCharBox", _n)
    loose_box: Final = _prototype("FPDFText_GetLooseCharBox", _n)
    char_angle: Final = _prototype("FPDFText_GetCharAngle", ctypes.c_float)
    char_matrix: Final = _prototype("FPDFText_GetMatrix", _n)
    char_origin: Final = _prototype("FPDFText_GetCharOrigin", _n)
    font_size: Final = _prototype("FPDFText_GetFontSize", ctypes.c_double)
    char_unicode: Final = _prototype("FPDFText_GetUnicode", ctypes.c_uint)
    char_unmapped: Final = _prototype("FPDFText_HasUnicodeMapError", _n)
    char_index: Final = _prototype("FPDFText_GetCharIndexFromTextIndex", _n)
    text_object: Final = _prototype("FPDFText_GetTextObject", _p)
    object_at: Final = _prototype("FPDFPage_GetObject", _p)
    object_type: Final = _prototype("FPDFPageObj_GetType", _n, _p)
    object_bounds: Final = _prototype("FPDFPageObj_GetBounds", _n)
    object_matrix: Final = _prototype("FPDFPageObj_GetMatrix", _n)
    transform: Final = _prototype("FPDFPageObj_Transform", None, _p, *[ctypes.c_double] * 6)
    fill: Final = _prototype("FPDFPageObj_GetFillColor", _n)
    stroke: Final = _prototype("FPDFPageObj_GetStrokeColor", _n)
    text_mode: Final = _prototype("FPDFTextObj_GetTextRenderMode", _n, _p)
    count_marks: Final = _prototype("FPDFPageObj_CountMarks", _n, _p)
    mark_at: Final = _prototype("FPDFPageObj_GetMark", _p)
    mark_name: Final = _prototype("FPDFPageObjMark_GetName", _n, _p, _p, ctypes.c_ulong, _p)
    draw_mode: Final = _prototype("FPDFPath_GetDrawMode", _n)
    segment_count: Final = _prototype("FPDFPath_CountSegments", _n, _p)
    segment_at: Final = _prototype("FPDFPath_GetPathSegment", _p)
    segment_point: Final = _prototype("FPDFPathSegment_GetPoint", _n)
    segment_kind: Final = _prototype("FPDFPathSegment_GetType", _n, _p)
    segment_closes: Final = _prototype("FPDFPathSegment_GetClose", _n, _p)
