"""One file from the hub into its cache: within its time, and under its name only when it is whole.

The hub's own client knows no time for a whole download, and one that drips would hold whoever waits for it.
So it is asked which file this is, and the bytes are brought here.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from indx_core.errors import TimedOut, explain
from indx_model_onnx._digests import DIGEST, digest_of
from indx_model_onnx._errors import ModelFailure
from indx_model_onnx.settings import DOWNLOAD_SECONDS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_model_onnx._source import ModelSource

__all__ = ["COMMIT", "fetch"]

HUB: Final = "https://huggingface.co"
COMMIT: Final = re.compile("[0-9a-f]{40}")
PROBE_SECONDS: Final = 10.0
MAX_BYTES: Final = 16 * 1024 * 1024 * 1024


def fetch(source: ModelSource, name: str, revision: str, folder: Path, deadline: Deadline) -> None:
    """Bring one file of a model into the repository's folder of the cache.

    Args:
        source: The model.
        name: The file, with `/` between parts.
        revision: The branch, tag or commit.
        folder: The repository's folder in the cache.
        deadline: The time for it.

    Raises:
        ModelFailure: It cannot be had in that time. What came is kept under another name, to go on from.
    """
    from huggingface_hub.errors import EntryNotFoundError, RepositoryNotFoundError, RevisionNotFoundError

    try:
        _fetch(source, name, revision, folder, deadline)
        return
    except ModelFailure:
        raise
    except RepositoryNotFoundError:
        reason = "the hub has no such repository, or shows it only with a token in HF_TOKEN"
    except RevisionNotFoundError:
        reason = f"the repository has no revision {revision!r}"
    except EntryNotFoundError:
        reason = "the repository has no such file"
    except TimedOut:
        reason = (
            "there was no more time; try again, which goes on where this ended, raise "
            f"{DOWNLOAD_SECONDS.name}, or {source.remedy}"
        )
    except Exception as error:  # the client's own network errors, and those of the disk
        reason = f"{explain(error)}; {source.remedy}"
    raise ModelFailure(f"{name} of {source.name} could not be fetched from the hub: {reason}")


def _fetch(source: ModelSource, name: str, revision: str, folder: Path, deadline: Deadline) -> None:
    # Not by the package's lazy names: where a variable of its own is wrong, those print that among answers.
    from huggingface_hub.file_download import get_hf_file_metadata, hf_hub_url

    endpoint = os.environ.get("HF_ENDPOINT") or HUB  # which takes an empty one for an address
    url = hf_hub_url(source.repository, name, revision=revision, endpoint=endpoint)
    deadline.check()
    # One request without retries: where there is no network, this says so at once.
    facts = get_hf_file_metadata(url, timeout=PROBE_SECONDS, endpoint=endpoint)
    commit, digest = facts.commit_hash or "", facts.etag or ""
    if COMMIT.fullmatch(commit) is None or DIGEST.fullmatch(digest) is None:
        raise ModelFailure(f"{name} of {source.name}: the hub does not say which file of which commit it is")
    if facts.size is not None and not 0 <= facts.size <= MAX_BYTES:
        raise ModelFailure(f"{name} of {source.name} is said to have {facts.size} bytes, at most {MAX_BYTES}")
    blob = folder / "blobs" / digest
    if not blob.is_file():
        with _alone(folder, digest, deadline):
            if not blob.is_file():  # whoever held the lock may have brought it
                _bring(url, facts, blob, source.digest(name), deadline)
    _point(folder, name, commit, blob)
    if COMMIT.fullmatch(revision) is None:
        _refer(folder, revision, commit)


@contextmanager
def _alone(folder: Path, digest: str, deadline: Deadline) -> Iterator[None]:
    """Be the only one that fetches this file; the lock is that of the hub's own tools.

    Raises:
        TimedOut: Another held it all the time there was.
    """
    from filelock import FileLock, Timeout

    path = folder.parent / ".locks" / folder.name / f"{digest}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    left = deadline.remaining()
    try:
        held = FileLock(path).acquire(timeout=-1 if left is None else left)
    except Timeout:
        raise TimedOut("another process has been fetching it all the time") from None
    with held:
        yield


def _bring(url: str, facts: Any, blob: Path, published: str | None, deadline: Deadline) -> None:
    """Fetch what is still missing of a file, and give it its name once it is whole."""
    part = blob.with_name(f"{blob.name}.incomplete")
    part.parent.mkdir(parents=True, exist_ok=True)
    _append(url, facts, part, deadline)
    due = {blob.name, published or blob.name}
    if any(digest_of(part, len(digest)) != digest for digest in due):
        part.unlink()
        raise ModelFailure("what the hub sends for a file does not arrive whole: its digest differs")
    part.replace(blob)


def _append(url: str, facts: Any, part: Path, deadline: Deadline) -> None:
    import httpx
    from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined,unused-ignore]

    headers = build_hf_headers() | {"Accept-Encoding": "identity"}
    if urlsplit(facts.location).netloc != urlsplit(url).netloc:
        headers.pop("authorization", None)  # the token is for the hub, not for where its files lie
    most = MAX_BYTES if facts.size is None else facts.size
    had = part.stat().st_size if part.is_file() else 0
    if 0 < had <= most:
        headers["Range"] = f"bytes={had}-"
    if had == most:
        return
    with httpx.stream(
        "GET", facts.location, headers=headers, timeout=PROBE_SECONDS, follow_redirects=True
    ) as answer:
        if had and answer.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            return  # there is no more of it, and its digest tells whether that is all
        answer.raise_for_status()
        goes_on = answer.status_code == httpx.codes.PARTIAL_CONTENT
        with part.open("ab" if goes_on else "wb") as file:
            for piece in answer.iter_raw():
                file.write(piece[: most - file.tell()])
                if file.tell() == most:
                    break
                deadline.check()  # after what came is kept, so that every try comes further
            file.flush()
            os.fsync(file.fileno())


def _point(folder: Path, name: str, commit: str, blob: Path) -> None:
    """The file's place among those of the commit: a link, or a copy where there are no links."""
    place = folder / "snapshots" / commit / name
    place.parent.mkdir(parents=True, exist_ok=True)
    beside = _beside(place)
    with suppress(FileNotFoundError):
        beside.unlink()
    try:
        beside.symlink_to(os.path.relpath(blob, place.parent))
    except OSError:
        shutil.copyfile(blob, beside)
    beside.replace(place)  # in one step, since another process may be reading what is there


def _refer(folder: Path, revision: str, commit: str) -> None:
    path = folder / "refs" / revision
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = _beside(path)
    beside.write_text(commit, "ascii")
    beside.replace(path)


def _beside(path: Path) -> Path:
    """Where a file is made before it takes its place: no other process or thread makes it there."""
    return path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
