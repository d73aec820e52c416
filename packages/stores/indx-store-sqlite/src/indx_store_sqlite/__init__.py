"""Stores in one SQLite file."""

from __future__ import annotations

from indx_store_sqlite.provider import (
    datasets,
    documents,
    experiments,
    labels,
    routers,
    sources,
    types,
    vectors,
)

__all__ = ["datasets", "documents", "experiments", "labels", "routers", "sources", "types", "vectors"]
