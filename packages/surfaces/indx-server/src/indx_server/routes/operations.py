"""`POST /v1/plan`, `/v1/encode`, `/v1/embed`: the contract's operations on a document or a query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.contracts import (
    EmbedRequest,
    EmbedRequestPart,
    EncodeRequest,
    EncodeRequestPart,
    InlineInput,
    InlineSource,
    PlanRequest,
    PlanRequestPart,
)
from indx_core.contracts.parsing import parse
from indx_core.deadline import Deadline
from indx_core.errors import (
    InputTooLarge,
    InvalidChunker,
    InvalidEmbeddingSpace,
    InvalidLane,
    InvalidRecord,
    InvalidRequest,
    NotFound,
    PlanConflict,
    SourceError,
    StoreDisabled,
    UnsupportedMediaType,
)
from indx_server.answers import answer
from indx_server.bodies import Body, Upload, receive
from indx_server.openapi import described
from indx_server.service import service_of

__all__ = ["ENCODING_REFUSES", "encode_request", "in_line", "router"]

router = APIRouter()

_SOURCE_REFUSES: Final = (InputTooLarge, UnsupportedMediaType, InvalidRequest, SourceError)
_PLAN_REFUSES: Final = (
    (NotFound, ("router_not_found",)),
    StoreDisabled,
    PlanConflict,
    *_SOURCE_REFUSES,
    InvalidEmbeddingSpace,
    (InvalidRecord, ("invalid_router",)),
)
ENCODING_REFUSES: Final = (*_PLAN_REFUSES, InvalidLane, InvalidChunker)
"""What reading a document may answer beside success."""


@router.post(
    "/v1/plan",
    **described(
        "plan",
        "Decide how a document would be read, without reading it.",
        gives="PlanResult",
        body="PlanRequest",
        form="PlanForm",
        refuses=_PLAN_REFUSES,
    ),
)
async def plan(request: Request) -> Response:
    """Plan in the line before the document workers."""
    service = service_of(request)

    def work(body: Body, deadline: Deadline) -> Response:
        asked = body.read(PlanRequest, PlanRequestPart, _with_source)
        return answer(service.engine.plan(asked, deadline=deadline, routing=service.routing(asked)))

    return await in_line(request, work)


@router.post(
    "/v1/encode",
    **described(
        "encode",
        "Read a document into blocks, by a plan given or made.",
        gives="EncodeResult",
        body="EncodeRequest",
        form="EncodeForm",
        refuses=ENCODING_REFUSES,
    ),
)
async def encode(request: Request) -> Response:
    """Encode in the line before the document workers."""
    service = service_of(request)

    def work(body: Body, deadline: Deadline) -> Response:
        asked = encode_request(body)
        return answer(service.engine.encode(asked, deadline=deadline, routing=service.routing(asked)))

    return await in_line(request, work)


@router.post(
    "/v1/embed",
    **described(
        "embed",
        "Embed a query text or image into one space.",
        gives="EmbedResult",
        body="EmbedRequest",
        form="EmbedForm",
        refuses=(*_SOURCE_REFUSES, InvalidEmbeddingSpace),
    ),
)
async def embed(request: Request) -> Response:
    """Embed in the line before the document workers."""
    service = service_of(request)

    def work(body: Body, deadline: Deadline) -> Response:
        asked = body.read(EmbedRequest, EmbedRequestPart, _with_input)
        return answer(service.engine.embed(asked, deadline=deadline))

    return await in_line(request, work)


def encode_request(body: Body) -> EncodeRequest:
    """The encode request of a body.

    Raises:
        InvalidRequest: It is none.
    """
    return body.read(EncodeRequest, EncodeRequestPart, _with_source)


async def in_line(request: Request, work: Callable[[Body, Deadline], Response]) -> Response:
    """Take a place in the line, receive the body, and work on it in turn."""
    service = service_of(request)
    with service.place():
        async with receive(request) as body:
            return await service.work(request, lambda deadline: work(body, deadline))


def _with_source(part: PlanRequestPart, upload: Upload) -> Any:
    return part.with_source(parse(InlineSource, upload.described()))


def _with_input(part: EmbedRequestPart, upload: Upload) -> EmbedRequest:
    return part.with_input(parse(InlineInput, upload.described(named=False)))
