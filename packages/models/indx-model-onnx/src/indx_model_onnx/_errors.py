"""The one failure of this library; lanes turn it into a failure of the texts they were asked about."""

from __future__ import annotations

__all__ = ["ModelFailure"]


class ModelFailure(Exception):
    """A model cannot be had, loaded, or believed; the message says why and what would help."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
