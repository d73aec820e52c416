"""What goes wrong with an index of the chunk graph.

indx_core.errors.ArchiveError (exit code 4)
├── IndexError_      a folder that is no index, a damaged one, or one of a later format
└── EmbedderError    vectors that were made by something else than what embeds queries here
"""

from __future__ import annotations

from indx_core.errors import ArchiveError

__all__ = ["EmbedderError", "IndexError_", "IndexWarning"]


class IndexError_(ArchiveError):  # noqa: N801  the published name
    """A folder cannot be opened as an index, or must not be replaced by one."""


class EmbedderError(ArchiveError):
    """The vectors of an index cannot be compared with those of the embedder at hand."""

    def __init__(
        self,
        message: str,
        *,
        code: str | None = "embedder_mismatch",
        param: str | None = None,
        request_id: str | None = None,
    ) -> None:
        """Make an error with `message`."""
        super().__init__(message, code=code, param=param, request_id=request_id)


class IndexWarning(UserWarning):
    """An index was opened, and something about it should be known."""
