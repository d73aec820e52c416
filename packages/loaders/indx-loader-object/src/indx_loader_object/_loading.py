"""One load: in a thread of its own, within the time of its storage, and unpacked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from indx_core.canonical import clean_text
from indx_core.deadline import Deadline
from indx_core.leaving import done_within
from indx_core.media import split_media_type
from indx_core.ports.sources import Loaded, SourceContent
from indx_loader_object._connections import Connections
from indx_loader_object._fetching import Attempt, Fetched
from indx_loader_object._objects import StoredObject
from indx_loader_object._packing import PackingError, unpacked

if TYPE_CHECKING:
    from indx_loader_object._storage import Storage

__all__ = ["load"]


def load(
    storage: Storage,
    wanted: StoredObject,
    fetch: Callable[[Attempt], Fetched],
    limit: int,
    deadline: Deadline,
) -> Loaded:
    """What `Storage.load` answers."""
    seconds = storage.timeout.get()
    connections = Connections()

    def work(own: Deadline) -> Loaded:
        try:
            found = fetch(Attempt(seconds, own, connections))
        finally:
            connections.close()
        data = _plain(wanted, found, limit, own)
        if data is None:
            raise wanted.too_slow(seconds)
        kind, charset = split_media_type(found.content_type)
        name = clean_text(wanted.name).rpartition("/")[2] or None
        media_type = "" if kind in storage.undeclared else kind
        return Loaded(SourceContent.of_bytes(data, media_type=media_type, filename=name, charset=charset))

    try:
        return done_within(
            seconds,
            work,
            deadline=deadline,
            late=lambda: wanted.too_slow(seconds),
            name=f"indx-loader-{storage.scheme}",
        )
    finally:
        connections.end()


def _plain(wanted: StoredObject, found: Fetched, limit: int, own: Deadline) -> bytes | None:
    """The bytes of the object as they were before they were packed, or None when the time is up.

    Raises:
        SourceError: `source_unreadable`; it cannot be unpacked.
        InputTooLarge: There are more than the limit.
    """
    if own.passed:  # what was not brought may be for lack of time
        return None
    if found.data is None:
        raise wanted.too_large(limit)
    parts: list[bytes] = []
    size = 0
    try:
        for part in unpacked([found.data], found.encoding, limit):
            if own.remaining() == 0:
                return None
            size += len(part)
            if size > limit:
                raise wanted.too_large(limit)
            parts.append(part)
    except PackingError as error:
        raise wanted.unreadable(f"{error}; store it again, plain or packed once as gzip") from None
    return b"".join(parts)
