"""One open image: bounds, orientation, frames, over Pillow."""

from __future__ import annotations

from indx_format_raster._image import PIXEL_CEILING, RasterImage

__all__ = ["PIXEL_CEILING", "RasterImage"]
