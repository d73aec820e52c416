"""What a client brought of an object, before anything is made of it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Fetched"]


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
