"""The routes, a module for each noun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_server.routes import (
    capabilities,
    datasets,
    documents,
    experiments,
    labels,
    operations,
    types,
    watching,
)
from indx_server.routes import routers as workspace_routers

if TYPE_CHECKING:
    from fastapi import APIRouter

__all__ = ["routers"]


def routers() -> tuple[APIRouter, ...]:
    """Every router, in the order of the document."""
    return (
        watching.router,
        capabilities.router,
        operations.router,
        documents.router,
        types.router,
        labels.router,
        datasets.router,
        workspace_routers.router,
        experiments.router,
    )
