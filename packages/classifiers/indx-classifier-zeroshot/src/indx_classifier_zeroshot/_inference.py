"""Each label as a hypothesis about the text: its confidence is the probability that the text entails it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_core.ports.lanes import Classification, LaneError, Scored
from indx_model_onnx import ModelFailure, OnnxModel, load, softmax

if TYPE_CHECKING:
    from indx_model_onnx import ModelSource

__all__ = ["FACET", "Question", "classify"]

FACET: Final = "document_type"
_CHARACTERS_A_TOKEN: Final = 20
"""More than a token ever stands for on the average; what lies beyond the window is not worth tokenising."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a text.

    Attributes:
        hypothesis: A sentence with `{}` for the label.
        labels: The labels, as they are answered.
        max_tokens: What the model is shown at once.
        minimum_confidence: What a label needs to be answered.
    """

    hypothesis: str
    labels: tuple[str, ...]
    max_tokens: int
    minimum_confidence: float

    def sentences(self) -> dict[str, str]:
        """The hypothesis of each label, which is read as words: `purchase_order` as "purchase order"."""
        return {
            clean_text(label): self.hypothesis.replace("{}", label.replace("_", " ")) for label in self.labels
        }


def classify(
    texts: Sequence[str], source: ModelSource, question: Question
) -> list[Classification | LaneError | None]:
    """Labels of each text, None where no label is likely enough."""
    if not texts:
        return []
    try:
        model = load(source)
        entailment = _entailment(model)
        hypotheses = {label: model.tokens(text, bare=True) for label, text in question.sentences().items()}
    except ModelFailure as error:
        return [LaneError(error.message)] * len(texts)
    return [_of(text, model, entailment, hypotheses, question) for text in texts]


def _entailment(model: OnnxModel) -> int:
    """Which output says that the first text entails the second."""
    found = [n for n, label in enumerate(model.labels) if label.lower().startswith("entail")]
    if len(found) != 1:
        raise ModelFailure(
            f"{model.name}: its labels, {', '.join(model.labels[:5])}, hold no 'entailment'; "
            "it is no model of natural language inference"
        )
    return found[0]


def _of(
    text: str, model: OnnxModel, entailment: int, hypotheses: dict[str, object], question: Question
) -> Classification | LaneError | None:
    head = text.strip()[: question.max_tokens * _CHARACTERS_A_TOKEN]
    if not head:
        return None
    scores = []
    try:
        # The longest hypothesis decides how much is read, so that every label judges the same text.
        premise = model.fitted(model.tokens(head, bare=True), list(hypotheses.values()), question.max_tokens)
        for label, hypothesis in hypotheses.items():
            chances = softmax(model.text_logits(model.paired(premise, hypothesis)))
            scores.append(Scored(label, min(float(chances[entailment]), 1.0)))
    except ModelFailure as error:
        return LaneError(error.message)
    likely = [scored for scored in scores if scored.confidence >= question.minimum_confidence]
    likely.sort(key=lambda scored: -scored.confidence)
    return {FACET: likely} if likely else None
