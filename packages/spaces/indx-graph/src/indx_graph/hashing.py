"""The embedder `hash`: 768 numbers a text, of its words and their letters. It knows no meaning.

Each term of the search tokeniser, and each run of three characters of it, adds its sign to one of 768
places, chosen by BLAKE2; a place counts the root of what came together there. The same text gives the same
numbers everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from indx_core.text import query_terms

__all__ = ["DIMENSION", "HashedTexts"]

DIMENSION: Final = 768
_WHOLE: Final = 2.0
_GRAM: Final = 3
_MOST_TERMS: Final = 100_000


class HashedTexts:
    """Embeds texts by hashing; both roles alike."""

    name = "hash"

    def embed(
        self,
        texts: Sequence[str],
        role: Literal["document", "query"],  # noqa: ARG002  both roles are embedded alike
    ) -> npt.NDArray[np.float32]:
        """One row of length 1 a text; 0 throughout for a text without a term."""
        rows = np.zeros((len(texts), DIMENSION), np.float64)
        for row, text in zip(rows, texts, strict=True):
            for term in query_terms(text)[:_MOST_TERMS]:
                places, signs = _hashed(term)
                np.add.at(row, places, signs)
        rows = np.sign(rows) * np.sqrt(np.abs(rows))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows.astype(np.float32)


@lru_cache(maxsize=100_000)
def _hashed(term: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    padded = f" {term} "
    grams = [padded[at : at + _GRAM] for at in range(len(padded) - _GRAM + 1)]
    digests = [blake2b(part.encode("utf-8", "replace"), digest_size=8).digest() for part in (padded, *grams)]
    numbers = np.array([int.from_bytes(one, "little") for one in digests], dtype=np.uint64)
    signs = np.where(numbers >> np.uint64(63), 1.0, -1.0)
    signs[0] *= _WHOLE
    return (numbers % np.uint64(DIMENSION)).astype(np.int64), signs
