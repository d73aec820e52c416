"""The cache of builds: bytes under the digest of everything they depend on.

One SQLite file, so that two builds may share it and a killed one leaves it whole. Every value carries a
checksum: what does not match is as if it were not there. A cache that cannot be used at all is set aside
and started afresh; a build never fails for its cache.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

__all__ = ["BuildCache", "cache_key", "texts_key"]

_log = logging.getLogger("indx.space.cache")

_FILE: Final = "builds-1.sqlite3"
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS entries (
    key BLOB PRIMARY KEY, value BLOB NOT NULL, sum INTEGER NOT NULL, used INTEGER NOT NULL)
"""
_BATCH: Final = 400
_DAY: Final = 86_400
_KEPT: Final = 0.75  # of the limit, after pruning, so that not every build prunes


def cache_key(*parts: str | bytes) -> bytes:
    """The key of a value that depends on `parts`, and on nothing else."""
    encoded = [part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in parts]
    lengths = ",".join([str(len(data)) for data in encoded]).encode()
    return hashlib.blake2b(b"\n".join([lengths, *encoded]), digest_size=20).digest()


def texts_key(texts: Sequence[str]) -> bytes:
    """The key of a list of texts."""
    lengths = ",".join([str(len(text)) for text in texts])
    return cache_key(lengths, "".join(texts))


class BuildCache:
    """Values by key; one that keeps nothing is made without a folder.

    Args:
        folder: Where the cache is kept.
        limit: How many bytes it may hold after a build.
        clock: Seconds since the epoch, by whose days use is remembered.
    """

    def __init__(
        self, folder: Path | None, *, limit: int = 2**31, clock: Callable[[], float] = time.time
    ) -> None:
        self._path = folder / _FILE if folder is not None else None
        self._limit = limit
        self._clock = clock
        self._day = int(clock() // _DAY)
        self._stale: set[bytes] = set()
        self._waiting: list[tuple[bytes, bytes, int, int]] = []
        self._waiting_bytes = 0
        self._written: set[bytes] | None = None
        self._database = self._open()

    @property
    def keeps(self) -> bool:
        """Whether anything is kept."""
        return self._database is not None

    def now_ns(self) -> int:
        """The time by the cache's clock, as file stamps count it."""
        return int(self._clock() * 1e9)

    def _open(self) -> sqlite3.Connection | None:
        if self._path is None:
            return None
        for attempt in range(2):
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                database, empty = _connect(self._path)
            except (sqlite3.Error, OSError) as error:
                if attempt or not _is_damage(error):
                    _log.warning("the cache %s is not used: %s", self._path, error)
                    return None
                _log.warning("the cache %s is damaged and begun afresh: %s", self._path, error)
                self._remove()
            else:
                # A first build asks for thousands of values that cannot be there.
                self._written = set() if empty else None
                return database
        return None

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values that are there, by key."""
        found: dict[bytes, bytes] = {}
        if self._database is None:
            return found
        wanted = list(dict.fromkeys(keys))
        if self._written is not None:
            wanted = [key for key in wanted if key in self._written]
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            try:
                rows = self._database.execute(
                    f"SELECT key, value, sum, used FROM entries WHERE key IN ({marks})",  # noqa: S608
                    batch,
                ).fetchall()
            except sqlite3.Error as error:
                self._give_up(error)
                return found
            for key, value, checksum, used in rows:
                if isinstance(value, bytes) and zlib.crc32(value) == checksum:
                    found[key] = value
                    if used != self._day:
                        self._stale.add(key)
        return found

    def get_one(self, key: bytes) -> bytes | None:
        """The value under `key`, or None."""
        return self.get((key,)).get(key)

    def put(self, values: Mapping[bytes, bytes]) -> None:
        """Keep values; they are written together with others, at the latest by `flush`."""
        if self._database is None:
            return
        for key, value in values.items():
            self._waiting.append((key, value, zlib.crc32(value), self._day))
            self._waiting_bytes += len(value)
        if len(self._waiting) >= 64 or self._waiting_bytes > 4_194_304:
            self.flush()

    def flush(self) -> None:
        """Write what waits, so that it outlives this process."""
        if self._database is None or not self._waiting:
            return
        rows, self._waiting, self._waiting_bytes = self._waiting, [], 0
        try:
            with self._database:
                self._database.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
            if self._written is not None:
                self._written.update(row[0] for row in rows)
        except sqlite3.Error as error:
            self._give_up(error)

    def close(self) -> None:
        """Write what waits, remember what was used, drop the oldest above the limit."""
        self.flush()
        if self._database is None:
            return
        try:
            with self._database:
                days = [(self._day, key) for key in sorted(self._stale)]
                self._database.executemany("UPDATE entries SET used = ? WHERE key = ?", days)
            self._prune(self._database)
            self._database.close()
        except sqlite3.Error as error:
            self._give_up(error)
        self._database = None

    def _prune(self, database: sqlite3.Connection) -> None:
        pages, page_size, free = (
            database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "page_size", "freelist_count")
        )
        excess = (pages - free) * page_size - self._limit
        if excess <= 0:
            return
        excess += int(self._limit * (1 - _KEPT))
        doomed: list[Sequence[bytes]] = []
        for key, size in database.execute("SELECT key, length(value) FROM entries ORDER BY used, rowid"):
            if excess <= 0:
                break
            doomed.append((key,))
            excess -= size
        with database:
            database.executemany("DELETE FROM entries WHERE key = ?", doomed)
        database.executescript("PRAGMA incremental_vacuum")  # `execute` would take one step of it

    def _give_up(self, error: sqlite3.Error) -> None:
        """Go on without the cache; one that is damaged is removed, so that the next build begins afresh."""
        _log.warning("the cache %s is not used any more: %s", self._path, error)
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
        self._database = None
        if _is_damage(error):
            self._remove()

    def _remove(self) -> None:
        assert self._path is not None
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink()

    def __enter__(self) -> Self:
        """Use as a block that closes the cache at its end."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_CIRCUMSTANCES: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
    }
)


def _is_damage(error: Exception) -> bool:
    """Whether the file is at fault, and not that another holds it or that nothing can be written there."""
    return isinstance(error, sqlite3.Error) and (error.sqlite_errorcode & 0xFF) not in _CIRCUMSTANCES


def _connect(path: Path) -> tuple[sqlite3.Connection, bool]:
    """The database at `path`, made where there is none, and whether it is empty."""
    database = sqlite3.connect(path, timeout=10.0)
    try:
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            database.execute("PRAGMA auto_vacuum = INCREMENTAL")
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(_SCHEMA)
        database.execute("PRAGMA synchronous = NORMAL")
        first = database.execute("SELECT key, value, sum, used FROM entries LIMIT 1").fetchone()
    except sqlite3.Error:
        database.close()
        raise
    return database, first is None
