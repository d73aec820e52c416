"""From options of the command line to the fields of a request."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from indx.cli.paths import path
from indx_core.contracts import SCOPES
from indx_core.errors import InvalidRequest, SourceError, UsageError

__all__ = [
    "RequestFile",
    "encode_fields",
    "load_request",
    "merge",
    "names_option",
    "plan_fields",
    "source_fields",
]

RequestFile = Annotated[
    Path | None,
    typer.Option(
        "--request", metavar="FILE", parser=path, help="The request as JSON; `-` is standard input."
    ),
]

_BESIDE = 8 * 1024 * 1024  # bytes of a request beside its source, at most

_CONSTRAINTS = ("data_residency", "maximum_cost_usd", "maximum_latency_ms", "minimum_quality")

# Field, member of the field, option.
_LANES = (
    ("classification", "document_ids", "classify"),
    ("classification", "page_ids", "classify_pages"),
    ("classification", "chunk_ids", "classify_chunks"),
    ("extraction", "page_ids", "extract_pages"),
    ("extraction", "chunk_ids", "extract_chunks"),
    ("enrichment", "document_ids", "enrich"),
    ("enrichment", "page_ids", "enrich_pages"),
    ("enrichment", "chunk_ids", "enrich_chunks"),
)


def names_option(what: str) -> Any:
    """An option that takes IDs, repeated or by comma."""
    return Annotated[list[str] | None, typer.Option(metavar="ID", help=f"{what}; repeat or use commas.")]


def load_request(file: Path | None) -> dict[str, Any]:
    """The request of `--request`, or an empty one.

    Raises:
        UsageError: The file cannot be read or is no JSON object.
        InputTooLarge: It is larger than a request may be.
    """
    return {} if file is None else _json_object(file, "--request")


def _json_object(file: Path, option: str) -> dict[str, Any]:
    try:
        if str(file) == "-":
            data = _bounded(sys.stdin.buffer, f"{option} '-'")
        else:
            with file.open("rb") as opened:
                data = _bounded(opened, f"{option} {str(file)!r}")
        value = json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        from indx.facade import why_unopened

        raise UsageError(f"{option} {str(file)!r} cannot be read: {why_unopened(error)}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{option} {str(file)!r} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise UsageError(f"{option} {str(file)!r} is not a JSON object")
    return value


def _bounded(file: BinaryIO, name: str) -> bytes:
    """The bytes of a request, in which the source is base64."""
    from indx.facade import read_bounded
    from indx_source.settings import MAX_INPUT_BYTES

    return read_bounded(file, name, -(-MAX_INPUT_BYTES.get() // 3) * 4 + _BESIDE, param=None)


def source_fields(
    document: str | None, request: Path | None, media_type: str | None, sha256: str | None
) -> dict[str, Any]:
    """The source named on the command line; without one, the request file has to bring it.

    Raises:
        UsageError: Neither is given.
        SourceError: It is standard input, and nothing comes.
    """
    from indx.facade import read_bounded, read_source

    if document is None:
        if request is None:
            raise UsageError("name a FILE or URI, or give the whole request with --request")
        if media_type is not None or sha256 is not None:
            raise UsageError("--media-type and --sha256 belong to a FILE or URI; write them in the request")
        return {}
    given: str | bytes = document
    if document == "-" and not (given := read_bounded(sys.stdin.buffer, "standard input")):
        raise SourceError("standard input is empty: no bytes came; send the document there", param="source")
    return {"source": read_source(given, media_type=media_type, sha256=sha256)}


def _split(values: Sequence[str] | None) -> list[str]:
    return [part.strip() for value in values or () for part in value.split(",") if part.strip()]


def plan_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields every plan has, as far as they were given."""
    fields = {
        k: given[k] for k in ("request_id", "snapshot_id", "signature_detection") if given[k] is not None
    }
    if given["granularity"]:
        fields["granularities"] = [_granularity(name) for name in _split(given["granularity"])]
    if given["space"]:
        fields["embedding_space_ids"] = _split(given["space"])
    constraints = {k: given[k] for k in _CONSTRAINTS if given[k] is not None}
    if given["no_fallbacks"]:
        constraints["fallbacks_allowed"] = False
    if given["capability"]:
        constraints["capability_ids"] = _split(given["capability"])
    if constraints:
        fields["constraints"] = constraints
    if given["router"] is not None:
        name, at, version = given["router"].partition("@")
        fields["router"] = {"id": name, **({"version": _whole(version)} if at else {})}
    return fields


def _granularity(name: str) -> str:
    if name.upper() not in SCOPES:
        raise InvalidRequest(f"--granularity: {name!r} is none of {', '.join(SCOPES)}", param="granularities")
    return name.upper()


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"--router: {text!r} is not a version; write ID@VERSION")
    return int(text)


def encode_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields an encode adds, as far as they were given.

    Raises:
        UsageError: An option's value cannot be read.
    """
    from indx_runtime.chunking import parse_chunkers

    fields: dict[str, Any] = {}
    if given["plan"] is not None:
        _only_bound(given)
        made = _json_object(given["plan"], "--plan")
        # The whole answer of `indx plan` holds one.
        fields["plan"] = made["plan"] if "plan" in made and "plan_id" not in made else made
    if given["metadata"]:
        fields["metadata"] = dict(_label(item) for item in given["metadata"])
    if given["chunkers"]:
        try:
            chunkers = parse_chunkers(_split(given["chunkers"]))
        except ValueError as error:
            raise UsageError(f"--chunkers: {error}") from None
        fields["chunking"] = {"chunkers": [c.model_dump() for c in chunkers]}
    for field, member, option in _LANES:
        if given[option]:
            fields.setdefault(field, {})[member] = _split(given[option])
    return fields


_BOUND = ("granularity", "space", "capability", "maximum_cost_usd", "maximum_latency_ms", "minimum_quality")


def _only_bound(given: Mapping[str, Any]) -> None:
    """Refuse options that decide what a plan has decided: they would be given for nothing."""
    idle = [name for name in _BOUND if given[name]]
    idle += ["no_fallbacks"] if given["no_fallbacks"] else []
    if idle:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in idle)
        raise UsageError(f"{options}: decided by --plan; leave it out, or make another plan")


def _label(item: str) -> tuple[str, Any]:
    """`KEY=VALUE`; the value is JSON where it reads as JSON, else text."""
    key, equals, text = item.partition("=")
    if not (key and equals):
        raise UsageError(f"--metadata: {item!r} is not KEY=VALUE")
    try:
        return key, json.loads(text)
    except (ValueError, RecursionError):
        return key, text


def merge(request: dict[str, Any], *more: Mapping[str, Any]) -> dict[str, Any]:
    """The request with the given fields in place of its own; objects are merged member by member."""
    merged = dict(request)
    for fields in more:
        for key, value in fields.items():
            own = merged.get(key)
            both = isinstance(own, dict) and isinstance(value, dict) and key != "plan"
            merged[key] = {**own, **value} if both else value  # type: ignore[dict-item]
    return merged
