"""`/v1/types`: the installation's document types."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.contracts import DocumentTypeSpec
from indx_core.errors import InvalidRecord, NotFound, StoreDisabled
from indx_server.answers import answer, empty
from indx_server.bodies import read_json
from indx_server.openapi import WRITES, described
from indx_server.service import service_of

__all__ = ["router"]

router = APIRouter()


@router.get(
    "/v1/types", **described("list_types", "The document types.", gives="TypeList", refuses=[StoreDisabled])
)
async def list_types(request: Request) -> Response:
    """List."""
    service = service_of(request)
    types = service.workspace.types
    return await service.record(request, lambda: answer(types.list()))


@router.get(
    "/v1/types/{id}",
    **described(
        "read_type",
        "One document type.",
        gives="DocumentType",
        refuses=[StoreDisabled, (NotFound, ("type_not_found",))],
    ),
)
async def read_type(request: Request, id: str) -> Response:  # noqa: A002  (the path's own word)
    """Read."""
    service = service_of(request)
    types = service.workspace.types
    return await service.record(request, lambda: answer(types.get(id)))


@router.put(
    "/v1/types/{id}",
    **described(
        "put_type",
        "Create or replace a document type.",
        gives="DocumentType",
        body="DocumentTypeSpec",
        refuses=[StoreDisabled, *WRITES, (InvalidRecord, ("invalid_type",))],
        security=("workspaceToken",),
    ),
)
async def put_type(request: Request, id: str) -> Response:  # noqa: A002
    """Write."""
    service = service_of(request)
    types = service.workspace.types
    service.authorize(request)
    spec = await read_json(request, DocumentTypeSpec)
    return await service.record(request, lambda: answer(types.put(id, spec)))


@router.delete(
    "/v1/types/{id}",
    **described(
        "delete_type",
        "Drop a document type.",
        gives=None,
        status=204,
        refuses=[StoreDisabled, WRITES[0]],
        security=("workspaceToken",),
    ),
)
async def delete_type(request: Request, id: str) -> Response:  # noqa: A002
    """Drop, and say the same whether there was one."""
    service = service_of(request)
    types = service.workspace.types
    service.authorize(request)
    await service.record(request, lambda: types.delete(id))
    return empty()
