"""Retained snapshots: the current one and the last eight, in the cache folder, for every process alike."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from indx_core.contracts import Snapshot
from indx_core.errors import NotFound
from indx_runtime.settings import cache_dir

__all__ = ["SnapshotShelf"]

_KEPT = 9  # the current one and eight before it
_LARGEST = 1 << 24


class SnapshotShelf:
    """Keeps snapshots by ID. A folder that cannot be written keeps none; nothing else suffers."""

    def __init__(self, folder: Path | None = None) -> None:
        """Nothing is touched until something is kept or asked for."""
        self._folder = folder
        self._seen: set[str] = set()

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot as the latest."""
        with contextlib.suppress(OSError):
            folder = self._place()
            target = folder / _name(snapshot.snapshot_id)
            if snapshot.snapshot_id in self._seen and target.exists():
                return
            folder.mkdir(parents=True, exist_ok=True)
            if target.exists():
                os.utime(target)
            else:
                _write(target, snapshot.model_dump_json().encode())
            self._seen.add(snapshot.snapshot_id)
            self._prune(folder)

    def find(self, snapshot_id: str, current: Snapshot) -> Snapshot:
        """The snapshot with an ID.

        Raises:
            NotFound: `snapshot_not_found`.
        """
        if snapshot_id == current.snapshot_id:
            return current
        with contextlib.suppress(OSError, ValueError):
            kept = Snapshot.model_validate_json(_read(self._place() / _name(snapshot_id)))
            if snapshot_id == kept.snapshot_id == kept.content_id():
                return kept
        raise NotFound(
            "no snapshot with that ID is retained; ask without snapshot_id for the current one",
            code="snapshot_not_found",
            param="snapshot_id",
        )

    def _place(self) -> Path:
        return self._folder or cache_dir() / "snapshots"

    def _prune(self, folder: Path) -> None:
        kept = sorted(folder.glob("*.json"), key=lambda p: (p.stat().st_mtime_ns, p.name), reverse=True)
        for stale in kept[_KEPT:]:
            stale.unlink(missing_ok=True)


def _write(target: Path, data: bytes) -> None:
    """All of it or nothing, and nothing beside it."""
    with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".tmp", delete=False) as file:
        beside = Path(file.name)
        try:
            file.write(data)
            file.close()
            beside.replace(target)
        except OSError:
            beside.unlink(missing_ok=True)
            raise


def _read(file: Path) -> bytes:
    """A file as this writes them; a folder, a pipe or more than a snapshot ever has is not one."""
    if not file.is_file() or file.stat().st_size > _LARGEST:
        raise ValueError("no snapshot")
    return file.read_bytes()


def _name(snapshot_id: str) -> str:
    """A file name for an ID; hex digits only, whatever was asked."""
    digits = snapshot_id.removeprefix("sha256:")
    if len(digits) != 64 or set(digits) - set("0123456789abcdef"):
        raise ValueError("not a snapshot ID")
    return f"{digits}.json"
