"""Documents from Google Cloud Storage."""

from __future__ import annotations

from indx_loader_gs.provider import GsLoader, loader

__all__ = ["GsLoader", "loader"]
