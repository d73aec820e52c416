"""A batch of texts asked about one by one: each fails alone, and a server that is gone is not waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from indx_core.ports.lanes import Answers, LaneError
from indx_model_litellm._errors import ModelBusy, ModelError, ModelTimeout, ModelUnreachable

__all__ = ["answer_each"]

T = TypeVar("T")

_GONE: Final = (ModelTimeout, ModelUnreachable, ModelBusy)
_PATIENCE: Final = 2
"""How many calls in a row a server may fail to serve before the rest of the batch is spared the wait."""


def answer_each(texts: Sequence[str], limit: int, ask: Callable[[str], tuple[T | None, float]]) -> Answers[T]:
    """Ask about each text that is not blank, and sum what was charged, failures included.

    Args:
        texts: The texts.
        limit: The most characters of each that are shown; a grapheme is never cut.
        ask: What the model says of a shown text, None for no opinion, and what it was charged.
    """
    from indx_core.text import grapheme_floor

    items: list[T | LaneError | None] = []
    cost, failed, last = 0.0, 0, ""
    for text in texts:
        if not text.strip():
            items.append(None)
            continue
        if failed >= _PATIENCE:
            items.append(LaneError(f"not asked, since the model failed {failed} times in a row: {last}"))
            continue
        try:
            answer, charged = ask(text[: grapheme_floor(text, limit)])
        except ModelError as error:
            cost += error.cost_usd
            failed, last = (failed + 1, error.message) if isinstance(error, _GONE) else (0, "")
            items.append(LaneError(error.message))
        else:
            cost += charged
            failed = 0
            items.append(answer)
    return Answers(items, cost)
