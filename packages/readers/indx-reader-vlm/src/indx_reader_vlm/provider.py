"""Declares the capability `vlm`: PDF pages and images, read by the vision model that is configured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from indx_core.ports import PORT_VERSION, CapabilityDeclaration, PageReading, Session, Unavailability
from indx_model_litellm import device_of, unavailability
from indx_reader_vlm.settings import DPI, MAX_PIXELS, MODEL

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["VlmReader", "reader"]

MEDIA_TYPES: Final = (
    "application/pdf",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "image/webp",
)


class VlmReader:
    """Reads pages by asking a vision model what their picture says.

    Its device is `gpu` where the model runs on this machine, so that it may be asked about what must not
    leave it, and `external` everywhere else.
    """

    port_version = PORT_VERSION

    @property
    def declaration(self) -> CapabilityDeclaration:
        """The lane's facts. Where it runs is told of the model that would be asked now."""
        return CapabilityDeclaration(
            id="vlm", kind="vision", media_types=MEDIA_TYPES, device=device_of(MODEL), hostile=False
        )

    def availability(self) -> Unavailability | None:
        """Whether LiteLLM is installed, a model is named, and the settings can be used."""
        return unavailability(MODEL, install='pip install "indx-reader-vlm[vlm]"', also=(DPI, MAX_PIXELS))

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read `pages`; one that cannot be drawn, or whose answer is unusable, is unread and says why."""
        from indx_reader_vlm._reading import read

        return read(session, pages, deadline=deadline)


def reader() -> VlmReader:
    """The reader that asks a vision model."""
    return VlmReader()
