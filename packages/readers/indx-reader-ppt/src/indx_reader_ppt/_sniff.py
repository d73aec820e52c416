"""Whether a buffer is a binary PowerPoint presentation, from its content alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.ports import Sniffed
from indx_format_office.compound import root_names
from indx_reader_ppt.provider import MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["sniff"]


def sniff(head: Buffer) -> Sniffed | None:
    """Strong for a compound file with a presentation at its root."""
    found = {"powerpoint document", "pp97_dualstorage"} & root_names(head)
    return Sniffed(MEDIA_TYPES[0], "strong") if found else None
