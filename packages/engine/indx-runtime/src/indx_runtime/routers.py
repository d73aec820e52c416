"""A router that a request names: what may not stand beside it, and the lanes it may ask, before any fetch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_core.contracts import EncodeRequestPart, PlanRequestPart
from indx_core.errors import IndxError, InvalidRequest, StoreDisabled
from indx_runtime.chunking import requested_chunkers
from indx_runtime.lanes import LaneChoice, choose_lanes
from indx_runtime.vectors import check_spaces

if TYPE_CHECKING:
    from indx_core.contracts import (
        Constraints,
        ExtractionSelection,
        LaneSelection,
        ResolvedRouter,
        RouterBranch,
    )
    from indx_core.discovery import Registry

__all__ = ["RoutedLanes", "about", "check_router", "spaces_of"]

_OWN: Final = ("classification", "extraction", "enrichment")


@dataclass(frozen=True, slots=True)
class RoutedLanes:
    """The lanes a router may ask: its recognizer, and those of each branch by type (None: the default)."""

    routing: ResolvedRouter
    recognizer: LaneChoice | None
    by_type: Mapping[str | None, Sequence[LaneChoice]]


def check_router(
    request: PlanRequestPart, routing: ResolvedRouter | None, registry: Registry
) -> RoutedLanes | None:
    """Refuse a router that is not there, what a request must not name beside one, and what it lost.

    Returns:
        The lanes of its branches; None for a request that names no router.

    Raises:
        StoreDisabled: The request names a router and none was resolved.
        InvalidRequest: `router_conflict`; or a lane, chunker or space of a branch cannot be used here.
    """
    if request.router is None:
        return None
    if routing is None:
        raise StoreDisabled("this installation keeps no routers; send the request without `router`")
    _refuse_own_choices(request)
    try:
        lanes = {
            branch.type_id: _lanes(branch, request.constraints, registry)
            for branch in (*routing.branches, routing.default)
        }
        return RoutedLanes(routing, _recognizer(routing, request.constraints, registry), lanes)
    except IndxError as error:
        error.message = f"router {routing.id!r}, version {routing.version}: {error.message}"
        error.param = "router"
        raise


def _refuse_own_choices(request: PlanRequestPart) -> None:
    named = ["embedding_space_ids"] if request.embedding_space_ids else []
    if isinstance(request, EncodeRequestPart):
        named += [field for field in _OWN if _names(getattr(request, field))]
        named += ["chunking"] if request.chunking and request.chunking.chunkers else []
    if named:
        raise InvalidRequest(
            f"a request that names a router leaves {', '.join(named)} to it: send one or the other",
            code="router_conflict",
            param=named[0],
        )


def _names(selection: LaneSelection | ExtractionSelection | None) -> bool:
    return selection is not None and any(getattr(selection, f, None) for f in type(selection).model_fields)


def _lanes(branch: RouterBranch, constraints: Constraints | None, registry: Registry) -> list[LaneChoice]:
    """The lanes a branch names, once everything it names is known to be there."""
    asked = EncodeRequestPart(
        granularities=("CHUNK",),
        constraints=constraints,
        embedding_space_ids=branch.embedding_space_ids or (),
        classification=branch.classification,
        extraction=branch.extraction,
        enrichment=branch.enrichment,
    )
    requested_chunkers(branch.chunkers or (), registry)
    check_spaces(asked, registry)
    return choose_lanes(asked, registry)


def _recognizer(
    routing: ResolvedRouter, constraints: Constraints | None, registry: Registry
) -> LaneChoice | None:
    """The recognizer as the lane it is, of documents or of pages."""
    if routing.recognizer is None:
        return None
    name = routing.recognizer.classifier_id
    provider = registry.find("indx.classifiers", name)
    unit = "page" if provider is not None and provider.item.declaration.unit == "page" else "document"
    asked = EncodeRequestPart.model_validate(
        {"constraints": constraints, "classification": {f"{unit}_ids": [name]}}
    )
    return choose_lanes(asked, registry)[0]


def spaces_of(routing: ResolvedRouter) -> tuple[str, ...]:
    """Every embedding space that a branch of a router names."""
    branches = (*routing.branches, routing.default)
    return tuple(dict.fromkeys(s for branch in branches for s in branch.embedding_space_ids or ()))


def about(routing: ResolvedRouter, digest: str) -> ResolvedRouter:
    """A router with what concerns one document: what people said of others need not travel."""
    approved = {digest: routing.approved[digest]} if digest in routing.approved else {}
    return routing.model_copy(update={"approved": approved})
