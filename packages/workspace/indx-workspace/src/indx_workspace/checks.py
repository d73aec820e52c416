"""Small rules of the workspace: what a key and a digest look like, and who may write."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, TypeAlias

from indx_core.errors import InvalidRequest, Unauthorized, WorkspaceReadOnly
from indx_workspace.settings import WORKSPACE_TOKEN

__all__ = ["Clock", "authorize", "is_digest", "is_key", "now", "require_key", "writable"]

Clock: TypeAlias = Callable[[], datetime]
"""Says what time it is, aware of its zone."""

_KEY: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")


def now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


def is_key(value: str) -> bool:
    """Whether a value can be the key of a record at all."""
    return _KEY.fullmatch(value) is not None


def is_digest(value: str) -> bool:
    """Whether a value can be a digest at all."""
    return _DIGEST.fullmatch(value) is not None


def require_key(value: str) -> None:
    """Refuse a key under which nothing is written.

    Raises:
        InvalidRequest: `validation_error`.
    """
    if not is_key(value):
        raise InvalidRequest(
            f"{value[:200]!r} is no key: write 1 to 64 of a-z, 0-9, '.', '_' and '-', the first a-z or 0-9",
            param="id",
        )


def writable() -> bool:
    """Whether this deployment takes writes at all, from whoever bears the operator's token."""
    return bool(WORKSPACE_TOKEN.get())


def authorize(token: str | None) -> None:
    """Refuse a write that does not bear the operator's token.

    Raises:
        WorkspaceReadOnly: The deployment set none.
        Unauthorized: It is missing or another.
    """
    expected = WORKSPACE_TOKEN.get()
    if not expected:
        raise WorkspaceReadOnly(
            f"this workspace is read-only: its operator has set no {WORKSPACE_TOKEN.name}"
        )
    given, due = (one.encode("utf-8", "surrogatepass") for one in (token or "", expected))
    if token is None or not hmac.compare_digest(given, due):
        raise Unauthorized(
            "a write to the workspace bears the operator's token, as the bearer it is authorised by"
        )
