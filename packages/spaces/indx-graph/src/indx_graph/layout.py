"""What the folder of an index holds, and how a folder is told from one that is something else."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

from indx_graph.errors import IndexError_

__all__ = ["ANN_FILES", "FILES", "FORMAT_VERSION", "beside", "describe", "is_index", "is_ours", "read_info"]

FORMAT_VERSION: Final = 2
"""The version of the format that is written, and the latest that is read."""

INFO: Final = "info.json"
ANN_FILES: Final = {"faiss": "vectors.faiss", "hnsw": "vectors.hnsw"}
FILES: Final = frozenset(
    {
        "chunks.json",
        "embeddings.npy",
        "edges.npy",
        "signals.npz",
        "spectral.npy",
        "eigenvalues.npy",
        "question_vectors.npy",
        "question_owners.npy",
        "settings.json",
        "embedder_probe.npy",
        INFO,
        *ANN_FILES.values(),
    }
)
"""Every name an index may hold."""

_LARGEST_INFO: Final = 1_000_000


def beside(folder: Path) -> tuple[Path, Path]:
    """Where a new index is written, and where an old one is put while it is replaced."""
    return folder.with_name(folder.name + ".partial"), folder.with_name(folder.name + ".old")


def is_ours(folder: Path) -> bool:
    """Whether a folder holds nothing but files of an index, whole or not."""
    try:
        if folder.is_symlink() or not folder.is_dir():
            return False
        entries = list(os.scandir(folder))
        return all(entry.name in FILES and entry.is_file(follow_symlinks=False) for entry in entries)
    except OSError:  # it has just gone
        return False


def is_index(folder: Path) -> bool:
    """Whether a folder is an index: it says so in `info.json`, and holds nothing else."""
    if not is_ours(folder):
        return False
    try:
        info = read_info(folder / INFO)
    except (IndexError_, OSError):
        return False
    return isinstance(info.get("format_version"), int)


def describe(folder: Path) -> str:
    """What stands at a path that is no index, in a few words."""
    if not folder.is_dir():
        return "is a file"
    foreign = sorted(entry.name for entry in folder.iterdir() if entry.name not in FILES)
    return f"holds {foreign[0]!r}" if foreign else "has no info.json with a format_version"


def read_info(path: Path) -> dict[str, Any]:
    """The account of an index.

    Raises:
        IndexError_: `archive_corrupt`.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(_LARGEST_INFO + 1)
    if len(content) > _LARGEST_INFO:
        raise IndexError_(f"{path.name} is larger than {_LARGEST_INFO} bytes; build the index again")
    return json_object(content, path.name)


def json_object(content: bytes, name: str) -> dict[str, Any]:
    """A JSON object from bytes.

    Raises:
        IndexError_: `archive_corrupt`.
    """
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise IndexError_(f"{name} is not JSON; build the index again") from None
    if not isinstance(value, dict):
        raise IndexError_(f"{name} is no JSON object; build the index again")
    return value
