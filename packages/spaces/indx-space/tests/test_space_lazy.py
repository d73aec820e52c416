"""Lists whose elements are made when touched behave as lists do, and make nothing early."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from indx_core.contracts.space import Chunk, Document, Relation
from indx_core.errors import ArchiveError
from indx_space.lazy import Items
from indx_space.stored import chunk_maker, document_maker, relation_maker
from indx_space.vectors import MappedVectors


def raw(number: int) -> dict[str, object]:
    return {"id": f"d{number}", "path": f"p{number}.md"}


def lazy(count: int) -> Items[Document]:
    return Items([raw(number) for number in range(count)], make=document_maker)


def test_nothing_is_made_before_it_is_touched() -> None:
    items = lazy(5)
    assert (len(items), items.made) == (5, 0)
    assert items.column("path") == [f"p{n}.md" for n in range(5)]
    assert items.column("doc_type") == [None] * 5
    assert items.place("d3") == 3
    assert items.made == 0
    assert items[3].path == "p3.md"
    assert items.made == 1
    assert items[3] is items[-2]
    assert items.made == 1
    assert [d.ordinal_id for d in items] == [f"doc_000{n}" for n in range(5)]
    assert items.made == 5


@pytest.mark.parametrize("index", [5, -6])
def test_an_index_outside_is_refused(index: int) -> None:
    with pytest.raises(IndexError):
        lazy(5)[index]


steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["append", "insert", "set", "del", "slice", "cut", "touch", "reverse", "extend", "sort"]
        ),
        st.integers(-12, 12),
    ),
    max_size=25,
)


@given(st.integers(0, 8), steps)
def test_it_changes_as_a_list_does(count: int, changes: list[tuple[str, int]]) -> None:
    items, plain = lazy(count), [f"d{n}" for n in range(count)]
    for number, (what, index) in enumerate(changes):
        new = [Document(id=f"n{number}-{twin}", path="n") for twin in range(2)]
        before = items.state
        change(items, what, index, new)
        change(plain, what, index, [one.id for one in new])
        assert items.column("id") == plain
        assert (items.state is before) or what != "touch"
        assert all(items.place(one) == plain.index(one) for one in plain)
    assert [d.id for d in items] == plain
    assert [d.ordinal for d in items] == list(range(len(plain)))


def change(target, what: str, index: int, new: list) -> None:
    inside = -len(target) <= index < len(target)
    if what == "append":
        target.append(new[0])
    elif what == "extend":
        target.extend(new)
    elif what == "insert":
        target.insert(index, new[0])
    elif what == "set" and inside:
        target[index] = new[0]
    elif what == "del" and inside:
        del target[index]
    elif what == "slice":
        target[index : index + 2] = new
    elif what == "cut":
        del target[index:]
    elif what == "reverse":
        target.reverse()
    elif what == "touch" and inside:
        target[index]
    elif what == "sort":
        target.sort(key=lambda one: one if isinstance(one, str) else one.id)


def test_it_equals_a_list_of_the_same() -> None:
    items = lazy(3)
    assert items == lazy(3)
    assert items == list(lazy(3))
    assert items != lazy(2)
    assert items != list(lazy(3))[::-1]
    assert items != "d0"
    assert repr(items) == "<3 items>"
    assert pickle.loads(pickle.dumps(items)) == items
    assert items[1] in items
    assert items[1:] == [items[1], items[2]]


def test_it_is_validated_and_dumped_as_a_list() -> None:
    adapter = TypeAdapter(Items[Document])
    items = adapter.validate_python([raw(0)])
    assert isinstance(items, Items)
    assert items[0].ordinal == 0
    assert adapter.validate_python(items) is items
    assert [d["id"] for d in adapter.dump_python(items)] == ["d0"]
    assert adapter.json_schema()["type"] == "array"
    assert Items(["plain"])[0] == "plain"


class Rows(MappedVectors):
    """Rows that count how often they are asked."""

    asked = 0

    def row(self, identity: str):
        self.asked += 1
        return [1.0, 2.0]


def test_a_vector_is_read_when_it_is_touched_and_stays_the_same_object() -> None:
    rows = Rows()
    chunk = chunk_maker(rows, lambda _: None)({"id": "c", "doc_id": "d", "position": 0, "text": "t"})
    chunk.text = "changed"
    assert rows.asked == 0
    assert chunk.embedding == [1.0, 2.0]
    assert chunk.embedding is chunk.embedding
    assert rows.asked == 1
    assert not rows.overridden
    chunk.embedding = [3.0]
    assert (chunk.embedding, rows.overridden) == ([3.0], True)


def test_a_stored_chunk_is_a_chunk_in_every_other_way() -> None:
    wire = {"id": "c", "doc_id": "d", "position": 0, "text": "t", "embedding": [9.0], "later": 1}
    chunk = chunk_maker(Rows(), lambda _: "a/b.md")(wire)
    assert isinstance(chunk, Chunk)
    assert repr(chunk).startswith("Chunk(id='c'")
    assert (chunk.source.path, chunk.source.folder) == ("a/b.md", "a")
    assert chunk == Chunk.model_validate(chunk.model_dump())
    assert "embedding" not in chunk.model_dump()
    assert chunk.model_dump()["later"] == 1
    assert pickle.loads(pickle.dumps(chunk)).embedding == [1.0, 2.0]
    with pytest.raises(AttributeError, match="nothing"):
        chunk.nothing  # noqa: B018


@pytest.mark.parametrize(
    ("make", "wire", "message"),
    [
        (document_maker, {"id": "d", "path": "a", "size_bytes": -1}, "document 'd' does not fit.*size_bytes"),
        (document_maker, {"id": "d", "path": "a", "topics": "x"}, "topics"),
        (relation_maker, {"src": "a", "dst": "b"}, "a relation does not fit.*type"),
        (relation_maker, {"src": "a", "dst": "b", "type": "x", "score": 2}, "score"),
    ],
)
def test_what_does_not_fit_is_a_damaged_archive(make, wire, message: str) -> None:
    with pytest.raises(ArchiveError, match=message) as caught:
        make(wire)
    assert caught.value.code == "archive_corrupt"


def test_metadata_nested_too_deep_are_refused_when_they_are_touched() -> None:
    deep: object = "x"
    for _ in range(70):
        deep = [deep]
    with pytest.raises(ArchiveError, match="nested more than 64"):
        document_maker({"id": "d", "path": "a", "later": deep})


def test_an_unknown_kind_of_edge_is_an_edge() -> None:
    assert isinstance(relation_maker({"src": "a", "dst": "b", "type": "cites"}), Relation)
