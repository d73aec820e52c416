"""`/v1/datasets`: reviewed documents, gathered for one purpose each."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.contracts import DatasetSpec
from indx_core.errors import InvalidRecord, NotFound, StoreDisabled
from indx_server.answers import answer, empty
from indx_server.bodies import read_json
from indx_server.openapi import WRITES, described
from indx_server.owners import owner_of
from indx_server.service import service_of

__all__ = ["router"]

router = APIRouter()

_UNKNOWN = (NotFound, ("dataset_not_found",))


@router.get(
    "/v1/datasets",
    **described("list_datasets", "The datasets.", gives="DatasetList", refuses=[StoreDisabled]),
)
async def list_datasets(request: Request) -> Response:
    """List."""
    service = service_of(request)
    datasets = service.workspace.datasets
    return await service.record(request, lambda: answer(datasets.list()))


@router.get(
    "/v1/datasets/{id}",
    **described("read_dataset", "One dataset.", gives="Dataset", refuses=[StoreDisabled, _UNKNOWN]),
)
async def read_dataset(request: Request, id: str) -> Response:  # noqa: A002  (the path's own word)
    """Read."""
    service = service_of(request)
    datasets = service.workspace.datasets
    return await service.record(request, lambda: answer(datasets.get(id)))


@router.get(
    "/v1/datasets/{id}/labels",
    **described(
        "list_examples",
        "A dataset's examples: the labels its documents hold now.",
        gives="LabelList",
        refuses=[StoreDisabled, _UNKNOWN],
    ),
)
async def list_examples(request: Request, id: str) -> Response:  # noqa: A002
    """List."""
    service = service_of(request)
    datasets = service.workspace.datasets
    return await service.record(request, lambda: answer(datasets.labels(id)))


@router.put(
    "/v1/datasets/{id}",
    **described(
        "put_dataset",
        "Create or replace a dataset, and copy the sources of its documents from what the caller kept.",
        gives="Dataset",
        body="DatasetSpec",
        refuses=[StoreDisabled, *WRITES, (InvalidRecord, ("invalid_dataset",))],
        security=("workspaceToken", "owner"),
    ),
)
async def put_dataset(request: Request, id: str) -> Response:  # noqa: A002
    """Write."""
    service, owner = service_of(request), owner_of(request)
    datasets = service.workspace.datasets
    service.authorize(request)
    spec = await read_json(request, DatasetSpec)
    return await service.record(request, lambda: answer(datasets.put(id, spec, owner=owner)))


@router.delete(
    "/v1/datasets/{id}",
    **described(
        "delete_dataset",
        "Drop a dataset; the labels of its documents stay.",
        gives=None,
        status=204,
        refuses=[StoreDisabled, WRITES[0]],
        security=("workspaceToken",),
    ),
)
async def delete_dataset(request: Request, id: str) -> Response:  # noqa: A002
    """Drop, and say the same whether there was one."""
    service = service_of(request)
    datasets = service.workspace.datasets
    service.authorize(request)
    await service.record(request, lambda: datasets.delete(id))
    return empty()
