"""A batch of texts embedded in calls of many texts; one that the model does not take fails alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from indx_core.canonical import clean_text
from indx_core.ports.embedding import Embedded
from indx_model_litellm import AnswerInvalid, AnswerTooLarge, ModelError, ModelRefused

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.ports.embedding import EmbeddingInput
    from indx_model_litellm import HostedModel

__all__ = ["embed"]

MOST_TEXTS: Final = 96
MOST_CHARACTERS: Final = 200_000
PATIENCE: Final = 64
"""Texts in a row that a model may refuse, each asked alone, before the rest is spared."""
PROBE: Final = "a"
"""A text that every model takes: where even this fails, no text is at fault."""

_OF_A_TEXT: Final = (ModelRefused, AnswerInvalid, AnswerTooLarge)
"""Failures that one text of a call may be the reason of; after the others there is no use in asking on."""


def embed(
    model: HostedModel, dimension: int, batch: Sequence[EmbeddingInput], deadline: Deadline
) -> Embedded:
    """Vectors of `batch`, of unit length.

    Raises:
        ModelError: The model does not answer, or not to any text.
        TimedOut: The deadline passed.
    """
    asking = _Asking(model, dimension, len(batch), deadline)
    texts: list[tuple[int, str]] = []
    for row, item in enumerate(batch):
        if not isinstance(item, str):
            asking.errors[row] = "an image: the space hosted-text embeds text only"
        elif not item.strip():
            asking.errors[row] = "nothing to embed: the text is blank"
        else:
            texts.append((row, clean_text(item)))
    for call in _calls(texts):
        asking.ask(call)
    return Embedded(asking.values, asking.errors, asking.cost)


def _calls(texts: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Texts that one call takes: no more of them, and no more characters, than servers commonly allow."""
    call: list[tuple[int, str]] = []
    characters = 0
    for row, text in texts:
        if call and (len(call) == MOST_TEXTS or characters + len(text) > MOST_CHARACTERS):
            yield call
            call, characters = [], 0
        call.append((row, text))
        characters += len(text)
    if call:
        yield call


class _Asking:
    """What was answered so far.

    Attributes:
        values: The vectors, zero where there is none.
        errors: Why there is none.
        cost: What was charged.
    """

    def __init__(self, model: HostedModel, dimension: int, count: int, deadline: Deadline) -> None:
        self._model = model
        self._dimension = dimension
        self._deadline = deadline
        self._answers = False
        self._refused = 0
        self.values = np.zeros((count, dimension), np.float32)
        self.errors: dict[int, str] = {}
        self.cost = 0.0

    def ask(self, call: Sequence[tuple[int, str]]) -> None:
        """Fill the rows of `call`; where the model refuses it, those of its halves."""
        if self._refused >= PATIENCE:
            for row, _ in call:
                self.errors[row] = f"not asked, since the model refused {PATIENCE} texts in a row"
            return
        try:
            rows = self._vectors([text for _, text in call])
        except _OF_A_TEXT as error:
            if not self._answers:
                self._vectors([PROBE])
            if len(call) == 1:
                self._refused += 1
                self.errors[call[0][0]] = error.message
                return
            middle = len(call) // 2
            self.ask(call[:middle])
            self.ask(call[middle:])
            return
        self._refused = 0
        for (row, _), numbers in zip(call, rows, strict=True):
            vector = np.array(numbers, np.float64)
            largest = np.abs(vector).max()
            if largest > 0:
                vector /= largest  # so that no square overflows or vanishes
                self.values[row] = vector / np.linalg.norm(vector)
            else:
                self.errors[row] = "the model answered a vector of zeros"

    def _vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        self._deadline.check()
        try:
            made = self._model.embed(texts, deadline=self._deadline, dimension=self._dimension)
        except ModelError as error:
            self.cost += error.cost_usd
            raise
        self._answers = True
        self.cost += made.cost_usd
        return made.rows
