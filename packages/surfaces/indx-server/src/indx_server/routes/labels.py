"""`/v1/labels`: reviewers' verdicts."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.contracts import LabelSpec
from indx_core.errors import InvalidRecord, StoreDisabled
from indx_server.answers import answer, empty
from indx_server.bodies import read_json
from indx_server.openapi import WRITES, described
from indx_server.service import service_of

__all__ = ["router"]

router = APIRouter()


@router.get(
    "/v1/labels",
    **described(
        "list_labels",
        "The labels by document digest, then ID, narrowed by what is given.",
        gives="LabelList",
        refuses=[StoreDisabled],
    ),
)
async def list_labels(request: Request, digest: str | None = None, type_id: str | None = None) -> Response:
    """List."""
    service = service_of(request)
    labels = service.workspace.labels
    return await service.record(request, lambda: answer(labels.list(digest=digest, type_id=type_id)))


@router.put(
    "/v1/labels",
    **described(
        "put_label",
        "Keep a verdict; a second one on the same answer replaces the first.",
        gives="Label",
        body="LabelSpec",
        refuses=[StoreDisabled, *WRITES, (InvalidRecord, ("invalid_label",))],
        security=("workspaceToken",),
    ),
)
async def put_label(request: Request) -> Response:
    """Write."""
    service = service_of(request)
    labels = service.workspace.labels
    service.authorize(request)
    spec = await read_json(request, LabelSpec)
    return await service.record(request, lambda: answer(labels.put(spec)))


@router.delete(
    "/v1/labels/{id}",
    **described(
        "delete_label",
        "Drop a label.",
        gives=None,
        status=204,
        refuses=[StoreDisabled, WRITES[0]],
        security=("workspaceToken",),
    ),
)
async def delete_label(request: Request, id: str) -> Response:  # noqa: A002  (the path's own word)
    """Drop, and say the same whether there was one."""
    service = service_of(request)
    labels = service.workspace.labels
    service.authorize(request)
    await service.record(request, lambda: labels.delete(id))
    return empty()
