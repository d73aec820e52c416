"""Which branch of a router each page takes, who reads it again for that, and who cuts it.

The plan says which branch a page takes as far as that was known before reading; the recognizer says it of
the others once they are read. A page is read again only if its branch would have had another reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indx_core.contracts import Branch, ChunkerRef, Plan
    from indx_runtime.progress import DocumentJob, Progress

__all__ = ["branches_taken", "chunkers_by_page", "rungs_again"]


def branches_taken(plan: Plan, page_count: int, recognised: Mapping[int, str]) -> dict[int, Branch]:
    """The branch of each page: of the type the plan gives it, else of the one recognised on it."""
    by_type = {branch.type_id: branch for branch in plan.branches or ()}
    types = {entry.page: entry.type_id for entry in reversed(plan.typed_pages or ())}
    return {
        page: by_type.get(types.get(page, recognised.get(page))) or by_type[None]
        for page in range(1, page_count + 1)
    }


def rungs_again(plan: Plan, progress: Progress, recognised: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """Who is still to try each recognised page: the readers its branch asks before the one that read it."""
    tried: dict[int, set[str]] = {}
    for attempt in progress.attempts:
        tried.setdefault(attempt.page, set()).add(attempt.capability_id)
    branches = branches_taken(plan, progress.page_count, recognised)
    again: dict[int, tuple[str, ...]] = {}
    for page in recognised:
        branch = branches[page]
        route = next((entry.route for entry in branch.pages if entry.page == page), branch.default)
        rungs: list[str] = []
        for rung in (route.capability_id, *route.fallbacks):
            if rung == progress.read_by.get(page):
                break
            if rung not in tried.get(page, ()):
                rungs.append(rung)
        if rungs:
            again[page] = tuple(rungs)
    return again


def chunkers_by_page(
    job: DocumentJob, progress: Progress, pages: Iterable[int]
) -> dict[tuple[ChunkerRef, ...], list[int]]:
    """Pages under the chunkers to ask first: the request's for all, or those of each page's branch."""
    common = tuple(job.chunkers or ())
    plan = progress.plan
    if plan is None or plan.branches is None:
        return {common: list(pages)}
    branches = branches_taken(plan, progress.page_count, job.recognised)
    groups: dict[tuple[ChunkerRef, ...], list[int]] = {}
    for page in pages:
        groups.setdefault((*branches[page].chunkers, *common), []).append(page)
    return groups
