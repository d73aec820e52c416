"""Loads file: URIs, inside named roots when they are set."""

from __future__ import annotations

from indx_loader_file.provider import file_loader

__all__ = ["file_loader"]
