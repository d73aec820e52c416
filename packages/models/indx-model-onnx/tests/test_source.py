"""A model is named by settings: a repository at a revision, or a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from indx_core.errors import ConfigurationError
from indx_core.settings import Setting, string
from indx_model_onnx import ModelFailure, identity, load, model_source
from indx_model_onnx._hub import located

MODEL: Setting[str] = Setting("TEST_MODEL", string, "owner/name", "A model.")
GRAPH: Setting[str] = Setting("TEST_GRAPH", string, "onnx/model.onnx", "Its graph.")


def test_a_repository_is_taken_at_its_main_branch(monkeypatch):
    source = model_source(MODEL, GRAPH)
    assert (source.repository, source.revision, source.folder) == ("owner/name", "main", None)
    assert source.files == ("config.json", "tokenizer.json", "onnx/model.onnx")
    assert source.missing() == ()


def test_a_revision_can_be_named(monkeypatch):
    monkeypatch.setenv("TEST_MODEL", "owner/name@v1.0")
    assert model_source(MODEL, GRAPH).revision == "v1.0"


@pytest.mark.parametrize(
    "name", ["a b", "a/b/c", "owner/", "../x@main", "owner/name@", "owner/name@../x", "ow\x00ner/n", "-x/y"]
)
def test_what_is_no_name_is_refused_naming_the_variable(monkeypatch, name):
    monkeypatch.setattr(MODEL.__class__, "get", lambda self: name if self is MODEL else GRAPH.default)
    if name.startswith("."):
        assert model_source(MODEL, GRAPH).missing()
        return
    with pytest.raises(ConfigurationError, match="TEST_MODEL") as caught:
        model_source(MODEL, GRAPH)
    assert caught.value.code == "invalid_setting"


@pytest.mark.parametrize("file", ["/etc/passwd", "../model.onnx", "onnx/../../x", "onnx\\model.onnx"])
def test_a_graph_outside_the_model_is_refused(monkeypatch, file):
    monkeypatch.setenv("TEST_GRAPH", file)
    with pytest.raises(ConfigurationError, match="TEST_GRAPH"):
        model_source(MODEL, GRAPH)


def test_a_folder_says_what_it_lacks(monkeypatch, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setenv("TEST_MODEL", str(tmp_path))
    source = model_source(MODEL, GRAPH)
    assert source.missing() == ("tokenizer.json", "onnx/model.onnx")
    with pytest.raises(ModelFailure, match=r"lacks tokenizer\.json, onnx/model\.onnx"):
        load(source)


def test_a_whole_folder_is_used_as_it_is(monkeypatch, tmp_path):
    for name in ("config.json", "tokenizer.json", "model.onnx"):
        (tmp_path / name).write_text("x")
    monkeypatch.chdir(tmp_path.parent)
    monkeypatch.setenv("TEST_MODEL", f"./{tmp_path.name}")
    monkeypatch.setenv("TEST_GRAPH", "model.onnx")
    assert located(model_source(MODEL, GRAPH))[2] == Path(tmp_path.name) / "model.onnx"


def test_another_graph_in_a_folder_is_another_key(monkeypatch, tmp_path):
    monkeypatch.setenv("TEST_MODEL", str(tmp_path))
    monkeypatch.setenv("TEST_GRAPH", "model.onnx")
    keys = {identity(model_source(MODEL, GRAPH))}
    for content in ("one", "other one"):
        (tmp_path / "model.onnx").write_text(content)
        keys.add(identity(model_source(MODEL, GRAPH)))
    assert len(keys) == 3


@pytest.mark.parametrize("name", ["~nobody-of-this-name/model", "/" + "a" * 5000, "./" + "a/" * 3000])
def test_a_folder_that_cannot_be_one_lacks_everything(monkeypatch, name):
    monkeypatch.setenv("TEST_MODEL", name)
    source = model_source(MODEL, GRAPH)
    assert source.missing() == source.files
    assert identity(source)
    with pytest.raises(ModelFailure, match=r"lacks config\.json"):
        load(source)
