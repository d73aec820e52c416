"""The lanes a request names: refused before any fetch, asked in order, their answers held to the rules."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from indx_core.errors import InvalidLane, explain
from indx_core.ports import Enrichment, EntitySpan, LaneContext, LaneError, Scored
from indx_runtime.values import UNSAID, check_cost, check_list, check_text, check_unit, reason_of

if TYPE_CHECKING:
    from indx_core.contracts import EncodeRequestPart, FailureRole
    from indx_core.deadline import Deadline
    from indx_core.discovery import Provider, Registry

__all__ = [
    "BATCH",
    "ROLES",
    "Batch",
    "LaneChoice",
    "LaneKind",
    "Patience",
    "ask_detector",
    "ask_lane",
    "choose_lanes",
    "without_blocks",
]

_log = logging.getLogger("indx.lanes")

LaneKind: TypeAlias = Literal["classification", "extraction", "enrichment"]

Batch: TypeAlias = "tuple[Sequence[Any | LaneError | None], float]"
"""For each text of a batch an answer, None for no opinion or why there is none; and what was charged."""

BATCH: Final = 8
"""Texts a lane is asked about at once: between batches the deadline is checked."""

_PATIENCE: Final = 16
"""Texts in a row a lane may fail on before the rest is spared the wait."""

_DOCUMENTS: Final = 3
"""Documents in a row it may so fail on before the rest of a build is spared."""

ROLES: Final[Mapping[LaneKind, FailureRole]] = {
    "classification": "classifier",
    "extraction": "extractor",
    "enrichment": "enricher",
}
"""What a lane of a kind is called."""

_GROUPS: Final[Mapping[LaneKind, tuple[str, str]]] = {
    "classification": ("indx.classifiers", "unknown_classifier"),
    "extraction": ("indx.extractors", "unknown_extractor"),
    "enrichment": ("indx.enrichers", "unknown_enricher"),
}


@dataclass(slots=True)
class Patience:
    """On how many texts in a row a lane failed, of which documents they are, and why it did on the last."""

    row: int = 0
    owners: set[str] = field(default_factory=set)
    reason: str = ""

    def heard(self, item: Any, owner: str) -> None:
        """Take in what it said of a text of a document."""
        if isinstance(item, LaneError):
            self.row, self.reason = self.row + 1, item.message
            self.owners.add(owner)
        else:
            self.row, self.reason = 0, ""
            self.owners.clear()

    def used_up(self, owner: str) -> str:
        """Why it is not asked about another text of a document; empty while it is.

        One document may be more than a lane can bear: others are asked about until several were in vain.
        """
        if self.row < _PATIENCE or (owner not in self.owners and len(self.owners) < _DOCUMENTS):
            return ""
        return f"not asked, since it failed on the {self.row} texts before: {self.reason}"[:500]


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
    choice: LaneChoice,
    texts: Sequence[str],
    context: LaneContext,
    *,
    deadline: Deadline,
    batch: int = BATCH,
    patience: Patience | None = None,
    owners: Sequence[str] = (),
) -> Iterator[Batch]:
    """What a lane says of texts, batch by batch.

    A lane that fails is heard on the other texts: one that raises over a batch is asked about each of its
    texts alone. One that failed on many in a row is not asked on.

    Args:
        choice: The lane.
        texts: The texts.
        context: What a classifier may know beside them.
        deadline: Checked before each batch; a batch ends by what bounds its lane.
        batch: How many texts are asked about at once.
        patience: How it fared before, where it was asked before.
        owners: The document of each text, where there are several.

    Raises:
        TimedOut: The deadline passed.
    """
    lane: Any = choice.provider.item
    asks: Mapping[LaneKind, Callable[[Sequence[str]], Any]] = {
        "classification": lambda part: lane.classify(part, context),
        "extraction": lambda part: lane.extract(part),
        "enrichment": lambda part: lane.enrich(part),
    }
    name, ask, check = f"lane {choice.id}", asks[choice.kind], _CHECKS[choice.kind]
    asking = _Asking(name, ask, check, deadline, patience or Patience())
    return asking.batches(texts, owners or [""] * len(texts), batch)


def ask_detector(provider: Provider, texts: Sequence[str], *, deadline: Deadline) -> Iterator[Batch]:
    """What a language detector says of texts, batch by batch, as a lane does.

    Raises:
        TimedOut: The deadline passed.
    """
    name = f"language detector {provider.item.declaration.id}"
    asking = _Asking(name, provider.item.detect, _check_scores, deadline, Patience())
    return asking.batches(texts, [""] * len(texts), BATCH)


@dataclass(frozen=True, slots=True)
class _Asking:
    """A lane, or a language detector, while it is asked."""

    name: str
    ask: Callable[[Sequence[str]], Any]
    check: Callable[[Any, str], Any]
    deadline: Deadline
    patience: Patience

    def batches(self, texts: Sequence[str], owners: Sequence[str], size: int) -> Iterator[Batch]:
        """What it says of texts."""
        for start in range(0, len(texts), size):
            part, whose = texts[start : start + size], owners[start : start + size]
            yield self._batch(part, whose)

    def _batch(self, texts: Sequence[str], owners: Sequence[str]) -> Batch:
        """What it says of a batch: asked about at once, or, where it raises, one by one."""
        spared = {place: why for place, own in enumerate(owners) if (why := self.patience.used_up(own))}
        left = [place for place in range(len(texts)) if place not in spared]
        items: dict[int, Any] = {place: LaneError(why) for place, why in spared.items()}
        cost = 0.0
        if left:
            self.deadline.check()
            answers = self._said([texts[place] for place in left])
            if isinstance(answers, LaneError) and len(left) > 1:
                for place in left:
                    items[place], more = self._alone(texts[place], owners[place])
                    cost += more
            else:
                said, cost = ([answers], 0.0) if isinstance(answers, LaneError) else answers
                items.update(zip(left, said, strict=True))
                for place in left:
                    self.patience.heard(items[place], owners[place])
        if failed := [items[place].message for place in left if isinstance(items[place], LaneError)]:
            _log.warning("%s failed on %d of %d texts: %s", self.name, len(failed), len(texts), failed[0])
        return [items[place] for place in range(len(texts))], cost

    def _alone(self, text: str, owner: str) -> tuple[Any, float]:
        if why := self.patience.used_up(owner):
            return LaneError(why), 0.0
        self.deadline.check()
        answers = self._said([text])
        item, cost = (answers, 0.0) if isinstance(answers, LaneError) else (answers[0][0], answers[1])
        self.patience.heard(item, owner)
        return item, cost

    def _said(self, texts: Sequence[str]) -> Batch | LaneError:
        """Its answers; why there are none at all, where it raises."""
        try:
            answers = self.ask(texts)
            items = check_list(answers.items, "the answers")
            cost = check_cost(answers.cost_usd, "cost_usd")
            if len(items) != len(texts):
                raise ValueError(f"{len(items)} answers to {len(texts)} texts")
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # a lane may fail in any way, even by what is no Exception
            return LaneError(explain(error))
        return [_item(item, self.check, text) for item, text in zip(items, texts, strict=True)], cost


def _item(item: Any, check: Callable[[Any, str], Any], text: str) -> Any | None:
    if item is None:
        return None
    try:
        if isinstance(item, LaneError):
            return LaneError(reason_of(item.message, UNSAID))
        return check(item, text) or None
    except Exception as error:
        return LaneError(explain(error))


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
    return Enrichment(summary, tags, _texts(answer.topics, "topics"), _texts(answer.questions, "questions"))


def _texts(values: Any, what: str) -> list[str] | None:
    return None if values is None else [check_text(value, what) for value in check_list(values, what)]


_CHECKS: Final[Mapping[LaneKind, Callable[[Any, str], Any]]] = {
    "classification": _check_classes,
    "extraction": _check_entities,
    "enrichment": _check_enrichment,
}
