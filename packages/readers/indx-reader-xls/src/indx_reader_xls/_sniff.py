"""Whether a buffer is a binary Excel workbook, from its content alone."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from indx_core.ports import Sniffed
from indx_format_office.compound import is_compound, root_names
from indx_reader_xls.provider import MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["sniff"]

_WORKBOOKS: Final = frozenset(("workbook", "book"))
_BARE: Final = {0x0009: 4, 0x0209: 6, 0x0409: 6, 0x0809: 8}
"""How a workbook begins that stands in no container, and how long that record is."""
_KINDS: Final = (0x0005, 0x0010, 0x0100)


def sniff(head: Buffer) -> Sniffed | None:
    """Strong for a container with a workbook at its root, and for the still older bare workbook."""
    if is_compound(head):
        return Sniffed(MEDIA_TYPES[0], "strong") if _WORKBOOKS & root_names(head) else None
    if len(head) < 8:
        return None
    record, length, _, kind = struct.unpack("<4H", head[:8])
    return Sniffed(MEDIA_TYPES[0], "strong") if _BARE.get(record) == length and kind in _KINDS else None
