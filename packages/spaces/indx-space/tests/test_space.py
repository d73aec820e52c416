"""A knowledge space in memory: its collections, look-ups, counts, and how it is dumped and copied."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError

import indx_space
from indx_core.contracts import index_schema
from indx_core.contracts.space import Chunk, Document, Relation, Source, StageErrorRecord
from indx_core.errors import ArchiveError
from indx_space import KnowledgeSpace, ParsedDoc, ParsedLink, SpaceContext


def test_the_walk_through_of_the_core_objects_runs_as_written(making, toys) -> None:
    space = KnowledgeSpace.load(making.pack())
    doc: Document = space.documents(type="policy")[0]
    assert (doc.path, doc.lineage, doc.topics) == (
        "policies/data/retention.md",
        ["policies", "policies/data"],
        ["retention"],
    )
    chunks = [c for c in space.chunks if c.id in doc.chunk_ids]
    first: Chunk = chunks[0]
    assert first.text == "Enterprise data is retained for 90 days."
    assert first.neighbors == [chunks[1].id]
    src: Source = first.source
    assert src.path == doc.path
    assert [rel.type for rel in first.relations] == ["continues"]
    hits = space.search("data retained", k=5)
    assert hits[0].source.path == doc.path
    assert [neighbor.text for neighbor in hits[0].neighbors] == ["-- 2 of 121 --"]
    assert space.stats.documents == 4


def test_documents_are_a_sequence_and_a_filter_at_once(making) -> None:
    space = making.space()
    assert len(space.documents) == 4
    assert space.documents[0].path == "guide/install.md"
    assert [d.path for d in space.documents[-2:]] == ["policies/data/retention.md", "empty.txt"]
    assert [d.path for d in space.documents] == [d.path for d in space.documents()]
    assert isinstance(space.documents(), list)
    assert [d.path for d in space.documents(type="policy")] == ["policies/data/retention.md"]
    assert space.documents(type="unheard of") == []
    assert space.documents() == list(space.documents_)
    assert space.documents == space.documents()
    assert space.documents[0] is space.documents_[0]
    assert repr(space.documents) == "<4 documents>"


def test_what_a_stage_puts_into_the_list_is_in_the_space(making) -> None:
    space = making.space()
    space.documents_.append(Document(id="new", path="new.md", doc_type="guide"))
    assert space.documents(type="guide")[0].ordinal_id == "doc_0004"
    space.documents_ = [Document(id="only", path="only.md")]
    assert [d.ordinal_id for d in space.documents] == ["doc_0000"]
    space.chunks = []
    assert list(space.chunks) == []


def test_models_are_filled_in_place(making) -> None:
    space = making.space()
    space.documents[0].topics = ["alpha"]
    space.chunks[0].embedding = [1.0]
    space.metadata["note"] = "kept"
    assert space.documents_[0].topics == ["alpha"]
    assert space.chunks[0].embedding == [1.0]
    assert space.metadata["note"] == "kept"


def test_an_id_or_a_readable_name_finds_its_object(making) -> None:
    space = making.space()
    second = space.chunks[1]
    assert space.chunk(second.id) is second
    assert space.chunk("chunk_0001") is second
    assert space.document("doc_0002").path == "policies/data/retention.md"
    assert space.document(space.documents[3].id).path == "empty.txt"


@pytest.mark.parametrize(
    "key",
    ["", "chunk_", "chunk_1", "chunk_00001", "chunk_9999", "doc_0000", "chunk_-001", "chunk_٠٠٠١", "x" * 99],
)
def test_another_name_finds_no_chunk(making, key: str) -> None:
    with pytest.raises(KeyError, match=key or "''"):
        making.space().chunk(key)


def test_look_ups_follow_what_is_put_in_and_taken_out(making) -> None:
    space = making.space()
    first, second = space.chunks[0], space.chunks[1]
    assert space.chunk(second.id) is second
    del space.chunks[0]
    assert space.chunk("chunk_0000") is second
    with pytest.raises(KeyError):
        space.chunk(first.id)
    space.chunks.insert(0, first)
    assert space.chunk(first.id) is first
    second.id = "renamed"
    with pytest.raises(KeyError):
        space.chunk("nothing")


def test_stats_count_what_is_there(making) -> None:
    space = making.space()
    assert space.stats.model_dump(mode="json") == {
        "documents": 4,
        "chunks": 7,
        "relations": 4,
        "embeddings": 6,
        "embed_dim": 16,
        "types": {"policy": 1},
    }
    bare = making.space(embed=False).stats.model_dump(mode="json")
    assert bare["embeddings"] == 0
    assert "embed_dim" not in bare


def test_an_edge_counts_once_wherever_and_however_it_is_written(making) -> None:
    space = making.space({"a.md": ["one"], "b.md": ["two"]}, embed=False)
    a, b = space.documents()
    a.references = [Relation(src=a.id, dst="b.md", type="references")]
    b.referenced_by = [Relation(src="a.md", dst=b.id, type="references")]
    space.relations.append(Relation(src="doc_0000", dst=b.id, type="references", score=0.5))
    assert space.stats.relations == 1
    space.chunks[0].relations = [Relation(src=space.chunks[0].id, dst="b.md", type="references")]
    assert space.stats.relations == 2
    space.relations.append(Relation(src=a.id, dst="folder", type="parent"))
    space.relations.append(Relation(src="chunk_0000", dst=b.id, type="references"))
    assert space.stats.relations == 3


def test_stats_are_the_same_everywhere(making) -> None:
    space = making.space()
    archive = making.pack(space)
    written = json.loads((archive.parent / "index.json").read_bytes())["stats"]
    assert space.stats.model_dump(mode="json") == written
    assert KnowledgeSpace.load(archive).stats == space.stats
    assert space.model_dump(mode="json")["stats"] == written


def test_a_dump_is_the_index_and_makes_the_same_space_again(making) -> None:
    space = making.space()
    wire = space.model_dump(mode="json")
    assert set(wire) == {"version", "root", "metadata", "documents", "chunks", "relations", "stats"}
    Draft202012Validator(index_schema()).validate(wire)
    again = KnowledgeSpace.model_validate(wire)
    assert again == space
    assert again.model_dump(mode="json") | {"stats": None} == wire | {"stats": None}
    assert json.loads(space.model_dump_json()) == wire
    assert KnowledgeSpace(root="/data/docs", documents=[Document(id="d", path="a")]).documents[0].id == "d"


def test_a_space_says_its_root_and_nothing_else_is_mandatory() -> None:
    assert KnowledgeSpace(root="/x").version == "1.0"
    with pytest.raises(ValidationError):
        KnowledgeSpace()
    assert repr(KnowledgeSpace(root="/x")) == "KnowledgeSpace(root='/x', documents=0, chunks=0)"


def test_unknown_members_are_kept_and_stats_are_computed() -> None:
    wire = {
        "root": "/x",
        "documents": [],
        "chunks": [],
        "later": [1],
        "stats": {"chunks": 99, "languages": {"de": 1}, "model_dump": 1, "__class__": 2},
    }
    space = KnowledgeSpace.model_validate(wire)
    dump = space.model_dump(mode="json")
    assert dump["later"] == [1]
    assert dump["stats"]["chunks"] == 0
    assert dump["stats"]["languages"] == {"de": 1}


def test_spaces_are_equal_when_all_that_is_written_is(making) -> None:
    one, other = making.space(), making.space()
    assert one == other
    other.chunks[3].text = "otherwise"
    assert one != other
    assert one != "a space"


def test_a_copy_is_a_space_of_its_own(making) -> None:
    for space in (making.space(), KnowledgeSpace.load(making.pack())):
        for twin in (copy.deepcopy(space), pickle.loads(pickle.dumps(space)), space.model_copy(deep=True)):
            assert twin == space
            assert np.array_equal(twin.vectors().values, space.vectors().values)
            twin.chunks[0].text = "changed"
            assert space.chunks[0].text == "Install the tool first."


def test_vectors_are_a_table_of_the_chunks_that_have_one(making) -> None:
    space = making.space()
    table = space.vectors()
    assert table.values.shape == (6, 16)
    assert table.values.dtype == np.float32
    assert list(table.ids) == [c.id for c in space.chunks if c.embedding is not None]
    assert space.vectors() is table
    assert space.metadata["embedder"] == {"name": "toy", "dim": 16}
    assert making.space(embed=False).vectors() is None


def test_a_vector_put_in_by_hand_is_in_the_table(making) -> None:
    space = making.space()
    before = space.vectors()
    space.chunks[0].embedding = np.ones(16)
    assert np.array_equal(space.vectors().values[0], np.ones(16))
    assert np.array_equal(space.vectors().values[1:], before.values[1:])
    space.chunks[1].embedding = None
    assert len(space.vectors().ids) == 5
    assert space.stats.embeddings == 5


def test_vectors_of_two_widths_are_refused(making) -> None:
    space = making.space()
    space.chunks[0].embedding = [1.0, 2.0]
    with pytest.raises(ArchiveError, match="vectors of 2 and of 16 numbers") as caught:
        space.vectors()
    assert caught.value.code == "embedder_mismatch"


def test_vectors_and_chunks_must_be_as_many(making) -> None:
    with pytest.raises(ValueError):
        making.space().attach_vectors(np.zeros((2, 16), dtype=np.float32), making.facts)


def test_vectors_are_for_chunks_of_the_space_each_once(making) -> None:
    space = making.space()
    for wrong in (["nobody"], [space.chunks[0].id] * 2):
        with pytest.raises(ValueError, match="twice, or for one that the space has not"):
            space.attach_vectors(np.zeros((len(wrong), 16), dtype=np.float32), making.facts, ids=wrong)
    assert len(space.vectors().ids) == 6


def test_the_six_core_objects_are_pydantic_models() -> None:
    for model in (KnowledgeSpace, Document, Chunk, Relation, Source, SpaceContext, ParsedDoc):
        assert issubclass(model, BaseModel)
    assert set(indx_space.__all__) <= set(dir(indx_space))


def test_a_context_carries_the_work_by_reference(making) -> None:
    space = making.space()
    context = SpaceContext(root="/data/docs", seed=7, space=space)
    assert context.space is space
    context.parsed["d"] = ParsedDoc(
        source=Source(path="a.md"),
        doc_id="d",
        digest="sha256:0",
        media_type="text/plain",
        drafts=[(1, object())],
        links=[ParsedLink(1, 0, 4, "b.md#part")],
    )
    context.errors.append(StageErrorRecord(stage="Parse", path="a.md", code="c", message="m"))
    assert context.parsed["d"].links[0].target == "b.md#part"
    assert "drafts" not in context.parsed["d"].model_dump()
    assert not {"config", "output", "components"} & set(SpaceContext.model_fields)
