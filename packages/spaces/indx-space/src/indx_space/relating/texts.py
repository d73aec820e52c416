"""What relating needs to know of a document's text: its signature and whom it mentions. Kept in the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from indx_space.cache import BuildCache, cache_key, texts_key
from indx_space.relating.likeness import PERMUTATIONS, algorithm, hashes, signature
from indx_space.relating.mentions import Mentions
from indx_space.terms import TermTable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["TextFacts", "read_texts"]


@dataclass(slots=True)
class TextFacts:
    """Of one document: its MinHash (None: too short, or not wanted), and place, path, score of mentions."""

    signature: npt.NDArray[np.uint32] | None = None
    mentions: Sequence[tuple[int, str, float]] = ()


def read_texts(
    texts: Mapping[str, Sequence[str]],
    titles: Mapping[str, str],
    cache: BuildCache,
    *,
    table: TermTable,
    seed: int,
    likeness: bool,
    mentions: bool,
    paths: Sequence[str] | None = None,
) -> dict[str, TextFacts]:
    """Facts of every document by path.

    Args:
        texts: The chunks of each document by its path.
        titles: Titles by path.
        cache: Where facts are looked up and kept.
        table: Where texts are cut into terms.
        seed: Of the signatures.
        likeness: Whether signatures are wanted.
        mentions: Whether mentions are wanted.
        paths: The paths of all documents, where facts of some are wanted.
    """
    finder = Mentions(list(texts if paths is None else paths), titles, table) if mentions else None
    signing = algorithm(seed) if likeness else None
    kinds = {path: _keys(path, chunks, finder, signing) for path, chunks in texts.items()}
    known = cache.get(key for keys in kinds.values() for key in keys if key is not None)
    unread = [
        path for path, keys in kinds.items() if any(key is not None and key not in known for key in keys)
    ]
    words = {path: table.words(texts[path]) for path in unread}
    hashed = hashes(table.terms()) if words and likeness else None
    for path, own in words.items():
        like_key, mention_key = kinds[path]
        made: dict[bytes, bytes] = {}
        if like_key is not None and hashed is not None and like_key not in known:
            one = signature(hashed[own.numbers], seed)
            made[like_key] = b"" if one is None else one.astype("<u4").tobytes()
        if mention_key is not None and finder is not None and mention_key not in known:
            made[mention_key] = orjson.dumps(finder.of(texts[path], own, path))
        cache.put(made)
        known |= made
    return {
        path: TextFacts(
            None if like_key is None else _signature(known[like_key]),
            () if mention_key is None else _mentions(known[mention_key]),
        )
        for path, (like_key, mention_key) in kinds.items()
    }


def _keys(
    path: str, chunks: Sequence[str], finder: Mentions | None, signing: str | None
) -> tuple[bytes | None, bytes | None]:
    """Under what a document's signature and mentions are kept, where they are wanted."""
    text = texts_key(chunks)
    return (
        None if signing is None else cache_key("signature", signing, text),
        None if finder is None else cache_key("mentions", finder.digest, path, text),
    )


def _signature(value: bytes) -> npt.NDArray[np.uint32] | None:
    import numpy as np

    return np.frombuffer(value, dtype="<u4") if len(value) == 4 * PERMUTATIONS else None


def _mentions(value: bytes) -> list[tuple[int, str, float]]:
    try:
        rows: Any = orjson.loads(value)
    except orjson.JSONDecodeError:
        return []
    return [(place, path, score) for place, path, score in rows]
