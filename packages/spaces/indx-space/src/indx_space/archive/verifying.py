"""Checks every member of an archive, mapped ones too: `indx inspect --verify`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from indx_core.paths import named
from indx_space.archive.members import CHUNK_FOLDER, INDEX, VECTORS, chunk_file
from indx_space.archive.reading import Archive, locate, parse_json

if TYPE_CHECKING:
    from indx_space.knowledge import KnowledgeSpace

__all__ = ["Verified", "verify_archive"]


class Verified(NamedTuple):
    """What was checked: how many members, and how many bytes they hold."""

    members: int
    size: int


def verify_archive(path: str | Path) -> Verified:
    """Check every member of an archive against the manifest, and the index and the chunks for sense.

    Args:
        path: An archive, or an output directory with one.

    Raises:
        ArchiveError: What is wrong with it, the first thing found.
        UsageError: The path is empty.
    """
    from indx_space.knowledge import KnowledgeSpace

    where = locate(named(path))
    with Archive(where) as archive:
        held = 0
        for name in archive.members:
            size, digest = archive.stated(name)
            if hashlib.sha256(archive.mapped(name)).hexdigest() != digest:
                archive.corrupt(f"{name!r} does not fit the SHA-256 of the manifest")
            held += size
        with KnowledgeSpace.load(where) as space:
            for items in (space.documents_, space.chunks, space.relations):
                list(items)  # each is checked when it is made
            _check_vectors(archive, space)
            _check_chunk_files(archive, [chunk.id for chunk in space.chunks])
        return Verified(len(archive.members), held)


def _check_vectors(archive: Archive, space: KnowledgeSpace) -> None:
    if not archive.has(VECTORS):
        return
    import numpy as np

    table = space.vectors()
    if table is not None and not np.isfinite(table.values).all():
        archive.corrupt(f"{VECTORS!r} holds numbers that are not finite")


def _check_chunk_files(archive: Archive, ids: list[str]) -> None:
    for ordinal, identity in enumerate(ids):
        name = f"{CHUNK_FOLDER}/{chunk_file(ordinal)}"
        if not archive.has(name):
            archive.corrupt(f"{name!r} is missing")
        chunk = parse_json(archive.read(name))
        if not isinstance(chunk, dict) or chunk.get("id") != identity:
            archive.corrupt(f"{name!r} is not the chunk that {INDEX!r} has there")
    if archive.has(f"{CHUNK_FOLDER}/{chunk_file(len(ids))}"):
        archive.corrupt(f"it holds more chunk files than {INDEX!r} has chunks")
