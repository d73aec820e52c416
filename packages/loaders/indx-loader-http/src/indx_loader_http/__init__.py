"""Loads http:, https: and data: URIs, guarded against private destinations."""

from __future__ import annotations

from indx_loader_http.provider import data_loader, http_loader

__all__ = ["data_loader", "http_loader"]
