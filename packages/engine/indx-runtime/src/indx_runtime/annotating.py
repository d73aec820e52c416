"""The lanes a request names: refused before any fetch, asked in order, merged, and every answer kept.

The first enabled lane with an opinion on a facet or part wins it; all answers ride beside the merge under
`lanes`. Every lane named is asked and billed.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from indx_core.errors import InvalidLane
from indx_core.ports import Enrichment, EntitySpan, LaneContext, LaneError, Scored
from indx_runtime.reading import explain

if TYPE_CHECKING:
    from indx_core.contracts import EncodeRequestPart
    from indx_core.discovery import Provider, Registry

__all__ = ["Annotations", "LaneChoice", "annotate", "choose_lanes", "detect_languages"]

_log = logging.getLogger("indx.lanes")

LaneKind: TypeAlias = Literal["classification", "extraction", "enrichment"]

_GROUPS: Mapping[LaneKind, tuple[str, str]] = {
    "classification": ("indx.classifiers", "unknown_classifier"),
    "extraction": ("indx.extractors", "unknown_extractor"),
    "enrichment": ("indx.enrichers", "unknown_enricher"),
}


@dataclass(frozen=True, slots=True)
class LaneChoice:
    """A lane a request names, for one unit."""

    kind: LaneKind
    unit: Literal["document", "page", "chunk"]
    provider: Provider


@dataclass(slots=True)
class Annotations:
    """Metadata by block ID, what classifiers won and a detector answered, and what the lanes charged."""

    metadata: dict[str, dict[str, Any]] = field(default_factory=dict)
    won: dict[str, list[str]] = field(default_factory=dict)
    distributions: dict[str, str] = field(default_factory=dict)
    detector: str | None = None
    language_pages: list[int] = field(default_factory=list)
    cost_usd: float = 0.0

    def of(self, block_id: str) -> dict[str, Any]:
        """The metadata of a block, made on first need."""
        return self.metadata.setdefault(block_id, {})


def choose_lanes(request: EncodeRequestPart, registry: Registry) -> list[LaneChoice]:
    """The lanes a request names, in order.

    Raises:
        InvalidLane: An ID no provider of that kind and unit declares, one that would leave the machine under
            `data_residency`, or chunk lanes without chunks.
    """
    residency = bool(request.constraints and request.constraints.data_residency)
    choices: list[LaneChoice] = []
    for kind, (group, unknown) in _GROUPS.items():
        selection = getattr(request, kind)
        if selection is None:
            continue
        for unit in ("document", "page", "chunk"):
            names = getattr(selection, f"{unit}_ids", None) or ()
            param = f"{kind}.{unit}_ids"
            if names and unit == "chunk" and "CHUNK" not in request.granularities:
                raise InvalidLane(
                    f"{param} needs CHUNK among granularities", code="granularity_required", param=param
                )
            for name in names:
                provider = registry.find(group, name)
                if provider is None or provider.item.declaration.unit != unit:
                    raise InvalidLane(_unknown(name, unit, group, registry), code=unknown, param=param)
                if residency and provider.item.declaration.device == "external":
                    raise InvalidLane(
                        f"{name} sends text outside this machine, which data_residency forbids",
                        code="data_residency",
                        param=param,
                    )
                choices.append(LaneChoice(kind, unit, provider))
    return choices


def _unknown(name: str, unit: str, group: str, registry: Registry) -> str:
    known = sorted(p.item.declaration.id for p in registry.usable(group) if p.item.declaration.unit == unit)
    return f"no lane {name!r} for a {unit} is installed; installed: {', '.join(known) or 'none'}"


def annotate(
    choices: Sequence[LaneChoice],
    *,
    document: str,
    pages: Mapping[str, str],
    chunks: Mapping[str, str],
    context: LaneContext,
) -> Annotations:
    """Ask every chosen lane.

    Args:
        choices: The lanes, in the order in which they win.
        document: The whole text; empty when nothing was read, and document lanes are then not asked.
        pages: Text of each readable page, by block ID.
        chunks: Text of each text chunk, by block ID.
        context: What classifiers may know beside the text.
    """
    notes = Annotations()
    texts: Mapping[str, Mapping[str, str]] = {
        "document": {"doc": document} if document.strip() else {},
        "page": pages,
        "chunk": chunks,
    }
    for choice in choices:
        units = texts[choice.unit]
        if units:
            answers = _ask(choice, tuple(units.values()), context, notes)
            _RECORD[choice.kind](notes, choice, dict(zip(units, answers, strict=True)))
    _count_entities(notes)
    return notes


def _ask(choice: LaneChoice, texts: Sequence[str], context: LaneContext, notes: Annotations) -> list[Any]:
    """One item a text; a lane that fails has no opinion on the texts it failed on, and the log says why."""
    lane: Any = choice.provider.item
    name = lane.declaration.id
    try:
        if choice.kind == "classification":
            answers = lane.classify(texts, context)
        elif choice.kind == "extraction":
            answers = lane.extract(texts)
        else:
            answers = lane.enrich(texts)
    except Exception as error:
        _log.warning("lane %s failed: %s", name, explain(error))
        return [None] * len(texts)
    notes.cost_usd += answers.cost_usd
    for item in answers.items:
        if isinstance(item, LaneError):
            _log.warning("lane %s had no answer: %s", name, item.message)
    return [None if isinstance(item, LaneError) else item for item in answers.items]


def _scored(items: Iterable[Scored]) -> list[dict[str, Any]]:
    return [{"label": item.label, "confidence": round(item.confidence, 6)} for item in items]


def _lane_entry(notes: Annotations, block_id: str, name: str) -> dict[str, Any]:
    lanes: dict[str, Any] = notes.of(block_id).setdefault("lanes", {})
    return lanes.setdefault(name, {})  # type: ignore[no-any-return]


def _record_classes(notes: Annotations, choice: LaneChoice, answers: Mapping[str, Any]) -> None:
    name = choice.provider.item.declaration.id
    won: set[str] = set()
    for block_id, answer in answers.items():
        if not answer:
            continue
        shaped = {facet: _scored(labels) for facet, labels in answer.items() if labels}
        if choice.unit == "chunk":
            _lane_entry(notes, "doc", name).setdefault("chunk_classification", {})[block_id] = shaped
            merged = notes.of("doc").setdefault("chunk_classification", {}).setdefault(block_id, {})
        else:
            _lane_entry(notes, block_id, name)["classification"] = shaped
            merged = notes.of(block_id).setdefault("classification", {})
        for facet, labels in shaped.items():
            if facet not in merged:
                merged[facet] = labels
                won.add(facet)
    if won:
        notes.won.setdefault(name, []).extend(sorted(won))
        notes.distributions[name] = choice.provider.distribution


def _record_entities(notes: Annotations, choice: LaneChoice, answers: Mapping[str, Any]) -> None:
    name = choice.provider.item.declaration.id
    for block_id, spans in answers.items():
        if not spans:
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
    name = choice.provider.item.declaration.id
    for block_id, answer in answers.items():
        shaped = _enrichment(answer)
        if not shaped:
            continue
        if choice.unit == "chunk":
            _lane_entry(notes, "doc", name).setdefault("chunk_enrichment", {})[block_id] = shaped
            merged = notes.of("doc").setdefault("chunk_enrichment", {}).setdefault(block_id, {})
        else:
            _lane_entry(notes, block_id, name)["enrichment"] = shaped
            merged = notes.of(block_id).setdefault("enrichment", {})
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


_RECORD: Mapping[LaneKind, Callable[[Annotations, LaneChoice, Mapping[str, Any]], None]] = {
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


def detect_languages(registry: Registry, pages: Mapping[str, str], notes: Annotations) -> None:
    """Write the languages of each readable page, and on the document their mean by length of text."""
    provider = next(iter(registry.usable("indx.language_detectors")), None)
    if provider is None or not pages:
        return
    try:
        answers = provider.item.detect(tuple(pages.values()))
    except Exception as error:  # a detector may fail in any way
        _log.warning("language detection failed: %s", explain(error))
        return
    totals: dict[str, float] = {}
    weight = 0
    for (block_id, text), item in zip(pages.items(), answers.items, strict=True):
        if isinstance(item, LaneError) or not item:
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
