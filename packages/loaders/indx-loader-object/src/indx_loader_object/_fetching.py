"""What a client is told for one fetch, and what it brought, before anything is made of it."""

from __future__ import annotations

from dataclasses import dataclass

from indx_core.deadline import Deadline
from indx_loader_object._connections import Connections

__all__ = ["Attempt", "Fetched"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One fetch under way.

    Attributes:
        seconds: The time it has in all, for the client's own settings.
        own: Its time, which passes too when nobody waits any longer.
        connections: What it makes its connections under; they end with its time.
    """

    seconds: float
    own: Deadline
    connections: Connections


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of an object as they are stored, and what was said of them.

    Attributes:
        data: The bytes; None where there are more than the limit.
        content_type: Its Content-Type.
        encoding: Its Content-Encoding.
    """

    data: bytes | None
    content_type: str = ""
    encoding: str = ""
