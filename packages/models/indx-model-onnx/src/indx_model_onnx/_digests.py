"""Whether a file is what the digest that names it says."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

from indx_core.errors import explain
from indx_model_onnx._errors import ModelFailure

__all__ = ["DIGEST", "digest_of", "is_there", "is_whole"]

DIGEST: Final = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


def is_there(path: Path) -> bool:
    """Whether there is a file at a path that may be looked at; whatever forbids it, there is none for us."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_whole(path: Path) -> bool:
    """Whether a file is what the digest that names it says; true for a copy under a plain name.

    Raises:
        ModelFailure: It cannot be read.
    """
    if DIGEST.fullmatch(path.name) is None:
        return True
    try:
        return digest_of(path, len(path.name)) == path.name
    except OSError as error:
        raise ModelFailure(f"the hub's cache cannot be read: {explain(error)}") from None


def digest_of(path: Path, digits: int) -> str:
    """The digest of a file that has so many digits: SHA-256, or with 40 what git calls it by."""
    with path.open("rb") as file:
        if digits == 64:
            return hashlib.file_digest(file, "sha256").hexdigest()
        made = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
        while piece := file.read(1 << 20):
            made.update(piece)
        return made.hexdigest()
