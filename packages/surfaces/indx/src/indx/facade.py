"""`Indx`: the contract's operations in Python. It holds no decision of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from indx_core.contracts import (
    EmbedRequest,
    EmbedResult,
    EncodeRequest,
    EncodeResult,
    InlineSource,
    PlanRequest,
    PlanResult,
    Snapshot,
    UriSource,
)
from indx_core.contracts.parsing import parse
from indx_core.errors import InputTooLarge, SourceError
from indx_runtime import Engine, Workers
from indx_source.settings import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from pydantic import BaseModel

    from indx_core.discovery import Registry

__all__ = ["Indx", "SourceLike", "read_source"]

SourceLike: TypeAlias = "str | os.PathLike[str] | bytes"
"""A document: a URI, a path, or its bytes."""

M = TypeVar("M", bound="BaseModel")

# At least two letters, so that a drive letter is a path.
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


class Indx:
    """Plans, encodes and embeds with what is installed.

    Each operation takes a contract model, a mapping of the same shape, or a document (a path, a URI or
    bytes) with the request's fields as keywords, and returns a contract model.

    Args:
        isolate: Whether documents whose readers ask for it are worked on in worker processes. Off by
            default: a document that crashes its parser then crashes this process.
        registry: What is installed; this process's own by default.

    Raises:
        ConfigurationError: A setting is wrong, or INDX_CHUNKERS names what is not installed.
    """

    def __init__(self, *, isolate: bool = False, registry: Registry | None = None) -> None:
        """Check the settings; start nothing."""
        self._engine = Engine(registry)
        self._workers = self._engine.workers = Workers() if isolate else None

    def capabilities(self, snapshot_id: str | None = None) -> Snapshot:
        """What this installation can do, now or as retained under an ID.

        Raises:
            NotFound: `snapshot_not_found`.
        """
        return self._engine.capabilities(snapshot_id)

    def plan(self, request: PlanRequest | Mapping[str, Any] | SourceLike, /, **fields: Any) -> PlanResult:
        """Decide how a document would be read, without reading it.

        Raises:
            IndxError: Any refusal of the contract.
        """
        return self._engine.plan(_request(PlanRequest, request, fields))

    def encode(
        self, request: EncodeRequest | Mapping[str, Any] | SourceLike, /, **fields: Any
    ) -> EncodeResult:
        """Read a document into blocks, by a plan given or made.

        Raises:
            IndxError: Any refusal of the contract.
        """
        return self._engine.encode(_request(EncodeRequest, request, fields))

    def embed(self, request: EmbedRequest | Mapping[str, Any] | str, /, **fields: Any) -> EmbedResult:
        """Embed a query into a space; a string is the text, with `embedding_space_id` as a keyword.

        Raises:
            IndxError: Any refusal of the contract.
        """
        if isinstance(request, str):
            request = {"input": {"type": "text", "text": request}, **fields}
        return self._engine.embed(parse(EmbedRequest, request))

    def close(self) -> None:
        """End worker processes, where there are any."""
        if self._workers is not None:
            self._workers.close()

    def __enter__(self) -> Self:
        """Use as a block that closes at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _request(model: type[M], request: Any, fields: Mapping[str, Any]) -> M:
    if isinstance(request, model) and not fields:
        return request
    if isinstance(request, str | os.PathLike | bytes):
        return parse(model, {"source": read_source(request), **fields})
    whole = dict(request) if isinstance(request, Mapping) else request.model_dump()
    return parse(model, {**whole, **fields})


def read_source(
    document: SourceLike, *, media_type: str | None = None, sha256: str | None = None
) -> UriSource | InlineSource:
    """The source of a request for a document: a URI stays one, a path is read, bytes are taken as they are.

    Args:
        document: A URI (a scheme of two letters or more and a colon), a path, or bytes.
        media_type: What an inline source is declared as.
        sha256: The digest a URI must have.

    Raises:
        SourceError: `source_unreadable`: the path cannot be read.
        InputTooLarge: The file is larger than INDX_MAX_INPUT_BYTES.
    """
    if isinstance(document, bytes):
        return parse(InlineSource, {"data": document, "media_type": media_type})
    if isinstance(document, str) and _URI.match(document) and not Path(document).exists():
        return parse(UriSource, {"uri": document, "sha256": sha256})
    path = Path(document)
    limit = MAX_INPUT_BYTES.get()
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise SourceError(f"{str(path)!r} cannot be read: {error.strerror}", param="source") from None
    if len(data) > limit:
        raise InputTooLarge(
            f"{str(path)!r} has more than {limit} bytes (INDX_MAX_INPUT_BYTES)", param="source"
        )
    name = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return parse(InlineSource, {"data": data, "filename": name, "media_type": media_type})
