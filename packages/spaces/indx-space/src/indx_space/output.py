"""An output directory is one transaction: everything is staged inside it, then moved to its place.

Until the journal is written nothing visible has changed, and the next build drops what was staged. Once it
is there everything staged is complete and on the disk; a build that finds it moves what is left before it
begins. The archive moves last, is one file and holds everything, so that whoever opens the space always
sees one whole generation.

Files of chunks are not synced one by one: they repeat what the archive holds, and every build compares
them with what they should be.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self

from indx_core.errors import ArchiveError, BuildError
from indx_space.archive.members import (
    ARCHIVE_SUFFIX,
    CHUNK_FOLDER,
    EMBEDDING_FOLDER,
    EMBEDDING_MANIFEST,
    INDEX,
    VECTORS,
    chunk_file,
    chunk_ordinal,
)
from indx_space.archive.reading import Archive, parse_json
from indx_space.disk import DISK, Disk, atomic_write, build_errors
from indx_space.locking import Lock

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["JOURNAL", "OutputTransaction"]

JOURNAL: Final = ".indx-journal.json"
_ASIDE: Final = "move it away, or choose another output"
_STAGING: Final = re.compile(r"\.indx-staging-[0-9a-z]+")
_EMBEDDING_FILES: Final = (VECTORS, EMBEDDING_MANIFEST)


class OutputTransaction:
    """One build's hold on an output directory.

    Entering makes the directory, takes its lock, finishes or drops what an earlier build left, and refuses
    to go on where it would overwrite something that is not a space this release can read. Leaving without
    `commit` leaves the directory as it was.

    Args:
        output: The directory.
        name: The base name of the archive.
        disk: Where to.
        is_known: Whether what stands there is what the caller wrote last; asked once, under the lock.

    Attributes:
        known: What `is_known` said.

    Raises:
        BuildError: `output_locked`, `output_unwritable`, `disk_full`.
        ArchiveError: What stands at the archive's or the index's place is foreign, damaged, or newer.
    """

    def __init__(
        self,
        output: Path,
        name: str = "handbook",
        *,
        disk: Disk = DISK,
        is_known: Callable[[], bool] = lambda: False,
    ) -> None:
        """Change nothing yet."""
        if name in ("", ".", "..") or Path(name).name != name or not name.isprintable():
            raise BuildError(
                f"the name {name!r} is no file name: name the archive by plain letters",
                code="output_unwritable",
            )
        self.output = output
        self.archive_name = name + ARCHIVE_SUFFIX
        self._disk = disk
        self._is_known = is_known
        self.known = False
        self._lock: Lock | None = None
        self._made: list[Path] = []
        self._folders: set[Path] = set()
        self.staging = output / f".indx-staging-{os.getpid()}"

    def __enter__(self) -> Self:
        try:
            with build_errors(self.output):
                self._made = [one for one in (self.output, *self.output.parents) if not one.exists()]
                self._disk.make_folder(self.output)
                self._lock = Lock(self.output)
                recover(self.output, disk=self._disk)
                self.known = self._is_known()
                if not self.known:
                    refuse_foreign(self.output, self.archive_name)
                self._disk.make_folder(self.staging)
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    @property
    def archive(self) -> Path:
        """Where the archive will be."""
        return self.output / self.archive_name

    def stage(self, name: str) -> Path:
        """Where to write what will be `name` in the output directory; its folder exists."""
        path = self.staging / name
        if path.parent not in self._folders:
            self._disk.make_folder(path.parent)
            self._folders.add(path.parent)
        return path

    @contextmanager
    def create(self, name: str) -> Iterator[BinaryIO]:
        """A staged file to write."""
        with self._disk.create(self.stage(name)) as file:
            yield file

    def stage_chunk(self, name: str, data: bytes) -> None:
        """Stage the file of a chunk, unless the directory already holds the same bytes."""
        # Thousands of files: paths are put together as plain text.
        if not (self._present and _holds(f"{self._present}/{name}", data)):
            self._disk.write(f"{self._chunks}/{name}", data)

    @cached_property
    def _present(self) -> str:
        """The folder of chunks that is there already; empty where there is none."""
        folder = self.output / CHUNK_FOLDER
        return str(folder) if folder.is_dir() else ""

    @cached_property
    def _chunks(self) -> str:
        return str(self.stage(f"{CHUNK_FOLDER}/any").parent)

    def commit(self, *, chunks: int, embeddings: bool) -> None:
        """Put everything staged in its place.

        Args:
            chunks: How many files of chunks the directory is to hold.
            embeddings: Whether it is to hold vectors.

        Raises:
            BuildError: The directory cannot be written; if moving had begun, the next build ends it.
        """
        with build_errors(self.output):
            for folder in sorted(self._folders, reverse=True):
                self._disk.sync_folder(folder)
            plan = {
                "staging": self.staging.name,
                "archive": self.archive_name,
                "chunks": chunks,
                "embeddings": embeddings,
            }
            atomic_write(self.output / JOURNAL, json.dumps(plan).encode(), disk=self._disk)
            _finish(self.output, plan, self._disk)

    def _leave(self) -> None:
        """Drop what is staged unless a journal says that it is needed, and let the lock go."""
        if self._lock is not None:
            try:
                if self.staging.is_dir() and not (self.output / JOURNAL).exists():
                    with suppress(OSError):
                        self._disk.remove_tree(self.staging)
            finally:
                self._lock.release()
                self._lock = None
        for folder in self._made:
            self._disk.remove_folder(folder)


def recover(output: Path, *, disk: Disk = DISK) -> None:
    """End what an earlier build began: with its journal go forward, without it drop what was staged.

    The lock must be held.
    """
    plan = _read_journal(output)
    if plan is not None:
        _finish(output, plan, disk)
    if (output / JOURNAL).exists():
        disk.remove(output / JOURNAL)
    for left in sorted(output.iterdir()):
        if _STAGING.fullmatch(left.name) and left.is_dir() and not left.is_symlink():
            disk.remove_tree(left)
        elif left.name.startswith(f".{JOURNAL}.") and left.name.endswith(".part"):
            disk.remove(left)


def refuse_foreign(output: Path, archive_name: str) -> None:
    """Refuse to build over what is not a space that this release can read.

    Raises:
        ArchiveError: It says what is in the way.
        BuildError: `output_unwritable`: a folder's place is taken by a file.
    """
    digest = None
    archive = output / archive_name
    if archive.exists():
        with Archive(archive, remedy=f"it is not overwritten: {_ASIDE}") as opened:
            digest = opened.stated(INDEX)[1]
    for name in (CHUNK_FOLDER, EMBEDDING_FOLDER):
        if (output / name).exists() and not (output / name).is_dir():
            raise BuildError(
                f"{str(output / name)!r} is not a directory: {_ASIDE}",
                code="output_unwritable",
            )
    index = output / INDEX
    if not index.exists():
        return
    content: Any = {}
    if not index.is_dir():
        with index.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == digest:
                return
            file.seek(0)
            content = parse_json(file.read())
    if not isinstance(content, dict) or not {"version", "root", "documents", "chunks"} <= content.keys():
        code = "archive_corrupt" if content is None else "archive_foreign"
        raise ArchiveError(
            f"{str(index)!r} is not the index of a knowledge space and will not be overwritten: {_ASIDE}",
            code=code,
        )


def _finish(output: Path, plan: dict[str, Any], disk: Disk) -> None:
    """Move what is staged to its place, the archive last, and end the journal. Safe to repeat."""
    staging: Path = output / plan["staging"]
    if staging.is_dir():
        _move_chunks(staging / CHUNK_FOLDER, output / CHUNK_FOLDER, disk)
        _drop_stale(output, plan, disk)
        last = (INDEX, plan["archive"])
        others = sorted(
            one.name for one in staging.iterdir() if one.name not in (*last, CHUNK_FOLDER, "replaced")
        )
        for name in (*others, *last):
            _move(staging, name, output, disk)
        disk.sync_folder(output)
    disk.remove(output / JOURNAL)
    if staging.is_dir():
        disk.remove_tree(staging)


def _move_chunks(staged: Path, target: Path, disk: Disk) -> None:
    if not staged.is_dir():
        return
    if target.is_dir():
        for name in _names(staged):
            disk.replace(staged / name, target / name)
    else:
        disk.replace(staged, target)
    disk.sync_folder(target)


def _drop_stale(output: Path, plan: dict[str, Any], disk: Disk) -> None:
    """Remove what an earlier generation had and this one has not. Files of others stay."""
    chunks = output / CHUNK_FOLDER
    if chunks.is_dir():
        names = set(os.listdir(chunks))  # noqa: PTH208  (thousands of names, and paths cost)
        names.difference_update(map(chunk_file, range(min(plan["chunks"], len(names)))))
        for name in sorted(names):
            ordinal = chunk_ordinal(name)
            if ordinal is not None and ordinal >= plan["chunks"]:
                disk.remove(chunks / name)
    if not plan["embeddings"] and (output / EMBEDDING_FOLDER).is_dir():
        for name in _EMBEDDING_FILES:
            disk.remove(output / name)
        disk.remove_folder(output / EMBEDDING_FOLDER)


def _move(staging: Path, name: str, output: Path, disk: Disk) -> None:
    """Move one staged file or folder; a folder of ours is merged, another replaces what is there."""
    source, target = staging / name, output / name
    if not source.exists():
        return
    if name == EMBEDDING_FOLDER and target.is_dir():
        for part in _names(source):
            disk.replace(source / part, target / part)
        disk.sync_folder(target)
        return
    if target.is_dir() and not target.is_symlink():
        disk.make_folder(staging / "replaced")
        disk.replace(target, staging / "replaced" / name)
    disk.replace(source, target)


def _names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def _read_journal(output: Path) -> dict[str, Any] | None:
    """The plan of an interrupted build; None where there is none, or none that a build wrote."""
    try:
        plan = parse_json((output / JOURNAL).read_bytes())
    except FileNotFoundError:
        return None
    if not isinstance(plan, dict):
        return None
    staging, archive, chunks = plan.get("staging"), plan.get("archive"), plan.get("chunks")
    if not isinstance(staging, str) or not isinstance(archive, str):
        return None
    plain = Path(archive).name == archive and archive.endswith(ARCHIVE_SUFFIX) and _STAGING.fullmatch(staging)
    return plan if plain and type(chunks) is int and type(plan.get("embeddings")) is bool else None


def _holds(path: str, data: bytes) -> bool:
    """Whether a file holds exactly these bytes."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        found = os.read(handle, len(data) + 1)
    except OSError:
        return False
    finally:
        os.close(handle)
    return found == data
