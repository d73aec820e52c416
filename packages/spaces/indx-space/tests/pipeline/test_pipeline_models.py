"""Models that the pipeline builds without validation are those that validation would have built."""

import pickle

import pytest

from indx_core.contracts.space import Chunk, Document, Relation, RelationType, Source, chunk_id, document_id
from indx_space.making import chunk_ids, make_chunk, make_document, make_relation

PATH = "a/b.md"
DOC = document_id(PATH)


def chunk(position=1, count=3):
    source = Source(path=PATH, folder="a")
    return make_chunk(DOC, chunk_ids(DOC, count), position, "text", source, {"page": 1}, 7)


def validated_chunk(position=1, count=3):
    ids = [chunk_id(DOC, n) for n in range(count)]
    made = Chunk(
        id=ids[position],
        doc_id=DOC,
        position=position,
        text="text",
        prev_id=ids[position - 1] if position else None,
        next_id=ids[position + 1] if position + 1 < count else None,
        source=Source(path=PATH, folder="a"),
        metadata={"page": 1},
    )
    made.ordinal = 7
    return made


PAIRS = [
    (chunk, validated_chunk),
    (lambda: chunk(0, 1), lambda: validated_chunk(0, 1)),
    (
        lambda: make_relation("x", "y", RelationType.CONTINUES, 0.5),
        lambda: Relation(src="x", dst="y", type="continues", score=0.5),
    ),
    (
        lambda: make_document(PATH, ["a"], 9),
        lambda: Document(id=DOC, path=PATH, lineage=["a"], size_bytes=9),
    ),
]


@pytest.mark.parametrize(("quick", "slow"), PAIRS)
def test_they_are_equal_in_every_way_that_shows(quick, slow):
    made, checked = quick(), slow()
    assert made == checked
    assert made.model_dump() == checked.model_dump()
    assert made.model_dump_json() == checked.model_dump_json()
    assert type(made).model_validate(made.model_dump()) == checked
    assert repr(made) == repr(checked)
    assert made.model_extra == checked.model_extra == {}
    assert list(made.__dict__) == list(checked.__dict__)


@pytest.mark.parametrize(("quick", "slow"), PAIRS)
def test_they_can_be_changed_copied_and_sent(quick, slow):
    made, checked = quick(), slow()
    for model in (made, checked):
        model.more = "of a later version"
    assert made == checked
    assert made.model_copy(deep=True) == checked
    assert pickle.loads(pickle.dumps(made)) == checked
    assert quick() != made, "what one of them is given, the others have not"


def test_they_know_their_place():
    assert chunk().ordinal_id == "chunk_0007"
    document = make_document(PATH, ["a"], 9)
    assert document.ordinal is None
    document.ordinal = 2
    assert document.ordinal_id == "doc_0002"
    assert make_document(PATH, ["a"], 9).ordinal is None
    made = chunk()
    made.embedding = [1.0]
    assert "embedding" not in made.model_dump()
