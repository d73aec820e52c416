"""The routes, a module for each noun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_server.routes import capabilities, operations, watching

if TYPE_CHECKING:
    from fastapi import APIRouter

__all__ = ["routers"]


def routers() -> tuple[APIRouter, ...]:
    """Every router, in the order of the document."""
    return (
        watching.router,
        capabilities.router,
        operations.router,
    )
