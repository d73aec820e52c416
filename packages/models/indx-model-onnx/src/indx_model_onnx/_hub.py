"""Files of a model in the hub's cache: found without a network, fetched once, held to their digests.

The cache is the one that every tool of the hub shares: `models--owner--name/` with `refs/` (revision to
commit), `snapshots/<commit>/` (files as links) and `blobs/` (contents, each named by its digest).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from indx_core.errors import explain
from indx_model_onnx._errors import ModelFailure
from indx_model_onnx._source import ModelSource

__all__ = ["cache_root", "is_cached", "located", "offline"]

PROBE_SECONDS: Final = 10.0
_DIGEST: Final = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_COMMIT: Final = re.compile("[0-9a-f]{40}")
_TRUE: Final = frozenset({"1", "ON", "YES", "TRUE"})


def cache_root() -> Path:
    """Where the hub's tools keep what they download: HF_HUB_CACHE, or `hub` in HF_HOME."""
    given = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    if given:
        return Path(given).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.environ.get("HF_HOME") or f"{base}/huggingface").expanduser() / "hub"


def offline() -> bool:
    """Whether HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE forbids the network."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    return any(os.environ.get(name, "").upper() in _TRUE for name in names)


def is_cached(source: ModelSource) -> bool:
    """Whether all files of a model are on this machine, told by their paths alone."""
    if source.folder is not None:
        return not source.missing()
    return all(_in_cache(source, name) is not None for name in source.files)


def located(source: ModelSource, fetch: Callable[[ModelSource, str, str], None] | None = None) -> list[Path]:
    """The files of a model, in the order of `source.files`, on this machine and undamaged.

    Args:
        source: The model.
        fetch: Brings one file of it at a revision into the cache; by default from the hub.

    Raises:
        ModelFailure: A file is missing and cannot be fetched, or is not what its digest says.
    """
    if source.folder is not None:
        missing = source.missing()
        if missing:
            raise ModelFailure(f"the folder of the model {source.name!r} lacks {', '.join(missing)}")
        return [source.folder / name for name in source.files]
    return [_cached(source, name, fetch or _download) for name in source.files]


def _cached(source: ModelSource, name: str, fetch: Callable[[ModelSource, str, str], None]) -> Path:
    for _ in range(2):
        path = _in_cache(source, name)
        if path is None:
            if offline():
                raise ModelFailure(
                    f"the hub's cache holds no {name} of {source.name}, and HF_HUB_OFFLINE forbids fetching "
                    f"it; run 'hf download {source.repository}' once with a network, or name a folder that "
                    f"holds {', '.join(source.files)}"
                )
            fetch(source, name, _commit(source) or source.revision)
            path = _in_cache(source, name)
        if path is None:
            break
        if _is_whole(path):
            return path
        _discard(source, name, path)
    raise ModelFailure(f"{name} of {source.name} does not arrive whole: it is not what its digest says")


def _folder(source: ModelSource) -> Path:
    return cache_root() / f"models--{source.repository.replace('/', '--')}"


def _commit(source: ModelSource) -> str | None:
    """The commit that the cache knows for the model's revision."""
    if _COMMIT.fullmatch(source.revision):
        return source.revision
    try:
        text = (_folder(source) / "refs" / source.revision).read_text("ascii").strip()
    except (OSError, ValueError):
        return None
    return text if _COMMIT.fullmatch(text) else None


def _in_cache(source: ModelSource, name: str) -> Path | None:
    commit = _commit(source)
    if commit is None:
        return None
    path = _folder(source) / "snapshots" / commit / name
    return path if path.is_file() else None


def _is_whole(path: Path) -> bool:
    """Whether a file is what the name of its blob says; true for a copy, which has no such name."""
    blob = path.resolve()
    if blob.parent.name != "blobs" or _DIGEST.fullmatch(blob.name) is None:
        return True
    try:
        with blob.open("rb") as file:
            if len(blob.name) == 64:
                return hashlib.file_digest(file, "sha256").hexdigest() == blob.name
            made = hashlib.sha1(f"blob {blob.stat().st_size}\0".encode(), usedforsecurity=False)
            while piece := file.read(1 << 20):
                made.update(piece)
            return made.hexdigest() == blob.name
    except OSError as error:
        raise ModelFailure(f"the hub's cache cannot be read: {explain(error)}") from None


def _discard(source: ModelSource, name: str, path: Path) -> None:
    """Take a damaged file out of the cache, so that nobody uses it and it can be fetched again."""
    try:
        path.resolve().unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ModelFailure(
            f"{name} of {source.name} is damaged and cannot be removed from the hub's cache: {explain(error)}"
        ) from None


def _download(source: ModelSource, name: str, revision: str) -> None:
    import huggingface_hub as hub
    from huggingface_hub.errors import EntryNotFoundError, RepositoryNotFoundError, RevisionNotFoundError

    endpoint = os.environ.get("HF_ENDPOINT") or None
    url = hub.hf_hub_url(source.repository, name, revision=revision, endpoint=endpoint)
    reason = ""
    try:
        # One request without retries: where there is no network, this says so at once.
        hub.get_hf_file_metadata(url, timeout=PROBE_SECONDS)
        hub.hf_hub_download(
            source.repository, name, revision=revision, endpoint=endpoint, cache_dir=str(cache_root())
        )
    except RepositoryNotFoundError:
        reason = "the hub has no such repository, or shows it only with a token in HF_TOKEN"
    except RevisionNotFoundError:
        reason = f"the repository has no revision {revision!r}"
    except EntryNotFoundError as error:
        # The hub's client also says this when it lost the network on the way.
        lost = isinstance(error, FileNotFoundError) and error.__cause__ is not None
        reason = "the hub stopped answering" if lost else "the repository has no such file"
    except Exception as error:  # the client's own network errors, and those of the disk
        reason = explain(error)
    if reason:
        raise ModelFailure(f"{name} of {source.name} could not be fetched from the hub: {reason}")
