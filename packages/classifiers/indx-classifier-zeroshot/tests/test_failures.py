"""What goes wrong fails the texts it concerns, with the reason, and nothing else."""

from __future__ import annotations

import json

import pytest

from indx_classifier_zeroshot.provider import documents
from indx_classifier_zeroshot.settings import HYPOTHESIS, LABELS, MAX_TOKENS, MODEL
from indx_core.errors import ConfigurationError
from indx_core.ports import LaneContext, LaneError

CONTEXT = LaneContext("text/plain")


@pytest.fixture
def folder(monkeypatch, tmp_path, files):
    """Makes a model folder of these files, some replaced."""

    def make(replaced: dict[str, bytes]) -> None:
        for name, data in (files | replaced).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(data)
        monkeypatch.setenv(MODEL.name, str(tmp_path))

    return make


def errors(texts):
    items = documents().classify(texts, CONTEXT).items
    assert all(isinstance(item, LaneError) for item in items)
    return [item.message for item in items]


def test_a_cold_cache_offline_fails_each_text_with_the_reason():
    messages = errors(["invoice", "letter"])
    assert len(messages) == 2
    assert "HF_HUB_OFFLINE" in messages[0]


def test_without_a_network_each_text_fails_with_what_brings_the_model(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.setenv(MODEL.name, "owner/of-nobody-else@v2")  # a failure is held for a while
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    (message,) = errors(["invoice"])
    assert "could not be fetched from the hub: ConnectError" in message
    assert "run 'hf download owner/of-nobody-else --revision v2'" in message
    assert f"set {MODEL.name} to a folder that holds config.json" in message


@pytest.mark.usefixtures("model")
def test_logits_that_are_no_numbers_fail_their_text_alone(monkeypatch):
    monkeypatch.setenv(LABELS.name, "invoice,broken")
    items = documents().classify(["an invoice", "broken", "nothing"], CONTEXT).items
    assert [scored.label for scored in items[0]["document_type"]] == ["invoice"]
    assert isinstance(items[1], LaneError)
    assert "NaN" in items[1].message
    assert items[2] is None


@pytest.mark.usefixtures("model")
def test_a_hypothesis_that_fills_the_window_is_said_to(monkeypatch):
    monkeypatch.setenv(MAX_TOKENS.name, "16")
    monkeypatch.setenv(HYPOTHESIS.name, "a " * 20 + "{}")
    assert "no room" in errors(["invoice"])[0]


def test_a_model_of_another_task_is_said_to_be(folder):
    config = {"id2label": {"0": "O", "1": "B-PER", "2": "not_entailment"}}
    folder({"config.json": json.dumps(config).encode()})
    assert "no model of natural language inference" in errors(["invoice"])[0]


def test_truncated_weights_fail_each_text_and_the_process_lives(folder, files):
    folder({"onnx/model_quantized.onnx": files["onnx/model_quantized.onnx"][:100]})
    assert "cannot be loaded" in errors(["invoice"])[0]


def test_a_folder_serves_as_well(folder):
    folder({})
    (item,) = documents().classify(["faq"], CONTEXT).items
    assert [scored.label for scored in item["document_type"]] == ["faq"]


def test_no_texts_need_no_model():
    assert list(documents().classify([], CONTEXT).items) == []


def test_a_wrong_setting_is_refused_naming_it(monkeypatch):
    monkeypatch.setenv(MAX_TOKENS.name, "-1")
    with pytest.raises(ConfigurationError, match=MAX_TOKENS.name):
        documents().classify(["invoice"], CONTEXT)
