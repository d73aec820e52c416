"""The names, versions and shapes of what an archive holds."""

from __future__ import annotations

import os
import re
import time
from typing import Final

from indx_core.errors import ConfigurationError
from indx_space.archive.zipwriter import EARLIEST

__all__ = [
    "ALIGNMENT",
    "ARCHIVE_SUFFIX",
    "ARCHIVE_VERSION",
    "BUILDING",
    "CHUNK_FOLDER",
    "EMBEDDING_FOLDER",
    "EMBEDDING_MANIFEST",
    "INDEX",
    "LEXICAL_FOLDER",
    "MANIFEST",
    "VECTORS",
    "chunk_file",
    "chunk_ordinal",
    "source_date",
    "zip_moment",
]

ARCHIVE_SUFFIX: Final = ".indx"
ARCHIVE_VERSION: Final = "1.0"
"""`indx_version` of the manifest. Another major is refused; a later minor only adds."""

BUILDING: Final = "indx FOLDER --out"
"""The command that writes an archive, but for where it goes."""

MANIFEST: Final = "manifest.json"
INDEX: Final = "index.json"
CHUNK_FOLDER: Final = "chunks"
EMBEDDING_FOLDER: Final = "embeddings"
EMBEDDING_MANIFEST: Final = f"{EMBEDDING_FOLDER}/manifest.json"
VECTORS: Final = f"{EMBEDDING_FOLDER}/vectors.f32"
LEXICAL_FOLDER: Final = "lexical"
ALIGNMENT: Final = 64

_CHUNK_FILE: Final = re.compile(r"chunk_(\d{4,18})\.json")
_LAST_YEAR: Final = 2107


def chunk_file(ordinal: int) -> str:
    """The name of the file of a chunk: `chunk_0481.json`."""
    return f"chunk_{ordinal:04d}.json"


def chunk_ordinal(name: str) -> int | None:
    """The place of the chunk whose file has this name, or None where no chunk's file is named so."""
    match = _CHUNK_FILE.fullmatch(name)
    ordinal = int(match[1]) if match else None
    return ordinal if ordinal is not None and chunk_file(ordinal) == name else None


def source_date() -> int | None:
    """The moment that SOURCE_DATE_EPOCH states, in seconds; None where it is unset.

    Raises:
        ConfigurationError: `invalid_setting`.
    """
    text = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,11}", text):
        raise ConfigurationError(
            f"SOURCE_DATE_EPOCH: {text!r} is not a number of seconds since 1970; write that, or unset it"
        )
    return int(text)


def zip_moment() -> tuple[int, int, int, int, int, int]:
    """The moment that members state: SOURCE_DATE_EPOCH where it is set, else the first of the format."""
    seconds = source_date()
    if seconds is None:
        return EARLIEST
    year, month, day, hour, minute, second = time.gmtime(seconds)[:6]
    if year > _LAST_YEAR:
        return (_LAST_YEAR, 12, 31, 23, 59, 58)
    return max(EARLIEST, (year, month, day, hour, minute, second))
