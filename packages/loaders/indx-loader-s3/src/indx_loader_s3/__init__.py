"""Documents from Amazon S3 and what speaks its protocol."""

from __future__ import annotations

from indx_loader_s3.provider import S3Loader, loader

__all__ = ["S3Loader", "loader"]
