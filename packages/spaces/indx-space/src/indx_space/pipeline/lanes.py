"""Asking lanes about many texts: each answer remembered, each failure recorded and passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import orjson

from indx_core.canonical import clean_text
from indx_core.ports import Answers, Enrichment, LaneContext, LaneError
from indx_runtime.reading import explain
from indx_space.cache import BuildCache, cache_key
from indx_space.pipeline.versions import code_of

if TYPE_CHECKING:
    from indx_core.discovery import Provider

__all__ = ["Asked", "Question", "ask"]

_BATCH: Final = 64


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

    A lane that raises has no opinion on the texts it was shown; the others are asked on.
    """
    kind = provider.candidate.group
    keys = [_key(provider, question) for question in questions]
    known = cache.get(keys)
    asked = Asked([_load(known.get(key)) for key in keys])
    groups: dict[LaneContext | None, list[int]] = {}
    for place, (key, question) in enumerate(zip(keys, questions, strict=True)):
        if key not in known and question.text.strip():
            context = question.context if kind == "indx.classifiers" else None
            groups.setdefault(context, []).append(place)
    for context, places in groups.items():
        for start in range(0, len(places), _BATCH):
            _ask(provider, context, places[start : start + _BATCH], questions, keys, cache, asked)
    return asked


def _ask(
    provider: Provider,
    context: LaneContext | None,
    places: Sequence[int],
    questions: Sequence[Question],
    keys: Sequence[bytes],
    cache: BuildCache,
    asked: Asked,
) -> None:
    lane: Any = provider.item
    texts = [questions[place].text for place in places]
    asked.fresh.update(questions[place].path for place in places)
    try:
        answers: Answers[Any] = (
            lane.classify(texts, context)
            if context is not None
            else _CALLS[provider.candidate.group](lane)(texts)
        )
        items = list(answers.items)
        if len(items) != len(texts):
            raise ValueError(f"{len(items)} answers to {len(texts)} texts")
        asked.cost_usd += answers.cost_usd
    except Exception as error:  # a lane may fail in any way; the document stays
        items = [LaneError(explain(error))] * len(texts)
    for place, item in zip(places, items, strict=True):
        if isinstance(item, LaneError):
            message = clean_text(f"the lane {lane.declaration.id} had no answer: {item.message}")
            asked.errors.append((questions[place].path, message))
            continue
        asked.answers[place] = None if item is None else _SHAPES[provider.candidate.group](item)
        cache.put({keys[place]: orjson.dumps(asked.answers[place])})


def _key(provider: Provider, question: Question) -> bytes:
    declaration = provider.item.declaration
    context = question.context
    beside = (
        (context.media_type, context.filename or "") if provider.candidate.group == "indx.classifiers" else ()
    )
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


def _load(value: bytes | None) -> Any:
    try:
        return orjson.loads(value) if value else None
    except orjson.JSONDecodeError:
        return None


def _scored(items: Any) -> list[list[Any]]:
    return [[clean_text(item.label), round(item.confidence, 6)] for item in items]


def _classes(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {facet: _scored(labels) for facet, labels in answer.items() if labels}


def _enrichment(answer: Enrichment) -> dict[str, Any]:
    shaped: dict[str, Any] = {}
    if answer.summary is not None:
        shaped["summary"] = clean_text(answer.summary)
    if answer.tags is not None:
        shaped["tags"] = [clean_text(tag.label) for tag in answer.tags]
    if answer.topics is not None:
        shaped["topics"] = [clean_text(topic) for topic in answer.topics]
    if answer.questions is not None:
        shaped["questions"] = [clean_text(question) for question in answer.questions]
    return shaped


def _entities(answer: Any) -> list[dict[str, Any]]:
    return [
        {
            "label": clean_text(span.label),
            "surface": clean_text(span.surface),
            "range": [span.start, span.end],
            "confidence": round(span.confidence, 6),
        }
        for span in answer
    ]


_SHAPES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "indx.classifiers": _classes,
    "indx.extractors": _entities,
    "indx.enrichers": _enrichment,
}
_CALLS: Final[Mapping[str, Callable[[Any], Callable[[Sequence[str]], Answers[Any]]]]] = {
    "indx.extractors": lambda lane: lane.extract,
    "indx.enrichers": lambda lane: lane.enrich,
}
