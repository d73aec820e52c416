"""Feature-hashed character trigrams, whole batches at a time.

The algorithm, which is frozen under the fingerprint `hashed-trigrams-1`:

1. A text is folded (NFKC, case) and cut to its first million characters.
2. A character is a word character when its Unicode category is letter, mark or number; every other one
   counts as one space. A trigram is a word character with the characters before and after it, so words
   are padded with a space on both sides and no trigram spans two words.
3. A trigram (a, b, c) of code points is mixed in 32-bit unsigned arithmetic: `h = a*K1 + b*K2 + c*K3`,
   `h ^= h >> 15`, `h *= K4`. The top bit is its sign, the next eight its bucket.
4. A bucket's weight is the square root of the size of its signed count. Where all counts cancel out, the
   signs of the text are ignored. The sum of squares is then a sum of whole numbers, so the division to
   unit length is exact up to one rounding, and the same on every machine.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from indx_core.ports.embedding import Embedded, EmbeddingInput
from indx_core.text import fold
from indx_embed_hash.provider import DECLARATION

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

DIMENSION: Final = DECLARATION.space.dimension
MAX_CHARACTERS: Final = DECLARATION.max_characters
GROUP_CHARACTERS: Final = 200_000  # arrays of this many characters stay in the processor's cache
GROUP_TEXTS: Final = 128
NOTHING: Final = "nothing to embed: the text holds no letter and no digit"

SPACE: Final = np.uint32(0x20)
PLANE: Final = 0x10000  # code points below are looked up in one table
K1, K2, K3, K4 = (np.uint32(k) for k in (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F))


def embed(batch: Sequence[EmbeddingInput], deadline: Deadline) -> Embedded:
    """Embed the texts of `batch`; what is no text, or holds none, is an error of that item."""
    values = np.zeros((len(batch), DIMENSION), np.float32)
    errors: dict[int, str] = {}
    for rows, texts in _groups(batch, errors):
        deadline.check()
        vectors, empty = _embed_group(texts)
        values[rows] = vectors
        errors.update((rows[row], NOTHING) for row in np.flatnonzero(empty).tolist())
    return Embedded(values, dict(sorted(errors.items())))


def _groups(batch: Sequence[EmbeddingInput], errors: dict[int, str]) -> Iterator[tuple[list[int], list[str]]]:
    """Folded texts with their places in the batch, a bounded number of characters at a time."""
    rows: list[int] = []
    texts: list[str] = []
    characters = 0
    for row, item in enumerate(batch):
        if not isinstance(item, str):
            errors[row] = "an image: the space default-text embeds text only"
            continue
        text = fold(item[:MAX_CHARACTERS])
        if texts and (characters + len(text) > GROUP_CHARACTERS or len(texts) == GROUP_TEXTS):
            yield rows, texts
            rows, texts, characters = [], [], 0
        rows.append(row)
        texts.append(text)
        characters += len(text)
    if texts:
        yield rows, texts


def _embed_group(texts: list[str]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """One unit vector a text, and which texts have none."""
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    # A space before, between and after the texts pads their outer words.
    codes = np.frombuffer(f" {' '.join(texts)} ".encode("utf-32-le", "surrogatepass"), "<u4")
    shown = _shown(codes)
    middle = shown[1:-1]
    mixed = shown[:-2] * K1
    mixed += middle * K2
    mixed += shown[2:] * K3
    mixed ^= mixed >> np.uint32(15)
    mixed *= K4
    mixed >>= np.uint32(23)

    bins = np.repeat(np.arange(len(texts)) * 2 * DIMENSION, lengths + 1)[:-1]
    bins += mixed
    bins = bins[middle != SPACE]
    counted = np.bincount(bins, minlength=len(texts) * 2 * DIMENSION).reshape(-1, 2, DIMENSION)
    signed = counted[:, 0] - counted[:, 1]
    cancelled = ~signed.any(axis=1)
    signed[cancelled] = counted[cancelled].sum(axis=1)
    size = np.abs(signed)
    total = size.sum(axis=1, keepdims=True)
    vectors = np.sign(signed) * np.sqrt(size / np.maximum(total, 1))
    return vectors.astype(np.float32), total[:, 0] == 0


def _shown(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """`codes` with every character that is part of no word made a space."""
    shown = _basic_plane().shown(codes)
    beyond = np.flatnonzero(codes >= PLANE)
    if beyond.size:
        distinct, where = np.unique(codes[beyond], return_inverse=True)
        kept = [code if _in_word(code) else int(SPACE) for code in distinct.tolist()]
        shown[beyond] = np.array(kept, np.uint32)[where]
    return shown


@cache
def _basic_plane() -> _Plane:
    return _Plane()


class _Plane:
    """The basic plane as a table, whose pages of 256 characters are filled when a text first needs them."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._table = np.full(PLANE, SPACE, np.uint32)
        self._known = np.zeros(PLANE >> 8, np.bool_)

    def shown(self, codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
        """`codes` with what is part of no word made a space; those beyond the plane mean nothing."""
        pages = np.minimum(codes >> np.uint32(8), len(self._known) - 1)
        used = np.bincount(pages, minlength=len(self._known)) > 0
        for page in np.flatnonzero(used & ~self._known).tolist():
            for code in filter(_in_word, range(page << 8, (page + 1) << 8)):
                self._table[code] = code
            self._known[page] = True  # only now: another thread may look at the same time
        return self._table.take(codes, mode="clip")


def _in_word(code: int) -> bool:
    return unicodedata.category(chr(code))[0] in "LMN"
