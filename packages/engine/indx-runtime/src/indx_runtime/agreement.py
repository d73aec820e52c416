"""What a request, its plan and its outcome must agree on, and the parts to name beside them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from indx_core.contracts import Component, EncodeRequest, Plan, Route, Snapshot
from indx_core.errors import PlanConflict, Unavailable
from indx_routing import unservable_spaces
from indx_runtime.assembling import in_short
from indx_runtime.failures import beside, in_one_line
from indx_runtime.reading import routes_of

if TYPE_CHECKING:
    from indx_core.contracts import ResolvedRouter
    from indx_runtime.annotating import Annotations
    from indx_runtime.progress import Cut, Progress
    from indx_source import Resolved

__all__ = ["bind", "components", "keep_residency", "known_before", "parts", "require_read", "under_plan"]

_LANES: Final = ("classification", "extraction", "enrichment")


def components(resolved: Resolved) -> tuple[Component, ...]:
    """The loader and the sniffer, where they took part."""
    parts = (("loader", resolved.loader), ("sniffer", resolved.sniffer))
    return tuple(
        Component(role=role, distribution=part.distribution) for role, part in parts if part is not None
    )


def known_before(resolved: Resolved) -> dict[str, str]:
    """What is known of a document before it is opened, as reasons of its plan: who could not say its type."""
    return {"sniffer_failed": in_one_line(resolved.unheard)} if resolved.unheard else {}


def parts(progress: Progress, notes: Annotations) -> list[Component]:
    """Chunkers with the pages they cut, the detector with its pages, classifiers with facets they won."""
    cuts: dict[tuple[str, str, int], list[Cut]] = {}
    for cut in progress.cuts:
        cuts.setdefault((cut.distribution, cut.id, cut.version), []).append(cut)
    chunkers = [
        Component(
            role="chunker",
            distribution=distribution,
            id=name,
            version=version,
            pages=tuple(sorted(page for cut in found for page in cut.drafts)),
        )
        for (distribution, name, version), found in cuts.items()
    ]
    classifiers = [
        Component(
            role="classifier",
            distribution=notes.distributions[name],
            id=name,
            facets=tuple(dict.fromkeys(won)),
        )
        for name, won in notes.won.items()
    ]
    detectors = []
    if notes.detector is not None:
        pages = tuple(notes.language_pages)
        detectors = [Component(role="language_detector", distribution=notes.detector, pages=pages)]
    return chunkers + detectors + classifiers


def under_plan(request: EncodeRequest) -> EncodeRequest:
    """A request as the plan it brings has decided it: blocks and spaces are the plan's."""
    plan = request.plan
    if plan is None:
        return request
    decided = {"granularities": plan.granularities, "embedding_space_ids": plan.embedding_space_ids}
    return request.model_copy(update=decided)


def keep_residency(request: EncodeRequest, snapshot: Snapshot) -> None:
    """Refuse a supplied plan that leaves the machine for a request that must not.

    Raises:
        PlanConflict: Its routes or spaces do.
    """
    plan, constraints = request.plan, request.constraints
    if plan is None or constraints is None or not constraints.data_residency:
        return
    external = {c.id for c in snapshot.capabilities if c.device == "external"}
    named = [name for route in _routes(plan) for name in (route.capability_id, *route.fallbacks)]
    lines = [f"{name} reads outside this machine" for name in dict.fromkeys(named) if name in external]
    lines += unservable_spaces(request, snapshot, constraints)
    if lines:
        raise PlanConflict(f"{'; '.join(lines)}; plan again", param="constraints.data_residency")


def bind(
    plan: Plan | None, resolved: Resolved, snapshot: Snapshot, routing: ResolvedRouter | None = None
) -> None:
    """A supplied plan belongs to these bytes, this type, installation and router, and is as it was made.

    Which parsers or sniffers failed when it was made, or fail now, is no matter, unless the type is another.

    Raises:
        PlanConflict: It is not, or routes pages in a way that no plan of this installation does.
    """
    if plan is None:
        return
    content = resolved.content
    facts = (
        ("source_digest", plan.source_digest, content.digest),
        ("media_type", plan.media_type, content.media_type),
        ("snapshot_id", plan.snapshot_id, snapshot.snapshot_id),
        ("plan_id", plan.plan_id, plan.content_id()),
    )
    for name, planned, actual in facts:
        if planned != actual:
            message = f"the plan's {name} is {planned[:200]}, the request's is {actual}; plan again"
            if name == "media_type":
                message += beside(known_before(resolved))
            raise PlanConflict(message, param=f"plan.{name}")
    _bind_router(plan, routing)
    installed = {c.id for c in snapshot.capabilities}
    for route in _routes(plan):
        rungs = (route.capability_id, *route.fallbacks)
        if len(set(rungs)) < len(rungs) or not installed.issuperset(rungs):
            message = (
                "a route of the plan names a capability twice, or one its snapshot does not hold; plan again"
            )
            raise PlanConflict(message, param="plan")
    pages = Counter(entry.page for entry in plan.pages)
    if twice := [page for page, times in pages.items() if times > 1]:
        raise PlanConflict(f"the plan routes page {twice[0]} twice; plan again", param="plan.pages")


def _bind_router(plan: Plan, routing: ResolvedRouter | None) -> None:
    """A plan decided under a router is for a request that names it in that version, and the other way."""
    if routing is None:
        if plan.router is not None or plan.branches is not None:
            decided = f"the router {plan.router.id}" if plan.router else "a router"
            message = (
                f"the plan was decided under {decided}, and the request names none; name it, or plan again"
            )
            raise PlanConflict(message, param="plan.router")
        return
    if plan.router is None or (plan.router.id, plan.router.version) != (routing.id, routing.version):
        decided = f"{plan.router.id} version {plan.router.version}" if plan.router else "no router"
        raise PlanConflict(
            f"the plan was decided under {decided}, the request names {routing.id} version "
            f"{routing.version}; plan again",
            param="plan.router",
        )
    chosen = [
        (b.type_id, b.chunkers or (), *(getattr(b, f) for f in _LANES))
        for b in (*routing.branches, routing.default)
    ]
    planned = [(b.type_id, b.chunkers, *(getattr(b, f) for f in _LANES)) for b in plan.branches or ()]
    if plan.recognizer != routing.recognizer or (plan.status == "ready" and planned != chosen):
        raise PlanConflict("the plan's branches are not those of its router; plan again", param="plan.router")


def _routes(plan: Plan) -> list[Route]:
    own = [(plan.default, plan.pages), *((branch.default, branch.pages) for branch in plan.branches or ())]
    routes = [route for default, pages in own for route in (default, *(entry.route for entry in pages))]
    return [route for route in routes if route is not None]


def require_read(plan: Plan, progress: Progress) -> None:
    """Refuse when every capability of a route failed and no person was asked: the route is exhausted.

    Raises:
        Unavailable: `route_exhausted`.
    """
    manual = {a.page for a in progress.attempts if a.outcome == "manual"}
    routes: dict[tuple[str, ...], list[int]] = {}
    for page, route in routes_of(plan, progress.page_count).items():
        routes.setdefault(route, []).append(page)
    for route, pages in routes.items():
        if not any(page in progress.readings or page in manual for page in pages):
            own = set(pages)
            reasons = in_short(a.reason for a in progress.attempts if a.page in own)
            raise Unavailable(f"every capability of the route {', '.join(route)} failed: {reasons}")
