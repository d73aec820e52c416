"""Whether the engine is there is told without importing it."""

from __future__ import annotations

import importlib.util

from indx_model_onnx import lacking_engine


def test_what_is_missing_is_named_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else name)
    lack = lacking_engine("indx-lane", "some")
    assert lack is not None
    assert lack.reason == "its engine is not installed: onnxruntime"
    assert lack.fix == 'pip install "indx-lane[some]"'


def test_with_all_of_it_nothing_is_lacking(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert lacking_engine("indx-lane", "some") is None
