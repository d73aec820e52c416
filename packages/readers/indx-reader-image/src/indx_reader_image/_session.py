"""One open image, as the engine sees it."""

from __future__ import annotations

from collections.abc import Iterator

from indx_core.ports import Member, Observation, PageEvidence, Raster, SourceContent
from indx_format_raster import RasterImage

__all__ = ["ImageSession"]


class ImageSession:
    """A session over one image.

    Args:
        source: The image; its media type is one that the observer declares.

    Attributes:
        media_type: That of the source.
        source: What it was opened from.
        page_count: How many pages it has.
    """

    def __init__(self, source: SourceContent) -> None:
        """Open it."""
        self.media_type = source.media_type
        self.source = source
        self._image = RasterImage(source)
        self.page_count = self._image.page_count

    def observe(self) -> Observation:
        """Pages that are one image each and have no text layer."""
        pages = tuple(
            PageEvidence(page, text_characters=0, image_share=1.0, images=1)
            for page in range(1, self.page_count + 1)
        )
        facts = (
            {"animation": "only the first frame of the animation is a page"} if self._image.animated else {}
        )
        return Observation(self.media_type, pages, facts)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:
        """The frame, upright; None when it would have more than `max_pixels`."""
        return self._image.render(page, dpi=dpi, max_pixels=max_pixels, pixels=pixels)

    def members(self) -> Iterator[Member]:
        """An image holds no documents."""
        return iter(())

    def close(self) -> None:
        """Close the image."""
        self._image.close()
