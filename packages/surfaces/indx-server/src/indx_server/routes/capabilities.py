"""`GET /v1/capabilities`."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.errors import NotFound
from indx_server.answers import answer
from indx_server.openapi import described
from indx_server.service import service_of

__all__ = ["router"]

router = APIRouter()


@router.get(
    "/v1/capabilities",
    **described(
        "capabilities",
        "What this installation can do, now or as retained under an ID.",
        gives="Snapshot",
        refuses=[(NotFound, ("snapshot_not_found",))],
    ),
)
async def capabilities(request: Request, snapshot_id: str | None = None) -> Response:
    """Take the snapshot: quick work, done at once."""
    return answer(service_of(request).engine.capabilities(snapshot_id))
