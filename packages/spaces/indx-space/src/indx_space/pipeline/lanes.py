"""Asking lanes about many texts: each answer remembered, each failure recorded and passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson

from indx_core.deadline import Deadline
from indx_core.ports import Enrichment, EntitySpan, LaneContext, LaneError, Scored
from indx_runtime.lanes import LaneChoice, LaneKind, Patience, ask_lane
from indx_space.cache import BuildCache, cache_key
from indx_space.pipeline.versions import code_of

if TYPE_CHECKING:
    from indx_core.discovery import Provider

__all__ = ["Asked", "Question", "ask"]

_BATCH: Final = 64
_NO_CONTEXT: Final = LaneContext("")


@dataclass(frozen=True, slots=True)
class Question:
    """One text a lane is shown.

    Attributes:
        text: The text.
        key: What stands for the text in keys.
        path: The document it is of.
        context: What a classifier may know beside it.
    """

    text: str
    key: bytes
    path: str
    context: LaneContext


@dataclass(slots=True)
class Asked:
    """What a lane said.

    Attributes:
        answers: For each question its answer as JSON data, or None.
        errors: Path and message of each failure.
        fresh: Paths the lane was asked about just now.
        cost_usd: What that was charged.
    """

    answers: list[Any]
    errors: list[tuple[str, str]] = field(default_factory=list)
    fresh: set[str] = field(default_factory=set)
    cost_usd: float = 0.0


def ask(provider: Provider, questions: Sequence[Question], cache: BuildCache) -> Asked:
    """Ask a lane what the cache does not know.

    A lane that fails has no opinion on the texts it failed on, and is asked about the others; one that failed
    on many in a row is not asked on about their document, nor, where that are several documents, about any.
    """
    kind, _ = _KINDS[provider.candidate.group]
    lane = LaneChoice(kind, provider.item.declaration.unit, provider)
    keys = [_key(provider, question) for question in questions]
    known = _load(cache.get(keys))
    asked = Asked([known.get(key) for key in keys])
    groups: dict[LaneContext | None, list[int]] = {}
    for place, (key, question) in enumerate(zip(keys, questions, strict=True)):
        if key not in known and question.text.strip():
            groups.setdefault(_beside(provider, question), []).append(place)
    patience = Patience()
    for context, places in groups.items():
        _ask(lane, places, context or _NO_CONTEXT, questions, keys, cache, asked, patience)
    return asked


def _beside(provider: Provider, question: Question) -> LaneContext | None:
    """What a lane is told beside a text.

    Nearly every document has a context of its own, and is a call of its own. A classifier that states that it
    looks at the text alone is asked about many at once, as other lanes are, and so meets a server that is
    gone once, not once for each document.
    """
    if provider.candidate.group != "indx.classifiers" or provider.item.declaration.text_alone:
        return None
    return question.context


def _ask(
    lane: LaneChoice,
    places: Sequence[int],
    context: LaneContext,
    questions: Sequence[Question],
    keys: Sequence[bytes],
    cache: BuildCache,
    asked: Asked,
    patience: Patience,
) -> None:
    """Ask about questions of one context; what is answered is kept at once, for a build may be ended."""
    _, shape = _KINDS[lane.provider.candidate.group]
    texts = [questions[place].text for place in places]
    paths = [questions[place].path for place in places]
    batches = ask_lane(
        lane, texts, context, deadline=Deadline(None), batch=_BATCH, patience=patience, owners=paths
    )
    start = 0
    for items, cost in batches:
        asked.cost_usd += cost
        part, start = places[start : start + len(items)], start + len(items)
        asked.fresh.update(questions[place].path for place in part)
        for place, item in zip(part, items, strict=True):
            if isinstance(item, LaneError):
                message = f"the lane {lane.id} had no answer: {item.message}"
                asked.errors.append((questions[place].path, message))
                continue
            asked.answers[place] = None if item is None else shape(item)
            cache.put({keys[place]: orjson.dumps(asked.answers[place])})


def _key(provider: Provider, question: Question) -> bytes:
    declaration = provider.item.declaration
    context = _beside(provider, question)
    beside = () if context is None else (context.media_type, context.filename or "")
    return cache_key(
        "lane",
        provider.distribution,
        provider.candidate.version,
        code_of(provider.distribution),
        declaration.id,
        declaration.settings_key,
        *beside,
        question.key,
    )


def _load(stored: Mapping[bytes, bytes]) -> dict[bytes, Any]:
    """What the cache holds of answers; what is damaged there is asked again."""
    known = {}
    for key, value in stored.items():
        with suppress(orjson.JSONDecodeError):
            known[key] = orjson.loads(value)
    return known


def _scored(items: Sequence[Scored]) -> list[list[Any]]:
    return [[item.label, round(item.confidence, 6)] for item in items]


def _classes(answer: Mapping[str, Sequence[Scored]]) -> dict[str, Any]:
    return {facet: _scored(labels) for facet, labels in answer.items()}


def _enrichment(answer: Enrichment) -> dict[str, Any]:
    parts = {
        "summary": answer.summary,
        "tags": None if answer.tags is None else [tag.label for tag in answer.tags],
        "topics": answer.topics,
        "questions": answer.questions,
    }
    return {name: part for name, part in parts.items() if part is not None}


def _entities(answer: Sequence[EntitySpan]) -> list[dict[str, Any]]:
    return [
        {
            "label": span.label,
            "surface": span.surface,
            "range": [span.start, span.end],
            "confidence": round(span.confidence, 6),
        }
        for span in answer
    ]


_KINDS: Final[Mapping[str, tuple[LaneKind, Callable[[Any], Any]]]] = {
    "indx.classifiers": ("classification", _classes),
    "indx.extractors": ("extraction", _entities),
    "indx.enrichers": ("enrichment", _enrichment),
}
"""What kind of lane a group holds, and its answer as JSON data."""
