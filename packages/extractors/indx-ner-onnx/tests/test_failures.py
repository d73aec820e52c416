"""What goes wrong fails the texts it concerns, with the reason, and nothing else."""

from __future__ import annotations

import json

import pytest

from indx_core.errors import ConfigurationError
from indx_core.ports import LaneError
from indx_ner_onnx.provider import pages
from indx_ner_onnx.settings import MAX_TOKENS, MODEL


@pytest.fixture
def folder(monkeypatch, tmp_path, files):
    """Makes a model folder of these files, some replaced."""

    def make(**replaced: bytes) -> None:
        for name, data in (
            files | {name.replace("__", "."): data for name, data in replaced.items()}
        ).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(data)
        monkeypatch.setenv(MODEL.name, str(tmp_path))

    return make


def errors(texts):
    items = pages().extract(texts).items
    assert all(isinstance(item, LaneError) for item in items)
    return [item.message for item in items]


def test_a_cold_cache_offline_fails_each_text_with_the_reason():
    messages = errors(["Ada", "Oslo"])
    assert len(messages) == 2
    assert "HF_HUB_OFFLINE" in messages[0]
    assert "Xenova/bert-base-multilingual-cased-ner-hrl" in messages[0]


def test_without_a_network_each_text_fails_with_what_brings_the_model(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.setenv(MODEL.name, "owner/of-nobody-else@v2")  # a failure is held for a while
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    (message,) = errors(["Ada"])
    assert "could not be fetched from the hub: ConnectError" in message
    assert "run 'hf download owner/of-nobody-else --revision v2'" in message
    assert f"set {MODEL.name} to a folder that holds config.json" in message


@pytest.mark.usefixtures("model")
def test_logits_that_are_no_numbers_fail_their_text_alone():
    items = pages().extract(["Ada met", "Ada Broken Oslo", "in Oslo"]).items
    assert isinstance(items[1], LaneError)
    assert "NaN" in items[1].message
    assert [span.surface for item in (items[0], items[2]) for span in item] == ["Ada", "Oslo"]


def test_labels_of_another_graph_fail_each_text(folder):
    folder(config__json=json.dumps({"id2label": {"0": "O"}}).encode())
    assert "another graph" in errors(["Ada"])[0]


def test_truncated_weights_fail_each_text_and_the_process_lives(folder, files):
    folder(**{"onnx/model_quantized__onnx": files["onnx/model_quantized.onnx"][:100]})
    assert "cannot be loaded" in errors(["Ada"])[0]


def test_a_folder_serves_as_well(folder):
    folder()
    assert [span.surface for span in pages().extract(["in Oslo"]).items[0]] == ["Oslo"]


def test_no_texts_need_no_model():
    assert list(pages().extract([]).items) == []


def test_a_wrong_setting_is_refused_naming_it(monkeypatch):
    monkeypatch.setenv(MAX_TOKENS.name, "-1")
    with pytest.raises(ConfigurationError, match=MAX_TOKENS.name):
        pages().extract(["Ada"])
