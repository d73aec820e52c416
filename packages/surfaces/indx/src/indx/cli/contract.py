"""`indx capabilities`, `plan`, `encode`, `embed`: the contract's operations, JSON on standard output.

One option for each field of the request, `--request` for the whole of it as JSON; options win over the
file, field by field.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from indx.cli.fields import (
    RequestFile,
    encode_fields,
    load_request,
    merge,
    names_option,
    plan_fields,
    source_fields,
)
from indx.cli.output import console, said_in_the_answer, shown, write_json
from indx.cli.paths import path
from indx.cli.remedies import with_remedy
from indx_core.errors import InvalidRequest, UsageError, echoing
from indx_core.text import counted

if TYPE_CHECKING:
    from indx_core.contracts import EncodeResult, Plan, Trace

__all__ = ["capabilities", "embed", "encode", "plan"]

FileArgument = Annotated[
    str | None, typer.Argument(metavar="FILE|URI", help="The document; `-` reads standard input.")
]
MediaType = Annotated[str | None, typer.Option(help="What the document is declared as.")]
Sha256 = Annotated[str | None, typer.Option(help="The digest a URI must have.")]
RequestId = Annotated[str | None, typer.Option(help="Your own identifier, echoed in the answer.")]
SnapshotId = Annotated[str | None, typer.Option(help="The snapshot you rely on.")]
Granularity = Annotated[list[str] | None, typer.Option(help="DOCUMENT, PAGE or CHUNK; repeat or use commas.")]
Spaces = Annotated[list[str] | None, typer.Option(help="An embedding space; repeat or use commas.")]
Residency = Annotated[bool | None, typer.Option("--data-residency", help="Nothing leaves this machine.")]
MaxCost = Annotated[float | None, typer.Option(help="Estimated US dollars, at most.")]
MaxLatency = Annotated[int | None, typer.Option(help="Estimated milliseconds, at most.")]
MinQuality = Annotated[float | None, typer.Option(help="Estimated quality from 0 to 1, at least.")]
NoFallbacks = Annotated[bool | None, typer.Option("--no-fallbacks", help="A route has no second reader.")]
Capability = Annotated[list[str] | None, typer.Option(help="A reader that is allowed; repeat or use commas.")]
Signatures = Annotated[
    bool | None, typer.Option("--signature-detection", help="Ask parsers whether they know the document.")
]
Router = Annotated[str | None, typer.Option(metavar="ID[@VERSION]", help="A router of the workspace.")]
Store = Annotated[
    str | None,
    typer.Option(metavar="sqlite:PATH|postgres[:URL]", help="Where routers are, in place of the settings."),
]
PlanFile = Annotated[Path | None, typer.Option("--plan", parser=path, help="A plan made earlier, as JSON.")]
Metadata = Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="A label of yours; repeat.")]
Chunkers = Annotated[list[str] | None, typer.Option(help="Chunkers to ask first, as pdf@2,page.")]

_FAILED: Final = ("parser_failed", "sniffer_failed")
"""Codes of reasons of a plan that say what failed before it was made; one that is given says nothing new."""


def capabilities(
    snapshot_id: Annotated[
        str | None, typer.Option(help="A retained snapshot instead of the current.")
    ] = None,
) -> None:
    """Show what this installation can do."""
    from indx.facade import Indx

    write_json(Indx().capabilities(snapshot_id))


def plan(
    document: FileArgument = None,
    request: RequestFile = None,
    media_type: MediaType = None,
    sha256: Sha256 = None,
    request_id: RequestId = None,
    snapshot_id: SnapshotId = None,
    granularity: Granularity = None,
    space: Spaces = None,
    data_residency: Residency = None,
    maximum_cost_usd: MaxCost = None,
    maximum_latency_ms: MaxLatency = None,
    minimum_quality: MinQuality = None,
    no_fallbacks: NoFallbacks = None,
    capability: Capability = None,
    signature_detection: Signatures = None,
    router: Router = None,
    store: Store = None,
) -> None:
    """Decide how a document would be read, without reading it."""
    from indx.facade import Indx

    given = dict(locals())
    with echoing(request_id):
        _keep_in(store)
        source = source_fields(document, request, media_type, sha256)
    asked = merge(load_request(request), source, plan_fields(given))
    with (
        Indx(isolate=True) as indx,
        said_in_the_answer("indx.sniffers", told=lambda: _failures(result.plan)),
    ):
        result = indx.plan(asked)
    _say_unsatisfied(result.plan)
    _say_failures(_failures(result.plan))
    write_json(result)


def _keep_in(store: str | None) -> None:
    from indx.routers import keep_in

    if store is not None:
        keep_in(store)


def _say_unsatisfied(plan: Plan) -> None:
    """A plan that cannot be carried out is an answer, not an error; a person should not have to find it."""
    if plan.status == "unsatisfied":
        console().print(f"indx: the plan is unsatisfied: {'; '.join(plan.unsatisfied)}", markup=False)


def _failures(plan: Plan, trace: Trace | None = None) -> list[str]:
    """What failed, as a person is told it."""
    lines = [reason.message for reason in plan.reasons if reason.code in _FAILED]
    for failure in (trace and trace.failures) or ():
        name = failure.id if failure.version is None else f"{failure.id}@{failure.version}"
        what = "the document" if failure.unit == "document" else counted(failure.asked, failure.unit)
        share = what if failure.unit == "document" else f"{failure.failed} of {what}"
        lines.append(f"{failure.role.replace('_', ' ')} {name} failed on {share}: {failure.reason}")
    return lines


def _failed(result: EncodeResult) -> list[str]:
    """What failed, and which pages were not read or are damaged, as a person is told it."""
    return [*_failures(result.plan, result.trace), *_unread(result), *_damaged(result)]


def _damaged(result: EncodeResult) -> list[str]:
    """Which pages were read for all that they are damaged, and how."""
    facts = {block.page: block.metadata for block in result.blocks if block.scope == "PAGE"}
    if not any("damaged" in (stated or {}) for stated in facts.values()):
        return []
    from indx_space.unread import damaged

    return damaged({page: stated for page, stated in facts.items() if page is not None}, len(facts))


def _unread(result: EncodeResult) -> list[str]:
    """Which pages were not read and why; a plan that could not be carried out has been spoken of."""
    pages = [
        (block.page, block) for block in result.blocks if block.scope == "PAGE" and block.page is not None
    ]
    unknown = "no installed reader reads it"
    reasons = {page: b.reason or unknown for page, b in pages if b.status != "ok"}
    if not reasons or result.plan.status == "unsatisfied":
        return []
    from indx_space.unread import unread

    return [with_remedy(said) for said in unread(reasons, len(pages), result.plan)]


def _say_failures(lines: list[str]) -> None:
    """What failed stands in the answer, beside much else; a person should not have to find it."""
    for line in lines:
        console().print(f"indx: {shown(line)}", markup=False)


def encode(
    document: FileArgument = None,
    request: RequestFile = None,
    media_type: MediaType = None,
    sha256: Sha256 = None,
    request_id: RequestId = None,
    snapshot_id: SnapshotId = None,
    granularity: Granularity = None,
    space: Spaces = None,
    data_residency: Residency = None,
    maximum_cost_usd: MaxCost = None,
    maximum_latency_ms: MaxLatency = None,
    minimum_quality: MinQuality = None,
    no_fallbacks: NoFallbacks = None,
    capability: Capability = None,
    signature_detection: Signatures = None,
    router: Router = None,
    store: Store = None,
    plan: PlanFile = None,
    metadata: Metadata = None,
    chunkers: Chunkers = None,
    classify: names_option("Classifiers of the document") = None,  # type: ignore[valid-type]
    classify_pages: names_option("Classifiers of each page") = None,  # type: ignore[valid-type]
    classify_chunks: names_option("Classifiers of each chunk") = None,  # type: ignore[valid-type]
    extract_pages: names_option("Entity extractors of each page") = None,  # type: ignore[valid-type]
    extract_chunks: names_option("Entity extractors of each chunk") = None,  # type: ignore[valid-type]
    enrich: names_option("Enrichers of the document") = None,  # type: ignore[valid-type]
    enrich_pages: names_option("Enrichers of each page") = None,  # type: ignore[valid-type]
    enrich_chunks: names_option("Enrichers of each chunk") = None,  # type: ignore[valid-type]
) -> None:
    """Read a document into blocks, by a plan given or made."""
    from indx.facade import Indx

    given = dict(locals())
    with echoing(request_id):
        _keep_in(store)
        source = source_fields(document, request, media_type, sha256)
    with Indx(isolate=True) as indx:
        asked = merge(load_request(request), source, plan_fields(given), encode_fields(given))
        more = ("indx.sniffers",) if asked.get("plan") is None else ()
        with said_in_the_answer(*more, told=lambda: _failed(result)):
            result = indx.encode(asked)
    _say_unsatisfied(result.plan)
    _say_failures(_failed(result))
    write_json(result)


def embed(
    text: Annotated[str | None, typer.Argument(help="The query's text; `-` reads standard input.")] = None,
    request: RequestFile = None,
    space: Annotated[str | None, typer.Option(help="The embedding space.")] = None,
    image: Annotated[str | None, typer.Option(metavar="FILE|URI", help="An image instead of text.")] = None,
    media_type: MediaType = None,
    request_id: RequestId = None,
) -> None:
    """Embed a query into a space."""
    from indx.facade import Indx, image_input

    if image is not None and text is not None:
        raise UsageError("a query is a TEXT or an --image, not both")
    fields: dict[str, Any] = {}
    if space is not None:
        fields["embedding_space_id"] = space
    if request_id is not None:
        fields["request_id"] = request_id
    if text is not None:
        text = sys.stdin.read() if text == "-" else text
        if not text:
            message = "the query is empty; write its text, as indx embed TEXT --space ID"
            raise InvalidRequest(message, param="input.text.text", request_id=request_id)
        fields["input"] = {"type": "text", "text": text}
    elif image is not None:
        with echoing(request_id):
            fields["input"] = image_input(image, media_type=media_type)
    asked = merge(load_request(request), fields)
    with Indx(isolate=True) as indx:
        if "embedding_space_id" not in asked:
            installed = ", ".join(space.id for space in indx.capabilities().embedding_spaces) or "none"
            raise InvalidRequest(
                f"name the embedding space: --space ID; installed: {installed}",
                param="embedding_space_id",
                request_id=request_id,
            )
        write_json(indx.embed(asked))
