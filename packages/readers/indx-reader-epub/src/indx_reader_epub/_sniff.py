"""Whether a buffer is an EPUB book, from its content alone."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from indx_core.errors import SourceError
from indx_core.ports import Sniffed
from indx_format_office.container import entries, inflate
from indx_reader_epub.provider import MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["sniff"]

_TYPE: Final = MEDIA_TYPES[0].encode()
_CONTAINER: Final = "META-INF/container.xml"
_MOST_ENTRIES: Final = 5_000


def sniff(head: Buffer) -> Sniffed | None:
    """Strong for a ZIP container that says it is a book, in its first entry or another."""
    if head[:4] != b"PK\x03\x04":
        return None
    if head[30:38] == b"mimetype" and _TYPE in bytes(head[38:160]):
        return Sniffed(MEDIA_TYPES[0], "strong")
    try:
        by_name = {entry.name: entry for entry in islice(entries(head), _MOST_ENTRIES)}
        for name, mark in (("mimetype", _TYPE), (_CONTAINER, b"application/oebps-package+xml")):
            if name in by_name and mark in b"".join(islice(inflate(head, by_name[name]), 1)):
                return Sniffed(MEDIA_TYPES[0], "strong")
    except SourceError:
        pass
    return None
