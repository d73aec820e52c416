"""The routes, a module for each noun."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from fastapi.routing import APIRoute

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
    from collections.abc import Iterator

    from fastapi import APIRouter

__all__ = ["methods", "routers"]


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


def methods(path: str) -> list[str]:
    """The methods that a path is answered for, whichever routes it is put together of."""
    return sorted({method for pattern, known in _patterns() if pattern.match(path) for method in known})


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    return tuple(_each())


def _each() -> Iterator[tuple[re.Pattern[str], frozenset[str]]]:
    for router in routers():
        for route in router.routes:
            assert isinstance(route, APIRoute)
            yield route.path_regex, frozenset(route.methods or ())
