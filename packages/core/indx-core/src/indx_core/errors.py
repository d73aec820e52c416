"""Every error indx raises on purpose, in one tree.

    IndxError
    ├── Unauthorized               401 unauthorized
    ├── WorkspaceReadOnly          403 workspace_read_only
    ├── HttpError                  404 http_error / not_found
    │   └── MethodNotAllowed       405 http_error / method_not_allowed
    ├── NotFound                   404 not_found / snapshot_not_found, document_not_found, …
    ├── StoreDisabled              404 store_disabled
    ├── PlanConflict               409 plan_conflict
    ├── ExperimentConflict         409 experiment_conflict / …
    ├── InputTooLarge              413 input_too_large
    ├── UnsupportedMediaType       415 unsupported_media_type / …
    ├── InvalidRequest             422 invalid_request / …
    │   ├── InvalidLane            422 invalid_lane / …
    │   ├── InvalidChunker         422 invalid_chunker / …
    │   ├── InvalidEmbeddingSpace  422 invalid_embedding_space / …
    │   └── InvalidRecord          422 invalid_type, invalid_label, … (workspace records)
    ├── SourceError                422 source_error / …
    ├── InternalError              500 internal_error
    ├── NotLanded                  501 not_implemented
    ├── Unavailable                503 unavailable / …
    ├── TimedOut                   504 timeout / …
    ├── ConfigurationError         at start, exit code 3
    ├── UsageError                 a command misused, exit code 2
    ├── BuildError                 a build that cannot go on, exit code 1
    └── ArchiveError               a space that cannot be opened, exit code 4

A surface maps an error once: HTTP by `status`, the command by `exit_code`, Python by raising it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from indx_core.canonical import clean_text
from indx_core.scrubbing import scrubbed

if TYPE_CHECKING:
    from indx_core.lapses import Lapse

__all__ = [
    "ArchiveError",
    "BuildError",
    "ConfigurationError",
    "ExperimentConflict",
    "HttpError",
    "IndxError",
    "InputTooLarge",
    "InternalError",
    "InvalidChunker",
    "InvalidEmbeddingSpace",
    "InvalidLane",
    "InvalidRecord",
    "InvalidRequest",
    "MethodNotAllowed",
    "NotFound",
    "NotLanded",
    "PlanConflict",
    "SourceError",
    "StoreDisabled",
    "TimedOut",
    "Unauthorized",
    "Unavailable",
    "UnsupportedMediaType",
    "UsageError",
    "WorkspaceReadOnly",
    "echoing",
    "explain",
]

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_HEARD = 4_000  # characters of a message that are looked at; what is told of them is shorter


class IndxError(Exception):
    """The root: an error with a public type, a code, and a message that names what to do.

    Attributes:
        type: The class of the failure, one word for clients to branch on.
        code: The exact failure; one of the class's `codes`.
        status: The HTTP status; 0 for errors that can only happen at start or on the command line.
        exit_code: What the command exits with.
        param: The dotted location of the field at fault, when one is.
        request_id: The caller's own identifier, when the request carried one.
        lapse: What it owes to the moment, so that another time may go otherwise; it stays off the wire.
    """

    type: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    codes: ClassVar[tuple[str, ...]] = ("internal_error",)
    lapse: Lapse | None = None

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        request_id: str | None = None,
        lapse: Lapse | None = None,
    ) -> None:
        """Make an error with `message`; `code` defaults to the first of the class, `lapse` to that of it."""
        super().__init__(message)
        self.message = message
        self.code = self.codes[0] if code is None else code
        if self.code not in self.codes:
            raise ValueError(f"{type(self).__name__}: {self.code!r} is not one of {', '.join(self.codes)}")
        self.param = param
        self.request_id = request_id
        if lapse is not None:
            self.lapse = lapse

    def envelope(self) -> dict[str, str]:
        """The wire form: `type`, `code`, `message`, and `param` and `request_id` where present.

        What it echoes of a request is made fit for UTF-8, and no secret leaves by it, whoever raised it.
        """
        wire = {"type": self.type, "code": self.code, "message": clean_text(scrubbed(self.message))}
        if self.param is not None:
            wire["param"] = clean_text(self.param)
        if self.request_id is not None:
            wire["request_id"] = clean_text(self.request_id)
        return wire

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive the trip from a worker process whole."""
        told = (type(self), self.message, self.code, self.param, self.request_id, self.lapse)
        return (_rebuild, told)


def _rebuild(
    kind: type[IndxError],
    message: str,
    code: str,
    param: str | None,
    request_id: str | None,
    lapse: Lapse | None,
) -> IndxError:
    return kind(message, code=code, param=param, request_id=request_id, lapse=lapse)


class Unauthorized(IndxError):
    """The request carries no valid token where one is needed."""

    type = "unauthorized"
    status = 401
    codes = ("unauthorized",)


class WorkspaceReadOnly(IndxError):
    """A write to the workspace of a deployment that set no operator token."""

    type = "workspace_read_only"
    status = 403
    codes = ("workspace_read_only",)


class HttpError(IndxError):
    """An unknown path."""

    type = "http_error"
    status = 404
    codes: ClassVar[tuple[str, ...]] = ("not_found",)


class MethodNotAllowed(HttpError):
    """A known path asked with the wrong method."""

    status = 405
    codes = ("method_not_allowed",)


class NotFound(IndxError):
    """Something named in the request does not exist, or is not the caller's."""

    type = "not_found"
    status = 404
    codes = (
        "document_not_found",
        "snapshot_not_found",
        "source_not_kept",
        "type_not_found",
        "dataset_not_found",
        "router_not_found",
        "experiment_not_found",
    )


class StoreDisabled(IndxError):
    """The deployment named no store for what the request asks."""

    type = "store_disabled"
    status = 404
    codes = ("store_disabled",)


class PlanConflict(IndxError):
    """A supplied plan or snapshot does not belong to this source and installation."""

    type = "plan_conflict"
    status = 409
    codes = ("plan_conflict",)


class ExperimentConflict(IndxError):
    """An experiment's key is taken, or it cannot be promoted."""

    type = "experiment_conflict"
    status = 409
    codes = ("experiment_exists", "experiment_incomplete", "experiment_stale")


class InputTooLarge(IndxError):
    """The source is larger than the advertised limit, or has too many pages."""

    type = "input_too_large"
    status = 413
    codes = ("input_too_large",)


class UnsupportedMediaType(IndxError):
    """The scheme, the media type or the request's content type is not one this installation takes."""

    type = "unsupported_media_type"
    status = 415
    codes = ("unsupported_media_type", "unsupported_source", "unsupported_content_type")


class InvalidRequest(IndxError):
    """The request is malformed or contradicts itself."""

    type: ClassVar[str] = "invalid_request"
    status = 422
    exit_code = 2
    codes: ClassVar[tuple[str, ...]] = (
        "validation_error",
        "reserved_metadata_key",
        "router_conflict",
        "unsupported_granularity",
    )


class InvalidLane(InvalidRequest):
    """A classifier, extractor or enricher cannot serve the request."""

    type = "invalid_lane"
    codes = (
        "unknown_classifier",
        "unknown_extractor",
        "unknown_enricher",
        "data_residency",
        "granularity_required",
    )


class InvalidChunker(InvalidRequest):
    """A named chunker cannot serve the request."""

    type = "invalid_chunker"
    codes = ("unknown_chunker", "unknown_chunker_version", "granularity_required")


class InvalidEmbeddingSpace(InvalidRequest):
    """A named embedding space cannot serve the request."""

    type = "invalid_embedding_space"
    codes = ("unknown_embedding_space", "no_query_embedder", "granularity_required")


class InvalidRecord(InvalidRequest):
    """A workspace record is wrong; `type` and `code` are the same word, chosen by the record."""

    codes = ("invalid_type", "invalid_label", "invalid_dataset", "invalid_router", "invalid_experiment")

    def envelope(self) -> dict[str, str]:
        """The wire form, whose `type` is the code itself."""
        return super().envelope() | {"type": self.code}


class SourceError(IndxError):
    """The source did not resolve to usable bytes."""

    type = "source_error"
    status = 422
    codes = ("source_unreadable", "source_encrypted", "source_forbidden")


class InternalError(IndxError):
    """Something indx did not foresee; the detail is in the log only."""


class NotLanded(IndxError):
    """The contract names the operation and this version does not carry it out."""

    type = "not_implemented"
    status = 501
    codes = ("not_implemented",)


class Unavailable(IndxError):
    """Something declared cannot run now."""

    type = "unavailable"
    status = 503
    codes = ("route_exhausted", "embedder_unavailable", "busy")
    lapse: Lapse | None = "lacking"


class TimedOut(IndxError):
    """The request outlived its deadline, or its caller."""

    type = "timeout"
    status = 504
    codes = ("deadline_exceeded", "client_disconnected")
    lapse: Lapse | None = "ended"


class ConfigurationError(IndxError):
    """A setting, a configuration file or a named component is wrong; nothing was started."""

    type = "configuration_error"
    status = 0
    exit_code = 3
    codes = (
        "invalid_setting",
        "store_not_configured",
        "unknown_store",
        "invalid_chunkers",
        "invalid_economics",
        "invalid_config_file",
        "unknown_component",
        "nothing_installed",
    )


class UsageError(IndxError):
    """The command was called in a way that cannot work."""

    type = "usage_error"
    status = 0
    exit_code = 2
    codes = ("usage_error", "input_missing", "input_empty", "output_inside_input", "input_inside_output")


class BuildError(IndxError):
    """A build could not go on; the output is as it was before."""

    type = "build_error"
    status = 0
    codes = ("build_failed", "output_unwritable", "output_locked", "disk_full", "strict_failure")


class ArchiveError(IndxError):
    """A knowledge space cannot be opened."""

    type = "archive_error"
    status = 0
    exit_code = 4
    codes = ("archive_corrupt", "archive_missing", "archive_foreign", "archive_version", "embedder_mismatch")


@contextmanager
def echoing(request_id: Any) -> Iterator[None]:
    """A block whose errors carry the identifier of the request that they refuse, if it is one."""
    try:
        yield
    except IndxError as error:
        if error.request_id is None and isinstance(request_id, str):
            error.request_id = request_id
        raise


def explain(error: BaseException) -> str:
    """What stopped something, in one short line fit for the wire: no address, secret or line break.

    The path of an error of the operating system is left out; what others write into a message is not known.
    """
    if isinstance(error, IndxError):
        text = error.message
    elif isinstance(error, MemoryError):
        text = "out of memory"
    elif isinstance(error, OSError) and error.strerror:
        text = f"{type(error).__name__}: {error.strerror}"  # without the path, which is ours
    else:
        text = f"{type(error).__name__}: {_said(error)}".removesuffix(": ")
    return _ADDRESS.sub("", clean_text(" ".join(scrubbed(text, most=_HEARD).split())))[:500]


def _said(error: BaseException) -> str:
    try:
        return (scrubbed(str(error).strip(), most=_HEARD).splitlines() or [""])[0][:200]
    except Exception:  # an exception of a provider's own may fail to say anything
        return ""
