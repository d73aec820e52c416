"""Files of a model in the hub's cache: found without a network, fetched once, held to their digests.

The cache is the one that every tool of the hub shares: `models--owner--name/` with `refs/` (revision to
commit), `snapshots/<commit>/` (files as links) and `blobs/` (contents, each named by its digest).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from indx_core.deadline import Deadline
from indx_core.errors import explain
from indx_model_onnx._digests import is_there, is_whole
from indx_model_onnx._errors import ModelFailure
from indx_model_onnx._fetching import COMMIT, fetch
from indx_model_onnx._source import ModelSource

__all__ = ["Fetch", "cache_root", "identity", "is_cached", "located", "offline"]

Fetch: TypeAlias = "Callable[[ModelSource, str, str, Path, Deadline], None]"
_LONGEST_REFERENCE: Final = 100
_TRUE: Final = frozenset({"1", "ON", "YES", "TRUE"})


def cache_root() -> Path:
    """Where the hub's tools keep what they download: HF_HUB_CACHE, or `hub` in HF_HOME."""
    given = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    if given:
        return _expanded(given)
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return _expanded(os.environ.get("HF_HOME") or f"{base}/huggingface") / "hub"


def _expanded(path: str) -> Path:
    return Path(os.path.expandvars(os.path.expanduser(path)))  # noqa: PTH111  as the hub's tools have it


def offline() -> bool:
    """Whether HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE forbids the network."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    return any(os.environ.get(name, "").upper() in _TRUE for name in names)


def is_cached(source: ModelSource) -> bool:
    """Whether all files of a model are on this machine, told by their paths alone."""
    if source.folder is not None:
        return not source.missing()
    return all(_in_cache(source, name) is not None for name in source.files)


def identity(source: ModelSource) -> str:
    """What tells a model's answers from another's, for cache keys: its commit, once the cache knows it.

    A folder's model is told by the size and time of its graph.
    """
    if source.folder is None:
        return f"{source.repository}@{_commit(source) or source.revision}/{source.graph}"
    try:
        state = (source.folder / source.graph).stat()
    except OSError:
        return f"{source.folder}/{source.graph}"
    return f"{source.folder}/{source.graph}/{state.st_size}/{state.st_mtime_ns}"


def located(
    source: ModelSource, deadline: Deadline | None = None, *, bring: Fetch | None = None
) -> list[Path]:
    """The files of a model, in the order of `source.files`, on this machine and undamaged.

    Args:
        source: The model.
        deadline: The time for what has to be fetched; None is unbounded.
        bring: Brings one file of it at a revision into the repository's folder; by default from the hub.

    Raises:
        ModelFailure: A file is missing and cannot be fetched in that time, or is not what its digest says.
    """
    if source.folder is not None:
        missing = source.missing()
        if missing:
            raise ModelFailure(f"the folder of the model {source.name!r} lacks {', '.join(missing)}")
        return [source.folder / name for name in source.files]
    return [_cached(source, name, bring or fetch, deadline or Deadline()) for name in source.files]


def _cached(source: ModelSource, name: str, bring: Fetch, deadline: Deadline) -> Path:
    for _ in range(2):
        path = _in_cache(source, name)
        if path is None:
            if offline():
                raise ModelFailure(
                    f"the hub's cache holds no {name} of {source.name}, and HF_HUB_OFFLINE forbids fetching "
                    f"it; {source.remedy}"
                )
            bring(source, name, _commit(source) or source.revision, _folder(source), deadline)
            path = _in_cache(source, name)
        if path is None:
            break
        if is_whole(path.resolve()):
            return path
        _discard(source, name, path)
    raise ModelFailure(f"{name} of {source.name} does not arrive whole: it is not what its digest says")


def _folder(source: ModelSource) -> Path:
    return cache_root() / f"models--{source.repository.replace('/', '--')}"


def _commit(source: ModelSource) -> str | None:
    """The commit that the cache knows for the model's revision."""
    if COMMIT.fullmatch(source.revision):
        return source.revision
    path = _folder(source) / "refs" / source.revision
    try:
        if not path.is_file():  # what is read from a pipe may never come
            return None
        with path.open("rb") as file:
            text = file.read(_LONGEST_REFERENCE).decode("ascii").strip()
    except (OSError, ValueError):
        return None
    return text if COMMIT.fullmatch(text) else None


def _in_cache(source: ModelSource, name: str) -> Path | None:
    commit = _commit(source)
    if commit is None:
        return None
    path = _folder(source) / "snapshots" / commit / name
    return path if is_there(path) else None


def _discard(source: ModelSource, name: str, path: Path) -> None:
    """Take a damaged file out of the cache, so that nobody uses it and it can be fetched again.

    A link may lead anywhere; what is not of the model's own folder of the cache is left as it is.
    """
    try:
        behind = path.resolve()
        if behind.is_relative_to(_folder(source).resolve()):
            behind.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ModelFailure(
            f"{name} of {source.name} is damaged and cannot be removed from the hub's cache: {explain(error)}"
        ) from None
