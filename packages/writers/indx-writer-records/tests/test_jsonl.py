"""The lines of `chunks.jsonl`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indx_core.canonical import canonical_json
from indx_core.contracts.space import Relation, RelationType
from indx_core.errors import BuildError
from indx_testkit.spaces import MemorySpace, small_space
from indx_writer_records import jsonl_writer


def written(space: MemorySpace, folder: Path) -> list[bytes]:
    target = folder / "chunks.jsonl"
    jsonl_writer().write(space, target)
    data = target.read_bytes()
    assert data.endswith(b"\n") or not data
    return data.split(b"\n")[:-1]


def test_a_line_is_the_canonical_json_of_its_chunk(tmp_path: Path) -> None:
    space = small_space()
    space.chunks[0].relations.append(
        Relation(src=space.chunks[0].id, dst="b.md", type=RelationType.REFERENCES, score=0.5)
    )
    expected = [canonical_json(chunk.model_dump(mode="json")) for chunk in space.chunks]
    assert written(space, tmp_path) == expected


def test_a_line_names_its_document_and_holds_no_vector(tmp_path: Path) -> None:
    first = json.loads(written(small_space(), tmp_path)[0])
    assert first["source"]["path"] == "guide/install.md"
    assert first["doc_id"]
    assert "embedding" not in first


def test_a_text_with_line_breaks_stays_on_its_line(tmp_path: Path) -> None:
    text = "one\ntwo\r\nthree\u2028four\u0085five"
    (line,) = written(MemorySpace({"a.txt": [text]}), tmp_path)
    assert json.loads(line)["text"] == text


def test_a_space_without_chunks_gives_an_empty_file(tmp_path: Path) -> None:
    assert written(MemorySpace({}), tmp_path) == []


def test_a_file_that_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "chunks.jsonl").write_text("mine")
    with pytest.raises(FileExistsError):
        written(small_space(), tmp_path)
    assert (tmp_path / "chunks.jsonl").read_text() == "mine"


@pytest.mark.parametrize("value", ["\ud800", {"deep": object()}, 2**70])
def test_a_chunk_that_json_cannot_hold_is_refused_by_name(value: object, tmp_path: Path) -> None:
    space = small_space()
    space.chunks[1].metadata["note"] = value
    with pytest.raises(BuildError, match=r"chunk '[0-9a-f]{16}' of 'guide/install\.md' cannot be written"):
        written(space, tmp_path)
