"""A declared media type, as a header or a request writes it: the type itself and the charset beside it."""

from __future__ import annotations

import re

__all__ = ["split_media_type"]

_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?\s*([a-z0-9][a-z0-9_.:+-]{0,39})""", re.IGNORECASE)
_LONGEST = 1_000


def split_media_type(declared: str | None) -> tuple[str, str | None]:
    """The media type in lower case without parameters (empty when none is written), and its charset.

    Args:
        declared: For instance `Text/CSV; charset="Shift_JIS"`.

    Returns:
        For instance `("text/csv", "shift_jis")`. Whether the charset is one that exists is not looked at.
    """
    bare, _, parameters = (declared or "")[:_LONGEST].partition(";")
    found = _CHARSET.search(f";{parameters}")
    return bare.strip().lower(), found[1].lower() if found else None
