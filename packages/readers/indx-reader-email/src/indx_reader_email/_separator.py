"""The line that stands before each message of a mailbox."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["DATE", "SEPARATOR"]

# What may stand before the line is looked for behind its first word: so that word is found fast.
_AFTER_BLANK: Final = rb"(?:(?<=\AFrom )|(?<=\n\nFrom )|(?<=\n\r\nFrom ))"
_DATED: Final = rb"[^\r\n]{1,500}\d\d[^\r\n]{0,20}\r?\n(?=[A-Za-z][A-Za-z0-9-]*:)"
_BARE: Final = (
    rb"-? ?\r?\n(?=(?i:x-[a-z-]{1,40}|from|to|date|subject|received|return-path|delivered-to|message-id"
    rb"|mime-version|content-type):)"
)
_WRITTEN: Final = (
    rb"[A-Z][a-z]{2},? [A-Z][a-z]{2} [ \d]\d \d\d:\d\d(?::\d\d)?"
    rb"(?: [A-Z+-][A-Z0-9]{1,5})? \d{4}(?: [+-]\d{4})?"
)
_EXACT: Final = rb"(?<=\nFrom )[^\r\n]{1,300}? " + _WRITTEN + rb"\r?\n(?=[A-Za-z][A-Za-z0-9-]*:)"

SEPARATOR: Final = re.compile(
    rb"From (?:" + _AFTER_BLANK + rb"(?:" + _DATED + rb"|" + _BARE + rb")|" + _EXACT + rb")"
)
"""After a blank line it has a date or nothing, anywhere else the date as the C library writes it; a header
field follows."""

DATE: Final = re.compile(rb" (" + _WRITTEN + rb")\r?\n\Z")
"""The date at its end, as the C library writes it."""
