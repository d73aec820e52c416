"""The archive: an ordinary ZIP whose vectors are mapped where they lie, opened lazily and kept whole."""

from __future__ import annotations

import gc
import hashlib
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from indx_core.contracts.space import Relation
from indx_core.errors import ArchiveError, UsageError
from indx_space import KnowledgeSpace, pack, verify_archive
from indx_space.stored import StoredChunk
from indx_testkit.lazy import run_python


def offset_of(archive: Path, name: str) -> int:
    """Where the content of a member begins, by the standard library."""
    with zipfile.ZipFile(archive) as opened:
        info = opened.getinfo(name)
        header = archive.read_bytes()[info.header_offset :][:30]
    return (
        info.header_offset
        + 30
        + int.from_bytes(header[26:28], "little")
        + int.from_bytes(header[28:30], "little")
    )


def test_it_is_a_zip_that_any_tool_reads(making) -> None:
    archive = making.pack()
    with zipfile.ZipFile(archive) as opened:
        assert opened.testzip() is None
        names = opened.namelist()
        assert len(names) == len(set(names))
        assert opened.read("index.json") == (archive.parent / "index.json").read_bytes()
        for name in names:
            if name.startswith(("chunks/", "embeddings/")):
                assert opened.read(name) == (archive.parent / name).read_bytes()
        assert {info.date_time for info in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.external_attr >> 16 for info in opened.infolist()} == {0o100644}


def test_the_manifest_states_size_and_sha256_of_every_other_member(making) -> None:
    with zipfile.ZipFile(making.pack()) as opened:
        manifest = json.loads(opened.read("manifest.json"))
        assert manifest["indx_version"] == "1.0"
        assert manifest["tool_version"] == "indx 0.1.0"
        stated = {
            name: {"sha256": hashlib.sha256(opened.read(name)).hexdigest(), "size": len(opened.read(name))}
            for name in opened.namelist()
            if name != "manifest.json"
        }
        assert manifest["members"] == stated


def test_the_embedding_manifest_maps_rows_to_chunks(making) -> None:
    space = making.space()
    archive = making.pack(space)
    manifest = json.loads((archive.parent / "embeddings/manifest.json").read_bytes())
    assert manifest == {
        "model": None,
        "space": "toy",
        "dim": 16,
        "count": 6,
        "dtype": "<f4",
        "backend": "toy",
        "fingerprint": "toy-1",
        "ids": list(space.vectors().ids),
    }
    written = np.fromfile(archive.parent / "embeddings/vectors.f32", dtype="<f4").reshape(6, 16)
    assert np.array_equal(written, space.vectors().values)


def test_mapped_members_are_stored_and_aligned(making) -> None:
    archive = making.pack()
    with zipfile.ZipFile(archive) as opened:
        mapped = [i for i in opened.infolist() if i.compress_type == zipfile.ZIP_STORED]
    assert {info.filename.partition("/")[0] for info in mapped} == {"embeddings", "lexical"}
    assert [offset_of(archive, info.filename) % 64 for info in mapped] == [0] * len(mapped)


def test_vectors_are_read_where_they_lie_in_the_file(making) -> None:
    archive = making.pack()
    space = KnowledgeSpace.load(archive)
    values = space.vectors().values
    assert not values.flags.owndata
    assert not values.flags.writeable
    with archive.open("r+b") as file:
        file.seek(offset_of(archive, "embeddings/vectors.f32"))
        file.write(np.array([42.0], dtype="<f4").tobytes())
    assert values[0, 0] == 42.0
    assert space.chunks[0].embedding[0] == 42.0
    assert np.shares_memory(space.chunks[0].embedding, values)


def test_opening_makes_no_object_and_reads_no_vector(making, monkeypatch) -> None:
    archive = making.pack()
    made = []
    validate = StoredChunk.model_validate
    monkeypatch.setattr(StoredChunk, "model_validate", lambda raw: made.append(raw["id"]) or validate(raw))
    space = KnowledgeSpace.load(archive)
    assert space.stats.chunks == 7
    assert len(space.documents(type="policy")) == 1
    assert space.vectors().values.shape == (6, 16)
    assert (made, space.chunks.made, space.documents_.made) == ([], 0, 1)
    hits = space.search("enterprise data", mode="lexical", k=1)
    assert made == [hits[0].chunk.id, hits[0].neighbors[0].id]
    assert space.chunks[5] is hits[0].chunk


def test_opening_and_a_search_by_words_load_no_numpy(making) -> None:
    archive = making.pack()
    code = (
        f"import sys, indx_space; space = indx_space.KnowledgeSpace.load({str(archive)!r});"
        "hits = space.search('alpha', mode='lexical'); space.stats;"
        "print(hits[0].chunk.text, 'numpy' in sys.modules, 'importlib_metadata' in sys.modules)"
    )
    assert run_python(code).strip() == "Then configure the alpha setting. False False"


def test_a_space_is_the_same_after_it_was_opened(making) -> None:
    space = making.space()
    again = KnowledgeSpace.load(making.pack(space))
    assert again == space
    assert list(again.vectors().ids) == list(space.vectors().ids)
    assert np.array_equal(again.vectors().values, space.vectors().values)
    assert again.vector_facts == space.vector_facts
    assert again.chunks[0].embedding.tolist() == space.chunks[0].embedding.tolist()
    assert again.chunks[4].embedding is None
    assert again.chunk("chunk_0003").text == space.chunks[3].text


def test_saving_what_was_opened_gives_the_same_bytes(making) -> None:
    archive = making.pack()
    copy = making.folder / "copy.indx"
    KnowledgeSpace.load(archive).save(copy)
    assert copy.read_bytes() == archive.read_bytes()
    touched = KnowledgeSpace.load(archive)
    assert list(touched.chunks)
    assert list(touched.documents)
    touched.save(archive)
    assert copy.read_bytes() == archive.read_bytes()


def test_what_this_release_does_not_know_is_kept(making) -> None:
    space = making.space()
    space.later = {"a": [1]}
    space.metadata["custom"] = "kept"
    space.chunks[0].marks = ["x"]
    space.documents[0].owner = "me"
    space.documents[0].references.append(Relation(src="a", dst="b", type="cites", score=0.5))
    path = making.folder / "a.indx"
    space.save(path)
    KnowledgeSpace.load(path).save(making.folder / "b.indx")
    again = KnowledgeSpace.load(making.folder / "b.indx")
    assert again == space
    assert again.later == {"a": [1]}
    assert again.chunks[0].marks == ["x"]
    assert again.documents[0].references[0].type == "cites"
    assert again.metadata["custom"] == "kept"


def test_changes_after_opening_are_saved(making) -> None:
    space = KnowledgeSpace.load(making.pack())
    space.chunks[0].text = "Entirely new words."
    space.chunks[1].embedding = np.full(16, 0.25, dtype=np.float32)
    making.add(space, "new.md", ["A fresh document."])
    path = making.folder / "changed.indx"
    space.save(path)
    again = KnowledgeSpace.load(path, verify=True)
    assert again.chunks[0].text == "Entirely new words."
    assert again.vectors().values[1].tolist() == [0.25] * 16
    assert again.vectors().values[0].tolist() == space.chunks[0].embedding.tolist()
    assert [d.path for d in again.documents][-1] == "new.md"
    assert again.stats.embeddings == 6
    assert [hit.chunk.text for hit in again.search("fresh", mode="lexical")] == ["A fresh document."]


def test_a_space_without_vectors_or_without_anything_is_kept_too(making) -> None:
    for number, space in enumerate((making.space(embed=False), making.space({}), KnowledgeSpace(root="/x"))):
        path = making.folder / f"{number}.indx"
        space.save(path)
        again = KnowledgeSpace.load(path, verify=True)
        assert again == space
        assert again.vectors() is None or not len(again.vectors().ids)
        assert again.search("anything", mode="lexical") == []


def test_the_moment_of_members_is_that_of_the_environment(making, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    with zipfile.ZipFile(making.pack()) as opened:
        assert {info.date_time for info in opened.infolist()} == {(2023, 11, 14, 22, 13, 20)}


@pytest.mark.parametrize(
    ("seconds", "year"), [("0", 1980), ("4354819200", 2107), ("99999999999", 2107), ("1", 1980)]
)
def test_moments_the_format_cannot_state_are_brought_into_its_range(
    making, monkeypatch, seconds, year
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", seconds)
    making.space().save(making.folder / "a.indx")
    with zipfile.ZipFile(making.folder / "a.indx") as opened:
        assert opened.infolist()[0].date_time[0] == year


def test_a_moment_that_is_no_number_is_refused(making, monkeypatch) -> None:
    from indx_core.errors import ConfigurationError

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(ConfigurationError, match="SOURCE_DATE_EPOCH: 'yesterday'"):
        making.space().save(making.folder / "a.indx")


def test_a_closed_space_gives_no_further_vectors(making) -> None:
    archive = making.pack()
    with KnowledgeSpace.load(archive) as space:
        row = space.chunks[0].embedding
        kept = row.tolist()
    assert row.tolist() == kept
    assert space.chunks[0].embedding is row
    assert space.chunks[1].text
    with pytest.raises(ValueError, match="closed"):
        space.vectors()
    with pytest.raises(ValueError, match="closed"):
        _ = space.chunks[1].embedding
    space.close()


def test_a_space_that_is_closed_or_dropped_leaves_no_file_open(making) -> None:
    archive = making.pack()

    def open_files() -> int:
        maps = Path("/proc/self/maps").read_text()
        return maps.count("handbook.indx") + len(list(Path("/proc/self/fd").iterdir()))

    before = open_files()
    for _ in range(20):
        with KnowledgeSpace.load(archive) as space:
            assert space.vectors().values.any()
            assert space.search("alpha", mode="lexical")
        space = KnowledgeSpace.load(archive)
        assert space.chunks[0].embedding is not None
        with pytest.raises(ArchiveError):
            KnowledgeSpace.load(archive.parent / "index.json")
    del space
    gc.collect()
    assert open_files() <= before + 1


def test_a_directory_that_may_not_be_read_is_a_typed_error(making, monkeypatch) -> None:
    def refuse(self) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(ArchiveError, match="cannot be looked into: Permission denied") as caught:
        KnowledgeSpace.load(making.folder)
    assert caught.value.code == "archive_missing"


def test_an_open_space_outlives_the_next_build(making) -> None:
    archive = making.pack()
    space = KnowledgeSpace.load(archive)
    before = space.vectors().values.copy()
    making.pack(making.space({"other.md": ["Something else."]}))
    assert np.array_equal(space.vectors().values, before)
    assert space.chunks[0].text == "Install the tool first."
    assert KnowledgeSpace.load(archive).chunks[0].text == "Something else."


def test_an_output_directory_opens_as_its_archive(making) -> None:
    archive = making.pack()
    assert KnowledgeSpace.load(archive.parent) == KnowledgeSpace.load(str(archive))
    making.pack(making.space({"b.md": ["second"]}), name="second")
    assert KnowledgeSpace.load(archive.parent).chunks[0].text == "second"
    (archive.parent / "index.json").write_text("{}")
    assert KnowledgeSpace.load(archive.parent).chunks[0].text == "Install the tool first."
    archive.rename(archive.with_name("first.indx"))
    with pytest.raises(ArchiveError, match=r"'first.indx', 'second.indx': name one"):
        KnowledgeSpace.load(archive.parent)


@pytest.mark.parametrize("use", ["load", "verify", "save", "pack"])
def test_an_empty_path_is_not_the_current_folder(making, monkeypatch, use) -> None:
    with KnowledgeSpace.load(making.pack()) as space:
        space.chunks[0].text = "changed"
        folder = making.pack().parent
        monkeypatch.chdir(folder)
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        uses = {
            "load": KnowledgeSpace.load,
            "verify": verify_archive,
            "save": space.save,
            "pack": lambda path: pack(space, path),
        }
        with pytest.raises(UsageError, match=r"the path is empty; name one, or '\.' for the current folder"):
            uses[use]("")
        assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_a_member_that_another_tool_packed_is_still_read(making) -> None:
    archive = making.pack()
    packed = making.folder / "packed.indx"
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, source.read(name))
    original, again = KnowledgeSpace.load(archive), KnowledgeSpace.load(packed, verify=True)
    assert np.array_equal(again.vectors().values, original.vectors().values)
    assert again.search("alpha", mode="lexical") == original.search("alpha", mode="lexical")


def test_verifying_counts_what_it_checked(making) -> None:
    archive = making.pack()
    with zipfile.ZipFile(archive) as opened:
        others = [info for info in opened.infolist() if info.filename != "manifest.json"]
    assert verify_archive(archive) == (len(others), sum(info.file_size for info in others))
    assert verify_archive(archive.parent).members == len(others)
