"""Stores in Postgres, with vectors by pgvector."""

from __future__ import annotations

from indx_store_postgres.provider import (
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
