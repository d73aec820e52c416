"""One open image: bounds, orientation, frames, over Pillow."""

from __future__ import annotations

from indx_format_raster._image import PIXEL_CEILING, RasterImage
from indx_format_raster._pixels import as_jpeg

__all__ = ["PIXEL_CEILING", "RasterImage", "as_jpeg"]
