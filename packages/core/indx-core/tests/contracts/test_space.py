"""The models of a knowledge space: IDs, names, mutability, and what stands in `index.json`."""

from __future__ import annotations

import json
import pickle
import unicodedata
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from indx_core.contracts import (
    Chunk,
    Document,
    Relation,
    RelationType,
    SearchHit,
    Source,
    SpaceStats,
    StageErrorRecord,
    chunk_id,
    document_id,
    index_schema,
)

SOURCE = Source(path="policies/data/retention.pdf", folder="policies/data", type="policy")


def chunk(**members: object) -> Chunk:
    return Chunk.model_validate(
        {"id": "c", "doc_id": "d", "position": 1, "text": "t", "source": SOURCE, **members}
    )


def conforms(part: str, value: object) -> bool:
    schema = {**index_schema(), "$ref": f"#/$defs/{part}"}
    for key in ("type", "required", "properties"):
        del schema[key]
    return Draft202012Validator(schema).is_valid(value)


def test_ids_are_pinned() -> None:
    assert document_id("policies/data/retention.pdf") == "d896a28def9bc62e"
    assert chunk_id("0e1f2a3b4c5d6e7f", 1) == "c43c9f3b2927cd00"


@given(st.text(min_size=1))
def test_a_document_id_is_sixteen_hex_digits_of_the_composed_path(path: str) -> None:
    found = document_id(path)
    assert len(found) == 16
    assert set(found) <= set("0123456789abcdef")
    assert document_id(unicodedata.normalize("NFD", path)) == document_id(unicodedata.normalize("NFC", path))


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_chunks_of_one_document_have_ids_of_their_own(first: int, second: int) -> None:
    assert (chunk_id("d", first) == chunk_id("d", second)) is (first == second)


def test_a_chunk_has_the_canonical_keys() -> None:
    assert json.loads(chunk().model_dump_json()) == {
        "id": "c",
        "doc_id": "d",
        "position": 1,
        "text": "t",
        "prev_id": None,
        "next_id": None,
        "source": {"path": "policies/data/retention.pdf", "folder": "policies/data", "type": "policy"},
        "metadata": {},
        "relations": [],
    }


def test_a_chunk_also_answers_index_and_neighbors() -> None:
    middle = chunk(prev_id="a", next_id="b")
    assert middle.index == middle.position == 1
    assert middle.neighbors == ["a", "b"]
    assert chunk(next_id="b").neighbors == ["b"]
    assert chunk().neighbors == []


def test_a_document_also_answers_type_folder_and_source() -> None:
    document = Document(id="d", path="policies/data/retention.pdf", doc_type="policy")
    assert (document.type, document.folder, document.source) == ("policy", "policies/data", SOURCE)
    assert Document(id="d", path="a.txt").folder == ""
    assert {"type", "folder", "source"}.isdisjoint(document.model_dump())


def test_derived_names_cannot_be_assigned() -> None:
    with pytest.raises(AttributeError):
        Document(id="d", path="a").type = "policy"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        chunk().index = 3  # type: ignore[misc]


def test_models_are_mutable() -> None:
    document = Document(id="d", path="a")
    document.topics = ["retention"]
    document.chunk_ids.append("c")
    document.summary = "short"
    assert document.model_dump()["topics"] == ["retention"]
    assert document.model_dump()["summary"] == "short"


def test_a_vector_lives_in_memory_only() -> None:
    one = chunk()
    assert one.embedding is None
    one.embedding = array("f", [1.0, 2.0])
    assert one.embedding[1] == 2.0
    assert "embedding" not in one.model_dump()
    assert "embedding" not in one.model_dump_json()
    assert "embedding" not in repr(one)
    assert one == chunk()
    assert one != chunk(text="other")
    assert one != "chunk"


def test_a_summary_is_written_as_a_string_or_not_at_all() -> None:
    assert "summary" not in Document(id="d", path="a").model_dump(mode="json")
    wire = chunk(metadata={"summary": None, "topics": ["x"], "page": None}).model_dump(mode="json")
    assert wire["metadata"] == {"topics": ["x"], "page": None}
    assert chunk(metadata={"summary": "s"}).model_dump(mode="json")["metadata"] == {"summary": "s"}


def test_unknown_keys_are_kept() -> None:
    wire = {**chunk().model_dump(mode="json"), "later": {"a": 1}}
    assert Chunk.model_validate(wire).model_dump(mode="json") == wire
    assert Chunk.model_validate(wire) != chunk()


def test_an_unknown_key_named_like_a_property_does_not_shadow_it() -> None:
    document = Document.model_validate({"id": "d", "path": "a/b", "type": "stray", "doc_type": "policy"})
    assert document.type == "policy"


def test_only_path_is_mandatory_for_a_source() -> None:
    assert Source(path="a").model_dump(mode="json") == {"path": "a", "folder": "", "type": None}
    with pytest.raises(ValidationError):
        Source.model_validate({})


def test_a_relation_scores_one_unless_told_and_never_more() -> None:
    relation = Relation(src="a", dst="b", type="duplicate-of")
    assert relation.score == 1.0
    assert relation.type is RelationType.DUPLICATE_OF
    for score in (1.5, -0.1, float("nan")):
        with pytest.raises(ValidationError):
            Relation(src="a", dst="b", type="parent", score=score)


def test_the_relation_types_are_the_five_published_ones() -> None:
    published = index_schema()["$defs"]["relation"]["properties"]["type"]["enum"]
    assert [str(kind) for kind in RelationType] == published


def test_an_unknown_relation_type_is_read_and_kept() -> None:
    wire = {"src": "a", "dst": "b", "type": "cites", "score": 0.5}
    assert Relation.model_validate(wire).model_dump(mode="json") == wire


@pytest.mark.parametrize("key", ["id", "doc_id", "position", "text"])
def test_a_chunk_without_a_mandatory_key_is_refused(key: str) -> None:
    wire = chunk().model_dump(mode="json")
    del wire[key]
    with pytest.raises(ValidationError):
        Chunk.model_validate(wire)


def test_what_is_written_conforms_to_the_published_schema() -> None:
    edge = Relation(src="c", dst="b.md", type="references")
    written = chunk(relations=[edge], metadata={"topics": ["x"], "tags": [], "summary": None})
    assert conforms("chunk", written.model_dump(mode="json"))
    document = Document(id="d", path="a/b.md", lineage=["a"], references=[edge])
    assert conforms("document", document.model_dump(mode="json"))
    assert conforms("stats", SpaceStats(documents=1, types={"policy": 1}).model_dump(mode="json"))
    assert conforms("relation", edge.model_dump(mode="json"))


def test_stats_of_a_space_without_vectors_have_no_width() -> None:
    assert SpaceStats().model_dump(mode="json") == {
        "documents": 0,
        "chunks": 0,
        "relations": 0,
        "embeddings": 0,
        "types": {},
    }
    assert SpaceStats(embed_dim=256).model_dump(mode="json")["embed_dim"] == 256


def test_the_readable_name_follows_the_place_in_the_space() -> None:
    one, document = chunk(), Document(id="d", path="a")
    assert one.ordinal_id is None
    one.ordinal, document.ordinal = 481, 7
    assert (one.ordinal_id, document.ordinal_id) == ("chunk_0481", "doc_0007")
    one.ordinal = 12345
    assert one.ordinal_id == "chunk_12345"
    assert "ordinal" not in one.model_dump_json()


def test_a_chunk_built_from_trusted_values_equals_a_validated_one() -> None:
    source = Source(path="a/b.md", folder="a")
    fast = Chunk.trusted(doc_id="d", position=2, text="t", source=source, prev_id="p", ordinal=3)
    assert fast.id == chunk_id("d", 2)
    assert fast.ordinal_id == "chunk_0003"
    assert Chunk.model_validate(fast.model_dump(mode="json")) == fast
    assert Chunk.trusted(doc_id="d", position=0, text="", source=source).metadata is not fast.metadata


def test_a_chunk_survives_the_way_to_another_process() -> None:
    one = chunk()
    one.ordinal = 5
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.ordinal_id == "chunk_0005"


def test_a_hit_brings_its_source_and_its_neighbours() -> None:
    hit = SearchHit(chunk=chunk(), score=0.5, source=SOURCE, neighbors=[chunk(id="n")], mode="semantic")
    assert hit.source.path == "policies/data/retention.pdf"
    assert hit.neighbors[0].id == "n"
    assert set(hit.model_dump()) == {"chunk", "score", "source", "neighbors", "mode"}


def test_an_error_record_names_stage_path_code_and_message() -> None:
    record = {"stage": "parse", "path": "a.pdf", "code": "source_encrypted", "message": "m"}
    assert StageErrorRecord.model_validate(record).model_dump() == record


def test_documents_and_chunks_are_equal_whatever_their_place_in_traversal_order():
    one, two = Document(id="a" * 16, path="a.md"), Document(id="a" * 16, path="a.md")
    one.ordinal, two.ordinal = 1, 2
    assert one == two
    assert one != Document(id="b" * 16, path="b.md")
