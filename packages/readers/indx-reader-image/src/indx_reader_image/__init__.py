"""Observes and renders images, for lanes that recognise what they show."""

from __future__ import annotations

from indx_reader_image.provider import ImageObserver, ImageSniffer

__all__ = ["ImageObserver", "ImageSniffer"]
