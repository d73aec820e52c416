"""The lanes a request names: refused before any fetch, asked in order, their answers held to the rules."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from indx_core.errors import InvalidLane, explain
from indx_core.ports import Enrichment, EntitySpan, LaneContext, LaneError, Scored
from indx_runtime.checking import check_cost, check_list, check_text, check_unit

if TYPE_CHECKING:
    from indx_core.contracts import EncodeRequestPart
    from indx_core.discovery import Provider, Registry

__all__ = ["LaneChoice", "LaneKind", "ask_detector", "ask_lane", "choose_lanes", "without_blocks"]

_log = logging.getLogger("indx.lanes")

LaneKind: TypeAlias = Literal["classification", "extraction", "enrichment"]

_GROUPS: Final[Mapping[LaneKind, tuple[str, str]]] = {
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

    @property
    def id(self) -> str:
        """The lane's ID."""
        return str(self.provider.item.declaration.id)


def choose_lanes(request: EncodeRequestPart, registry: Registry) -> list[LaneChoice]:
    """The lanes a request names, in order.

    Raises:
        InvalidLane: An ID no usable provider of that kind and unit declares, one that would leave the machine
            under `data_residency`, or lanes of chunks or pages where no such blocks are asked for.
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
            if names and (lacking := without_blocks(kind, unit, request.granularities)):
                raise InvalidLane(
                    f"{param} needs {lacking} among granularities", code="granularity_required", param=param
                )
            for name in names:
                provider = _usable(name, unit, group, registry)
                if provider is None:
                    raise InvalidLane(_unknown(name, unit, group, registry), code=unknown, param=param)
                if residency and provider.item.declaration.device == "external":
                    raise InvalidLane(
                        f"{name} sends text outside this machine, which data_residency forbids",
                        code="data_residency",
                        param=param,
                    )
                choices.append(LaneChoice(kind, unit, provider))
    return choices


def without_blocks(kind: LaneKind, unit: str, granularities: Collection[str]) -> str | None:
    """What would have to be asked for so that a lane's answer has a block to stand on; None where it has one.

    Entities of pages stand on the document, which is always there.
    """
    if unit == "chunk" and "CHUNK" not in granularities:
        return "CHUNK"
    if unit == "page" and kind != "extraction" and not {"PAGE", "CHUNK"} & set(granularities):
        return "PAGE"
    return None


def _usable(name: str, unit: str, group: str, registry: Registry) -> Provider | None:
    fitting = (p for p in registry.usable(group) if p.item.declaration.unit == unit)
    return next((p for p in fitting if name in p.identities), None)


def _unknown(name: str, unit: str, group: str, registry: Registry) -> str:
    known = sorted(p.item.declaration.id for p in registry.usable(group) if p.item.declaration.unit == unit)
    lacking = registry.find(group, name)
    why = f" ({lacking.reason}; {lacking.fix})" if lacking is not None and lacking.reason else ""
    return (
        f"no lane {name[:200]!r} for a {unit} can be asked{why}; those that can: {', '.join(known) or 'none'}"
    )


def ask_lane(
    choice: LaneChoice, texts: Sequence[str], context: LaneContext
) -> tuple[list[Any | None], float]:
    """What a lane says of each text, None where it says nothing, and what it charged.

    A lane that fails has no opinion on the texts it failed on, and the log says why.
    """
    lane: Any = choice.provider.item
    asked: Mapping[LaneKind, Callable[[], Any]] = {
        "classification": lambda: lane.classify(texts, context),
        "extraction": lambda: lane.extract(texts),
        "enrichment": lambda: lane.enrich(texts),
    }
    return _asked(f"lane {choice.id}", asked[choice.kind], _CHECKS[choice.kind], texts)


def ask_detector(provider: Provider, texts: Sequence[str]) -> list[Any | None]:
    """The languages of each text, None where there is no answer."""
    name = f"language detector {provider.item.declaration.id}"
    answers, _ = _asked(name, lambda: provider.item.detect(texts), _check_scores, texts)
    return answers


def _asked(
    name: str, ask: Callable[[], Any], check: Callable[[Any, str], Any], texts: Sequence[str]
) -> tuple[list[Any | None], float]:
    try:
        answers = ask()
        items = check_list(answers.items, "the answers")
        cost = check_cost(answers.cost_usd, "cost_usd")
        if len(items) != len(texts):
            raise ValueError(f"{len(items)} answers to {len(texts)} texts")
    except (Exception, SystemExit) as error:  # a lane may fail in any way
        _log.warning("%s failed: %s", name, explain(error))
        return [None] * len(texts), 0.0
    return [_item(name, item, check, text) for item, text in zip(items, texts, strict=True)], cost


def _item(name: str, item: Any, check: Callable[[Any, str], Any], text: str) -> Any | None:
    if item is None:
        return None
    try:
        if isinstance(item, LaneError):
            reason = check_text(item.message, "the message")
        else:
            return check(item, text) or None
    except Exception as error:
        reason = explain(error)
    _log.warning("%s had no answer: %s", name, reason)
    return None


def _check_scores(scores: Any, text: str) -> list[Scored]:  # noqa: ARG001  (one shape for every check)
    checked = [_check_scored(scored) for scored in check_list(scores, "the labels")]
    return sorted(checked, key=lambda scored: -scored.confidence)


def _check_scored(scored: Any) -> Scored:
    return Scored(check_text(scored.label, "a label"), check_unit(scored.confidence, "a confidence"))


def _check_classes(answer: Any, text: str) -> dict[str, list[Scored]]:
    shaped = {check_text(facet, "a facet"): _check_scores(labels, text) for facet, labels in answer.items()}
    return {facet: labels for facet, labels in shaped.items() if labels}


def _check_entities(spans: Any, text: str) -> list[EntitySpan]:
    checked = []
    for span in check_list(spans, "the entities"):
        start, end = index(span.start), index(span.end)
        if not 0 <= start < end <= len(text) or text[start:end] != span.surface:
            raise ValueError(f"an entity at [{start}, {end}) is not what stands there")
        label = check_text(span.label, "a label")
        checked.append(
            EntitySpan(label, text[start:end], start, end, check_unit(span.confidence, "confidence"))
        )
    return checked


def _check_enrichment(answer: Any, text: str) -> Enrichment:
    summary = None if answer.summary is None else check_text(answer.summary, "a summary")
    tags = None if answer.tags is None else _check_scores(answer.tags, text)
    return Enrichment(summary, tags)


_CHECKS: Final[Mapping[LaneKind, Callable[[Any, str], Any]]] = {
    "classification": _check_classes,
    "extraction": _check_entities,
    "enrichment": _check_enrichment,
}
