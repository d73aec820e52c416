"""Each label is one hypothesis, and its confidence the probability of entailment."""

from __future__ import annotations

import math

import pytest

from indx_classifier_zeroshot.provider import documents
from indx_classifier_zeroshot.settings import HYPOTHESIS, LABELS, MAX_TOKENS, MINIMUM_CONFIDENCE
from indx_core.ports import LaneContext
from indx_model_onnx import OnnxModel

pytestmark = pytest.mark.usefixtures("model")

CONTEXT = LaneContext("text/plain")


def entailment(shared: int) -> float:
    """What the test's model holds when so many words are shared."""
    powers = [math.exp(3 * shared - 2), 1.0, math.exp(2 - 3 * shared)]
    return powers[0] / sum(powers)


def labels(text: str) -> dict[str, float]:
    (item,) = documents().classify([text], CONTEXT).items
    if item is None:
        return {}
    assert list(item) == ["document_type"]
    return {scored.label: scored.confidence for scored in item["document_type"]}


@pytest.fixture
def shown(monkeypatch):
    """The tokens of every pair that the model was shown."""
    pairs = []
    run = OnnxModel.text_logits

    def spy(self, encoding):
        pairs.append(encoding.tokens)
        return run(self, encoding)

    monkeypatch.setattr(OnnxModel, "text_logits", spy)
    return pairs


def test_the_confidence_is_the_probability_of_entailment():
    assert labels("An invoice .") == {"invoice": pytest.approx(entailment(1))}


def test_a_label_with_an_underscore_is_read_as_words():
    assert labels("purchase order") == {"purchase_order": pytest.approx(entailment(2))}


def test_several_labels_hold_side_by_side_the_likeliest_first():
    found = labels("purchase order and invoice and letter")
    assert list(found) == ["purchase_order", "invoice", "letter"]


def test_what_no_label_entails_has_no_opinion():
    assert labels("some text") == {}
    assert labels("") == {}
    assert labels(" \n") == {}


def test_the_minimum_decides_what_is_answered(monkeypatch):
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, "0.9")
    assert list(labels("purchase order invoice")) == ["purchase_order"]
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, "0")
    assert len(labels("x")) == 18


def test_labels_of_ones_own_are_answered_as_they_are_written(monkeypatch):
    monkeypatch.setenv(LABELS.name, "請求書, letter")
    assert labels("請求書") == {"請求書": pytest.approx(entailment(1))}


def test_each_label_is_one_hypothesis_in_ones_own_words(monkeypatch, shown):
    monkeypatch.setenv(LABELS.name, "invoice,letter")
    monkeypatch.setenv(HYPOTHESIS.name, "a {} is a document")
    labels("report")
    assert shown == [
        ["[CLS]", "report", "[SEP]", "a", word, "is", "a", "document", "[SEP]"]
        for word in ("invoice", "letter")
    ]


def test_only_the_head_of_a_text_is_read_as_far_as_the_window_goes(monkeypatch, shown):
    monkeypatch.setenv(MAX_TOKENS.name, "20")
    assert list(labels("invoice " + "x " * 100_000 + "letter")) == ["invoice"]
    assert max(map(len, shown)) == 20
    assert labels("x " * 20 + "invoice") == {}


@pytest.mark.parametrize("piece", ["x ", "x", " ", "請求書", "👩\u200d👧"])
def test_two_hundred_thousand_characters_are_bounded(piece, shown):
    labels(piece * (200_000 // len(piece)))
    assert all(len(tokens) <= 512 for tokens in shown)
