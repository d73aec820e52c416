"""From text to entities: windows, the model's label for each token, and tokens joined to spans.

A word of an alphabet takes the label of its first token, because models are trained on that one alone.
Where a script sets no spaces, each token speaks for itself. Labels come as `B-PER`, `I-PER` and `O`: `B-`
begins an entity, `I-` goes on with one of the same kind, across a window's edge too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from indx_core.cutting import split
from indx_core.ports.lanes import EntitySpan, LaneError
from indx_model_onnx import ModelFailure, OnnxModel, load, softmax

if TYPE_CHECKING:
    from indx_model_onnx import ModelSource

__all__ = ["Bounds", "extract"]

_NAMES: Final = {
    "per": "person",
    "org": "organization",
    "loc": "location",
    "gpe": "location",
    "misc": "miscellaneous",
}
"""The models' abbreviations, as other lanes spell them."""
_MARKS: Final = frozenset("BIELSU")
_BEGINNINGS: Final = frozenset("BSU")
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the model is shown at once, and the least score an entity needs."""

    max_tokens: int
    window_characters: int
    minimum_confidence: float


@dataclass(slots=True)
class _Token:
    """A piece of the text, what the model calls it (no name outside entities), and how sure it is."""

    start: int
    end: int
    begins: bool
    name: str
    score: float


def extract(
    texts: Sequence[str], source: ModelSource, bounds: Bounds
) -> list[Sequence[EntitySpan] | LaneError | None]:
    """Entities of each text, None where there are none."""
    if not texts:
        return []
    try:
        model = load(source)
    except ModelFailure as error:
        return [LaneError(error.message)] * len(texts)
    return [_of(text, model, bounds) for text in texts]


def _of(text: str, model: OnnxModel, bounds: Bounds) -> list[EntitySpan] | LaneError | None:
    try:
        tokens = [token for window in _windows(text, model, bounds) for token in _labelled(model, *window)]
    except ModelFailure as error:
        return LaneError(error.message)
    return list(_spans(text, tokens, bounds.minimum_confidence)) or None


def _windows(text: str, model: OnnxModel, bounds: Bounds) -> Iterator[tuple[str, int, Any]]:
    """Windows of the text with their place and tokens; white space alone is left out."""
    waiting = [(0, len(text), bounds.window_characters)]
    while waiting:
        start, end, limit = waiting.pop()
        if end - start > limit:
            pieces = split(text, start, end, limit=limit)
            waiting += [(*piece, max(limit, piece[1] - piece[0])) for piece in reversed(pieces)]
            continue
        piece = text[start:end]
        if not piece.strip():
            continue
        tokens = model.tokens(piece)
        if len(tokens.ids) <= bounds.max_tokens:
            yield piece, start, tokens
        elif end - start > 1 and limit > 1:
            waiting.append((start, end, (end - start + 1) // 2))


def _labelled(model: OnnxModel, piece: str, start: int, tokens: Any) -> Iterator[_Token]:
    """The model's word on each token that stands for text."""
    probabilities = softmax(model.token_logits(tokens))
    best = probabilities.argmax(axis=1)
    word: int | None = None
    name, score = "", 0.0
    for place, (low, high) in enumerate(tokens.offsets):
        if tokens.special_tokens_mask[place] or low == high:
            word = None
            continue
        number, begins = tokens.word_ids[place], False
        if number is None or number != word or _UNSPACED.search(piece, low, high):
            begins, name = _parts(model.labels[best[place]])
            score = float(probabilities[place, best[place]])
        word = number
        yield _Token(start + low, start + high, begins, name, score)


def _spans(text: str, tokens: Sequence[_Token], minimum: float) -> Iterator[EntitySpan]:
    group: list[_Token] = []
    for token in (*tokens, _Token(len(text), len(text), True, "", 0.0)):
        goes_on = group and token.name == group[-1].name and not token.begins
        if goes_on and not text[group[-1].end : token.start].strip():
            group.append(token)
            continue
        if span := _span(text, group, minimum):
            yield span
        group = [token] if token.name else []


def _parts(label: str) -> tuple[bool, str]:
    """Whether a label begins an entity, and of which kind; `O` is of none."""
    if label.upper() == "O":
        return False, ""
    mark, dash, name = label.partition("-")
    if dash and mark.upper() in _MARKS:
        return mark.upper() in _BEGINNINGS, name
    return False, label


def _span(text: str, group: Sequence[_Token], minimum: float) -> EntitySpan | None:
    if not group:
        return None
    score = sum(token.score for token in group) / len(group)
    found = text[group[0].start : group[-1].end]
    start = group[0].start + len(found) - len(found.lstrip())
    end = group[-1].end - (len(found) - len(found.rstrip()))
    if score < minimum or start >= end:
        return None
    kind = group[0].name.lower()
    return EntitySpan(_NAMES.get(kind, kind), text[start:end], start, end, min(score, 1.0))
