"""Where the instructions of fields lead."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["field_target"]

_LINK: Final = re.compile(
    r'HYPERLINK\s+(?:\\l\s+)?"([^"]*)"(?:\s+\\l\s+"([^"]*)")?|HYPERLINK\s+([^\s"\\]+)', re.IGNORECASE
)
_LOCAL: Final = re.compile(r"HYPERLINK\s+\\l\s", re.IGNORECASE)


def field_target(instruction: str) -> str:
    """Where the instruction of a field leads."""
    found = _LINK.search(instruction)
    if found is None:
        return ""
    if _LOCAL.match(instruction.strip()):
        return f"#{found[1]}"
    address, place = found[1] or found[3] or "", found[2] or ""
    return f"{address}#{place}" if place else address
