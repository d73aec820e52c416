"""Chooses chunks within a token budget.

The best first, nothing twice, what the question still lacks before more of the same, and a smaller chunk
where a larger one does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from indx_core.text import query_terms
from indx_graph.asking import top
from indx_graph.pairs import Floats, Ints

if TYPE_CHECKING:
    from indx_graph.asking import Answer, Asker
    from indx_graph.options import GraphSettings

__all__ = ["Choice", "choose"]

_CONSIDERED: Final = 1000
_AHEAD: Final = 24
"""So many of the best left are compared for what they add."""


@dataclass(slots=True)
class Choice:
    """What was chosen, in order, and why the rest was not.

    Attributes:
        places: The chunks chosen.
        covered: For each, the words of the question that it was the first to bring.
        tokens: How many tokens they have together.
        too_long: Better chunks than some that were chosen, which did not fit.
        repeated: Chunks that say what a chosen one says, by the chunk that says it.
    """

    places: list[int] = field(default_factory=list)
    covered: list[list[str]] = field(default_factory=list)
    tokens: int = 0
    too_long: list[int] = field(default_factory=list)
    repeated: dict[int, int] = field(default_factory=dict)


def choose(
    asker: Asker,
    answer: Answer,
    query: str,
    settings: GraphSettings,
    *,
    budget: int | None,
    limit: int | None = None,
) -> Choice:
    """Choose chunks for an answer.

    Args:
        asker: The graph.
        answer: What was found in it.
        query: The question.
        settings: How.
        budget: The most tokens; 0 chooses nothing. None is no bound, and repeats are chosen too.
        limit: The most chunks.
    """
    choice = Choice()
    lacking = dict.fromkeys(query_terms(query))
    considered = left = ranked(answer.scores, settings.score_floor)
    sizes = np.array([asker.graph.chunks[place].tokens for place in left.tolist()], dtype=np.int64)
    while len(left) and (limit is None or len(choice.places) < limit):
        if budget is not None:
            fits = sizes <= budget - choice.tokens
            left, sizes = left[fits], sizes[fits]
            if not len(left):
                break
        at, brings = _next(asker, answer, left, lacking, settings.coverage_share)
        place, tokens = int(left[at]), int(sizes[at])
        left, sizes = np.delete(left, at), np.delete(sizes, at)
        same = None if budget is None else _said_by(asker, place, choice.places, settings.redundancy)
        if same is not None:
            choice.repeated[place] = same
            continue
        choice.places.append(place)
        choice.covered.append(brings)
        choice.tokens += tokens
        for term in brings:
            del lacking[term]
    if budget is not None and (limit is None or len(choice.places) < limit):
        least = min((answer.scores[place] for place in choice.places), default=0.0)
        taken = {*choice.places, *choice.repeated}
        choice.too_long = [
            place for place in considered.tolist() if answer.scores[place] > least and place not in taken
        ]
    return choice


def ranked(scores: Floats, floor: float = 0.0) -> Ints:
    """The places of scores above 0 and at least a share of the highest, best first, equal ones by place."""
    best = top(scores, _CONSIDERED)
    return best[scores[best] >= floor * scores[best[0]]] if len(best) else best


def _next(
    asker: Asker, answer: Answer, left: Ints, lacking: dict[str, None], share: float
) -> tuple[int, list[str]]:
    """The chunk that adds most: its score, and a share for words of the question still lacking.

    Returns:
        Its place among those left, and the words it brings.
    """
    if not lacking:
        return 0, []
    best, most, brings = 0, -1.0, list[str]()
    for at, place in enumerate(left[: _AHEAD if share else 1].tolist()):
        found = [term for term in lacking if term in asker.terms_of(place)]
        worth = float(answer.scores[place]) + share * len(found) / len(lacking)
        if worth > most + 1e-9:
            best, most, brings = at, worth, found
    return best, brings


def _said_by(asker: Asker, place: int, chosen: Sequence[int], limit: float) -> int | None:
    """A chosen chunk that says the same: the same words, or a vector nearer than the limit."""
    text = asker.graph.chunks[place].text
    for other in chosen:
        if asker.graph.chunks[other].text == text:
            return other
    if limit >= 1 or not chosen:
        return None
    cosines = np.round(asker.vectors[list(chosen)] @ asker.vectors[place], 6)
    nearest = int(cosines.argmax())
    return chosen[nearest] if cosines[nearest] > limit else None
