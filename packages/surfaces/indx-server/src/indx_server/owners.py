"""Who keeps documents: a random token in a cookie, of which the server knows the digest alone."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Final

from fastapi import Request

from indx_core.canonical import sha256_hex
from indx_server.settings import COOKIE_SECURE
from indx_workspace.settings import STORE_TTL

__all__ = ["COOKIE", "Owner", "owner_of", "owner_or_new"]

COOKIE: Final = "indx_owner"

_BYTES: Final = 32
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_LONGEST_AGE: Final = 400 * 86_400  # browsers keep no cookie longer


@dataclass(frozen=True, slots=True)
class Owner:
    """A caller who keeps documents: the token only they have, and what stores know them by."""

    token: str

    @property
    def id(self) -> str:
        """What stores know the caller by; the token cannot be told from it."""
        return sha256_hex(self.token.encode("ascii"))

    def cookie(self) -> str:
        """The cookie that is set on every keep."""
        age = min(STORE_TTL.get(), _LONGEST_AGE)
        secure = "; Secure" if COOKIE_SECURE.get() else ""
        return f"{COOKIE}={self.token}; Max-Age={age}; Path=/v1; HttpOnly; SameSite=Lax{secure}"


def owner_of(request: Request) -> str | None:
    """What stores know the caller by; None for one who never kept anything."""
    owner = _given(request)
    return None if owner is None else owner.id


def owner_or_new(request: Request) -> Owner:
    """The caller, or a new one. A cookie that this server would not have set is none."""
    return _given(request) or Owner(secrets.token_urlsafe(_BYTES))


def _given(request: Request) -> Owner | None:
    token = request.cookies.get(COOKIE, "")
    return Owner(token) if _TOKEN.fullmatch(token) else None
