"""The written form of a space: equal to the dump of its models, ordered, stable, and always UTF-8 JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from indx_core.contracts import index_schema
from indx_core.contracts.space import Chunk, Document, Relation, Source
from indx_core.errors import BuildError
from indx_space import KnowledgeSpace
from indx_space.records import Recorder, chunk_record, document_record, index_lines, parts, relation_record
from indx_testkit.lazy import run_python

texts = st.text(st.characters(codec="utf-8"), max_size=20)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
extras = st.dictionaries(st.sampled_from(["later", "zz", "a"]), values, max_size=2)
sources = st.builds(
    lambda extra, **kw: Source(**kw, **extra), extras, path=texts, folder=texts, type=st.none() | texts
)
relations = st.builds(
    lambda extra, **kw: Relation(**kw, **extra),
    extras,
    src=texts,
    dst=texts,
    type=st.sampled_from(["sibling", "continues", "cites"]),
    score=st.floats(0, 1),
)
metadata = st.dictionaries(st.sampled_from(["summary", "topics", "page", "bbox"]) | texts, values, max_size=4)
chunks = st.builds(
    lambda extra, **kw: Chunk(**kw, **extra),
    extras,
    id=texts,
    doc_id=texts,
    position=st.integers(0, 9),
    text=texts,
    prev_id=st.none() | texts,
    next_id=st.none() | texts,
    source=sources,
    metadata=metadata,
    relations=st.lists(relations, max_size=2),
)
documents = st.builds(
    lambda extra, **kw: Document(**kw, **extra),
    extras,
    id=texts,
    path=texts,
    lineage=st.lists(texts, max_size=2),
    doc_type=st.none() | texts,
    topics=st.lists(texts, max_size=2),
    summary=st.none() | texts,
    references=st.lists(relations, max_size=2),
)


@given(chunks, documents, relations)
def test_a_record_is_the_dump_of_its_model(chunk: Chunk, document: Document, relation: Relation) -> None:
    assert chunk_record(chunk) == chunk.model_dump(mode="json")
    assert document_record(document) == document.model_dump(mode="json")
    assert relation_record(relation) == relation.model_dump(mode="json")


@settings(max_examples=25)
@given(
    st.lists(chunks, max_size=4, unique_by=lambda c: c.id),
    st.lists(documents, max_size=3, unique_by=lambda d: d.id),
)
def test_what_is_saved_is_loaded_again(tmp_path_factory, some_chunks, some_documents) -> None:
    space = KnowledgeSpace(root="/r", chunks=some_chunks, documents=some_documents, metadata={"config": {}})
    path = tmp_path_factory.mktemp("saved") / "a.indx"
    space.save(path)
    with KnowledgeSpace.load(path) as again:
        assert again.model_dump(mode="json") == space.model_dump(mode="json")
        again.save(path.with_name("b.indx"))
    assert path.read_bytes() == path.with_name("b.indx").read_bytes()


class Noted(Chunk):
    """A chunk as another program extends it."""

    note: str = "n"


def test_a_model_of_another_program_is_written_with_what_it_adds() -> None:
    chunk = Noted(id="c", doc_id="d", position=0, text="t")
    assert chunk_record(chunk)["note"] == "n"


def read(archive: Path) -> dict:
    return json.loads((archive.parent / "index.json").read_bytes())


def test_the_index_fits_the_published_schema(making) -> None:
    for options in ({}, {"embeddings": False}):
        index = read(making.pack(making.space(), making.folder / f"out{len(options)}", **options))
        Draft202012Validator(index_schema()).validate(index)
        assert {"version", "root", "documents", "chunks", "metadata", "stats", "relations"} == set(index)


@pytest.mark.parametrize("key", ["version", "root", "documents", "chunks"])
def test_the_schema_wants_the_mandatory_members(making, key: str) -> None:
    index = read(making.pack())
    del index[key]
    assert not Draft202012Validator(index_schema()).is_valid(index)


def test_the_index_holds_no_vector(making) -> None:
    assert "embedding" not in keys_of(read(making.pack()))


def keys_of(value) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for item in value.values() for key in keys_of(item)}
    return {key for item in value for key in keys_of(item)} if isinstance(value, list) else set()


def test_the_index_is_sorted_and_has_one_record_a_line(making) -> None:
    text = (making.pack().parent / "index.json").read_text("utf-8")
    assert json.dumps(json.loads(text), sort_keys=True) == json.dumps(json.loads(text))
    lines = text.splitlines()
    assert sum(line.startswith('{"doc_id"') for line in lines) == 7
    assert text.endswith("\n}\n")
    assert "東京の天気" in text


def test_metadata_say_what_made_the_space(making) -> None:
    metadata = read(making.pack())["metadata"]
    assert metadata == {
        "tool_version": "indx 0.1.0",
        "created_at": "2026-06-06T12:00:00Z",
        "embedder": {"name": "toy", "dim": 16},
        "config": {"walk": {"hidden": False}},
        "errors": [],
    }


def test_the_moment_is_that_of_the_environment_where_it_states_one(making, monkeypatch) -> None:
    from indx_space.packing import now, pack, tool_version

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    space = making.space()
    pack(space, making.folder / "out")
    assert space.metadata["created_at"] == "2023-11-14T22:13:20Z"
    assert space.metadata["tool_version"] == tool_version()
    assert tool_version().startswith("indx 0.")
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert now().year >= 2024


def test_without_vectors_nothing_speaks_of_an_embedder(making) -> None:
    archive = making.pack(making.space(), embeddings=False)
    index = read(archive)
    assert "embedder" not in index["metadata"]
    assert "embed_dim" not in index["stats"]
    assert index["stats"]["embeddings"] == 0
    assert not (archive.parent / "embeddings").exists()
    assert KnowledgeSpace.load(archive).vectors() is None


def test_text_that_utf8_cannot_hold_is_replaced_and_said(making) -> None:
    space = making.space({"bad\udcff.md": ["nul \x00 and \ud800 half"], "good.md": ["fine"]})
    archive = making.pack(space)
    index = read(archive)
    assert index["chunks"][0]["text"] == "nul � and � half"
    assert index["chunks"][1]["text"] == "fine"
    assert [(e["stage"], e["path"], e["code"]) for e in index["metadata"]["errors"]] == [
        ("Pack", "bad�.md", "text_replaced")
    ]
    assert KnowledgeSpace.load(archive, verify=True).chunks[0].source.path == "bad�.md"


@pytest.mark.parametrize("value", [2**70, {1: "x"}, object(), {"a": {1, 2}}])
def test_what_json_cannot_hold_is_refused_and_nothing_is_written(making, value) -> None:
    space = making.space()
    space.chunks[2].metadata["odd"] = value
    with pytest.raises(BuildError, match=r"日本語.*JSON"):
        making.pack(space)
    assert not (making.folder / "ready").exists()


def test_two_objects_of_one_id_are_refused(making) -> None:
    space = making.space()
    space.chunks.append(space.chunks[0].model_copy())
    with pytest.raises(BuildError, match="two chunks"):
        making.pack(space)


def test_a_chunk_file_is_the_record_and_where_it_stands(making) -> None:
    archive = making.pack()
    index = read(archive)
    folder = archive.parent / "chunks"
    assert sorted(path.name for path in folder.iterdir()) == [f"chunk_{n:04d}.json" for n in range(7)]
    files = [json.loads(path.read_bytes()) for path in sorted(folder.iterdir())]
    contexts = [file.pop("context") for file in files]
    assert files == index["chunks"]
    document = {"id": index["documents"][1]["id"], "path": "guide/日本語.txt"}
    ids = [chunk["id"] for chunk in index["chunks"]]
    assert contexts[2] == {"document": document, "next": {"id": ids[3], "file": "chunk_0003.json"}}
    assert contexts[3] == {
        "document": document,
        "prev": {"id": ids[2], "file": "chunk_0002.json"},
        "next": {"id": ids[4], "file": "chunk_0004.json"},
    }


MAKE = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from conftest import Making
space = Making(Path({folder!r})).space()
space.metadata["config"] = {{key: {{"b": 1, "a": [2]}} for key in {{"walk", "parse", "chunk", "embed"}}}}
archive = Making(Path({folder!r})).pack(space)
import hashlib
for path in sorted(p for p in archive.parent.rglob("*") if p.is_file()):
    print(path.relative_to(archive.parent), hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_every_byte_is_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    found = {
        run_python(
            MAKE.format(tests=str(Path(__file__).parent), folder=str(tmp_path / seed)), PYTHONHASHSEED=seed
        )
        for seed in ("1", "2", "77")
    }
    assert len(found) == 1
    assert "handbook.indx" in found.pop()


@given(st.lists(st.text(alphabet="ab,", max_size=5).map(lambda text: text.encode() + b"\n"), max_size=300))
def test_parts_hold_every_line_in_order(lines: list[bytes]) -> None:
    assert [line for part in parts(lines) for line in part] == lines


def test_the_index_is_written_line_by_line(making) -> None:
    for space in (making.space(), making.space({})):
        space.metadata["note"] = "two\nlines"
        lines = list(
            index_lines(space, Recorder(pytest.fail), space.stats, lambda space=space: space.metadata)
        )
        assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
        assert json.loads(b"".join(lines)) == space.model_dump(mode="json")


def test_an_edited_line_moves_no_part_but_its_own() -> None:
    lines = [b"line %d\n" % number for number in range(2000)]
    before = [b"".join(part) for part in parts(lines)]
    lines[700] = b"another\n"
    lines.insert(900, b"one more\n")
    after = [b"".join(part) for part in parts(lines)]
    assert len(before) > 10
    assert len(set(before) - set(after)) <= 3
