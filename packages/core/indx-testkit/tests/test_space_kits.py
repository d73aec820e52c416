"""The rules of writers and search modes bite, and the space they work on is a sound one."""

import itertools
import json

import numpy as np
import pytest

from indx_core.contracts.space import Relation, SearchHit
from indx_core.ports import SearchModeDeclaration, WriterDeclaration
from indx_core.text import index_terms, query_terms
from indx_testkit import MemorySpace, SearchModeKit, WriterKit
from indx_testkit.spaces import small_space

counter = itertools.count()


class TextWriter:
    port_version = 1
    declaration = WriterDeclaration("texts", "texts.json")

    def write(self, space, target):
        target.write_text(json.dumps([chunk.text for chunk in space.chunks]))


class TextWriterKit(WriterKit):
    factory = staticmethod(TextWriter)
    module = "indx_core.ports"

    def check_output(self, target, space):
        assert len(json.loads(target.read_text())) == space.stats.chunks


class FolderWriter(TextWriter):
    declaration = WriterDeclaration("folder", "texts")

    def write(self, space, target):
        target.mkdir()
        for chunk in space.chunks:
            target.joinpath(chunk.id).write_text(chunk.text)


class TestTextWriter(TextWriterKit):
    pass


class TestFolderWriter(WriterKit):
    factory = staticmethod(FolderWriter)
    module = "indx_core.ports"


def writer_kit(**changes):
    provider = type("Changed", (TextWriter,), changes)
    return type("Kit", (TextWriterKit,), {"factory": staticmethod(provider)})


def litters(self, space, target):
    target.with_suffix(".tmp").write_text("")
    TextWriter.write(self, space, target)


def swallows(self, space, target):
    if target.parent.exists():
        TextWriter.write(self, space, target)


def needs_vectors(self, space, target):
    target.write_text(json.dumps(space.vectors().ids))


WRITES = "test_it_writes_its_target_and_nothing_else"


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"declaration": WriterDeclaration("texts", "a/b")}, "test_its_output_is_a_plain_name", "a/b"),
        ({"declaration": WriterDeclaration("texts", "..")}, "test_its_output_is_a_plain_name", ".."),
        ({"declaration": WriterDeclaration("texts", "")}, "test_its_output_is_a_plain_name", "no output"),
        ({"write": lambda self, space, target: None}, WRITES, "not written"),
        ({"write": litters}, WRITES, "left beside it"),
        ({"write": needs_vectors}, WRITES, "AttributeError"),
        ({"write": lambda self, space, target: target.write_text("[]")}, WRITES, "assert 0 == "),
        (
            {"write": lambda self, space, target: target.write_text(f"{next(counter)}")},
            "test_it_writes_the_same_bytes_each_time",
            "otherwise",
        ),
        (
            {"write": lambda self, space, target: target.write_text(str(target))},
            "test_it_writes_the_same_bytes_each_time",
            "otherwise",
        ),
        ({"write": swallows}, "test_it_says_that_it_cannot_write", "neither"),
    ],
)
def test_a_bad_writer_is_refused(changes, rule, reason, refuted):
    refuted(writer_kit(**changes), rule, reason)


class WordMode:
    port_version = 1
    declaration = SearchModeDeclaration("words")

    def search(self, space, query, k):
        wanted = set(query_terms(query))
        scored = [(len(wanted & set(index_terms(chunk.text))), chunk) for chunk in space.chunks]
        found = sorted((one for one in scored if one[0]), key=lambda one: -one[0])
        return [self.hit(space, chunk, float(score)) for score, chunk in found[:k]]

    def hit(self, space, chunk, score):
        neighbors = [space.chunk(key) for key in chunk.neighbors]
        return SearchHit(chunk=chunk, score=score, source=chunk.source, neighbors=neighbors, mode="words")


class WordModeKit(SearchModeKit):
    factory = staticmethod(WordMode)
    module = "indx_core.ports"
    finds = {"alpha setting": "chunk_0001", "天気": "chunk_0002", "the": "chunk_0000"}  # noqa: RUF012


class TestWordMode(WordModeKit):
    pass


def mode_kit(*, finds=None, **changes):
    provider = type("Changed", (WordMode,), changes)
    return type(
        "Kit", (WordModeKit,), {"factory": staticmethod(provider), "finds": finds or WordModeKit.finds}
    )


def changed_hit(**changes):
    def hit(self, space, chunk, score):
        return WordMode.hit(self, space, chunk, score).model_copy(update=changes)

    return hit


def turned(self, space, query, k):
    return WordMode.search(self, space, query, k)[::-1]


def too_many(self, space, query, k):
    return WordMode.search(self, space, query, k + 1)


def strict(self, space, query, k):
    if '"' in query:
        raise ValueError("unbalanced quote")
    return WordMode.search(self, space, query, k)


def other_at_one(self, space, query, k):
    return WordMode.search(self, space, query, 9)[-k:]


def wandering(self, space, query, k):
    made = WordMode.search(self, space, query, k)
    for one in made:
        one.score += next(counter)
    return sorted(made, key=lambda one: -one.score)


def twice(self, space, query, k):
    found = WordMode.search(self, space, query, k)
    return [found[0], *found][:k] if found else []


def certain(self, space, query, k):
    return WordMode.search(self, space, query, k) or [self.hit(space, space.chunks[0], 1.0)]


FINDS, LITERAL = "test_it_finds_what_it_should", "test_any_text_is_literal"


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"finds": {"elephant": "chunk_0000"}}, FINDS, "found nothing"),
        ({"finds": {"alpha": "chunk_0000"}}, FINDS, "first"),
        ({"hit": changed_hit(mode="other")}, FINDS, "other"),
        ({"hit": changed_hit(score=float("nan"))}, FINDS, "nan"),
        ({"hit": changed_hit(neighbors=[])}, FINDS, "neighbors"),
        ({"search": turned}, FINDS, ""),
        ({"search": twice}, FINDS, "twice"),
        ({"search": too_many}, "test_it_gives_at_most_k", "hits for k=1"),
        ({"search": other_at_one}, "test_it_gives_at_most_k", ""),
        ({"search": strict}, LITERAL, "unbalanced"),
        ({"search": wandering}, "test_it_searches_alike_each_time", ""),
        ({"search": certain}, "test_an_empty_space_has_no_hits", "IndexError"),
    ],
)
def test_a_bad_mode_is_refused(changes, rule, reason, refuted):
    refuted(mode_kit(**changes), rule, reason)


def test_a_mode_kit_needs_queries(refuted):
    made = mode_kit()
    made.finds = {}
    refuted(made, FINDS, "declare finds")


def test_the_small_space_is_linked_and_numbered():
    space = small_space()
    assert [one.ordinal_id for one in space.documents] == ["doc_0000", "doc_0001", "doc_0002"]
    assert space.document("doc_0001").folder == "guide"
    assert space.chunk("chunk_0001").prev_id == space.chunk("chunk_0000").id
    assert space.chunk(space.chunks[2].id) is space.chunks[2]
    assert all(isinstance(one, Relation) for one in space.relations)
    with pytest.raises(KeyError):
        space.chunk("chunk_9999")
    ids, values = space.vectors()
    assert list(ids) == [chunk.id for chunk in space.chunks]
    assert values.dtype == np.float32
    assert np.allclose(np.linalg.norm(values, axis=1), 1)
    assert np.array_equal(values[0], space.chunks[0].embedding)


def test_a_space_without_vectors_has_none():
    space = small_space(dimension=None)
    assert space.vectors() is None
    assert "embedder" not in space.metadata
    assert space.stats.embed_dim is None
    assert MemorySpace({}).stats.documents == 0
