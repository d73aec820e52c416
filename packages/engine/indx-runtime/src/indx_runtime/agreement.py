"""What a request, its plan and its outcome must agree on, and the parts to name beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.contracts import Component, Plan, Snapshot
from indx_core.errors import PlanConflict, Unavailable
from indx_runtime.reading import route_of

if TYPE_CHECKING:
    from indx_core.ports import SourceContent
    from indx_runtime.annotating import Annotations
    from indx_runtime.progress import Progress
    from indx_source import Resolved

__all__ = ["bind", "components", "parts", "require_read"]


def components(resolved: Resolved) -> tuple[Component, ...]:
    """The loader and the sniffer, where they took part."""
    parts = (("loader", resolved.loader), ("sniffer", resolved.sniffer))
    return tuple(
        Component(role=role, distribution=part.distribution) for role, part in parts if part is not None
    )


def parts(progress: Progress, notes: Annotations) -> list[Component]:
    """Chunkers with the pages they cut, the detector with its pages, classifiers with facets they won."""
    chunkers = [
        Component(
            role="chunker",
            distribution=cut.distribution,
            id=cut.id,
            version=cut.version,
            pages=tuple(sorted(cut.drafts)),
        )
        for cut in progress.cuts
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


def bind(plan: Plan | None, content: SourceContent, snapshot: Snapshot) -> None:
    """A supplied plan belongs to these bytes, this type and this installation, and is as it was made."""
    if plan is None:
        return
    facts = (
        ("source_digest", plan.source_digest, content.digest),
        ("media_type", plan.media_type, content.media_type),
        ("snapshot_id", plan.snapshot_id, snapshot.snapshot_id),
        ("plan_id", plan.plan_id, plan.content_id()),
    )
    for name, planned, actual in facts:
        if planned != actual:
            message = f"the plan's {name} is {planned}, the request's is {actual}; plan again"
            raise PlanConflict(message, param=f"plan.{name}")


def require_read(plan: Plan, progress: Progress) -> None:
    """Refuse when every capability of a route failed and no person was asked: the route is exhausted."""
    manual = {a.page for a in progress.attempts if a.outcome == "manual"}
    routes: dict[tuple[str, ...], list[int]] = {}
    for page in range(1, progress.page_count + 1):
        routes.setdefault(route_of(plan, page), []).append(page)
    for route, pages in routes.items():
        if not any(page in progress.readings or page in manual for page in pages):
            reasons = sorted({a.reason for a in progress.attempts if a.page in pages and a.reason})
            raise Unavailable(
                f"every capability of the route {', '.join(route)} failed: {'; '.join(reasons)}"
            )
