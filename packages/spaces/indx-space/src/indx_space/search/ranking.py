"""Picks the best of many scores, in an order that is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.floating[Any]]
    Places = npt.NDArray[np.integer[Any]]

__all__ = ["DIGITS", "best", "rounded"]

DIGITS: Final = 6
"""Scores are rounded to so many places before they are ranked, so that no machine orders them otherwise."""

_SPARE: Final = 16


def rounded(score: float) -> float:
    """A score as it is compared and shown; the same number as numpy rounds it to."""
    return round(score * 10**DIGITS) / 10**DIGITS


def best(
    scores: Floats, places: Places, k: int, fits: Callable[[int], bool], *, digits: int | None = DIGITS
) -> list[tuple[int, float]]:
    """The `k` best chunks that fit with their scores, best first, ties in the order of places.

    Args:
        scores: One score an element.
        places: The place of the chunk of each element.
        k: How many.
        fits: Asked of the best ones, by their place, until enough fit.
        digits: What scores are rounded to before they are compared; None compares them as they are.
    """
    import numpy as np

    wanted, total = k + _SPARE, len(scores)
    while True:
        if wanted < total:
            least = np.partition(scores, total - wanted)[total - wanted]
            least -= 0 if digits is None else 10.0**-digits  # what rounding could bring up beside it
            near = np.flatnonzero(scores >= least)
        else:
            near = np.arange(total)
        compared = scores[near].astype(np.float64)
        if digits is not None:
            compared = np.round(compared, digits) + 0.0  # no negative zero
        order = np.lexsort((places[near], -compared))
        chosen: list[tuple[int, float]] = []
        for element in order.tolist():
            place = int(places[near[element]])
            if fits(place):
                chosen.append((place, float(compared[element])))
                if len(chosen) == k:
                    return chosen
        if len(near) == total:
            return chosen
        wanted *= 4
