"""The kit for vector indexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import log, sqrt
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import strategies as st

from indx_core.errors import InvalidEmbeddingSpace
from indx_core.ports import IndexedChunk, VectorHit
from indx_core.text import index_terms, query_terms
from indx_testkit._base import for_all
from indx_testkit.kept import HARD_TEXT, HOSTILE, NOW, digest_of
from indx_testkit.stores import LATER, SOON, StoreKit

__all__ = ["VectorIndexKit"]


def _chunk(number: int, text: str, vector: Sequence[float] | None = None) -> IndexedChunk:
    vectors = {} if vector is None else {"space-a": np.array(vector, dtype=np.float32)}
    return IndexedChunk(f"p1.c{number}", text, 1, ("Part", HARD_TEXT), (0.1, 0.2, 0.3, 0.4), vectors)


def _plain(chunk: IndexedChunk) -> tuple[Any, ...]:
    vectors = {space: row.astype("<f4").tobytes() for space, row in chunk.vectors.items()}
    box = None if chunk.box is None else tuple(chunk.box)
    return (chunk.block_id, chunk.text, chunk.page, tuple(chunk.section), box, vectors)


class VectorIndexKit(StoreKit):
    """Rules of `VectorIndex`. Its vectors are of unit length, so that every metric ranks them alike."""

    def put_sample(self, store: Any, number: int, *, variant: int = 0) -> None:
        """Index two chunks for the first owner."""
        chunks = [_chunk(0, f"variant {variant}", (1, 0, 0)), _chunk(1, HARD_TEXT)]
        store.put("owner-a", digest_of(f"d{number:02}"), chunks, expires_at=SOON)

    def delete_sample(self, store: Any, number: int) -> None:
        """Drop them."""
        store.delete("owner-a", digest_of(f"d{number:02}"))

    def state(self, store: Any) -> list[Any]:
        """The first owner's chunks by document."""
        return [
            (digest, [_plain(chunk) for chunk in store.get("owner-a", digest)])
            for digest in store.list("owner-a")
        ]

    def text(
        self, store: Any, query: str, owner: str = "owner-a", limit: int = 10, now: datetime = NOW
    ) -> list[str]:
        """Texts found by the words of `query`, best first."""
        hits = store.search_text(owner, query_terms(query), limit=limit, now=now)
        return self._found(store, owner, hits, limit)

    def near(
        self,
        store: Any,
        vector: Sequence[float],
        owner: str = "owner-a",
        limit: int = 10,
        now: datetime = NOW,
    ) -> list[str]:
        """Texts found by `vector`, nearest first."""
        row = np.array(vector, dtype=np.float32)
        hits = store.search_vector(owner, "space-a", row, limit=limit, now=now)
        return self._found(store, owner, hits, limit)

    def _found(self, store: Any, owner: str, hits: Sequence[VectorHit], limit: int) -> list[str]:
        assert len(hits) <= limit, f"{len(hits)} hits for limit {limit}"
        ranks = [(-hit.score, hit.digest, hit.block_id) for hit in hits]
        assert ranks == sorted(ranks), f"not by score, then digest, then block: {ranks}"
        for hit in hits:
            assert hit.score == round(hit.score, 6), f"score {hit.score!r} has more than six places"
        texts = {d: {c.block_id: c.text for c in store.get(owner, d)} for d in {h.digest for h in hits}}
        return [texts[hit.digest][hit.block_id] for hit in hits]

    def test_chunks_come_back_in_their_order(self) -> None:
        """Whole and equal, vectors to the bit; replaced whole when the document is indexed again."""
        with self.opened() as store:
            digest = digest_of("a")
            unplaced = IndexedChunk("p1.c2", "no place", None, (), None, {})
            chunks = [_chunk(10, "ten", (0.6, 0.8, 0)), _chunk(9, HARD_TEXT, (0, 0, 1)), unplaced]
            store.put("owner-a", digest, chunks, expires_at=SOON)
            assert [_plain(one) for one in store.get("owner-a", digest)] == [_plain(one) for one in chunks]
            store.put("owner-a", digest, [_chunk(0, "new")], expires_at=SOON)
            assert [one.text for one in store.get("owner-a", digest)] == ["new"]
            assert self.text(store, "ten") == []
            assert self.near(store, (0, 0, 1)) == []
            assert list(store.get("owner-a", digest_of("b"))) == []
            store.put("owner-a", digest_of("b"), [_chunk(0, "b")], expires_at=SOON)
            assert list(store.list("owner-a")) == sorted([digest, digest_of("b")])

    def test_owners_are_apart(self) -> None:
        """No search, list or deletion crosses from one owner to another, and no statistic does."""
        with self.opened() as store:
            store.put("owner-a", digest_of("a"), [_chunk(0, "alpha beta", (1, 0, 0))], expires_at=SOON)
            alone = store.search_text("owner-a", ["alpha"], limit=5, now=NOW)
            for number in range(5):
                chunks = [_chunk(0, f"alpha alpha {number}", (1, 0, 0))]
                store.put("owner-b", digest_of(f"b{number}"), chunks, expires_at=SOON)
            assert self.text(store, "alpha") == ["alpha beta"]
            assert self.near(store, (1, 0, 0)) == ["alpha beta"]
            again = store.search_text("owner-a", ["alpha"], limit=5, now=NOW)
            assert list(again) == list(alone), "another owner's chunks changed a score"
            store.delete("owner-b", digest_of("a"))
            assert list(store.list("owner-a")) == [digest_of("a")]
            assert self.text(store, "alpha", owner="owner-c") == []
            assert self.near(store, (1, 0, 0), owner="owner-c") == []

    def test_words_rank_by_how_often_how_rare_and_how_short(self) -> None:
        """More of a term, a rarer term, a shorter chunk: each ranks higher when the rest is equal."""
        with self.opened() as store:
            texts = ["cat dog", "cat cat", "dog bird", "dog fish", "cat dog bird fish ant bee"]
            store.put("owner-a", digest_of("a"), [_chunk(n, t) for n, t in enumerate(texts)], expires_at=SOON)
            assert self.text(store, "cat")[0] == "cat cat"
            assert self.text(store, "cat")[-1] == "cat dog bird fish ant bee"
            assert self.text(store, "dog bird")[0] == "dog bird"
            assert self.text(store, "ant") == ["cat dog bird fish ant bee"]
            assert self.text(store, "elephant") == []
            assert self.text(store, "") == []
            assert len(self.text(store, "dog", limit=2)) == 2

    def test_words_of_every_script_are_found(self) -> None:
        """Indexed and asked by the terms of the core, accents and width aside."""
        with self.opened() as store:
            texts = ["東京の天気は晴れ", "Größe und Maße", "naïve café", "snake_case 42%"]
            store.put("owner-a", digest_of("a"), [_chunk(n, t) for n, t in enumerate(texts)], expires_at=SOON)
            for query, expected in (
                ("天気", 0),
                ("京", 0),
                ("GRÖSSE", 1),
                ("cafe", 2),
                ("snake_case", 3),
                ("４２", 3),
            ):
                assert self.text(store, query) == [texts[expected]], f"{query!r} finds something else"
            for literal in ("%", "_", "'", '"', "* OR", "\\"):
                assert self.text(store, literal) == [], f"{literal!r} is no word and finds nothing"

    def test_ties_are_by_digest_and_block(self) -> None:
        """Equal scores come in one order everywhere."""
        with self.opened() as store:
            digests = [digest_of(name) for name in "fcadbe"]
            for digest in digests:
                chunks = [_chunk(number, "same words", (0, 1, 0)) for number in (1, 0)]
                store.put("owner-a", digest, chunks, expires_at=SOON)
            expected = [(digest, f"p1.c{number}") for digest in sorted(digests) for number in (0, 1)]
            row = np.array((0, 1, 0), dtype=np.float32)
            for hits in (
                store.search_text("owner-a", ["same"], limit=50, now=NOW),
                store.search_vector("owner-a", "space-a", row, limit=50, now=NOW),
            ):
                assert [(hit.digest, hit.block_id) for hit in hits] == expected

    def test_the_nearest_vector_comes_first(self) -> None:
        """Vectors of the space asked are compared, exactly."""
        with self.opened() as store:
            angles = np.linspace(0.0, 3.0, 40)
            rows = [(float(np.cos(angle)), float(np.sin(angle)), 0.0) for angle in angles]
            chunks = [_chunk(number, f"angle {number}", row) for number, row in enumerate(rows)]
            store.put("owner-a", digest_of("a"), [*chunks, _chunk(99, "none")], expires_at=SOON)
            assert self.near(store, (1, 0, 0), limit=40) == [one.text for one in chunks]
            assert self.near(store, rows[-1], limit=1) == ["angle 39"]
            row = np.array((1, 0, 0), dtype=np.float32)
            assert list(store.search_vector("owner-a", "space-b", row, limit=5, now=NOW)) == []

    def test_chunks_are_given_by_place(self) -> None:
        """In the order asked, without vectors; what is not there, or is another owner's, is None."""
        with self.opened() as store:
            chunks = [_chunk(number, f"text {number}", (1, 0, 0)) for number in range(3)]
            store.put("owner-a", digest_of("a"), chunks, expires_at=SOON)
            store.put("owner-a", digest_of("b"), chunks[:1], expires_at=SOON)
            places = [("a", 2), ("b", 0), ("b", 1), ("c", 0), ("a", 0), ("a", 2)]
            asked = [(digest_of(name), f"p1.c{number}") for name, number in places]
            found = [one and _plain(one) for one in store.chunks("owner-a", asked)]
            bare = {number: _plain(_chunk(number, f"text {number}")) for number in range(3)}
            assert found == [bare[2], bare[0], None, None, bare[0], bare[2]]
            assert list(store.chunks("owner-b", asked)) == [None] * len(asked)
            assert list(store.chunks("owner-a", [])) == []

    def test_any_string_is_data(self) -> None:
        """As a text, a section, a block ID, an owner, a space, or a term asked for."""
        with self.opened() as store:
            row = np.array((1, 0, 0), dtype=np.float32)
            for text in HOSTILE:
                name = text[:1000]  # databases bound what they index
                chunks = [IndexedChunk(text, f"{text} marker", None, (text,), None, {name: row})]
                store.put(name, digest_of("a"), chunks, expires_at=SOON)
                assert [_plain(one) for one in store.get(name, digest_of("a"))] == [_plain(chunks[0])]
                place = VectorHit(digest_of("a"), text, 1.0)
                assert list(store.search_vector(name, name, row, limit=9, now=NOW)) == [place]
                found = store.search_text(name, [text, "marker"], limit=9, now=NOW)
                assert [(hit.digest, hit.block_id) for hit in found] == [(digest_of("a"), text)]
                assert list(store.get(name, text)) == []
                assert list(store.chunks(name, [(text, text)])) == [None]
                store.delete(name, text)
            for name in (text[:1000] for text in HOSTILE):
                assert len(store.get(name, digest_of("a"))) == 1, f"owner {name[:20]!r} is taken for another"

    def test_vectors_of_another_length_are_refused(self) -> None:
        """A query cannot be compared with them; nothing is left out in silence, and nothing is lost."""
        with self.opened() as store:
            store.put("owner-a", digest_of("a"), [_chunk(0, "long", (1, 0, 0))], expires_at=SOON)
            store.put("owner-b", digest_of("a"), [_chunk(0, "short", (1, 0))], expires_at=SOON)
            row = np.array((1, 0), dtype=np.float32)
            with pytest.raises(InvalidEmbeddingSpace, match="3 values"):
                store.search_vector("owner-a", "space-a", row, limit=5, now=NOW)
            assert self.near(store, (1, 0), owner="owner-b") == ["short"]
            assert self.near(store, (1, 0, 0)) == ["long"]
            assert list(store.search_vector("owner-a", "space-a", row, limit=5, now=LATER)) == []

    def test_what_is_no_vector_is_refused(self) -> None:
        """Neither kept nor asked with: NaN and infinities rank nothing."""
        with self.opened() as store:
            for values in ((), (float("nan"), 1.0), (1.0, float("inf"))):
                with pytest.raises(ValueError):  # noqa: PT011  the port leaves the words to the store
                    store.put("owner-a", digest_of("a"), [_chunk(0, "x", values)], expires_at=SOON)
                with pytest.raises(ValueError):  # noqa: PT011
                    self.near(store, values)
            assert list(store.list("owner-a")) == []

    def test_vectors_rank_by_the_metric_of_their_space(self) -> None:
        """Cosine, dot product or distance, each exactly, whatever the vectors."""
        with self.opened() as store:

            def check(drawn: tuple[list[list[float]], list[float], int]) -> None:
                rows, query, limit = drawn
                for number, row in enumerate(rows):
                    digest = digest_of(f"d{number % 3}-{number // 9}")
                    before = list(store.get("owner-a", digest))
                    store.put("owner-a", digest, [*before, _chunk(number, "x", row)], expires_at=SOON)
                for metric in _SCORES:
                    asked = np.array(query, dtype=np.float32)
                    hits = store.search_vector(
                        "owner-a", "space-a", asked, limit=limit, now=NOW, metric=metric
                    )
                    held = {
                        (digest, chunk.block_id): _SCORES[metric](
                            chunk.vectors["space-a"].tolist(), asked.tolist()
                        )
                        for digest in store.list("owner-a")
                        for chunk in store.get("owner-a", digest)
                    }
                    _require_best(hits, held, limit)
                for digest in list(store.list("owner-a")):
                    store.delete("owner-a", digest)

            for_all(_VECTORS, check, examples=30)

    def test_words_rank_by_the_formula(self) -> None:
        """BM25 as it is written, whatever the texts, over what the owner has and has not expired."""
        with self.opened() as store:

            def check(drawn: tuple[list[list[str]], list[str], int]) -> None:
                documents, terms, limit = drawn
                gone = [_chunk(0, "a b c d 東京")]
                store.put("owner-a", digest_of("gone"), gone, expires_at=NOW - timedelta(seconds=1))
                for number, texts in enumerate(documents):
                    chunks = [_chunk(place, text) for place, text in enumerate(texts)]
                    store.put("owner-a", digest_of(f"d{number}"), chunks, expires_at=SOON)
                texts_by_place = {
                    (digest_of(f"d{number}"), f"p1.c{place}"): index_terms(text)
                    for number, texts in enumerate(documents)
                    for place, text in enumerate(texts)
                }
                hits = store.search_text("owner-a", terms, limit=limit, now=NOW)
                _require_best(hits, _bm25(texts_by_place, terms), limit)
                for digest in list(store.list("owner-a")):
                    store.delete("owner-a", digest)

            for_all(_TEXTS, check, examples=30)

    def test_expired_documents_are_named_up_to_the_limit(self) -> None:
        """A sweep is told owner and digest of what is past its time, and of nothing else."""
        with self.opened() as store:
            for owner in ("owner-a", "owner-b"):
                store.put(owner, digest_of("old"), [_chunk(0, "old")], expires_at=NOW)
                store.put(owner, digest_of("new"), [_chunk(0, "new")], expires_at=LATER)
            gone = {("owner-a", digest_of("old")), ("owner-b", digest_of("old"))}
            assert {tuple(one) for one in store.expired(now=SOON, limit=10)} == gone
            assert len(store.expired(now=SOON, limit=1)) == 1

    def test_expired_chunks_are_not_found(self) -> None:
        """A search sees what has not expired by the clock it is given."""
        with self.opened() as store:
            store.put("owner-a", digest_of("a"), [_chunk(0, "early bird", (1, 0, 0))], expires_at=SOON)
            store.put("owner-a", digest_of("b"), [_chunk(0, "late bird", (1, 0, 0))], expires_at=LATER)
            between = SOON + timedelta(seconds=1)
            assert self.text(store, "bird", now=between) == ["late bird"]
            assert self.near(store, (1, 0, 0), now=between) == ["late bird"]
            assert len(self.text(store, "bird")) == 2


_WORDS: Final = st.sampled_from(["a", "b", "c", "d", "東京", "-", "B", "é"])
_TEXTS: Final = st.tuples(
    st.lists(st.lists(st.lists(_WORDS, max_size=8).map(" ".join), max_size=14), max_size=4),
    st.lists(st.sampled_from(["a", "b", "東京", "京", "e", "zz", "%"]), max_size=4),
    st.integers(0, 30),
)
_NUMBERS: Final = st.sampled_from([0.0, 1.0, -1.0, 0.5, 1e-20, 1e3, 3.0, 0.1]) | st.floats(-2, 2, width=32)
_ROWS: Final = st.lists(_NUMBERS, min_size=3, max_size=3)
_VECTORS: Final = st.tuples(st.lists(_ROWS, max_size=20), _ROWS, st.integers(0, 25))


def _dot(row: list[float], query: list[float]) -> float:
    return sum(a * b for a, b in zip(row, query, strict=True))


def _cosine(row: list[float], query: list[float]) -> float:
    lengths = sqrt(_dot(row, row)) * sqrt(_dot(query, query))
    return _dot(row, query) / lengths if lengths else 0.0


def _distance(row: list[float], query: list[float]) -> float:
    return -sqrt(sum((a - b) ** 2 for a, b in zip(row, query, strict=True)))


_SCORES: Final = {"cosine": _cosine, "dot": _dot, "euclidean": _distance}


def _bm25(texts: Mapping[tuple[str, str], list[str]], terms: Sequence[str]) -> dict[tuple[str, str], float]:
    """Scores of the texts that hold any term, straight from the formula."""
    average = (sum(map(len, texts.values())) or 1) / max(1, len(texts))
    scores: dict[tuple[str, str], float] = {}
    for term in dict.fromkeys(terms):
        holding = [place for place, words in texts.items() if term in words]
        rarity = log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
        for place in holding:
            count, length = texts[place].count(term), len(texts[place])
            share = rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average))
            scores[place] = scores.get(place, 0.0) + share
    return scores


def _require_best(hits: Sequence[VectorHit], scores: Mapping[tuple[str, str], float], limit: int) -> None:
    """Require the best `limit` of `scores`: each with its score, in order, none better left out."""
    assert len(hits) == min(limit, len(scores)), f"{len(hits)} hits of {len(scores)} for limit {limit}"
    for hit in hits:
        expected = scores[hit.digest, hit.block_id]
        assert hit.score == pytest.approx(expected, rel=1e-6, abs=1e-6), f"{hit}: the score is {expected}"
    ranks = [(-hit.score, hit.digest, hit.block_id) for hit in hits]
    assert ranks == sorted(ranks), f"not by score, then digest, then block: {ranks}"
    found = {(hit.digest, hit.block_id) for hit in hits}
    left = [score for place, score in scores.items() if place not in found]
    if left and hits:
        worst = max(left)
        assert worst <= hits[-1].score + 1e-6 + 1e-6 * abs(worst), f"a chunk of score {worst} is left out"
