"""An index of words: which chunks hold a term and how often, and BM25 over it.

It is built with numpy when a space is packed, stored in columns that are mapped, and read without numpy
where a query touches little: importing numpy costs more than most searches.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from indx_core.errors import ArchiveError
from indx_core.ranking import K1, B, term_weight
from indx_core.text import index_terms
from indx_space.archive.members import LEXICAL_FOLDER
from indx_space.search.ranking import best, rounded

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_space.archive.reading import Archive
    from indx_space.terms import TermTable

__all__ = ["LexicalIndex"]

_FORMAT: Final = 1
_PROBE: Final = "The Café's 2nd ﬁle_name, 東京タワー ガ 설명서 Straße x² ไทย soft\u00adly"
"""Its terms are kept with the index: a later tokeniser that cuts it otherwise makes the index anew."""

_MANY: Final = 100_000
"""Postings from which importing numpy pays."""

_MOST: Final = 0xFFFF
_LOW: Final = 0xFFFFFFFF
_COLUMNS: Final = {
    "offsets.i64": "q",
    "starts.i64": "q",
    "postings.i32": "i",
    "tf.u16": "H",
    "lengths.i32": "i",
}
_TERMS: Final = "terms.utf8"
_MANIFEST: Final = "manifest.json"


class _Span(NamedTuple):
    """The postings of one term."""

    start: int
    end: int


class LexicalIndex:
    """Terms of the chunks of a space.

    Attributes:
        chunks: How many chunks it covers.
    """

    def __init__(self, chunks: int, terms: memoryview, columns: Mapping[str, Any]) -> None:
        """Take the columns.

        Args:
            chunks: How many chunks it covers.
            terms: All terms, sorted, one after another, in UTF-8.
            columns: By file name: where terms and postings start, the chunk and the count of each posting,
                and how many terms each chunk has.
        """
        self.chunks = chunks
        self._terms = terms
        self._columns = columns
        self._offsets, self._starts, self._postings, self._tf, self._lengths = (columns[n] for n in _COLUMNS)
        self._average = (sum(self._lengths) or 1) / (chunks or 1)

    @classmethod
    def of_texts(cls, texts: Sequence[str], table: TermTable | None = None) -> LexicalIndex:
        """Index texts, one a chunk, some of which `table` may have cut before."""
        import numpy as np

        from indx_space.terms import TermTable

        table = table or TermTable()
        tokens, lengths = table.index(texts)
        names = table.terms()
        used = np.flatnonzero(np.bincount(tokens, minlength=len(names))).tolist()
        used.sort(key=names.__getitem__)
        ranks = np.empty(len(names), dtype=np.int64)
        ranks[used] = np.arange(len(used))
        # One number a word, term above chunk: sorting them brings the chunks of each term together.
        keys = ranks[tokens] << 32
        keys |= np.repeat(np.arange(len(lengths)), lengths)
        keys.sort()
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.diff(firsts, append=len(keys))
        keys = keys[firsts]
        encoded = [names[number].encode() for number in used]
        return cls._of_keys(b"".join(encoded), [0, *map(len, encoded)], keys, counts, lengths)

    @classmethod
    def _of_keys(cls, terms: bytes, widths: Any, keys: Any, counts: Any, lengths: Any) -> Self:
        """Make columns.

        Args:
            terms: All terms, sorted, one after another.
            widths: 0, and how many bytes each takes.
            keys: One number a posting, the place of its term above that of its chunk, sorted.
            counts: How often the term stands in the chunk.
            lengths: How many terms each chunk has.
        """
        import numpy as np

        columns = {
            "offsets.i64": np.cumsum(widths),
            "starts.i64": np.searchsorted(keys, np.arange(len(widths)) << 32),
            "postings.i32": keys & _LOW,
            "tf.u16": np.minimum(counts, _MOST),
            "lengths.i32": lengths,
        }
        views = {name: memoryview(columns[name].astype(code)) for name, code in _COLUMNS.items()}
        return cls(len(lengths), memoryview(terms), views)

    def amended(self, texts: Mapping[int, str]) -> LexicalIndex:
        """The index of the same chunks, those at some places with other texts."""
        import numpy as np

        offsets, starts, postings, counts = (
            np.asarray(one) for one in (self._offsets, self._starts, self._postings, self._tf)
        )
        lengths = np.array(self._lengths)
        fresh: dict[bytes, list[tuple[int, int]]] = {}
        for place, text in sorted(texts.items()):
            found = Counter(index_terms(text))
            lengths[place] = found.total()
            for term, count in found.items():
                fresh.setdefault(term.encode(), []).append((place, count))
        kept = ~np.isin(postings, list(texts))
        ranks = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[kept]
        used = np.zeros(len(starts) - 1, dtype=bool)
        used[ranks] = True
        places = {term: self._place(term) for term in fresh}
        added = sorted(term for term, (_, known) in places.items() if not known)
        used[[place for place, known in places.values() if known]] = True
        before = np.array([places[term][0] for term in added], dtype=np.int64)
        # Where each term of before comes to stand: behind those still in use, and the new ones it follows.
        moved = np.cumsum(used) - 1 + np.searchsorted(before, np.arange(len(used)), side="right")
        in_use = np.concatenate([[0], np.cumsum(used)])
        rank = {term: int(in_use[places[term][0]]) + number for number, term in enumerate(added)}
        rank |= {term: int(moved[place]) for term, (place, known) in places.items() if known}
        rows = [(rank[term] << 32 | place, count) for term, own in fresh.items() for place, count in own]
        new = np.array(rows, dtype=np.int64).reshape(-1, 2)
        keys = np.concatenate([moved[ranks] << 32 | postings[kept], new[:, 0]])
        order = np.argsort(keys, kind="stable")
        all_counts = np.concatenate([counts[kept], new[:, 1]])[order]
        widths = np.insert(np.diff(offsets)[used], in_use[before], [len(term) for term in added])
        unused = np.flatnonzero(~used).tolist()
        terms = self._joined_terms(unused, list(zip(before.tolist(), added, strict=True)))
        return self._of_keys(terms, np.concatenate([[0], widths]), keys[order], all_counts, lengths)

    def _joined_terms(self, dropped: Sequence[int], added: Sequence[tuple[int, bytes]]) -> bytes:
        """The terms one after another, without some, and with others before the places given."""
        parts: list[bytes | memoryview] = []
        cursor = 0
        for place, term in sorted([*((one, None) for one in dropped), *added], key=_event):
            parts.append(self._terms[self._offsets[cursor] : self._offsets[place]])
            cursor = place if term is not None else place + 1
            parts.append(term or b"")
        parts.append(self._terms[self._offsets[cursor] :])
        return b"".join(parts)

    @classmethod
    def of_archive(cls, archive: Archive, chunks: int) -> LexicalIndex | None:
        """The index that an archive carries; None where it has none, or one of another tokeniser.

        Raises:
            ArchiveError: `archive_corrupt`: it contradicts itself.
        """
        if not archive.has(f"{LEXICAL_FOLDER}/{_MANIFEST}"):
            return None
        stated = archive.json(f"{LEXICAL_FOLDER}/{_MANIFEST}")
        if stated.get("format") != _FORMAT or stated.get("probe") != index_terms(_PROBE):
            return None
        views = {name: archive.mapped(f"{LEXICAL_FOLDER}/{name}") for name in (_TERMS, *_COLUMNS)}
        try:
            columns = {name: _native(views[name], code) for name, code in _COLUMNS.items()}
        except (TypeError, ValueError):
            archive.corrupt("a column of its lexical index ends within a number")
        offsets, starts, postings, tf, lengths = (columns[name] for name in _COLUMNS)
        if not 0 < len(offsets) == len(starts) or len(postings) != len(tf) or len(lengths) != chunks:
            archive.corrupt("the columns of its lexical index are of different lengths")
        return cls(chunks, views[_TERMS], columns)

    def manifest(self) -> dict[str, Any]:
        """What `lexical/manifest.json` says."""
        return {
            "format": _FORMAT,
            "chunks": self.chunks,
            "terms": len(self._offsets) - 1,
            "postings": len(self._postings),
            "probe": index_terms(_PROBE),
        }

    def members(self) -> Iterator[tuple[str, memoryview]]:
        """Name and bytes of each column as written."""
        yield _TERMS, self._terms
        for name, code in _COLUMNS.items():
            yield name, memoryview(_native(memoryview(self._columns[name]).cast("B"), code)).cast("B")

    def rank(self, terms: Iterable[str], k: int) -> list[tuple[int, float]]:
        """The chunks that hold any of the terms with their score, best first, ties in chunk order."""
        spans = self._spans(terms)
        if "numpy" in sys.modules or sum(span.end - span.start for span in spans) > _MANY:
            dense = self._dense(spans)
            places = dense.nonzero()[0]
            return best(dense[places], places, k, lambda _: True)
        found = ((place, rounded(score)) for place, score in self._sparse(spans).items())
        return nsmallest(k, found, key=lambda one: (-one[1], one[0]))

    def scores(self, terms: Iterable[str]) -> npt.NDArray[np.float64]:
        """The score of every chunk; 0 for those that hold none of the terms."""
        return self._dense(self._spans(terms))

    def _spans(self, terms: Iterable[str]) -> list[_Span]:
        """The postings of each distinct term that any chunk holds."""
        spans = []
        for term in dict.fromkeys(terms):
            place = self._find(term.encode("utf-8", "replace"))
            if place is None:
                continue
            span = _Span(self._starts[place], self._starts[place + 1])
            if not 0 <= span.start < span.end <= len(self._postings):
                raise ArchiveError("the lexical index points outside its postings; build the space again")
            spans.append(span)
        return spans

    def _find(self, term: bytes) -> int | None:
        """The place of a term among the sorted terms."""
        place, known = self._place(term)
        return place if known else None

    def _place(self, term: bytes) -> tuple[int, bool]:
        """Where a term stands among the sorted terms, or would stand, and whether it does."""
        low, high = 0, len(self._offsets) - 1
        while low < high:
            middle = (low + high) // 2
            found = bytes(self._terms[self._offsets[middle] : self._offsets[middle + 1]])
            if found == term:
                return middle, True
            if found < term:
                low = middle + 1
            else:
                high = middle
        return low, False

    def _weight(self, span: _Span) -> float:
        count = span.end - span.start
        return term_weight(self.chunks, count)

    def _sparse(self, spans: Sequence[_Span]) -> dict[int, float]:
        """Scores by chunk, in plain Python; the same numbers as `_dense`."""
        scores: dict[int, float] = {}
        lengths, average = self._lengths, self._average
        for span in spans:
            weight = self._weight(span)
            chunks = self._postings[span.start : span.end].tolist()
            self._check_chunks(min(chunks), max(chunks))
            for chunk, tf in zip(chunks, self._tf[span.start : span.end].tolist(), strict=True):
                share = weight * tf / (tf + K1 * (1 - B + B * (lengths[chunk] / average)))
                scores[chunk] = scores.get(chunk, 0.0) + share
        return scores

    def _dense(self, spans: Sequence[_Span]) -> npt.NDArray[np.float64]:
        """Scores of all chunks, by numpy."""
        import numpy as np

        scores = np.zeros(self.chunks)
        lengths, postings, counts = (
            np.asarray(self._lengths),
            np.asarray(self._postings),
            np.asarray(self._tf),
        )
        for span in spans:
            chunks = postings[span.start : span.end]
            self._check_chunks(int(chunks.min()), int(chunks.max()))
            tf = counts[span.start : span.end].astype(np.float64)
            weight = self._weight(span)
            scores[chunks] += weight * tf / (tf + K1 * (1 - B + B * (lengths[chunks] / self._average)))
        return scores

    def _check_chunks(self, least: int, most: int) -> None:
        if least < 0 or most >= self.chunks:
            raise ArchiveError("the lexical index names a chunk that is not there; build the space again")


def _event(event: tuple[int, bytes | None]) -> tuple[int, bool, bytes]:
    """What happens before a term happens before what happens to it."""
    place, term = event
    return place, term is None, term or b""


def _native(view: memoryview, code: str) -> Any:
    """Little-endian numbers as this machine has them, and the other way round."""
    if sys.byteorder == "little":
        return view.cast(code)  # type: ignore[call-overload]
    column = array(code, bytes(view))
    column.byteswap()
    return column
