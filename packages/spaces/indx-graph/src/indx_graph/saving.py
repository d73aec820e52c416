"""Writes an index so that a crash at any instant leaves a whole one: the old, the new, or the old set aside.

All files go to `<folder>.partial`. When they are on the disk, `<folder>` is renamed to `<folder>.old`,
`<folder>.partial` to `<folder>`, and `<folder>.old` is deleted. What an ingest that was killed left is put
right by the next one, and by nobody else: opening changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

import numpy as np

from indx_core.canonical import canonical_json
from indx_core.paths import named
from indx_graph.errors import IndexError_
from indx_graph.graph import Graph
from indx_graph.layout import ANN_FILES, FORMAT_VERSION, INFO, beside, describe, is_index, is_ours
from indx_graph.nearest import approximate
from indx_graph.options import SIGNALS
from indx_space.disk import DISK, Disk, build_errors
from indx_space.locking import Lock
from indx_space.packing import now

__all__ = ["Saving"]

Writer = Callable[[BinaryIO], object]
_ADVICE: Final = "choose another folder, or move what is there away yourself"


class Saving:
    """One ingest into a folder: entered before any costly work, so that what is foreign is refused at once.

    Args:
        folder: Where the index is to be.
        disk: What changes files.

    Raises:
        UsageError: The path is empty.
        IndexError_: `archive_foreign`: there is something that is no index, there or where an index is made.
        BuildError: `output_locked`: another ingest is at work there; `output_unwritable`, `disk_full`.
    """

    def __init__(self, folder: str | Path, *, disk: Disk = DISK) -> None:
        """Name the folder; touch nothing."""
        self.folder = Path(os.path.realpath(named(folder)))
        self.partial, self.old = beside(self.folder)
        self._disk = disk
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Take the lock, check what is there, and put right what a killed ingest left."""
        with build_errors(self.folder):
            self._disk.make_folder(self.folder.parent)
            lock = Lock(self.folder.parent, f".{self.folder.name}.lock")
        self._held.callback(lock.release)
        try:
            self._check()
            with build_errors(self.folder):
                self._put_right()
        except BaseException:
            self._held.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def _check(self) -> None:
        """Refuse what is foreign."""
        if os.path.lexists(self.folder) and not is_index(self.folder) and not _is_empty(self.folder):
            raise IndexError_(
                f"{str(self.folder)!r} {describe(self.folder)} and is not an index: {_ADVICE}",
                code="archive_foreign",
            )
        for path in (self.partial, self.old):
            if os.path.lexists(path) and not is_ours(path):
                raise IndexError_(
                    f"{str(path)!r}, where an index is made, {describe(path)}: {_ADVICE}",
                    code="archive_foreign",
                )

    def _put_right(self) -> None:
        """Bring back an index that was set aside and not replaced; drop what else was left."""
        if self.old.exists():
            if is_index(self.folder):
                self._disk.remove_tree(self.old)
            elif is_index(self.old):
                if self.folder.exists():
                    self._disk.remove_folder(self.folder)
                self._disk.replace(self.old, self.folder)
                self._disk.sync_folder(self.folder.parent)
            else:
                raise IndexError_(
                    f"{str(self.old)!r} was set aside, is not whole, and nothing stands in its place: "
                    f"{_ADVICE}"
                )
        if self.partial.exists():
            self._disk.remove_tree(self.partial)

    def write(self, graph: Graph, summary: Mapping[str, Any]) -> dict[str, Any]:
        """Write an index and put it in place.

        Args:
            graph: What is written.
            summary: What `info.json` says beside what it must.

        Returns:
            What `info.json` says.

        Raises:
            BuildError: `output_unwritable`, `disk_full`; the folder is as it was before.
        """
        info = {
            **summary,
            "chunks": len(graph.chunks),
            "edges": len(graph.edges),
            "format_version": FORMAT_VERSION,
            "spectrafuse_version": version("indx-graph"),
            "created_at": now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        with build_errors(self.folder):
            try:
                self._write_files(graph, info)
            except BaseException:
                self._drop_partial()
                raise
            self._put_in_place()
        return info

    def _write_files(self, graph: Graph, info: Mapping[str, Any]) -> None:
        self._disk.make_folder(self.partial)
        for name, write in _files(graph).items():
            with self._disk.create(self.partial / name) as file:
                write(file)
        backend = graph.settings.backend
        if backend in ANN_FILES and len(graph.chunks):
            path = self.partial / ANN_FILES[backend]
            approximate(backend, graph.embeddings).save(path)
            with path.open("rb+") as file:
                os.fsync(file.fileno())
        # The account makes a folder an index, so it comes last.
        with self._disk.create(self.partial / INFO) as file:
            file.write(canonical_json(info))
        self._disk.sync_folder(self.partial)

    def _drop_partial(self) -> None:
        try:
            if self.partial.exists():
                self._disk.remove_tree(self.partial)
        except OSError:
            return  # the next ingest drops it

    def _put_in_place(self) -> None:
        replaced, aside = is_index(self.folder), False
        try:
            if replaced:
                self._disk.replace(self.folder, self.old)
                aside = True
            elif self.folder.exists():
                self._disk.remove_folder(self.folder)
            self._disk.replace(self.partial, self.folder)
        except OSError:
            if aside:
                self._disk.replace(self.old, self.folder)
            self._drop_partial()
            raise
        self._disk.sync_folder(self.folder.parent)
        if replaced:
            self._disk.remove_tree(self.old)


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir())


def _files(graph: Graph) -> dict[str, Writer]:
    """What writes each file but `info.json`."""
    arrays = {
        "embeddings.npy": graph.embeddings.astype("<f4"),
        "edges.npy": graph.edges.astype("<f8"),
        "spectral.npy": graph.spectral.astype("<f4"),
        "eigenvalues.npy": graph.eigenvalues.astype("<f8"),
        "question_vectors.npy": graph.question_vectors.astype("<f4"),
        "question_owners.npy": graph.question_owners.astype("<i8"),
    }
    if graph.probe is not None:
        arrays["embedder_probe.npy"] = graph.probe.astype("<f4")
    files: dict[str, Writer] = {name: partial(_array, value) for name, value in arrays.items()}
    files["signals.npz"] = partial(_signals, graph)
    files["chunks.json"] = partial(_chunks, graph)
    files["settings.json"] = lambda file: file.write(canonical_json(graph.settings.model_dump(mode="json")))
    return files


def _array(value: Any, file: BinaryIO) -> None:
    np.save(file, value, allow_pickle=False)


def _signals(graph: Graph, file: BinaryIO) -> None:
    np.savez(file, allow_pickle=False, **{name: graph.signals[name].astype("<f8") for name in SIGNALS})


def _chunks(graph: Graph, file: BinaryIO) -> None:
    """One chunk a line, so that two indexes can be compared line by line."""
    file.write(b"[")
    for number, chunk in enumerate(graph.chunks):
        file.write(b",\n" if number else b"\n")
        file.write(canonical_json(chunk.written()))
    file.write(b"\n]\n")
