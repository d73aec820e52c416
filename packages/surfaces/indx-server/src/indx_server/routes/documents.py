"""`/v1/documents` and `/v1/search`: what a caller keeps, and the search over it."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import Response

from indx_core.canonical import clean_text
from indx_core.contracts import SearchRequest
from indx_core.deadline import Deadline
from indx_core.errors import (
    InputTooLarge,
    InvalidEmbeddingSpace,
    InvalidRequest,
    NotFound,
    StoreDisabled,
    UnsupportedMediaType,
)
from indx_core.ports import StoredSource
from indx_server.answers import answer, empty
from indx_server.bodies import Body, read_json
from indx_server.openapi import described
from indx_server.owners import owner_of, owner_or_new
from indx_server.routes.operations import ENCODING_REFUSES, encode_request, in_line
from indx_server.service import service_of

__all__ = ["router"]

router = APIRouter()

_OWNED: Final = ("apiToken", "owner")
_FILE: Final = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


@router.post(
    "/v1/documents",
    **described(
        "keep_document",
        "Encode a document and keep it for the caller until it expires.",
        gives="StoredDocument",
        status=201,
        body="EncodeRequest",
        form="EncodeForm",
        refuses=(StoreDisabled, *ENCODING_REFUSES),
        security=_OWNED,
    ),
)
async def keep(request: Request, name: str | None = None) -> Response:
    """Encode in line, keep, and tell the caller who they are."""
    service = service_of(request)
    documents, owner = service.workspace.documents, owner_or_new(request)

    def work(body: Body, deadline: Deadline) -> Response:
        asked = encode_request(body)
        result = service.engine.encode(asked, deadline=deadline, routing=service.routing(asked))
        deadline.check()
        called = None if name is None else clean_text(name)
        kept = documents.keep(owner.id, result, source=asked.source, name=called)
        return answer(kept, 201, {"Set-Cookie": owner.cookie()})

    return await in_line(request, work)


@router.get(
    "/v1/documents",
    **described(
        "list_documents",
        "The caller's kept documents, the last kept first.",
        gives="DocumentList",
        refuses=[StoreDisabled],
        security=_OWNED,
    ),
)
async def list_documents(request: Request) -> Response:
    """List."""
    service, owner = service_of(request), owner_of(request)
    documents = service.workspace.documents
    return answer(await service.record(request, lambda: documents.list(owner)))


@router.get(
    "/v1/documents/{digest}",
    **described(
        "read_document",
        "One kept document with its whole result.",
        gives="StoredDocument",
        refuses=[StoreDisabled, (NotFound, ("document_not_found",))],
        security=_OWNED,
    ),
)
async def read_document(request: Request, digest: str) -> Response:
    """Read; what is another caller's was never kept."""
    service, owner = service_of(request), owner_of(request)
    documents = service.workspace.documents
    return await service.record(request, lambda: answer(documents.get(owner, digest)))


@router.get(
    "/v1/documents/{digest}/source",
    **described(
        "read_source",
        "The file a kept document was read from.",
        gives=_FILE,
        refuses=[StoreDisabled, (NotFound, ("source_not_kept",))],
        security=_OWNED,
    ),
)
async def read_source(request: Request, digest: str) -> Response:
    """Send the bytes so that a browser saves them and never shows them."""
    service, owner = service_of(request), owner_of(request)
    documents = service.workspace.documents
    source = await service.record(request, lambda: documents.source(owner, digest))
    return Response(source.data, headers=_attachment(source))


@router.delete(
    "/v1/documents/{digest}",
    **described(
        "forget_document",
        "Forget a kept document now.",
        gives=None,
        status=204,
        refuses=[StoreDisabled],
        security=_OWNED,
    ),
)
async def forget(request: Request, digest: str) -> Response:
    """Forget, and say the same whether there was one."""
    service, owner = service_of(request), owner_of(request)
    documents = service.workspace.documents
    await service.record(request, lambda: documents.delete(owner, digest))
    return empty()


@router.post(
    "/v1/search",
    **described(
        "search",
        "Search the caller's kept chunks by words and by meaning.",
        gives="SearchResult",
        body="SearchRequest",
        refuses=[StoreDisabled, UnsupportedMediaType, InputTooLarge, InvalidRequest, InvalidEmbeddingSpace],
        security=_OWNED,
    ),
)
async def search(request: Request) -> Response:
    """Search."""
    service, owner = service_of(request), owner_of(request)
    documents = service.workspace.documents
    asked = await read_json(request, SearchRequest)
    return await service.record(request, lambda: answer(documents.search(owner, asked)))


def _attachment(source: StoredSource) -> dict[str, str]:
    name = quote(source.filename or source.digest.partition(":")[2], safe="")
    return {
        "Content-Type": source.media_type,
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "X-Content-Type-Options": "nosniff",
    }
