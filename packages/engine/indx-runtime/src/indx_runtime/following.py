"""Following a router through a document: its recognizer is asked first, then the lanes of each branch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from indx_core.ports import LaneContext
from indx_runtime.annotating import Annotations, Texts, annotate
from indx_runtime.assembling import texts_of
from indx_runtime.branches import branches_taken, rungs_again
from indx_runtime.lanes import without_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from indx_core.contracts import Branch, Plan
    from indx_core.deadline import Deadline
    from indx_runtime.lanes import LaneChoice
    from indx_runtime.progress import DocumentJob, Progress
    from indx_runtime.routers import RoutedLanes

__all__ = ["Followed", "follow"]


@dataclass(frozen=True, slots=True)
class Followed:
    """A document that was read: what was learned, what a router's lanes said, and the branch of each page."""

    progress: Progress
    notes: Annotations
    branches: Mapping[int, Branch] | None


def follow(
    job: DocumentJob,
    routed: RoutedLanes | None,
    work: Callable[[DocumentJob, Deadline, Progress | None], Progress],
    context: LaneContext,
    deadline: Deadline,
) -> Followed:
    """Read a document, under a router where one is named.

    With a recognizer that is in two visits: the pages are read, their types are recognised, and then those
    whose branch has another reader are read again and all of them are cut. Without one it is a single visit.

    Raises:
        IndxError: As working on a document does.
    """
    notes = Annotations()
    if routed is None:
        return Followed(work(job, deadline, None), notes, None)
    progress = work(job if routed.recognizer is None else replace(job, chunkers=None), deadline, None)
    plan = progress.plan
    assert plan is not None
    if plan.status != "ready" or plan.branches is None:
        return Followed(progress, notes, {})
    recognised: dict[int, str] = {}
    if routed.recognizer is not None:
        recognised = _recognised(routed, routed.recognizer, plan, progress, context, deadline, notes)
        again = rungs_again(plan, progress, recognised)
        progress.read_again(again)
        if again or job.chunkers is not None:
            progress = work(replace(job, recognised=recognised, again=again), deadline, progress)
    branches = branches_taken(plan, progress.page_count, recognised)
    _annotate(routed, branches, progress, context, deadline, notes)
    return Followed(progress, notes, branches)


def _recognised(
    routed: RoutedLanes,
    recognizer: LaneChoice,
    plan: Plan,
    progress: Progress,
    context: LaneContext,
    deadline: Deadline,
    notes: Annotations,
) -> dict[int, str]:
    """The type of each page that the plan gives none, as far as the recognizer names one with a branch."""
    typed = {entry.page for entry in plan.typed_pages or ()}
    untyped = [page for page in range(1, progress.page_count + 1) if page not in typed]
    if not untyped:
        return {}
    texts = texts_of(progress)
    pages = {f"p{page}": texts.pages[f"p{page}"] for page in untyped if f"p{page}" in texts.pages}
    annotate([recognizer], Texts(texts.document, pages), context=context, deadline=deadline, notes=notes)
    known = {branch.type_id for branch in routed.routing.branches}
    found: dict[int, str] = {}
    for page in untyped:
        block_id = f"p{page}" if recognizer.unit == "page" else "doc"
        top = _top_label(routed, notes, block_id)
        if top in known and top is not None:
            found[page] = top
    return found


def _top_label(routed: RoutedLanes, notes: Annotations, block_id: str) -> str | None:
    assert routed.routing.recognizer is not None
    classes = notes.metadata.get(block_id, {}).get("classification", {})
    labels = classes.get(routed.routing.recognizer.facet)
    return str(labels[0]["label"]) if labels else None


def _annotate(
    routed: RoutedLanes,
    branches: Mapping[int, Branch],
    progress: Progress,
    context: LaneContext,
    deadline: Deadline,
    notes: Annotations,
) -> None:
    """Ask the lanes of each branch about its pages and chunks; a lane of documents once, about the whole.

    A lane whose answers would have no block to stand on is not asked; the plan says so.
    """
    assert progress.plan is not None
    granularities = progress.plan.granularities
    texts = texts_of(progress)
    asked = set(_asked_already(routed, notes))
    for type_id, lanes in routed.by_type.items():
        own = {f"p{page}" for page, branch in branches.items() if branch.type_id == type_id}
        for lane in lanes if own else ():
            if without_blocks(lane.kind, lane.unit, granularities):
                continue
            part = Texts(
                "" if (lane.id, "doc") in asked else texts.document,
                {i: text for i, text in texts.pages.items() if i in own and (lane.id, i) not in asked},
                {i: text for i, text in texts.chunks.items() if i.partition(".")[0] in own},
            )
            annotate([lane], part, context=context, deadline=deadline, notes=notes)
            if lane.unit == "document":
                asked.add((lane.id, "doc"))


def _asked_already(routed: RoutedLanes, notes: Annotations) -> Iterator[tuple[str, str]]:
    """The recognizer, with the blocks it was asked about: a branch that names it does not ask it again."""
    if (lane := routed.recognizer) is not None:
        for block_id in notes.failures.asked("classifier", lane.id, lane.unit):
            yield lane.id, block_id
