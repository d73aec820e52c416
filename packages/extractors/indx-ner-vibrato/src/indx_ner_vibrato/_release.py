"""The IPADIC release: fetched once, kept as the file that is read, held to its digest on every read."""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import os
import tarfile
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Final

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut, explain
from indx_ner_vibrato._errors import DictionaryFailure
from indx_ner_vibrato.settings import CACHE, DICTIONARY, DOWNLOAD_SECONDS

__all__ = ["IPADIC", "Release", "released"]

TIMEOUT_SECONDS: Final = 15.0
MAX_BYTES: Final = 256 * 1024 * 1024
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Release:
    """A published dictionary.

    Attributes:
        name: The folder it has in the cache.
        url: The archive, `.tar.xz`.
        archive: The archive's SHA-256.
        dictionary: The SHA-256 of `system.dic.zst` in it.
    """

    name: str
    url: str
    archive: str
    dictionary: str


IPADIC: Final = Release(
    "ipadic-mecab-2_7_0",
    "https://github.com/daac-tools/vibrato/releases/download/v0.5.0/ipadic-mecab-2_7_0.tar.xz",
    "4764f983b7c3a9e1cb6a5ee945e00558efd812980e0dad61224f63ee3b0475d9",
    "82a6da70bb4a17be70f20ff44f650f9ad1d2b0b4fcb2f39c17fc797f92d0ab75",
)


def released(release: Release, deadline: Deadline | None = None) -> bytes:
    """The release's `system.dic.zst`, out of the cache; fetched where it is missing or altered.

    Raises:
        DictionaryFailure: It cannot be fetched in time, or what arrives is not what was published.
    """
    try:
        path = (CACHE.get() or Path()).expanduser() / release.name / "system.dic.zst"
        # What is larger than any release, or no file at all, is not what was published.
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= MAX_BYTES else b""
    except FileNotFoundError:
        data = b""
    except (OSError, RuntimeError) as error:
        raise DictionaryFailure(f"the cache of {CACHE.name} cannot be read: {explain(error)}") from None
    if hashlib.sha256(data).hexdigest() == release.dictionary:
        return data
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            archive = Path(folder) / "archive.tar.xz"
            _fetch(release, archive, deadline or Deadline())
            data = _unpacked(release, archive)
            made = Path(folder) / path.name
            with made.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            made.replace(path)
    except (OSError, HTTPException, TimedOut) as error:
        cause = getattr(error, "reason", None)
        said = explain(cause if isinstance(cause, BaseException) else error)
        if isinstance(error, TimedOut):
            said = f"it took too long, raise {DOWNLOAD_SECONDS.name}"
        raise DictionaryFailure(
            f"the dictionary could not be fetched: {said}; fetch {release.url} yourself, unpack it and "
            f"name its system.dic.zst in {DICTIONARY.name}"
        ) from None
    return data


def _fetch(release: Release, target: Path, deadline: Deadline) -> None:
    request = urllib.request.Request(release.url, headers={"User-Agent": "indx-ner-vibrato"})  # noqa: S310
    made = hashlib.sha256()
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer, target.open("wb") as file:  # noqa: S310
        for piece in _pieces(answer.read1):
            deadline.check()
            made.update(piece)
            file.write(piece)
    if made.hexdigest() != release.archive:
        raise DictionaryFailure(f"{release.url} is not the archive that was published: its digest differs")


def _pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    total = 0
    while piece := read(_PIECE):
        total += len(piece)
        if total > MAX_BYTES:
            raise DictionaryFailure(f"the dictionary is larger than {MAX_BYTES} bytes")
        yield piece


def _unpacked(release: Release, archive: Path) -> bytes:
    with (
        contextlib.suppress(tarfile.TarError, lzma.LZMAError, EOFError),
        tarfile.open(archive, "r:xz") as files,
    ):
        for member in files:
            if member.isfile() and member.name.rpartition("/")[2] == "system.dic.zst":
                stream = files.extractfile(member)
                data = b"" if stream is None else b"".join(_pieces(stream.read))
                if hashlib.sha256(data).hexdigest() == release.dictionary:
                    return data
    raise DictionaryFailure(f"{release.url} does not hold the dictionary that was published")
