"""Opening an index: versions, damage, hostile files, fingerprints, and nothing changed on the disk."""

from __future__ import annotations

import functools
import io
import json
import logging
import os
import pickle
import zipfile

import numpy as np
import pytest

from indx_core.errors import ConfigurationError
from indx_graph import EmbedderError, IndexError_, SpectRAGRetrieval, rebuild_graph
from indx_graph.embedding import custom_name
from indx_graph.hashing import DIMENSION, HashedTexts
from indx_graph.layout import FILES
from indx_graph.opening import read_account

ARRAYS = sorted(name for name in FILES if name.endswith(".npy"))


@pytest.fixture
def index(making):
    making.ingest()
    return making.folder


def edit(index, name, **changes):
    path = index / name
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


class Trap:
    """Runs code where a pickle is loaded."""

    def __reduce__(self):
        return (exec, ("import builtins; builtins.trapped = True",))


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_of_objects_is_refused_and_not_run(making, index, name):
    np.save(index / name, np.array([Trap()], dtype=object), allow_pickle=True)
    with pytest.raises(IndexError_) as caught:
        making.open()
    assert caught.value.code == "archive_corrupt"
    assert name in str(caught.value)
    assert not hasattr(__import__("builtins"), "trapped")


@pytest.mark.parametrize("name", ARRAYS)
def test_a_bare_pickle_is_refused_and_not_run(making, index, name):
    (index / name).write_bytes(pickle.dumps(Trap()))
    with pytest.raises(IndexError_, match=name):
        making.open()
    assert not hasattr(__import__("builtins"), "trapped")


def test_objects_among_the_signals_are_refused_and_not_run(index):
    np.savez(index / "signals.npz", semantic=np.array([Trap()], dtype=object))
    with pytest.raises(IndexError_, match=r"signals\.npz"):
        rebuild_graph(index)
    assert not hasattr(__import__("builtins"), "trapped")


@pytest.mark.parametrize("name", sorted(FILES - {"vectors.faiss", "vectors.hnsw", "embedder_probe.npy"}))
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "noise"])
def test_a_damaged_file_is_refused_by_its_name(index, name, damage):
    path = index / name
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "cut": content[:40], "noise": b"\x93NUMPY\xff" * 9}[damage])
    with pytest.raises(IndexError_, match=name) as caught:
        rebuild_graph(index)
    assert caught.value.exit_code == 4


def header(shape, kind="<f4"):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    return file.getvalue()


@pytest.mark.parametrize("shape", [(10**12, 10**6), (2**40,), (0, 2**62), (2**63, 2**63)])
def test_a_size_that_the_file_does_not_bear_out_is_refused_without_memory(making, index, shape):
    (index / "embeddings.npy").write_bytes(header(shape))
    with pytest.raises(IndexError_, match=r"embeddings\.npy"):
        making.open()


def test_packed_signals_are_refused_unread(index):
    with zipfile.ZipFile(index / "signals.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("semantic.npy", header((10**6, 3), "<f8") + bytes(24 * 10**6))
    with pytest.raises(IndexError_, match="packed"):
        rebuild_graph(index)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("edges.npy", np.array([[0.0, 99.0, 1.0]]), "not there"),
        ("edges.npy", np.array([[1.0, 0.0, 1.0]]), "not there"),
        ("edges.npy", np.array([[0.0, 1.0, np.nan]]), "not there"),
        ("edges.npy", np.array([[0.0, 1.0, -1.0]]), "not there"),
        ("edges.npy", np.array([[0.0, 0.5, 1.0]]), "not there"),
        ("edges.npy", np.array([[0.0, 1.0]]), "three columns"),
        ("edges.npy", np.array([[0, 1, 1]]), "int64"),
        ("embeddings.npy", np.ones((2, 24), np.float32), "2 rows for 6 chunks"),
        ("embeddings.npy", np.full((6, 24), np.nan, np.float32), "no number"),
        ("spectral.npy", np.ones((5, 2), np.float32), "5 rows for 6 chunks"),
        ("eigenvalues.npy", np.ones(99), "columns of spectral"),
        ("question_owners.npy", np.array([99]), "not there"),
    ],
)
def test_files_that_contradict_each_other_are_refused(making, index, name, value, says):
    np.save(index / name, value)
    with pytest.raises(IndexError_, match=says):
        making.open()


@pytest.mark.parametrize(
    "content",
    [b"{}", b"[1]", b'[{"id": "a"}]', b'[{"id":"a","doc_id":"d","text":"t","position":"0"}]', b"[" * 100_000],
)
def test_chunks_of_another_shape_are_refused(making, index, content):
    (index / "chunks.json").write_bytes(content)
    with pytest.raises(IndexError_, match=r"chunks\.json"):
        making.open()


@pytest.mark.parametrize("content", [b"{" * 100_000, b"[]", b'{"hops": "many"}', b"\xff"])
def test_settings_that_cannot_be_read_are_refused(making, index, content):
    (index / "settings.json").write_bytes(content)
    with pytest.raises(IndexError_, match=r"settings\.json"):
        making.open()


@pytest.mark.parametrize("name", ["info.json", "chunks.json", "edges.npy", "signals.npz"])
@pytest.mark.parametrize("link", [False, True])
def test_a_pipe_or_device_is_refused_and_not_read(making, index, name, link):
    (index / name).unlink()
    if link:
        (index / name).symlink_to("/dev/zero")
    else:
        os.mkfifo(index / name)
    with pytest.raises(IndexError_, match="no regular file") as caught:
        making.open()
    assert caught.value.exit_code == 4


@pytest.mark.parametrize("becomes", ["nothing", "a folder"])
def test_an_index_without_its_account_is_damaged(making, index, becomes):
    (index / "info.json").unlink()
    if becomes == "a folder":
        (index / "info.json").mkdir()
    for ask in (making.open, lambda: read_account(index)):
        with pytest.raises(IndexError_, match=r"info\.json .* cannot be read") as caught:
            ask()
        assert caught.value.code == "archive_corrupt"


@pytest.mark.parametrize("header", [b"{'descr': ('<f8'", b"(" * 5000, b"'", b"\x00"])
@pytest.mark.parametrize("name", ["edges.npy", "signals.npz"])
def test_an_array_whose_header_is_no_literal_is_refused(making, index, name, header):
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    (index / name).write_bytes(array)
    if name == "signals.npz":
        with zipfile.ZipFile(index / name, "w") as archive:
            archive.writestr("semantic.npy", array)
    with pytest.raises(IndexError_, match=name):
        rebuild_graph(index)


def test_a_folder_that_may_not_be_looked_into_is_a_typed_error(making, index, monkeypatch):
    real = os.stat

    def stat(path, *more, **named):
        if str(path).startswith(f"{index}{os.sep}"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *more, **named)

    monkeypatch.setattr("os.stat", stat)
    with pytest.raises(IndexError_, match="is not the folder of an index") as caught:
        making.open()
    assert caught.value.exit_code == 4


def test_settings_larger_than_any_are_refused(making, index):
    (index / "settings.json").write_bytes(b" " * 1_000_001)
    with pytest.raises(IndexError_, match=r"settings.json is larger"):
        making.open()


def test_what_a_later_release_added_is_passed_over(making, index):
    edit(index, "settings.json", new_setting=1)
    chunks = json.loads((index / "chunks.json").read_text())
    (index / "chunks.json").write_text(json.dumps([{**chunk, "new": 1} for chunk in chunks]))
    assert len(making.open().chunks) == 6


def test_a_later_format_is_refused_with_the_advice_to_upgrade(making, index):
    edit(index, "info.json", format_version=3)
    with pytest.raises(IndexError_, match="upgrade") as caught:
        making.open()
    assert caught.value.code == "archive_version"


def test_an_earlier_format_is_read(making, index):
    edit(index, "info.json", format_version=1)
    assert len(making.open().chunks) == 6


@pytest.mark.parametrize("version", [None, "2", 0, True, 2.5])
def test_a_format_version_that_is_none_is_refused(making, index, version):
    edit(index, "info.json", format_version=version)
    with pytest.raises(IndexError_, match="format_version"):
        making.open()


def test_a_folder_of_something_else_is_no_index(making, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("x")
    with pytest.raises(IndexError_, match="name one that was built: indx graph build SPACE") as caught:
        making.open(tmp_path / "letters")
    assert caught.value.code == "archive_foreign"


def test_a_missing_folder_says_what_to_do(making):
    with pytest.raises(IndexError_, match="build an index there first: indx graph build") as caught:
        making.open()
    assert caught.value.message.endswith(f"indx graph build SPACE --out {making.folder}")
    assert caught.value.code == "archive_missing"


def test_opening_and_asking_change_nothing_on_the_disk(making, index, files):
    making.folder.rename(making.folder.with_name("index.old"))
    before = files(making.folder.parent)
    with pytest.warns(UserWarning, match="missing"):
        making.open().retrieve("Where is the seat?")
    assert files(making.folder.parent) == before


def test_opening_embeds_the_fixed_sentence_once(making, index):
    embed = making.Toy()
    SpectRAGRetrieval(index, embed_fn=embed)
    assert embed.asked == ["The quick brown fox jumps over the lazy dog."]


def test_an_embedder_of_another_size_is_refused(index, making):
    with pytest.raises(EmbedderError, match="24 numbers and 'custom:Toy' makes 16"):
        SpectRAGRetrieval(index, embed_fn=making.Toy(16))


def test_an_embedder_of_the_same_size_and_another_kind_is_refused(index, making):
    with pytest.raises(EmbedderError, match="another embedder") as caught:
        SpectRAGRetrieval(index, embed_fn=making.Toy(salt="other"))
    assert caught.value.code == "embedder_mismatch"
    assert caught.value.exit_code == 4


def test_hash_and_a_hosted_768_are_told_apart(making):
    making.ingest(embed_fn=None, embedder="hash")
    with pytest.raises(EmbedderError, match="another embedder"):
        making.open(embed_fn=making.Toy(768))


@pytest.mark.parametrize(("turn", "passes"), [(0.0, True), (0.10, True), (0.20, False)])
def test_small_differences_are_tolerated_down_to_a_cosine_of_099(making, index, turn, passes):
    probe = np.load(index / "embedder_probe.npy")
    aside = np.zeros_like(probe)
    aside[int(np.argmin(np.abs(probe)))] = 1.0
    aside -= (aside @ probe) * probe
    aside /= np.linalg.norm(aside)
    np.save(index / "embedder_probe.npy", (np.cos(turn) * probe + np.sin(turn) * aside).astype(np.float32))
    if passes:
        assert making.open().chunks
    else:
        with pytest.raises(EmbedderError):
            making.open()


def test_a_fingerprint_that_is_no_number_is_refused(making, index):
    np.save(index / "embedder_probe.npy", np.full(24, np.nan, np.float32))
    with pytest.raises(EmbedderError):
        making.open()


def test_an_index_without_a_fingerprint_opens_and_the_log_says_it_was_not_checked(making, index, caplog):
    (index / "embedder_probe.npy").unlink()
    with caplog.at_level(logging.WARNING, "indx.graph"):
        opened = SpectRAGRetrieval(index, embed_fn=making.Toy(24, salt="other"))
    assert len(opened.chunks) == 6
    assert "not checked" in caplog.text


class Named:
    """An embedder that is an object."""

    def __init__(self, toy):
        self._toy = toy

    def __call__(self, texts):
        return self._toy(texts)


def test_a_function_of_ones_own_is_saved_by_name_and_given_again(making):
    kinds = {
        "custom:toy": making.toy,
        "custom:Named": Named(making.toy),
        "custom:Toy": functools.partial(functools.partial(making.Toy())),
        "custom:<lambda>": lambda texts: making.toy(texts),
    }
    for name, function in kinds.items():
        making.ingest(embed_fn=function)
        settings = (making.folder / "settings.json").read_text()
        assert json.loads(settings)["embedder"] == name == f"custom:{custom_name(function)}"
        assert len(SpectRAGRetrieval(making.folder, embed_fn=function).chunks) == 6
        with pytest.raises(EmbedderError, match="embed_fn"):
            SpectRAGRetrieval(making.folder)


def test_the_hash_embedder_has_768_numbers_and_offers_no_space():
    rows = HashedTexts().embed(["alpha beta", "alpha beta", "gamma", "--", "東京"], "document")
    assert rows.shape == (5, DIMENSION) == (5, 768)
    np.testing.assert_array_equal(rows[0], rows[1])
    np.testing.assert_allclose(np.linalg.norm(rows[[0, 2, 4]], axis=1), 1, atol=1e-6)
    assert not rows[3].any()
    assert rows[0] @ rows[2] < 0.3


def test_the_hash_embedder_never_changes():
    row = HashedTexts().embed(["frozen words"], "query")[0]
    found = [(int(place), round(float(row[place]), 4)) for place in np.flatnonzero(row)[:3]]
    assert found == [(27, 0.2582), (41, -0.2582), (171, -0.3651)]


def test_an_unknown_embedder_is_refused_with_those_there_are(making):
    with pytest.raises(ConfigurationError, match=r"there are .*hash.*nomic-embed-text") as caught:
        making.ingest(embed_fn=None, embedder="nothing-like-it")
    assert caught.value.exit_code == 3
    assert not making.folder.exists()
