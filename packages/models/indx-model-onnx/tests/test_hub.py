"""The hub's cache: found by path, held to its digests, fetched into only where something is missing."""

from __future__ import annotations

import pytest

from indx_core.leaving import HOLD_SECONDS
from indx_model_onnx import ModelFailure, is_cached, model_source
from indx_model_onnx._hub import cache_root, located
from indx_model_onnx._models import Models


def refuse(source, name, revision, folder, deadline):
    raise AssertionError(f"{name} was asked of the network")


def test_a_warm_cache_needs_no_network(source, in_cache, stand_ins):
    in_cache(stand_ins)
    assert [path.read_bytes() for path in located(source, bring=refuse)] == list(stand_ins.values())


def test_a_warm_cache_serves_offline(source, in_cache, stand_ins, monkeypatch):
    in_cache(stand_ins)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert len(located(source, bring=refuse)) == 3


def test_whether_a_model_is_here_is_told_by_all_its_files(source, in_cache, stand_ins):
    assert not is_cached(source)
    in_cache({name: data for name, data in stand_ins.items() if name != "tokenizer.json"})
    assert not is_cached(source)
    in_cache(stand_ins)
    assert is_cached(source)


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"])
def test_a_cold_cache_offline_fails_with_the_reason_and_asks_nobody(source, monkeypatch, variable):
    monkeypatch.setenv(variable, "true")
    with pytest.raises(ModelFailure) as caught:
        located(source, bring=refuse)
    for part in ("config.json", "owner/tiny", "HF_HUB_OFFLINE", "hf download owner/tiny"):
        assert part in caught.value.message


def test_what_brings_a_model_by_hand_names_the_revision_and_the_setting_that_takes_a_folder(monkeypatch):
    from indx_core.settings import Setting, string

    model = Setting("INDX_X_MODEL", string, "owner/tiny@v2", "d")
    graph = Setting("INDX_X_FILE", string, "onnx/model.onnx", "d")
    named = model_source(model, graph)
    assert named.remedy.startswith("run 'hf download owner/tiny --revision v2' once with a network")
    assert "HF_HUB_CACHE" in named.remedy
    assert (
        "set INDX_X_MODEL to a folder that holds config.json, tokenizer.json, onnx/model.onnx" in named.remedy
    )
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelFailure, match="INDX_X_MODEL"):
        located(named, bring=refuse)


def test_an_incomplete_cache_offline_names_what_it_lacks(source, in_cache, stand_ins, monkeypatch):
    del stand_ins["onnx/model.onnx"]
    in_cache(stand_ins)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelFailure, match=r"holds no onnx/model\.onnx"):
        located(source, bring=refuse)


def test_only_what_is_missing_is_fetched_at_the_commit_of_the_rest(source, in_cache, stand_ins):
    graph = stand_ins.pop("onnx/model.onnx")
    commit = in_cache(stand_ins)
    asked = []

    def fetch(source, name, revision, folder, deadline):
        asked.append((name, revision))
        assert folder == cache_root() / "models--owner--tiny"
        path = folder / "snapshots" / revision / name
        path.parent.mkdir()
        path.write_bytes(graph)

    assert located(source, bring=fetch)[2].read_bytes() == graph
    assert asked == [("onnx/model.onnx", commit)]


def test_a_branch_of_its_own_name_is_found(source, in_cache, stand_ins):
    from dataclasses import replace

    in_cache(stand_ins, revision="v1")
    assert len(located(replace(source, revision="v1"), bring=refuse)) == 3


def test_a_commit_needs_no_branch(source, in_cache, stand_ins):
    from dataclasses import replace

    commit = in_cache(stand_ins, revision="other")
    assert len(located(replace(source, revision=commit), bring=refuse)) == 3


@pytest.mark.parametrize("name", ["onnx/model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_taken_out_and_fetched_again(source, in_cache, stand_ins, name):
    in_cache(stand_ins)
    (path,) = [path for path in located(source, bring=refuse) if path.name == name.rpartition("/")[2]]
    whole = path.read_bytes()
    blob = path.resolve()
    blob.write_bytes(whole[:-1])

    def fetch(source, wanted, revision, folder, deadline):
        assert wanted == name
        assert not blob.exists()
        blob.write_bytes(whole)
        path.symlink_to(blob)

    assert located(source, bring=fetch)[0].exists()
    assert path.read_bytes() == whole


def test_a_file_that_arrives_damaged_twice_is_refused_and_not_kept(source, in_cache, stand_ins):
    in_cache(stand_ins)
    path = located(source, bring=refuse)[2]
    blob = path.resolve()
    blob.write_bytes(b"truncated")

    def fetch(source, wanted, revision, folder, deadline):
        blob.write_bytes(b"half")
        path.symlink_to(blob)

    with pytest.raises(ModelFailure, match="does not arrive whole"):
        located(source, bring=fetch)
    assert not blob.exists()


def test_a_damaged_file_offline_is_never_used(source, in_cache, stand_ins, monkeypatch):
    in_cache(stand_ins)
    located(source, bring=refuse)[2].resolve().write_bytes(b"tampered with")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelFailure, match="HF_HUB_OFFLINE"):
        located(source, bring=refuse)


@pytest.mark.parametrize("text", ["", "../../etc", "main", "\xff", "a" * 41])
def test_a_damaged_reference_is_no_reference(source, in_cache, stand_ins, monkeypatch, text):
    in_cache(stand_ins)
    (cache_root() / "models--owner--tiny" / "refs" / "main").write_text(text, "latin-1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelFailure, match=r"holds no config\.json"):
        located(source, bring=refuse)


def test_the_cache_is_where_the_hub_keeps_it(monkeypatch, tmp_path):
    monkeypatch.delenv("HF_HUB_CACHE")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "hub"
    monkeypatch.delenv("HF_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "huggingface" / "hub"


def test_a_model_that_cannot_be_had_is_not_tried_for_each_text(source):
    now, tries = [0.0], []

    def locate(source, deadline):
        tries.append(now[0])
        raise ModelFailure("no network")

    models = Models(locate, clock=lambda: now[0])
    for now[0] in (0.0, 1.0, HOLD_SECONDS - 1, HOLD_SECONDS + 1):
        with pytest.raises(ModelFailure, match="no network"):
            models.load(source)
    assert tries == [0.0, HOLD_SECONDS + 1]


def test_a_damaged_link_out_of_the_cache_is_removed_and_what_it_leads_to_is_not(
    source, in_cache, stand_ins, monkeypatch, tmp_path
):
    in_cache(stand_ins)
    path = located(source, bring=refuse)[2]
    foreign = tmp_path / "objects" / ("0" * 40)
    foreign.parent.mkdir()
    foreign.write_bytes(b"somebody's own")
    path.unlink()
    path.symlink_to(foreign)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelFailure, match="HF_HUB_OFFLINE"):
        located(source, bring=refuse)
    assert foreign.read_bytes() == b"somebody's own"
    assert not path.is_symlink()


def test_links_that_lead_nowhere_or_in_a_circle_are_no_files(source, in_cache, stand_ins, monkeypatch):
    in_cache(stand_ins)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for target in ("nothing", "config.json"):
        path = located_at(source)
        path.unlink()
        path.symlink_to(target)
        assert not is_cached(source)
        with pytest.raises(ModelFailure, match=r"holds no config\.json"):
            located(source, bring=refuse)


def located_at(source):
    folder = cache_root() / "models--owner--tiny"
    commit = (folder / "refs" / "main").read_text()
    return folder / "snapshots" / commit / "config.json"


def test_a_reference_that_is_a_pipe_is_none_and_is_not_waited_for(source, in_cache, stand_ins):
    import os

    in_cache(stand_ins)
    reference = cache_root() / "models--owner--tiny" / "refs" / "main"
    reference.unlink()
    os.mkfifo(reference)
    assert not is_cached(source)


def test_a_cache_that_may_not_be_looked_at_holds_nothing_for_us(source, in_cache, stand_ins, monkeypatch):
    from pathlib import Path

    in_cache(stand_ins)

    def forbidden(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", forbidden)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert not is_cached(source)
    with pytest.raises(ModelFailure, match="holds no"):
        located(source, bring=refuse)


@pytest.mark.parametrize("kind", ["file", "spaces"])
def test_a_cache_of_any_name_is_used_and_one_that_is_a_file_is_empty(
    source, stand_ins, monkeypatch, tmp_path, kind
):
    root = tmp_path / "ein Ort für 模型"
    monkeypatch.setenv("HF_HUB_CACHE", str(root))
    if kind == "file":
        root.write_bytes(b"")
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        with pytest.raises(ModelFailure, match="holds no"):
            located(source, bring=refuse)
        return
    folder = root / "models--owner--tiny"
    for name, data in stand_ins.items():
        path = folder / "snapshots" / ("c" * 40) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("c" * 40)
    assert len(located(source, bring=refuse)) == 3


def test_a_home_of_nobody_is_a_path_like_any_other(source, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", "~nobody-of-this-name/hub")
    assert not is_cached(source)
    monkeypatch.delenv("HF_HUB_CACHE")
    monkeypatch.setenv("MODELS", "/models")
    monkeypatch.setenv("HF_HOME", "$MODELS/hf")
    assert str(cache_root()) == "/models/hf/hub", "as the hub's own tools read it"
