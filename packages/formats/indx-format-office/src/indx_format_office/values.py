"""Values that files state, which may be anything: whole numbers, switches, descriptions of pictures."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["description", "switched_on", "whole"]

_OFF: Final = frozenset(("0", "false", "off", "none"))
_MOST: Final = 1_000_000_000_000
_MAX_DIGITS: Final = 20
_IMAGE_FILE: Final = re.compile(
    r"(?:\S+|(?:[a-z]:[/\\]|[a-z]+:/|/|\\\\).+)"
    r"\.(?:png|jpe?g|jfif|gif|bmp|tiff?|webp|heic|avif|emf|wmf|svg)",
    re.IGNORECASE | re.DOTALL,
)


def whole(text: str | None, default: int = 0, *, least: int = 0, most: int = _MOST) -> int:
    """The whole number that `text` spells, kept within `least` and `most`; `default` when it spells none."""
    if text is None or len(text) > _MAX_DIGITS:
        return default
    try:
        return min(max(int(text), least), most)
    except ValueError:
        return default


def switched_on(text: str | None, *, default: bool = False) -> bool:
    """Whether a yes-or-no attribute says yes; `default` when it is not there."""
    return default if text is None else text.strip().lower() not in _OFF


def description(text: str) -> str:
    """What `text` says that a picture shows; the name or the path of its file says nothing."""
    text = text.strip()
    return "" if _IMAGE_FILE.fullmatch(text) else text
