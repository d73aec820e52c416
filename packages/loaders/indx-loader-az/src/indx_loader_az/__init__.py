"""Documents from Azure Blob Storage."""

from __future__ import annotations

from indx_loader_az.provider import AzLoader, loader

__all__ = ["AzLoader", "loader"]
