"""Digests of files that are as they were: what lets a build pass over a file without reading it.

A stamp is trusted only if the file was already at rest when it was taken: a file changed twice within the
clock's grain looks the same after the second change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from indx_space.cache import BuildCache, cache_key

if TYPE_CHECKING:
    from indx_space.walking import Stamp

__all__ = ["Known", "KnownFiles"]

_GRAIN_NS: Final = 2_000_000_000  # the coarsest file systems keep even seconds


class Known(NamedTuple):
    """What a file was when it was last read."""

    digest: str
    media_type: str
    size: int


class KnownFiles:
    """Files of one root by path and stamp.

    Args:
        cache: Where they are kept.
        root: The input, as a path.
        environment: What decides media types.
    """

    def __init__(self, cache: BuildCache, root: str, environment: str) -> None:
        self._cache = cache
        self._key = cache_key("files", root, environment)
        self._before = _load(cache.get_one(self._key))
        self._now: dict[str, list[Any]] = {}

    def find(self, path: str, stamp: Stamp | None) -> Known | None:
        """What the file at `path` holds, if it is surely as it was."""
        row = self._before.get(path)
        if stamp is None or row is None or row[0] != list(stamp) or row[3] - stamp[1] < _GRAIN_NS:
            return None
        self._now[path] = row
        return Known(row[1], row[2], row[0][0])

    def learn(self, path: str, stamp: Stamp | None, digest: str, media_type: str) -> None:
        """Remember a file that was read just now."""
        if stamp is not None:
            self._now[path] = [list(stamp), digest, media_type, self._cache.now_ns()]

    def join(self, others: KnownFiles) -> None:
        """Remember what another pass over other files of the same root kept."""
        self._now |= others._before

    def save(self) -> None:
        """Keep what is known of this build's files."""
        self._cache.put({self._key: orjson.dumps(self._now, option=orjson.OPT_SORT_KEYS)})


def _load(value: bytes | None) -> dict[str, list[Any]]:
    try:
        rows = orjson.loads(value) if value is not None else {}
    except orjson.JSONDecodeError:
        return {}
    return (
        {p: r for p, r in rows.items() if isinstance(r, list) and len(r) == 4}
        if isinstance(rows, dict)
        else {}
    )
