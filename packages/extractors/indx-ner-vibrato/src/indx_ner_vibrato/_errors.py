"""The one failure of this lane."""

from __future__ import annotations

__all__ = ["DictionaryFailure"]


class DictionaryFailure(Exception):
    """The dictionary cannot be had or read; the message says why and what would help."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
