"""`Indx`: the contract's operations in Python. It holds no decision of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, TypeAlias, TypeVar

from indx.routers import routing_of
from indx_core.canonical import digest
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
from indx_core.errors import InputTooLarge, InvalidRequest, SourceError, echoing
from indx_runtime import Engine, Workers
from indx_source.settings import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from pydantic import BaseModel

    from indx_core.discovery import Registry

__all__ = ["Indx", "SourceLike", "image_input", "read_bounded", "read_source", "why_unopened"]

SourceLike: TypeAlias = "str | os.PathLike[str] | bytes"
"""A document: a URI, a path, or its bytes."""

M = TypeVar("M", bound="BaseModel")

# At least two letters, so that a drive letter is a path.
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_STEP = 1 << 18


class Indx:
    """Plans, encodes and embeds with what is installed.

    Each operation takes a contract model, a mapping of the same shape, or a document (a path, a URI or
    bytes) with the request's fields as keywords, and returns a contract model.

    A `router` is looked up where indx-workspace keeps them: in the stores that its settings name.

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
        asked = _request(PlanRequest, request, fields)
        return self._engine.plan(asked, routing=routing_of(asked, self._engine))

    def encode(
        self, request: EncodeRequest | Mapping[str, Any] | SourceLike, /, **fields: Any
    ) -> EncodeResult:
        """Read a document into blocks, by a plan given or made.

        Raises:
            IndxError: Any refusal of the contract.
        """
        asked = _request(EncodeRequest, request, fields)
        return self._engine.encode(asked, routing=routing_of(asked, self._engine))

    def embed(self, request: EmbedRequest | Mapping[str, Any] | SourceLike, /, **fields: Any) -> EmbedResult:
        """Embed a query into a space.

        A string is the query's text; a path (a `pathlib.Path`, say) or bytes are an image.

        Raises:
            IndxError: Any refusal of the contract.
        """
        if isinstance(request, str):
            fields = {"input": {"type": "text", "text": request}, **fields}
            return self._engine.embed(parse(EmbedRequest, fields))
        if isinstance(request, os.PathLike | bytes):
            with echoing(fields.get("request_id")):
                fields = {"input": image_input(request), **fields}
            return self._engine.embed(parse(EmbedRequest, fields))
        return self._engine.embed(_request(EmbedRequest, request, fields))

    def close(self, *, cancel: bool = False) -> None:
        """End worker processes, where there are any; with `cancel`, in the middle of what they do."""
        if self._workers is not None:
            self._workers.close(cancel=cancel)

    def __enter__(self) -> Self:
        """Use as a block that closes at its end."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(cancel=kind is not None)


def _request(model: type[M], request: Any, fields: Mapping[str, Any]) -> M:
    if isinstance(request, model) and not fields:
        return request
    if isinstance(request, str | os.PathLike | bytes):
        with echoing(fields.get("request_id")):
            return parse(model, {"source": read_source(request), **fields})
    whole = request.model_dump() if hasattr(request, "model_dump") else request
    return parse(model, {**whole, **fields} if isinstance(whole, Mapping) else whole)


def image_input(document: SourceLike, *, media_type: str | None = None) -> dict[str, Any]:
    """The input of an embed request for an image: a URI stays one, a path is read.

    Raises:
        IndxError: As `read_source`.
    """
    source = read_source(document, media_type=media_type).model_dump()
    return {name: value for name, value in source.items() if name not in ("filename", "sha256")}


def read_source(
    document: SourceLike, *, media_type: str | None = None, sha256: str | None = None
) -> UriSource | InlineSource:
    """The source of a request for a document: a URI stays one, a path is read, bytes are taken as they are.

    Args:
        document: A URI (a scheme of two letters or more and a colon), a path, or bytes.
        media_type: What a path or bytes are declared as; a URI is declared by whoever serves it.
        sha256: The digest the bytes must have.

    Raises:
        SourceError: `source_unreadable`: the path cannot be read, or its bytes have another digest.
        InputTooLarge: The file is larger than INDX_MAX_INPUT_BYTES.
        InvalidRequest: A media type was given for a URI, the digest is none, or the path is empty.
    """
    if isinstance(document, str) and not document:
        raise InvalidRequest("the path of the document is empty; name a file or an address", param="source")
    if sha256 is not None and re.fullmatch("(sha256:)?[0-9a-f]{64}", sha256) is None:
        raise InvalidRequest(
            f"source.sha256: {sha256[:100]!r} is no SHA-256: write its 64 hex digits, in lower case, with or "
            "without 'sha256:' before them",
            param="source.sha256",
        )
    declared = {} if media_type is None else {"media_type": media_type}
    if isinstance(document, str) and _URI.match(document) and not _exists(document):
        return parse(UriSource, {"uri": document, "sha256": sha256, **declared})
    if isinstance(document, bytes):
        data = document
    else:
        path = Path(document)
        data = _read(path)
        declared["filename"] = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if sha256 is not None and digest(data) != f"sha256:{sha256.removeprefix('sha256:')}":
        raise SourceError(
            f"the bytes have not the expected sha256, but {digest(data)}: give another document, or that",
            param="source.sha256",
        )
    return parse(InlineSource, {"data": data, **declared})


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except OSError:  # longer than any name of a file
        return False


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return read_bounded(file, repr(str(path)))
    except (OSError, ValueError) as error:
        built = ", or build it: indx DIR --out OUT" if isinstance(error, IsADirectoryError) else ""
        raise SourceError(
            f"{str(path)[:1000]!r} cannot be read: {why_unopened(error)}{built}", param="source"
        ) from None


def why_unopened(error: OSError | ValueError) -> str:
    """Why a file does not open, and what to look at."""
    reason = getattr(error, "strerror", None) or "it is no name of a file"
    if isinstance(error, IsADirectoryError):
        return f"{reason}; name a file in it"
    return f"{reason}; check its {'permissions' if isinstance(error, PermissionError) else 'path'}"


def read_bounded(
    file: BinaryIO, name: str, limit: int | None = None, *, param: str | None = "source"
) -> bytes:
    """The bytes of an open file, as many as a source may have, or what holds one.

    Args:
        file: The file.
        name: What it is called.
        limit: The most bytes; by default INDX_MAX_INPUT_BYTES, which decides any other as well.
        param: The field at fault where there are more.

    Raises:
        InputTooLarge: There are more.
    """
    limit = MAX_INPUT_BYTES.get() if limit is None else limit
    parts: list[bytes] = []
    left = limit + 1
    while left and (part := file.read(min(left, _STEP))):  # at once would find room for the limit
        parts.append(part)
        left -= len(part)
    if not left:
        message = f"{name} has more than {limit} bytes; {MAX_INPUT_BYTES.name} raises that"
        raise InputTooLarge(message, param=param)
    return b"".join(parts)
