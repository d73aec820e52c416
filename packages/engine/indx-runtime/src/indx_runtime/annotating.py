"""What lanes and the language detector say of a document: merged, and every answer kept beside the merge.

The first lane named with an opinion on a facet or part wins it; all answers ride beside the merge under
`lanes`. Every lane named is asked and billed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from indx_core.ports import Enrichment, EntitySpan, LaneContext, LaneError, Scored
from indx_runtime.failures import Failures
from indx_runtime.lanes import ROLES, Batch, LaneChoice, LaneKind, ask_detector, ask_lane

if TYPE_CHECKING:
    from indx_core.contracts import FailureRole, Unit
    from indx_core.deadline import Deadline
    from indx_core.discovery import Registry

__all__ = ["Annotations", "Texts", "annotate", "detect_languages"]


@dataclass(slots=True)
class Annotations:
    """Metadata by block ID, what classifiers won and a detector answered, what was charged, what failed."""

    metadata: dict[str, dict[str, Any]] = field(default_factory=dict)
    won: dict[str, list[str]] = field(default_factory=dict)
    distributions: dict[str, str] = field(default_factory=dict)
    detector: str | None = None
    language_pages: list[int] = field(default_factory=list)
    cost_usd: float = 0.0
    failures: Failures = field(default_factory=Failures)

    def of(self, block_id: str) -> dict[str, Any]:
        """The metadata of a block, made on first need."""
        return self.metadata.setdefault(block_id, {})


@dataclass(frozen=True, slots=True)
class Texts:
    """What lanes are asked about.

    Attributes:
        document: The whole text; empty when nothing was read.
        pages: Text of each readable page, by block ID.
        chunks: Text of each text chunk, by block ID.
    """

    document: str = ""
    pages: Mapping[str, str] = field(default_factory=dict)
    chunks: Mapping[str, str] = field(default_factory=dict)


def annotate(
    choices: Sequence[LaneChoice],
    texts: Texts,
    *,
    context: LaneContext,
    deadline: Deadline,
    notes: Annotations | None = None,
) -> Annotations:
    """Ask every chosen lane.

    Args:
        choices: The lanes, in the order in which they win.
        texts: What there is to ask about; where there is nothing, lanes of that unit are not asked.
        context: What classifiers may know beside the text.
        deadline: Checked before each batch of a lane.
        notes: What lanes asked before have said, to go on with.

    Raises:
        TimedOut: The deadline passed.
    """
    notes = Annotations() if notes is None else notes
    by_unit: Mapping[str, Mapping[str, str]] = {
        "document": {"doc": texts.document} if texts.document.strip() else {},
        "page": texts.pages,
        "chunk": texts.chunks,
    }
    for choice in choices:
        units = by_unit[choice.unit]
        if units:
            batches = ask_lane(choice, tuple(units.values()), context, deadline=deadline)
            answers = _heard(notes, ROLES[choice.kind], choice.id, choice.unit, tuple(units), batches)
            _RECORD[choice.kind](notes, choice, answers)
    _count_entities(notes)
    return notes


def _heard(
    notes: Annotations,
    role: FailureRole,
    name: str,
    unit: Unit,
    block_ids: Sequence[str],
    batches: Iterable[Batch],
) -> dict[str, Any]:
    """Answers by block, None where there is none; what they cost and what failed is noted."""
    answers: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for items, cost in batches:
        notes.cost_usd += cost
        for item in items:
            block_id = block_ids[len(answers)]
            answers[block_id] = item
            if isinstance(item, LaneError):
                answers[block_id] = None
                failed[block_id] = item.message
    notes.failures.count(role, name, unit, block_ids, failed)
    return answers


def _scored(items: Iterable[Scored]) -> list[dict[str, Any]]:
    return [{"label": item.label, "confidence": round(item.confidence, 6)} for item in items]


def _lane_entry(notes: Annotations, block_id: str, name: str) -> dict[str, Any]:
    lanes: dict[str, Any] = notes.of(block_id).setdefault("lanes", {})
    return lanes.setdefault(name, {})  # type: ignore[no-any-return]


def _keep(notes: Annotations, choice: LaneChoice, block_id: str, key: str, said: Any) -> dict[str, Any]:
    """Keep what a lane said of a block under `lanes`; where the merge of that block stands.

    Chunk blocks carry no metadata: what is said of them stands on the document, by their ID.
    """
    if choice.unit == "chunk":
        _lane_entry(notes, "doc", choice.id).setdefault(f"chunk_{key}", {})[block_id] = said
        merged = notes.of("doc").setdefault(f"chunk_{key}", {}).setdefault(block_id, {})
    else:
        _lane_entry(notes, block_id, choice.id)[key] = said
        merged = notes.of(block_id).setdefault(key, {})
    return merged  # type: ignore[no-any-return]


def _record_classes(notes: Annotations, choice: LaneChoice, answers: Mapping[str, Any]) -> None:
    won: set[str] = set()
    for block_id, answer in answers.items():
        if answer is None:
            continue
        shaped = {facet: _scored(labels) for facet, labels in answer.items()}
        merged = _keep(notes, choice, block_id, "classification", shaped)
        for facet, labels in shaped.items():
            if facet not in merged:
                merged[facet] = labels
                won.add(facet)
    if won:
        notes.won.setdefault(choice.id, []).extend(sorted(won))
        notes.distributions[choice.id] = choice.provider.distribution


def _record_entities(notes: Annotations, choice: LaneChoice, answers: Mapping[str, Any]) -> None:
    name = choice.id
    for block_id, spans in answers.items():
        if spans is None:
            continue
        shaped = [_span(span) for span in spans]
        lane = _lane_entry(notes, "doc", name).setdefault("entities", {"spans": {}, "counts": []})
        lane["spans"][block_id] = shaped
        merged = notes.of("doc").setdefault("entities", {"spans": {}, "counts": []})["spans"]
        seen = {(s["label"], *s["range"]) for s in merged.get(block_id, ())}
        fresh = [s for s in shaped if (s["label"], *s["range"]) not in seen]
        merged[block_id] = sorted([*merged.get(block_id, ()), *fresh], key=lambda s: (s["range"], s["label"]))


def _span(span: EntitySpan) -> dict[str, Any]:
    return {
        "label": span.label,
        "surface": span.surface,
        "range": [span.start, span.end],
        "confidence": round(span.confidence, 6),
    }


def _record_enrichment(notes: Annotations, choice: LaneChoice, answers: Mapping[str, Any]) -> None:
    for block_id, answer in answers.items():
        shaped = _enrichment(answer)
        if shaped:
            merged = _keep(notes, choice, block_id, "enrichment", shaped)
            for part, value in shaped.items():
                merged.setdefault(part, value)


def _enrichment(answer: Enrichment | None) -> dict[str, Any]:
    """The parts that travel: summary and tags."""
    shaped: dict[str, Any] = {}
    if answer is not None and answer.summary is not None:
        shaped["summary"] = answer.summary
    if answer is not None and answer.tags is not None:
        shaped["tags"] = _scored(answer.tags)
    return shaped


_RECORD: Final[Mapping[LaneKind, Callable[[Annotations, LaneChoice, Mapping[str, Any]], None]]] = {
    "classification": _record_classes,
    "extraction": _record_entities,
    "enrichment": _record_enrichment,
}


def _count_entities(notes: Annotations) -> None:
    metadata = notes.metadata.get("doc", {})
    holders = [metadata, *metadata.get("lanes", {}).values()]
    for entities in (h["entities"] for h in holders if "entities" in h):
        counts: dict[tuple[str, str], dict[str, int]] = {}
        for spans in entities["spans"].values():
            for span in spans:
                surfaces = counts.setdefault(
                    (span["label"], unicodedata.normalize("NFKC", span["surface"])), {}
                )
                surfaces[span["surface"]] = surfaces.get(span["surface"], 0) + 1
        entities["counts"] = [
            {"label": label, "form": form, "count": sum(surfaces.values()), "surfaces": sorted(surfaces)}
            for (label, form), surfaces in sorted(counts.items())
        ]


def detect_languages(
    registry: Registry, pages: Mapping[str, str], notes: Annotations, *, deadline: Deadline
) -> None:
    """Write the languages of each readable page, and on the document their mean by length of text.

    Raises:
        TimedOut: The deadline passed before a batch of pages.
    """
    provider = next(iter(registry.usable("indx.language_detectors")), None)
    if provider is None or not pages:
        return
    totals: dict[str, float] = {}
    weight = 0
    batches = ask_detector(provider, tuple(pages.values()), deadline=deadline)
    name = provider.item.declaration.id
    answers = _heard(notes, "language_detector", name, "page", tuple(pages), batches)
    for block_id, text in pages.items():
        item = answers[block_id]
        if item is None:
            continue
        notes.of(block_id)["languages"] = [
            {"language": scored.label, "confidence": round(scored.confidence, 6)} for scored in item
        ]
        notes.language_pages.append(int(block_id[1:]))
        weight += len(text)
        for scored in item:
            totals[scored.label] = totals.get(scored.label, 0.0) + scored.confidence * len(text)
    if weight:
        notes.detector = provider.distribution
        means = sorted((-total / weight, label) for label, total in totals.items())
        notes.of("doc")["languages"] = [
            {"language": label, "confidence": round(-mean, 6)} for mean, label in means
        ]
