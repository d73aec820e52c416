"""From the modes of image files to rows of red, green and blue, and from those to a file again."""

from __future__ import annotations

from io import BytesIO
from typing import Final

from PIL import Image

from indx_core.ports import Raster

__all__ = ["as_jpeg", "as_rgb"]

_TRANSPARENT: Final = frozenset({"RGBA", "LA", "PA", "La", "RGBa"})
_WHITE: Final = (255, 255, 255, 255)


def as_rgb(image: Image.Image) -> Image.Image:
    """The picture as one sees it on white paper, eight bits a colour."""
    if image.mode == "F" or image.mode.startswith("I"):
        return _on_white(_eight_bits(image), image.info.get("transparency")).convert("RGB")
    if image.mode == "La":  # multiplied by its alpha, as Photoshop does; only this way does it become others
        image = image.convert("LA")
    if image.mode in _TRANSPARENT or "transparency" in image.info:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", layer.size, _WHITE)
        paper.alpha_composite(layer)
        return paper.convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")


def _on_white(grey: Image.Image, transparent: object) -> Image.Image:
    """Grey of what had sixteen bits, of which one value may be transparent."""
    if not isinstance(transparent, int):
        return grey
    clear = transparent >> 8
    return grey.point([255 if value == clear else value for value in range(256)])


def _eight_bits(image: Image.Image) -> Image.Image:
    """Grey of more than eight bits, brought down to them: by 256 where it has sixteen, else by its range."""
    if image.mode.startswith("I;16"):
        return image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    low, high = (float(value) for value in image.getextrema())  # type: ignore[arg-type]
    if not (low == low and high == high) or high <= low:
        return Image.new("L", image.size, 0 if low != low or low < 128 else 255)
    if image.mode == "I" and low >= 0 and high <= 0xFFFF:
        low, high = 0.0, 255.0 if high <= 255 else 65535.0
    scale = 255 / (high - low)
    return image.convert("F").point(lambda value: value * scale - low * scale).convert("L")


def as_jpeg(raster: Raster) -> bytes:
    """Pixels as a JPEG file, of a quality that leaves small print whole."""
    file = BytesIO()
    Image.frombytes("RGB", (raster.width, raster.height), raster.rgb).save(
        file, "JPEG", quality=90, dpi=(raster.dpi, raster.dpi)
    )
    return file.getvalue()
