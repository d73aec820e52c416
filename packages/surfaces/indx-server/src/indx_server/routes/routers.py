"""`/v1/routers`: routers in versions that never change."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from indx_core.contracts import RouterSpec
from indx_core.errors import InvalidRecord, InvalidRequest, NotFound, StoreDisabled
from indx_server.answers import answer, empty
from indx_server.bodies import read_json
from indx_server.openapi import WRITES, described
from indx_server.service import service_of

__all__ = ["router"]

router = APIRouter()

_UNKNOWN = (NotFound, ("router_not_found",))
Version = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get(
    "/v1/routers",
    **described(
        "list_routers", "The latest version of each router.", gives="RouterList", refuses=[StoreDisabled]
    ),
)
async def list_routers(request: Request) -> Response:
    """List."""
    service = service_of(request)
    routers = service.workspace.routers
    return await service.record(request, lambda: answer(routers.list()))


@router.get(
    "/v1/routers/{id}/versions",
    **described(
        "list_versions",
        "The versions of one router, oldest first.",
        gives="RouterVersionList",
        refuses=[StoreDisabled, _UNKNOWN],
    ),
)
async def list_versions(request: Request, id: str) -> Response:  # noqa: A002  (the path's own word)
    """List."""
    service = service_of(request)
    routers = service.workspace.routers
    return await service.record(request, lambda: answer(routers.versions(id)))


@router.get(
    "/v1/routers/{id}/versions/{version}",
    **described(
        "read_router",
        "One version of a router.",
        gives="Router",
        refuses=[StoreDisabled, _UNKNOWN, (InvalidRequest, ("validation_error",))],
    ),
)
async def read_router(request: Request, id: str, version: Version) -> Response:  # noqa: A002
    """Read."""
    service = service_of(request)
    routers = service.workspace.routers
    return await service.record(request, lambda: answer(routers.get(id, version)))


@router.put(
    "/v1/routers/{id}",
    **described(
        "publish_router",
        "Publish the next version of a router.",
        gives="Router",
        body="RouterSpec",
        refuses=[StoreDisabled, *WRITES, (InvalidRecord, ("invalid_router",))],
        security=("workspaceToken",),
    ),
)
async def publish_router(request: Request, id: str) -> Response:  # noqa: A002
    """Write."""
    service = service_of(request)
    routers = service.workspace.routers
    service.authorize(request)
    spec = await read_json(request, RouterSpec)
    return await service.record(request, lambda: answer(routers.publish(id, spec)))


@router.delete(
    "/v1/routers/{id}",
    **described(
        "delete_router",
        "Drop a router with every version.",
        gives=None,
        status=204,
        refuses=[StoreDisabled, WRITES[0]],
        security=("workspaceToken",),
    ),
)
async def delete_router(request: Request, id: str) -> Response:  # noqa: A002
    """Drop, and say the same whether there was one."""
    service = service_of(request)
    routers = service.workspace.routers
    service.authorize(request)
    await service.record(request, lambda: routers.delete(id))
    return empty()
