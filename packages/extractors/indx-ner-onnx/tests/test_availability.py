"""Whether the lane can run: told without the engine, without the network, and with what would help."""

from __future__ import annotations

import importlib.util
import socket

import pytest

from indx_core.ports import Unavailability
from indx_ner_onnx.provider import OnnxExtractor, chunks, pages
from indx_ner_onnx.settings import MAX_TOKENS, MINIMUM_CONFIDENCE, MODEL, MODEL_FILE, WINDOW_CHARACTERS


@pytest.mark.parametrize("factory", [pages, chunks])
def test_without_its_engine_there_is_nothing_to_advertise(monkeypatch, factory):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    lack = factory()
    assert isinstance(lack, Unavailability)
    assert "onnxruntime" in lack.reason
    assert lack.fix == 'pip install "indx-ner-onnx[ner]"'


def test_the_defaults_can_run_and_ask_nobody(monkeypatch):
    def refuse(*args: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    lane = OnnxExtractor("ner-onnx", "page")
    assert lane.availability() is None
    assert lane.declaration.device == "cpu"


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (MODEL, "not a name"),
        (MODEL_FILE, "../model.onnx"),
        (MAX_TOKENS, "0"),
        (WINDOW_CHARACTERS, "many"),
        (MINIMUM_CONFIDENCE, "1.5"),
    ],
)
def test_a_wrong_setting_is_named(monkeypatch, setting, value):
    monkeypatch.setenv(setting.name, value)
    lane = OnnxExtractor("ner-onnx", "page")
    lack = lane.availability()
    assert lack is not None
    assert setting.name in lack.reason
    assert setting.name in lack.fix
    assert lane.declaration.settings_key  # it can still be listed


def test_a_folder_without_its_files_is_said_to_lack_them(monkeypatch, tmp_path):
    monkeypatch.setenv(MODEL.name, str(tmp_path))
    lack = OnnxExtractor("ner-onnx", "page").availability()
    assert lack is not None
    assert "lacks config.json, tokenizer.json, onnx/model_quantized.onnx" in lack.reason


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (MODEL, "owner/other"),
        (MODEL, "Xenova/bert-base-multilingual-cased-ner-hrl@v2"),
        (MODEL_FILE, "onnx/model.onnx"),
        (MAX_TOKENS, "128"),
        (WINDOW_CHARACTERS, "200"),
        (MINIMUM_CONFIDENCE, "0.6"),
    ],
)
def test_whatever_changes_answers_changes_the_key(monkeypatch, setting, value):
    lane = OnnxExtractor("ner-onnx", "page")
    before = lane.declaration.settings_key
    monkeypatch.setenv(setting.name, value)
    assert lane.declaration.settings_key != before


def test_the_key_tells_the_commit_of_the_model_as_soon_as_the_cache_knows_it(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    lane = OnnxExtractor("ner-onnx", "page")
    assert "@main/" in lane.declaration.settings_key
    for commit in ("a" * 40, "b" * 40):
        refs = tmp_path / f"models--{MODEL.get().replace('/', '--')}" / "refs"
        refs.mkdir(parents=True, exist_ok=True)
        (refs / "main").write_text(commit)
        assert f"@{commit}/" in lane.declaration.settings_key


@pytest.mark.parametrize("what", ["DOWNLOAD_SECONDS", "RUN_SECONDS", "MEMORY_BYTES"])
def test_a_wrong_bound_of_the_engine_is_named_too(monkeypatch, what):
    monkeypatch.setenv(f"INDX_MODEL_ONNX_{what}", "soon")
    lack = OnnxExtractor("ner-onnx", "page").availability()
    assert f"INDX_MODEL_ONNX_{what}" in lack.reason
    assert f"INDX_MODEL_ONNX_{what}" in lack.fix
