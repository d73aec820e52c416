"""Copies and near copies: equal digests, and MinHash signatures of what documents say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from indx_core.installed import version

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["PERMUTATIONS", "algorithm", "hashes", "near_duplicates", "signature"]

PERMUTATIONS: Final = 128
_SHINGLE: Final = 3
_SHORTEST: Final = 24  # shingles: a page of a heading and a line is like any other such page
_AT_ONCE: Final = 1 << 16  # terms hashed at once: the library copies them
_COMPARED: Final = 48  # earlier documents of one bucket: boilerplate makes buckets of thousands
_CERTAIN: Final = 0.99
_MIX: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


def algorithm(seed: int) -> str:
    """What a signature depends on beside the text."""
    return f"rensa {version('rensa')} {PERMUTATIONS} {_SHINGLE} {_SHORTEST} {seed}"


def hashes(terms: Sequence[str]) -> npt.NDArray[np.uint64]:
    """A number for each term, the same wherever the term stands."""
    import numpy as np
    from rensa import RMinHash

    hashed = np.empty(len(terms), dtype=np.uint64)
    for first in range(0, len(terms), _AT_ONCE):
        part = list(terms[first : first + _AT_ONCE])
        hashed[first : first + _AT_ONCE] = RMinHash.hash_token_sets([part])[0]
    return hashed


def signature(hashed: npt.NDArray[np.uint64], seed: int) -> npt.NDArray[np.uint32] | None:
    """The MinHash of the runs of three terms of a text; None for a text too short to compare.

    Args:
        hashed: The terms as `hashes` gives them, in order.
        seed: Of the permutations.
    """
    import numpy as np
    from rensa import RMinHash

    if len(hashed) < _SHORTEST + _SHINGLE - 1:
        return None
    count = len(hashed) - _SHINGLE + 1
    shingles = np.zeros(count, dtype=np.uint64)
    for place, factor in enumerate(_MIX):
        shingles = (shingles ^ hashed[place : place + count]) * np.uint64(factor)
        shingles ^= shingles >> np.uint64(29)
    rows = RMinHash.digest_matrix_from_flat_token_hashes(shingles, [0, count], PERMUTATIONS, seed).to_rows()
    return np.array(rows[0], dtype=np.uint32)


def near_duplicates(
    signatures: Sequence[npt.NDArray[np.uint32] | None], threshold: float
) -> list[tuple[int, int, float]]:
    """For each document the earlier one it is most like, from `threshold` on.

    Args:
        signatures: In order; None takes no part.
        threshold: The least estimated Jaccard likeness of the two texts.

    Returns:
        Place of the later, place of the earlier, and the estimate.
    """
    import numpy as np

    places = [place for place, one in enumerate(signatures) if one is not None]
    if not places:
        return []
    matrix = np.array([signatures[place] for place in places], dtype=np.uint32)
    data = matrix.tobytes()
    bands, rows = _banding(threshold)
    width = rows * matrix.itemsize
    buckets: list[dict[bytes, list[int]]] = [{} for _ in range(bands)]
    found: list[tuple[int, int, float]] = []
    for number, place in enumerate(places):
        candidates: set[int] = set()
        start = number * matrix.strides[0]
        for bucket in buckets:
            earlier = bucket.setdefault(data[start : start + width], [])
            start += width
            candidates.update(earlier)
            if len(earlier) < _COMPARED:
                earlier.append(number)
        if candidates:
            ordered = sorted(candidates)
            likeness = (matrix[ordered] == matrix[number]).mean(axis=1)
            best = int(likeness.argmax())
            if likeness[best] >= threshold:
                found.append((place, places[ordered[best]], round(float(likeness[best]), 4)))
    return found


def _banding(threshold: float) -> tuple[int, int]:
    """How many bands of how many rows: the fewest that still meet pairs at the threshold."""
    for rows in (32, 16, 8, 4, 2):
        bands = PERMUTATIONS // rows
        if 1 - (1 - threshold**rows) ** bands >= _CERTAIN:
            return bands, rows
    return PERMUTATIONS, 1
