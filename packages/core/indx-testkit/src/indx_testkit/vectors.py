"""The kit for vector indexes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from indx_core.ports import IndexedChunk, VectorHit
from indx_core.text import query_terms
from indx_testkit.kept import HARD_TEXT, NOW, digest_of
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

    def test_expired_chunks_are_not_found(self) -> None:
        """A search sees what has not expired by the clock it is given."""
        with self.opened() as store:
            store.put("owner-a", digest_of("a"), [_chunk(0, "early bird", (1, 0, 0))], expires_at=SOON)
            store.put("owner-a", digest_of("b"), [_chunk(0, "late bird", (1, 0, 0))], expires_at=LATER)
            between = SOON + timedelta(seconds=1)
            assert self.text(store, "bird", now=between) == ["late bird"]
            assert self.near(store, (1, 0, 0), now=between) == ["late bird"]
            assert len(self.text(store, "bird")) == 2
