"""Declares the capability `ocr`: PDF pages and images, read from their picture on this machine."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from indx_core.errors import ConfigurationError
from indx_core.ports import PORT_VERSION, CapabilityDeclaration, PageReading, Session, Unavailability
from indx_reader_ocr.settings import SETTINGS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["OcrReader", "reader"]

MEDIA_TYPES: Final = (
    "application/pdf",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "image/webp",
)
_ENGINE: Final = ("rapidocr", "onnxruntime", "cv2")


class OcrReader:
    """Reads pages from their picture, with a box a line and the engine's own confidence."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration(
        id="ocr", kind="ocr", media_types=MEDIA_TYPES, device="cpu", hostile=True
    )

    def availability(self) -> Unavailability | None:
        """Whether the engine is installed, and the settings can be used."""
        if any(importlib.util.find_spec(module) is None for module in _ENGINE):
            return Unavailability(
                "the recognition engine, rapidocr on onnxruntime, is not installed",
                'pip install "indx-reader-ocr[ocr]"',
            )
        for setting in SETTINGS:
            try:
                setting.get()
            except ConfigurationError as error:
                return Unavailability(error.message, f"correct or unset {setting.name}")
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages`; one that cannot be drawn, or shows writing nobody can make out, is unread."""
        from indx_reader_ocr._reading import read

        return read(session, pages, deadline=deadline)


def reader() -> OcrReader:
    """The reader of pictures of pages."""
    return OcrReader()
