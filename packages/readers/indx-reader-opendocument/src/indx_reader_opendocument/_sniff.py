"""What kind of OpenDocument file a buffer is, from its content alone."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from indx_core.errors import SourceError
from indx_core.ports import Sniffed
from indx_format_office.container import entries, inflate
from indx_reader_opendocument.provider import MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["sniff"]

_TYPE: Final = re.compile(rb"application/vnd\.oasis\.opendocument\.[a-z-]{1,40}")
_FLAT_ROOT: Final = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]{0,200}\?>\s*+)?+(?:(?><!--.{0,2000}?-->)\s*+)*+<office:document\s""",
    re.DOTALL,
)
_FLAT_TYPE: Final = re.compile(rb"""office:mimetype\s*=\s*["']([a-z./-]{1,80})["']""")
_SAMPLE: Final = 65_536
_MOST_ENTRIES: Final = 2_000
_MOST_BYTES: Final = 65_536


def sniff(head: Buffer) -> Sniffed | None:
    """Strong for a package that states its type, in its first entry or another, and for flat XML."""
    if head[:4] == b"PK\x03\x04":
        return _known(_stated(head))
    start = bytes(head[:_SAMPLE])
    if _FLAT_ROOT.match(start) is None:
        return None
    found = _FLAT_TYPE.search(start)
    media_type = found[1].decode("ascii") if found else ""
    return _known(media_type if media_type.endswith("-flat-xml") else f"{media_type}-flat-xml")


def _known(media_type: str) -> Sniffed | None:
    return Sniffed(media_type, "strong") if media_type in MEDIA_TYPES else None


def _stated(head: Buffer) -> str:
    """The type in the entry `mimetype`, else the first in the manifest."""
    if head[30:38] == b"mimetype" and (found := _TYPE.match(bytes(head[38:160]))):
        return _cut(found[0])
    try:
        by_name = {entry.name: entry for entry in islice(entries(head), _MOST_ENTRIES)}
        for name in ("mimetype", "META-INF/manifest.xml"):
            if name in by_name and "content.xml" in by_name:
                data = b"".join(islice(inflate(head, by_name[name]), 1))[:_MOST_BYTES]
                if found := _TYPE.search(data):
                    return found[0].decode("ascii")
    except SourceError:
        pass
    return ""


def _cut(found: bytes) -> str:
    """The longest type that `found` begins with: in a stored entry the next one follows without a break."""
    text = found.decode("ascii")
    return next((known for known in sorted(MEDIA_TYPES, key=len, reverse=True) if text.startswith(known)), "")
