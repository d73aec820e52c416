"""`/health`, `/ready` and `/metrics`: for whoever runs the server."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.contracts import Health, Readiness
from indx_core.errors import HttpError
from indx_server.answers import answer
from indx_server.metrics import CONTENT_TYPE
from indx_server.openapi import described
from indx_server.service import service_of
from indx_server.settings import METRICS

__all__ = ["router"]

router = APIRouter()

_VERSION: Final = version("indx-server")
_TEXT: Final = {"text/plain": {"schema": {"type": "string"}}}
_READINESS: Final = {"application/json": {"schema": {"$ref": "#/components/schemas/Readiness"}}}


@router.get("/health", **described("health", "Whether the process lives.", gives="Health", security=()))
async def health() -> Response:
    """Answer."""
    return answer(Health(version=_VERSION))


_READY = described("ready", "Whether it can serve.", gives="Readiness", security=())
_READY["responses"][503] |= {"description": "Not ready: `checks` says why.", "content": _READINESS}


@router.get("/ready", **_READY)
async def ready(request: Request) -> Response:
    """Ask the engine and the stores."""
    service = service_of(request)
    checks = await service.record(request, service.checks)
    holds = all(checks.values())
    return answer(Readiness(ready=holds, checks=checks), 200 if holds else 503)


@router.get("/metrics", **described("metrics", "Counters, as Prometheus reads them.", gives=_TEXT))
async def metrics(request: Request) -> Response:
    """Write them down, unless the operator closed the page."""
    if not METRICS.get():
        raise HttpError(f"the metrics are closed on this server; its operator opens them by {METRICS.name}")
    return Response(service_of(request).metrics.page(), media_type=CONTENT_TYPE)
