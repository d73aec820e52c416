"""The shelf of retained snapshots: shared by processes, and believed only as far as it can be checked."""

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from indx_core.errors import NotFound
from indx_runtime import Engine
from indx_runtime.settings import CACHE_DIR, cache_dir
from indx_runtime.snapshots import SnapshotShelf


@pytest.fixture
def current(installed):
    return Engine(installed).capabilities()


@pytest.fixture
def other(current):
    members = {n: getattr(current, n) for n in type(current).model_fields if n != "snapshot_id"}
    return current.create(**members | {"policy_version": "another"})


@pytest.fixture
def shelf(tmp_path, other):
    made = SnapshotShelf(tmp_path)
    made.keep(other)
    return made


@pytest.fixture
def file(tmp_path, shelf):
    (found,) = tmp_path.glob("*.json")
    return found


def test_what_one_process_kept_another_finds(tmp_path, shelf, current, other):
    assert SnapshotShelf(tmp_path).find(other.snapshot_id, current) == other


def forged(text):
    facts = json.loads(text)
    facts["capabilities"][0]["device"] = "external"
    return json.dumps(facts)


def renamed(text):
    return text.replace(json.loads(text)["snapshot_id"], "sha256:" + "0" * 64)


@pytest.mark.parametrize(
    "tamper",
    [forged, renamed, lambda t: t[:-5], lambda t: "", lambda t: "{}", lambda t: "[" * 100_000,
     lambda t: t.replace("another", "\\ud800"), lambda t: " " * (1 << 24) + t],
    ids=["forged", "renamed", "cut", "empty", "other", "deep", "surrogate", "huge"],
)  # fmt: skip
def test_a_file_that_was_tampered_with_is_not_found(shelf, file, current, other, tamper):
    file.write_text(tamper(file.read_text()))
    with pytest.raises(NotFound):
        shelf.find(other.snapshot_id, current)


def test_what_is_no_file_is_not_read(shelf, file, current, other):
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(NotFound):
        shelf.find(other.snapshot_id, current)
    file.unlink()
    file.mkdir()
    with pytest.raises(NotFound):
        shelf.find(other.snapshot_id, current)


@pytest.mark.parametrize("name", ["", "sha256:", "../../etc/passwd", "sha256:" + "g" * 64, "\x00", "a" * 64])
def test_any_other_id_is_not_found(shelf, current, name):
    with pytest.raises(NotFound):
        shelf.find(name, current)


def test_a_snapshot_that_others_pruned_is_kept_again(tmp_path, shelf, file, other):
    file.unlink()
    shelf.keep(other)
    assert file.exists()


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path, current):
    place = tmp_path / "file"
    place.write_text("not a folder")
    SnapshotShelf(place).keep(current)
    assert place.read_text() == "not a folder"


def test_a_full_disk_leaves_nothing_behind_and_keeping_is_tried_again(tmp_path, current, monkeypatch):
    place = tmp_path / "shelf"
    shelf = SnapshotShelf(place)
    replace = Path.replace

    def full(self, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    shelf.keep(current)
    assert list(place.iterdir()) == []
    monkeypatch.setattr(Path, "replace", replace)
    shelf.keep(current)
    assert len(list(place.iterdir())) == 1


def test_an_engine_takes_its_inventory_anew_when_what_it_is_made_of_changed(registry_of, parts, monkeypatch):
    reader = parts.reader()
    engine = Engine(registry_of(("indx.capabilities", reader)))
    before = engine.capabilities()
    assert engine.capabilities() is before
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "1000")
    assert engine.capabilities().limits.max_input_bytes == 1000
    assert engine.capabilities().snapshot_id == before.snapshot_id
    monkeypatch.setattr(reader, "declaration", replace(reader.declaration, device="external"))
    assert engine.capabilities().snapshot_id != before.snapshot_id


def test_caches_are_where_the_environment_says_now(monkeypatch, tmp_path):
    monkeypatch.delenv(CACHE_DIR.name, raising=False)
    for name in ("one", "two", "one"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
        assert cache_dir() == tmp_path / name / "indx"
