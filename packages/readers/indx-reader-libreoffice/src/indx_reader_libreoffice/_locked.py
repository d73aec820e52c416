"""Whether a password locks a document, as far as its container tells."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from indx_core.errors import SourceError
from indx_format_office.compound import is_compound, root_names
from indx_format_office.container import entries, inflate

if TYPE_CHECKING:
    from indx_core.ports import Buffer
    from indx_reader_libreoffice._kinds import Kind

__all__ = ["is_locked"]

_MOST_ENTRIES: Final = 20_000
_MANIFEST: Final = "META-INF/manifest.xml"


def is_locked(buffer: Buffer, kind: Kind) -> bool:
    """True where the container says so; a format that hides it is refused by LibreOffice."""
    if is_compound(buffer):
        return kind.extension == "ppt" and "encryptedsummary" in root_names(buffer)
    if buffer[:4] == b"PK\x03\x04":
        try:
            found = {entry.name: entry for entry in islice(entries(buffer), _MOST_ENTRIES)}
            if _MANIFEST in found:
                return any(b"encryption-data" in piece for piece in inflate(buffer, found[_MANIFEST]))
            return ".iwpv2" in found or "Index/.iwpv2" in found
        except SourceError:
            return False
    if kind.filter == "WordPerfect":
        return buffer[12:14] != b"\0\0"
    return False
