"""Whether a buffer is an Outlook message or a `winmail.dat`, from its content alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.ports import Sniffed
from indx_format_office.compound import root_names
from indx_reader_msg.provider import MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["TNEF_MARK", "sniff"]

TNEF_MARK: Final = b"\x78\x9f\x3e\x22"
_AT_ROOT: Final = "__properties_version1.0"


def _is_attribute(head: bytes) -> bool:
    """Whether the first attribute is one of a message: its level, and a number of the known ranges."""
    return len(head) == 9 and head[0] in (1, 2) and head[2] in (0x80, 0x90)


def sniff(head: Buffer) -> Sniffed | None:
    """Strong for a compound file with a message's properties at its root, and for a `winmail.dat`."""
    if head[:4] == TNEF_MARK:
        return Sniffed(MEDIA_TYPES[1], "strong") if _is_attribute(bytes(head[6:15])) else None
    return Sniffed(MEDIA_TYPES[0], "strong") if _AT_ROOT in root_names(head) else None
