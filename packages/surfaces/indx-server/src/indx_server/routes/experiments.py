"""`/v1/experiments`: candidate branches, scored and promoted."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.contracts import ExperimentSpec, PromotionRequest
from indx_core.errors import ExperimentConflict, InvalidRecord, NotFound, StoreDisabled
from indx_server.answers import answer, empty
from indx_server.bodies import read_json
from indx_server.openapi import WRITES, described
from indx_server.service import service_of

__all__ = ["router"]

router = APIRouter()

_UNKNOWN = (NotFound, ("experiment_not_found",))
_INVALID = (InvalidRecord, ("invalid_experiment",))
_OPERATOR = ("workspaceToken",)


@router.get(
    "/v1/experiments",
    **described(
        "list_experiments",
        "The experiments with their state.",
        gives="ExperimentList",
        refuses=[StoreDisabled],
    ),
)
async def list_experiments(request: Request) -> Response:
    """List."""
    service = service_of(request)
    experiments = service.workspace.experiments
    return await service.record(request, lambda: answer(experiments.list()))


@router.get(
    "/v1/experiments/{id}",
    **described(
        "read_experiment",
        "What an experiment measured so far.",
        gives="ExperimentReport",
        refuses=[StoreDisabled, _UNKNOWN],
    ),
)
async def read_experiment(request: Request, id: str) -> Response:  # noqa: A002  (the path's own word)
    """Read."""
    service = service_of(request)
    experiments = service.workspace.experiments
    return await service.record(request, lambda: answer(experiments.get(id)))


@router.put(
    "/v1/experiments/{id}",
    **described(
        "create_experiment",
        "Freeze what is measured; an experiment never changes.",
        gives="ExperimentReport",
        body="ExperimentSpec",
        refuses=[StoreDisabled, *WRITES, (ExperimentConflict, ("experiment_exists",)), _INVALID],
        security=_OPERATOR,
    ),
)
async def create_experiment(request: Request, id: str) -> Response:  # noqa: A002
    """Write."""
    service = service_of(request)
    experiments = service.workspace.experiments
    service.authorize(request)
    spec = await read_json(request, ExperimentSpec)
    return await service.record(request, lambda: answer(experiments.create(id, spec)))


@router.delete(
    "/v1/experiments/{id}",
    **described(
        "delete_experiment",
        "Stop an experiment and drop it with its cells.",
        gives=None,
        status=204,
        refuses=[StoreDisabled, WRITES[0]],
        security=_OPERATOR,
    ),
)
async def delete_experiment(request: Request, id: str) -> Response:  # noqa: A002
    """Drop, and say the same whether there was one."""
    service = service_of(request)
    experiments = service.workspace.experiments
    service.authorize(request)
    await service.record(request, lambda: experiments.delete(id))
    return empty()


@router.put(
    "/v1/experiments/{id}/run",
    **described(
        "run_experiment",
        "Start or resume the run in the background.",
        gives="ExperimentReport",
        refuses=[StoreDisabled, WRITES[0], _UNKNOWN],
        security=_OPERATOR,
    ),
)
async def run_experiment(request: Request, id: str) -> Response:  # noqa: A002
    """Start, and answer at once."""
    service = service_of(request)
    experiments = service.workspace.experiments
    service.authorize(request)
    return await service.record(request, lambda: answer(experiments.run(id)))


@router.delete(
    "/v1/experiments/{id}/run",
    **described(
        "stop_experiment",
        "Stop the run before its next document.",
        gives=None,
        status=204,
        refuses=[StoreDisabled, WRITES[0], _UNKNOWN],
        security=_OPERATOR,
    ),
)
async def stop_experiment(request: Request, id: str) -> Response:  # noqa: A002
    """Stop."""
    service = service_of(request)
    experiments = service.workspace.experiments
    service.authorize(request)
    await service.record(request, lambda: experiments.stop(id))
    return empty()


@router.put(
    "/v1/experiments/{id}/promotion",
    **described(
        "promote_candidate",
        "Publish the router's next version with a candidate's branch.",
        gives="Router",
        body="PromotionRequest",
        refuses=[
            StoreDisabled,
            *WRITES,
            _UNKNOWN,
            (ExperimentConflict, ("experiment_incomplete", "experiment_stale")),
            _INVALID,
        ],
        security=_OPERATOR,
    ),
)
async def promote_candidate(request: Request, id: str) -> Response:  # noqa: A002
    """Promote."""
    service = service_of(request)
    experiments = service.workspace.experiments
    service.authorize(request)
    wanted = await read_json(request, PromotionRequest)
    return await service.record(request, lambda: answer(experiments.promote(id, wanted.candidate)))
