"""What a router decides: which branch each page takes as far as that is known before reading, and its route.

A page's type is known when it is given, when a person approved the document's type, or when the parser of a
type recognises the page; in this order. A page of no known type is read by the default branch. Each branch
has a route for every page, because a recognizer may choose it once a page is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indx_core.contracts import (
    Branch,
    PlanRouter,
    Reason,
    ResolvedRouter,
    RouterBranch,
    SignatureMatch,
    TypedPage,
)
from indx_routing.constraining import Ladders
from indx_routing.deciding import Case
from indx_routing.laddering import estimate, led_by, routes_of

__all__ = ["decide_by_branch"]


def decide_by_branch(case: Case, routing: ResolvedRouter, source_digest: str) -> dict[str, Any]:
    """The members of a plan under a router."""
    typed = _typed_pages(case, routing, source_digest)
    branches = (*routing.branches, routing.default)
    ladders = {branch.type_id: _ladders(case, routing, branch) for branch in branches}
    types = {entry.page: routing.branch_for(entry.type_id).type_id for entry in typed}
    first = {evidence.page: ladders[types.get(evidence.page)][evidence.page] for evidence in case.pages}
    spaces = _spaces(case, branches)
    asked = case.request.signature_detection or bool(routing.parsers)
    lines = case.hopeless(first, spaces, signatures_asked=asked)
    common = {
        "embedding_space_ids": spaces,
        "router": PlanRouter(id=routing.id, version=routing.version),
        "typed_pages": tuple(typed),
        "recognizer": routing.recognizer,
        "reasons": tuple(_reasons(case, branches)),
    }
    if not lines:
        first, lines = case.constrained(first)
    planned = []
    if not lines:
        held = {name: case.constrained(own) for name, own in ladders.items()}
        lines = list(dict.fromkeys(line for _, found in held.values() for line in found))
        planned = (
            [_planned(case, branch, held[branch.type_id][0], spaces) for branch in branches]
            if not lines
            else []
        )
    if lines:
        return {**common, "status": "unsatisfied", "unsatisfied": tuple(lines)}
    default, own = routes_of(first, case.constraints)
    return {
        **common,
        "status": "ready",
        "default": default,
        "pages": own,
        "estimates": estimate(first, case.by_id, case.economics),
        "branches": tuple(planned),
    }


def _typed_pages(case: Case, routing: ResolvedRouter, source_digest: str) -> list[TypedPage]:
    """Pages whose type is known before reading, and by what."""
    pages = [evidence.page for evidence in case.pages]
    approved = routing.approved.get(source_digest)
    if routing.given is not None:
        return [TypedPage(page=page, type_id=routing.given, by="given") for page in pages]
    if approved is not None:
        return [TypedPage(page=page, type_id=approved, by="approved") for page in pages]
    found: dict[int, str] = {}
    for match in case.matches:  # the surest first
        kind = _type_of(match, routing)
        whole = match.scope == "DOCUMENT" and not match.pages
        for page in pages if whole else match.pages:
            if kind is not None:
                found.setdefault(page, kind)
    return [TypedPage(page=page, type_id=found[page], by="signature") for page in pages if page in found]


def _type_of(match: SignatureMatch, routing: ResolvedRouter) -> str | None:
    """The type whose parser matched; of several, the one whose branch stands first."""
    types = [branch.type_id for branch in routing.branches if branch.type_id is not None]
    return next((t for t in types if routing.parsers.get(t) == match.capability_id), None)


def _ladders(case: Case, routing: ResolvedRouter, branch: RouterBranch) -> Ladders:
    """The ladders of a branch: its reader leads; of the parsers of types, its own is the one that may."""
    own = routing.parsers.get(branch.type_id) if branch.type_id is not None else None
    others = set(routing.parsers.values()) - {own}
    fitting = [
        match
        for match in case.matches
        if match.capability_id not in others or case.request.signature_detection
    ]
    ladders = case.ladders(fitting)
    reader = case.by_id.get(branch.reader or "")
    return led_by(ladders, reader) if reader is not None and _reads(case, branch) else ladders


def _reads(case: Case, branch: RouterBranch) -> bool:
    reader = case.by_id.get(branch.reader or "")
    return reader is not None and (reader.kind == "manual" or case.media_type in reader.media_types)


def _spaces(case: Case, branches: Sequence[RouterBranch]) -> tuple[str, ...]:
    """The spaces that the branches name; none where no chunks are wanted, which alone have vectors."""
    if "CHUNK" not in case.request.granularities:
        return ()
    return tuple(dict.fromkeys(s for branch in branches for s in branch.embedding_space_ids or ()))


def _planned(case: Case, branch: RouterBranch, ladders: Ladders, spaces: Sequence[str]) -> Branch:
    default, own = routes_of(ladders, case.constraints)
    return Branch(
        type_id=branch.type_id,
        default=default,
        pages=own,
        chunkers=branch.chunkers or (),
        classification=branch.classification,
        extraction=branch.extraction,
        enrichment=branch.enrichment,
        embedding_space_ids=tuple(s for s in branch.embedding_space_ids or () if s in spaces),
    )


def _reasons(case: Case, branches: Sequence[RouterBranch]) -> list[Reason]:
    """What a branch names that this document or request does not let it use."""
    reasons = []
    for branch in branches:
        name = f"the branch for {branch.type_id}" if branch.type_id else "the default branch"
        if branch.reader is not None and not _reads(case, branch):
            message = f"{branch.reader}, which leads {name}, does not read {case.media_type} here"
            reasons.append(Reason(code="reader_passed_over", message=message))
    wanting = any(_names_chunks(branch) for branch in branches)
    if wanting and "CHUNK" not in case.request.granularities:
        message = "the router cuts, annotates or embeds chunks, and the request asks for none"
        reasons.append(Reason(code="chunks_not_asked", message=message))
    if any(_names_pages(branch) for branch in branches) and set(case.request.granularities) == {"DOCUMENT"}:
        message = "the router classifies or enriches pages, and the request asks for none"
        reasons.append(Reason(code="pages_not_asked", message=message))
    return reasons


def _names_pages(branch: RouterBranch) -> bool:
    return any(lane and lane.page_ids for lane in (branch.classification, branch.enrichment))


def _names_chunks(branch: RouterBranch) -> bool:
    lanes = (branch.classification, branch.extraction, branch.enrichment)
    return bool(
        branch.chunkers or branch.embedding_space_ids or any(lane and lane.chunk_ids for lane in lanes)
    )
