"""One open image: its frames as pages, upright, within bounds."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import BinaryIO, Final

from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from indx_core.errors import IndxError, InputTooLarge, SourceError
from indx_core.ports import Raster, SourceContent
from indx_core.settings import MAX_PAGES
from indx_format_raster._pixels import as_rgb

__all__ = ["PIXEL_CEILING", "RasterImage"]

PIXEL_CEILING: Final = 178_956_970
"""The most pixels of one frame; what is larger is refused before anything is decoded."""

_FORMATS: Final = ("PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP")
_BELIEVED: Final = (50.0, 4800.0)  # dots an inch; what lies outside says nothing
_SUBFILE_TYPE: Final = 254
_NOT_A_PAGE: Final = 0b101  # a smaller copy of another frame, or a mask
_ON_ITS_SIDE: Final = frozenset({5, 6, 7, 8})  # orientations that swap width and height
_LOCK: Final = RLock()  # the filter of warnings is one for the whole process


class RasterImage:
    """An image file. Only its headers are read until a page is drawn.

    Args:
        source: Its bytes, in memory or in a file.

    Attributes:
        page_count: The frames of a TIFF; 1 for every other format.
        animated: Whether further frames follow that are no pages.

    Raises:
        SourceError: `source_unreadable` when it is no image of a known format, or is damaged.
        InputTooLarge: A frame has more pixels than `PIXEL_CEILING`, or there are more pages than
            INDX_MAX_PAGES.
    """

    def __init__(self, source: SourceContent) -> None:
        """Open it and find its pages."""
        if not source.size:
            raise SourceError("the file is empty: it holds no bytes; save or send it again")
        limit = MAX_PAGES.get()
        self._source = source
        self._file: BinaryIO | None = source.open()
        try:
            with _decoding():
                self._image = _open(self._file)
                self._frames = _pages(self._image, limit) if self._image.format == "TIFF" else [0]
                self.animated = self._image.format != "TIFF" and bool(
                    getattr(self._image, "is_animated", False)
                )
        except BaseException:
            self.close()
            raise
        self.page_count = len(self._frames)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:
        """Page `page`, upright, on white; None when it would have more than `max_pixels`.

        Without `pixels` only its size is told.

        An image that states its resolution is brought down to `dpi`; one that states none, or a lower one,
        keeps its pixels.

        Raises:
            SourceError: `source_unreadable` when its pixels cannot be decoded.
        """
        if self._file is None:
            raise ValueError("the image is closed")
        if not 1 <= page <= self.page_count:
            raise ValueError(f"page {page!r} is not one of the {self.page_count} pages")
        with _decoding(), self._frame(page) as frame:
            width, height = _size(frame, dpi, turned=False)
            if width * height > max_pixels:
                return None
            # Only now: a PNG may tell its orientation behind its pixels, which are then decoded.
            turned = frame.getexif().get(ExifTags.Base.Orientation) in _ON_ITS_SIDE
            width, height = _size(frame, dpi, turned=turned)
            if not pixels:
                return Raster(width, height, b"", dpi)
            if frame.format == "JPEG":  # decodes no more pixels than are wanted
                frame.draft("RGB", (height, width) if turned else (width, height))
            upright = as_rgb(ImageOps.exif_transpose(frame))
            if upright.size != (width, height):
                upright = upright.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
            return Raster(width, height, upright.tobytes(), dpi)

    @contextmanager
    def _frame(self, page: int) -> Iterator[Image.Image]:
        """The undecoded frame of a page. Decoding leaves marks, so a frame is opened or sought anew."""
        if self.page_count > 1:
            self._image.seek(self._frames[page % self.page_count])
            self._image.seek(self._frames[page - 1])
            yield self._image
            return
        with self._source.open() as file, _open(file) as image:
            image.seek(self._frames[0])
            yield image

    def close(self) -> None:
        """Close it; calling it again does nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None


@contextmanager
def _decoding() -> Iterator[None]:
    """Turn whatever a decoder makes of damaged bytes into an error of ours, and keep its warnings quiet."""
    try:
        with _LOCK, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (IndxError, MemoryError):
        raise
    except Image.DecompressionBombError:
        raise _too_large() from None
    except UnidentifiedImageError:
        raise SourceError(
            f"the bytes are no image of a format that can be read: {', '.join(_FORMATS)}"
        ) from None
    except Exception as error:
        raise SourceError("the image is damaged or cut short; send it whole") from error


def _too_large() -> InputTooLarge:
    return InputTooLarge(f"the image has more than {PIXEL_CEILING} pixels; make it smaller")


def _open(file: BinaryIO) -> Image.Image:
    image = Image.open(file, formats=_FORMATS)
    _check(image)
    return image


def _check(image: Image.Image) -> None:
    if image.width * image.height > PIXEL_CEILING:
        raise _too_large()


def _pages(image: Image.Image, limit: int) -> list[int]:
    """The frames of a TIFF that are pages: all but smaller copies and masks; the first when there is none."""
    pages: list[int] = []
    frame = 0
    while True:
        try:
            image.seek(frame)
        except EOFError:
            return pages or [0]
        kind = getattr(image, "tag_v2", {}).get(_SUBFILE_TYPE, 0)
        if not (isinstance(kind, int) and kind & _NOT_A_PAGE):
            _check(image)
            pages.append(frame)
        frame += 1
        if len(pages) > limit or frame > 2 * limit:
            raise InputTooLarge(
                f"the image has more pages than INDX_MAX_PAGES allows, {limit}; split the file"
            )


def _size(frame: Image.Image, dpi: int, *, turned: bool) -> tuple[int, int]:
    """Width and height of a frame when drawn upright at `dpi`, or at its own resolution if that is lower.

    A resolution that differs across and down, as that of a fax, is made even at the finer of the two.
    """
    width, height = frame.size
    stated = frame.info.get("dpi")
    across, down = stated if isinstance(stated, tuple) and len(stated) == 2 else (0, 0)
    if turned:
        across, down = down, across
        if frame.format != "TIFF":  # which tells the size it will have when upright
            width, height = height, width
    if not all(_BELIEVED[0] <= float(value) <= _BELIEVED[1] for value in (across, down)):
        return width, height
    finest = float(max(across, down))
    scale = min(dpi, finest)
    return max(1, round(width * scale / float(across))), max(1, round(height * scale / float(down)))
