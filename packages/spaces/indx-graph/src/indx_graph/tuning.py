"""Tunes an index on questions whose chunks are known: one setting after another, kept where it helps.

The even questions are tuned on, the odd ones only reported. Nothing is embedded but the questions, once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from indx_core.errors import UsageError
from indx_core.paths import named
from indx_graph.asking import Asker
from indx_graph.embedding import EmbedFunction, choose_embedder, embed_all
from indx_graph.graph import Graph, fused_again
from indx_graph.ingest import rebuild_graph
from indx_graph.opening import open_graph
from indx_graph.options import SIGNALS, GraphSettings
from indx_graph.selecting import choose

if TYPE_CHECKING:
    from indx_core.discovery import Registry

__all__ = ["Question", "read_questions", "tune"]

_GRID: Final[dict[str, tuple[float, ...]]] = {
    "title_boost": (0.0, 0.5, 1.0, 2.0),
    "restart_seeds": (2, 3, 4, 6, 10),
    "graph_share": (0.4, 0.5, 0.65, 0.75),
    "damping": (0.4, 0.5, 0.65, 0.8),
    "dense_share": (0.3, 0.5, 0.7),
    "restart_sharpness": (6.0, 10.0, 16.0),
    "spectral_share": (0.0, 0.05, 0.1),
}
_FACTORS: Final = (0.0, 0.5, 2.0)
_LEAST_GAIN: Final = 0.002
_LARGEST: Final = 100_000_000
_DEPTHS: Final = (2, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the IDs of the chunks that answer it together."""

    text: str
    chunks: tuple[str, ...]


def read_questions(path: str | Path) -> list[Question]:
    """Questions from a file of JSON lines, each `{"question": …, "chunks": [ID, …]}`.

    Raises:
        UsageError: `input_missing`, or a line is something else.
    """
    file = named(path)
    try:
        if file.stat().st_size > _LARGEST:
            raise UsageError(f"{str(file)!r} is larger than {_LARGEST} bytes: give fewer questions")
        lines = file.read_text("utf-8").splitlines()
    except OSError as error:
        raise UsageError(
            f"{str(file)!r} cannot be read: {error.strerror}; name a file of questions", code="input_missing"
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f"{str(file)!r} is not UTF-8; save it so") from None
    return [_question(line, number) for number, line in enumerate(lines, 1) if line.strip()]


def _question(line: str, number: int) -> Question:
    try:
        value = json.loads(line)
        text, chunks = value["question"], value.get("chunks", value.get("supporting"))
        if isinstance(text, str) and chunks and all(isinstance(one, str) for one in chunks):
            return Question(text, tuple(chunks))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    raise UsageError(f'line {number}: {line[:80]!r} is not {{"question": "…", "chunks": ["ID", …]}}')


class _Trial:
    """Measures settings on questions."""

    def __init__(self, graph: Graph, questions: Sequence[Question], rows: Any) -> None:
        self._asker = Asker(graph)
        self._graph = graph
        at = {chunk.id: place for place, chunk in enumerate(graph.chunks)}
        self._questions = [
            (one.text, row if row.any() else None, [at[chunk] for chunk in one.chunks])
            for one, row in zip(questions, rows, strict=True)
        ]

    def measure(self, settings: GraphSettings, half: int) -> dict[str, float]:
        """Recall at several depths, and how often all that is due fits the token budget."""
        asker = self._at(settings)
        found = [self._one(asker, settings, *question) for question in self._questions[half::2]]
        names = [*(f"recall@{depth}" for depth in _DEPTHS), "all_within_budget"]
        return {
            name: round(float(np.mean([one[place] for one in found])) if found else 0.0, 4)
            for place, name in enumerate(names)
        }

    def _at(self, settings: GraphSettings) -> Asker:
        """The graph fused under the weights of the settings; words and titles are shared."""
        if settings.weights == self._asker.graph.settings.weights:
            return self._asker
        made = Asker(
            fused_again(self._graph, settings, spectrum=bool(settings.spectral_share)), self._asker.words
        )
        made.titles = self._asker.titles
        self._asker = made
        return made

    def _one(
        self, asker: Asker, settings: GraphSettings, text: str, row: Any, due: Sequence[int]
    ) -> list[float]:
        answer = asker.ask(text, row, settings)
        order = np.argsort(-answer.scores, kind="stable")[: _DEPTHS[-1]].tolist()
        chosen = set(choose(asker, answer, text, settings, budget=settings.token_budget).places)
        recalls = [float(np.mean([place in order[:depth] for place in due])) for depth in _DEPTHS]
        return [*recalls, float(set(due) <= chosen)]


def tune(
    folder: str | Path,
    questions: Sequence[Question],
    *,
    apply: bool = False,
    embed_fn: EmbedFunction | None = None,
    registry: Registry | None = None,
    progress: Callable[[str, int], object] | None = None,
) -> dict[str, Any]:
    """Find settings that answer questions better.

    Args:
        folder: The index.
        questions: The even ones are tuned on, the odd ones reported; four at least.
        apply: Whether to rebuild the index under what was found, if the odd questions do not get worse.
        embed_fn: The function that embedded the index, where it was one.
        registry: Where embedders are looked for.
        progress: Is told each setting that is tried and how many there are left.

    Returns:
        `changes`, `tuned` and `reported` with their measures before and after, and `applied`.

    Raises:
        UsageError: There are too few questions, or one names a chunk that is not in the index.
        IndexError_: The folder is no index, or damaged.
    """
    graph, _, _ = open_graph(folder, signals=True)
    _check_questions(graph, questions)
    embedder = choose_embedder(graph.settings.embedder, embed_fn, registry)
    trial = _Trial(graph, questions, embed_all(embedder, [one.text for one in questions], "query"))
    settings = _search(trial, graph, progress or (lambda _step, _left: None))
    before, after = ([trial.measure(one, half) for half in (0, 1)] for one in (graph.settings, settings))
    had = graph.settings.model_dump()
    changes = {name: value for name, value in settings.model_dump().items() if value != had[name]}
    applied = bool(apply and changes and _worth(after[1]) >= _worth(before[1]))
    if applied:
        rebuild_graph(folder, **changes)
    return {
        "questions": len(questions),
        "changes": changes,
        "tuned": {"before": before[0], "after": after[0]},
        "reported": {"before": before[1], "after": after[1]},
        "applied": applied,
    }


def _search(trial: _Trial, graph: Graph, progress: Callable[[str, int], object]) -> GraphSettings:
    """Try one change after another on the even questions, and keep what helps."""
    settings, best = graph.settings, _worth(trial.measure(graph.settings, 0))
    steps = list(_steps(graph))
    for number, (name, value) in enumerate(steps):
        progress(f"{name} {value}", len(steps) - number)
        tried = _changed(settings, name, value)
        if tried is None or tried == settings:
            continue
        worth = _worth(trial.measure(tried, 0))
        if worth > best + _LEAST_GAIN:
            settings, best = tried, worth
    return settings


def _check_questions(graph: Graph, questions: Sequence[Question]) -> None:
    if len(questions) < 4:
        raise UsageError(f"{len(questions)} questions are too few to tune on and to report: give 4 or more")
    known = {chunk.id for chunk in graph.chunks}
    for one in questions:
        missing = [chunk for chunk in one.chunks if chunk not in known]
        if missing:
            raise UsageError(f"the question {one.text[:80]!r} names {missing[0]!r}, no chunk of this index")


def _steps(graph: Graph) -> Iterator[tuple[str, float]]:
    """What is tried, in order: the weight of each signal that has edges, then how the graph is asked."""
    for name in SIGNALS:
        if len(graph.signals[name]):
            yield from ((f"weights.{name}", factor) for factor in _FACTORS)
    for name, values in _GRID.items():
        yield from ((name, value) for value in values)


def _changed(settings: GraphSettings, name: str, value: float) -> GraphSettings | None:
    signal = name.removeprefix("weights.")
    if signal == name:
        return settings.replaced(**{name: value})
    weight = min(1.0, getattr(settings.weights, signal) * value)
    others = {one: getattr(settings.weights, one) for one in SIGNALS if one != signal}
    return settings.replaced(weights={signal: weight}) if any(others.values()) or weight else None


def _worth(measures: dict[str, float]) -> float:
    return float(np.mean(list(measures.values())))
