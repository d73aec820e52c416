"""Whether a buffer is Rich Text, from its first bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indx_core.ports import Sniffed
from indx_reader_rtf.provider import MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["sniff"]

_START: Final = re.compile(rb"\s{0,16}\{\\rtf(?=[0-9\\{}\s])")


def sniff(head: Buffer) -> Sniffed | None:
    """Strong for what begins as Rich Text must."""
    return Sniffed(MEDIA_TYPES[0], "strong") if _START.match(bytes(head[:32])) else None
