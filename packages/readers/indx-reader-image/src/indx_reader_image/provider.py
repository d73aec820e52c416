"""What this distribution offers for images: a sniffer and an observer. Recognition reads them."""

from __future__ import annotations

from typing import Final

from indx_core.ports import (
    PORT_VERSION,
    Buffer,
    ObserverDeclaration,
    Session,
    Sniffed,
    SnifferDeclaration,
    SourceContent,
)

__all__ = ["ImageObserver", "ImageSniffer", "observer", "sniffer"]

MEDIA_TYPES: Final = ("image/png", "image/jpeg", "image/tiff", "image/gif", "image/webp", "image/bmp")
HEIF: Final = "image/heif"
"""Named when it is met, so that a refusal says what the file is; nothing here opens it."""

_STARTS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00\x08\x00", "image/tiff"),
    (b"MM\x00+\x00\x08", "image/tiff"),
)
_HEIF_BRANDS: Final = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})
_BITMAP_HEADERS: Final = frozenset({12, 40, 52, 56, 64, 108, 124})


class ImageSniffer:
    """Knows images by their first bytes."""

    port_version = PORT_VERSION
    declaration = SnifferDeclaration(id="image", media_types=(*MEDIA_TYPES, HEIF))

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:  # noqa: ARG002
        """A strong answer for every known signature."""
        start = bytes(head[:32])
        for signature, media_type in _STARTS:
            if start.startswith(signature):
                return Sniffed(media_type, "strong")
        if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
            return Sniffed("image/webp", "strong")
        if start[4:8] == b"ftyp" and start[8:12] in _HEIF_BRANDS:
            return Sniffed(HEIF, "strong")
        if start[:2] == b"BM" and int.from_bytes(start[14:18], "little") in _BITMAP_HEADERS:
            return Sniffed("image/bmp", "strong")
        return None


class ImageObserver:
    """Opens images. A frame of a TIFF is a page; of an animation the first frame is."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration(id="image", media_types=MEDIA_TYPES, hostile=True)

    def open(self, source: SourceContent) -> Session:
        """Open an image; see `indx_format_raster.RasterImage` for what it refuses."""
        from indx_reader_image._session import ImageSession

        return ImageSession(source)


def sniffer() -> ImageSniffer:
    """The sniffer of images."""
    return ImageSniffer()


def observer() -> ImageObserver:
    """The observer of images."""
    return ImageObserver()
