"""How kept chunks are ranked, the same in every store: BM25 over postings, exact vectors, rounded scores.

A store keeps the postings of each document and hands over those of the terms asked; it keeps vectors as they
came. What is computed from them, and in which order, is here alone, so that no two stores rank otherwise.
numpy is imported when it is needed: a store that ranks declares it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, log
from typing import TYPE_CHECKING, Any, Final

from indx_core.errors import InvalidEmbeddingSpace
from indx_core.text import index_terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.ports.embedding import Metric
    from indx_core.ports.stores import IndexedChunk

    Floats = npt.NDArray[np.float64]
    Matrix = npt.NDArray[np.float32]

__all__ = [
    "DIGITS",
    "K1",
    "B",
    "Postings",
    "best",
    "check_lengths",
    "check_vector",
    "is_odd",
    "nearest",
    "norms",
    "rank_words",
    "similarities",
    "slack",
    "term_weight",
    "vectors_by_space",
]

K1: Final = 1.2
"""How soon more of a term says no more."""

B: Final = 0.75
"""How much a long chunk is held against it."""

DIGITS: Final = 6
"""Scores are rounded to so many places before they are ranked, so that no machine orders them otherwise."""

_MOST: Final = 0xFFFF
_POSTING: Final = "<u4"
_COLUMNS: Final = 3
_SMALLEST, _LARGEST = 1e-15, 1e15


@dataclass(frozen=True, slots=True)
class Postings:
    """Which chunks of one document hold a term: rows of chunk, terms in the chunk, times it holds this one.

    Attributes:
        terms: Each term once, in order.
        starts: Where the rows of each term start; one more than terms, the last is where all end.
        rows: Whole little-endian numbers of 32 bits, three a row.
        length: Terms of the document, repeats counted.
    """

    terms: Sequence[str]
    starts: Sequence[int]
    rows: npt.NDArray[np.uint32]
    length: int

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> Postings:
        """The postings of a document's chunks, numbered as they stand."""
        import numpy as np

        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        tokens, lengths = array("i"), array("i")
        for text in texts:
            before = len(tokens)
            tokens.extend(map(numbers.__getitem__, index_terms(text)))
            lengths.append(len(tokens) - before)
        terms = sorted(numbers)
        ranks = np.empty(len(terms), dtype=np.int64)
        ranks[[numbers[term] for term in terms]] = np.arange(len(terms))
        counted = np.asarray(lengths, dtype=np.int64)
        # One number a word, term above chunk: sorting them brings the chunks of each term together.
        keys = ranks[np.asarray(tokens, dtype=np.int64)] << 32
        keys |= np.repeat(np.arange(len(counted)), counted)
        keys.sort()
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        times = np.diff(firsts, append=len(keys))
        keys = keys[firsts]
        chunks = keys & 0xFFFFFFFF
        rows = np.stack((chunks, counted[chunks], np.minimum(times, _MOST)), axis=1).astype(_POSTING)
        starts = np.searchsorted(keys, np.arange(len(terms) + 1) << 32)
        return cls(terms, starts.tolist(), rows, len(tokens))

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        """Each term with its rows, as they are kept."""
        for number, term in enumerate(self.terms):
            yield term, self.rows[self.starts[number] : self.starts[number + 1]].tobytes()


def term_weight(chunks: int, holding: int) -> float:
    """What a term counts for, from how many of the chunks hold it."""
    return log(1 + (chunks - holding + 0.5) / (holding + 0.5)) * (K1 + 1)


def rank_words(
    found: Sequence[tuple[Sequence[int], Sequence[bytes | memoryview]]],
    sizes: Sequence[int],
    *,
    chunks: int,
    length: int,
    limit: int,
) -> list[tuple[int, int, float]]:
    """The chunks that hold any of the terms, by BM25.

    Args:
        found: For each term asked, in the order asked: which documents hold it, and the bytes of its rows
            in each.
        sizes: How many chunks each document has; documents are numbered in the order in which ties rank.
        chunks: How many chunks there are to choose from, in all documents.
        length: How many terms they have, repeats counted.
        limit: How many are wanted.

    Returns:
        Document, chunk and score, best first; ties by document, then chunk.
    """
    import numpy as np

    offsets = np.cumsum([0, *sizes])
    scores = np.zeros(int(offsets[-1]))
    average = (length or 1) / (chunks or 1)
    for documents, parts in found:
        rows = np.frombuffer(b"".join(parts), dtype=_POSTING).reshape(-1, _COLUMNS)
        counts = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
        counts //= _COLUMNS * 4
        places = np.repeat(offsets[np.asarray(documents, dtype=np.int64)], counts)
        places += rows[:, 0]
        # weight * times / (times + K1 * (1 - B + B * length / average)), in place: new arrays cost more.
        times, below = rows[:, 2].astype(np.float64), rows[:, 1].astype(np.float64)
        below /= average
        below *= B
        below += 1 - B
        below *= K1
        below += times
        times *= term_weight(chunks, len(rows))
        times /= below
        scores[places] += times
    return _located(best(scores, limit, positive=True), offsets)


def best(
    scores: Floats, limit: int, places: npt.NDArray[np.intp] | None = None, *, positive: bool = False
) -> list[tuple[int, float]]:
    """The places of the highest scores with the scores as rounded, best first, ties in the order of places.

    Args:
        scores: One score an element.
        limit: How many are wanted.
        places: The place of each element, rising; by default elements are numbered.
        positive: Whether an element that has no score above 0 is none.
    """
    import numpy as np

    if limit <= 0 or not len(scores):
        return []
    least = np.float64(-np.inf)
    if limit < len(scores):
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        least -= 10.0**-DIGITS  # what rounding could bring up beside it
    near = np.flatnonzero(scores > 0 if positive and least <= 0 else scores >= least)
    rounded = np.round(scores[near], DIGITS) + 0.0  # no negative zero
    order = np.argsort(-rounded, kind="stable")[:limit]
    where = near if places is None else places[near]
    return list(zip(where[order].tolist(), rounded[order].tolist(), strict=True))


def _located(found: list[tuple[int, float]], offsets: npt.NDArray[np.int64]) -> list[tuple[int, int, float]]:
    """Places within all documents as document and place within it."""
    import numpy as np

    documents = np.searchsorted(offsets, [place for place, _ in found], side="right") - 1
    return [
        (document, place - int(offsets[document]), score)
        for document, (place, score) in zip(documents.tolist(), found, strict=True)
    ]


def norms(rows: Matrix) -> Floats:
    """The length of each row."""
    import numpy as np

    squares: Floats = np.square(rows, dtype=np.float64).sum(axis=1)
    return np.sqrt(squares)


def similarities(metric: Metric, rows: Matrix, query: Matrix) -> Floats:
    """How near each row is to `query`, in double precision; higher is nearer.

    The cosine, 0 where a vector is all zeros; the dot product; or the distance with its sign turned.
    """
    import numpy as np

    # einsum goes row by row: how many rows there are changes no sum.
    wide, asked = rows.astype(np.float64), query.astype(np.float64)
    if metric == "euclidean":
        wide -= asked
        distances: Floats = np.sqrt(np.einsum("ij,ij->i", wide, wide))
        return -distances
    dots: Floats = np.einsum("ij,j->i", wide, asked)
    if metric == "dot":
        return dots
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide)) * np.sqrt(np.einsum("i,i->", asked, asked))
    cosines: Floats = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
    return cosines


def slack(metric: Metric, dimension: int, longest: float, asked: float, least: float) -> float:
    """By how much single precision, and rounding, may misjudge a similarity of about `least`.

    Args:
        metric: The metric.
        dimension: Of the vectors.
        longest: The length of the longest vector.
        asked: The length of the query.
        least: The similarity that the last one wanted has.
    """
    share = (dimension + 8) * 2.0**-22
    if metric == "cosine":
        return share + 2 * 10.0**-DIGITS
    if metric == "dot":
        return share * longest * asked + 2 * 10.0**-DIGITS
    return share * abs(least) + 2 * 10.0**-DIGITS


def is_odd(length: float) -> bool:
    """Whether a vector of this length is too short or too long for single precision: zeros are too short."""
    return not _SMALLEST < length < _LARGEST


def nearest(
    metric: Metric, blocks: Sequence[tuple[Matrix, Floats]], query: Matrix, limit: int
) -> list[tuple[int, int, float]]:
    """The rows nearest to `query`: judged in single precision, ranked in double.

    Args:
        metric: The metric.
        blocks: Rows and their `norms`, in the order in which ties rank.
        query: A vector as long as the rows.
        limit: How many are wanted.

    Returns:
        Block, row and score, best first; ties by block, then row.
    """
    import numpy as np

    sizes = [len(rows) for rows, _ in blocks]
    offsets = np.cumsum([0, *sizes])
    if limit <= 0 or not offsets[-1]:
        return []
    places = _candidates(metric, blocks, query, limit)
    of_block = np.searchsorted(offsets, places, side="right") - 1
    scores = np.empty(len(places))
    for block in np.unique(of_block):
        mine = of_block == block
        rows = blocks[block][0][places[mine] - offsets[block]]
        scores[mine] = similarities(metric, rows, query)
    return _located(best(scores, limit, places), offsets)


def _candidates(
    metric: Metric, blocks: Sequence[tuple[Matrix, Floats]], query: Matrix, limit: int
) -> npt.NDArray[np.intp]:
    """Every row that could be among the nearest, and a few that are not."""
    import numpy as np

    lengths = np.concatenate([block for _, block in blocks])
    asked = float(norms(query[None])[0])
    usual = (lengths > _SMALLEST) & (lengths < _LARGEST)
    count = int(usual.sum())
    if is_odd(asked) or limit >= count:
        return np.arange(len(lengths))
    with np.errstate(all="ignore"):  # rows of odd length, which are taken whatever comes out
        judged = np.concatenate([_judged(metric, rows, query) for rows, _ in blocks]).astype(np.float64)
        if metric == "cosine":
            judged /= lengths * asked
    judged[~usual] = -np.inf
    least = float(np.partition(judged, len(judged) - limit)[len(judged) - limit])
    margin = slack(metric, len(query), float(lengths[usual].max()), asked, least)
    return np.flatnonzero((judged >= least - margin) | ~usual)


def _judged(metric: Metric, rows: Matrix, query: Matrix) -> Matrix:
    import numpy as np

    if metric == "euclidean":
        apart = rows - query
        return -np.sqrt(np.einsum("ij,ij->i", apart, apart))  # type: ignore[no-any-return]
    return rows @ query


def check_lengths(space_id: str, kept: Sequence[int], asked: int) -> None:
    """Refuse to compare a query with vectors of another length.

    Args:
        space_id: The embedding space.
        kept: The lengths of the vectors kept in it, each once.
        asked: That of the query.

    Raises:
        InvalidEmbeddingSpace: One of them differs.
    """
    others = sorted(set(kept) - {asked})
    if others:
        raise InvalidEmbeddingSpace(
            f"space {space_id!r}: documents were kept with vectors of {others[0]} values and the query has "
            f"{asked}; keep those documents again, or ask with the embedder they were kept with",
            code="unknown_embedding_space",
            param="embedding_space_id",
        )


def check_vector(vector: Any) -> None:
    """Refuse what is no vector: a store keeps and compares finite numbers in one row.

    Raises:
        ValueError: It is empty, of more than one dimension, or holds NaN or an infinity.
    """
    import numpy as np

    if vector.ndim != 1 or not vector.size or not isfinite(float(np.abs(vector).max())):
        raise ValueError(f"a vector of shape {vector.shape!r}: give one row of finite numbers")


def vectors_by_space(chunks: Sequence[IndexedChunk]) -> dict[str, tuple[list[int], Matrix]]:
    """The vectors of a document's chunks: for each space the places of those that have one, and the rows.

    Raises:
        ValueError: Something is no vector, or vectors of one space differ in length.
    """
    import numpy as np

    places: dict[str, list[int]] = {}
    rows: dict[str, list[Matrix]] = {}
    for place, chunk in enumerate(chunks):
        for space, vector in chunk.vectors.items():
            row = np.asarray(vector, dtype="<f4")
            check_vector(row)
            places.setdefault(space, []).append(place)
            rows.setdefault(space, []).append(row)
    for space, made in rows.items():
        lengths = sorted({len(row) for row in made})
        if len(lengths) > 1:
            raise ValueError(f"space {space!r}: vectors of {lengths} values in one document; give one length")
    return {space: (places[space], np.stack(made)) for space, made in rows.items()}
