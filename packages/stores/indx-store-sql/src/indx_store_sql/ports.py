"""Which class serves which port."""

from __future__ import annotations

from typing import Any

from indx_core.contracts.datasets import DatasetRecord
from indx_core.contracts.types import DocumentType
from indx_store_sql.backend import Backend
from indx_store_sql.chunks import SqlVectors
from indx_store_sql.declared import Port
from indx_store_sql.kept import SqlDocuments, SqlSources
from indx_store_sql.workspace import SqlExperiments, SqlLabels, SqlRecords, SqlRouters

__all__ = ["port"]


def port(name: Port, backend: Backend) -> Any:
    """The store of a port over a backend."""
    if name == "types":
        return SqlRecords(backend, "type", DocumentType)
    if name == "datasets":
        return SqlRecords(backend, "dataset", DatasetRecord)
    return {
        "documents": SqlDocuments,
        "vectors": SqlVectors,
        "sources": SqlSources,
        "labels": SqlLabels,
        "routers": SqlRouters,
        "experiments": SqlExperiments,
    }[name](backend)
