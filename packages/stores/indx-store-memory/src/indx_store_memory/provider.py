"""Declares the stores `memory`: one process, gone when it ends."""

from __future__ import annotations

from indx_store_memory._chunks import MemoryVectors
from indx_store_memory._kept import MemoryDocuments, MemorySources
from indx_store_memory._records import (
    MemoryDatasets,
    MemoryExperiments,
    MemoryLabels,
    MemoryRouters,
    MemoryTypes,
)

__all__ = ["datasets", "documents", "experiments", "labels", "routers", "sources", "types", "vectors"]


def documents() -> MemoryDocuments:
    """The store of kept documents."""
    return MemoryDocuments()


def vectors() -> MemoryVectors:
    """The index of their chunks."""
    return MemoryVectors()


def sources() -> MemorySources:
    """The store of what they were read from."""
    return MemorySources()


def types() -> MemoryTypes:
    """The store of document types."""
    return MemoryTypes()


def labels() -> MemoryLabels:
    """The store of labels."""
    return MemoryLabels()


def datasets() -> MemoryDatasets:
    """The store of datasets."""
    return MemoryDatasets()


def routers() -> MemoryRouters:
    """The store of routers."""
    return MemoryRouters()


def experiments() -> MemoryExperiments:
    """The store of experiments and their cells."""
    return MemoryExperiments()
