"""Whether a buffer is an Outlook message, from its content alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.ports import Sniffed
from indx_format_ooxml.compound import root_names
from indx_reader_msg.provider import MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["sniff"]

_AT_ROOT: Final = "__properties_version1.0"


def sniff(head: Buffer) -> Sniffed | None:
    """Strong for a compound file with the properties of a message at its root."""
    return Sniffed(MEDIA_TYPES[0], "strong") if _AT_ROOT in root_names(head) else None
