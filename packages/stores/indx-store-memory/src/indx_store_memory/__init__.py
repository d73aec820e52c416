"""Stores in the memory of one process, bounded, gone when it ends."""

from __future__ import annotations

from indx_store_memory.provider import (
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
