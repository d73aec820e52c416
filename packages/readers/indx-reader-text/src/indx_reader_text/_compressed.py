"""Texts that are compressed as a whole: inflated within a bound, and told by their own bytes and name."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_reader_text._sniff import TextSniffer
from indx_reader_text._types import COMPRESSED, PLAIN
from indx_reader_text.settings import TEXT_INFLATED_BYTES

__all__ = ["inflated"]

_PIECE: Final = 1 << 13
_XZ_MEMORY: Final = 256 << 20  # what the strongest preset of xz asks for is a quarter of this
_BLOCK: Final = 512
_SUFFIXES: Final = (".gz", ".gzip", ".bz2", ".bzip2", ".xz", "z")  # the last of .svgz
_WHOLE: Final = (b"PK\x03\x04", b"%PDF-", b"\xd0\xcf\x11\xe0")


def inflated(source: SourceContent) -> SourceContent:
    """The text in `source`, with its own media type and name.

    Raises:
        SourceError: `source_unreadable`, it is damaged, or no text that this reader reads is in it.
        InputTooLarge: It inflates to more than INDX_TEXT_INFLATED_BYTES, or asks for too much memory.
    """
    limit = TEXT_INFLATED_BYTES.get()
    with source.open() as file:
        mark = file.read(6)
        file.seek(0)
        packing = next(
            (kind for start, kind in COMPRESSED.items() if mark.startswith(start)), source.media_type
        )
        name = packing.rpartition("/")[2].removeprefix("x-")
        try:
            data = _OPENERS[packing](file, limit + 1)
        except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
            why = str(error) or "it is cut short or damaged"
            if isinstance(error, lzma.LZMAError) and "limit" in why:  # nothing but its words tells it
                raise InputTooLarge(
                    f"the {name} file asks for more than {_XZ_MEMORY >> 20} MiB to unpack; pack it again "
                    "with a smaller dictionary"
                ) from None
            raise SourceError(f"the {name} file cannot be inflated ({why}); check that it is whole") from None
    if len(data) > limit:
        raise InputTooLarge(
            f"the {name} file inflates to more than {limit} bytes (INDX_TEXT_INFLATED_BYTES); unpack it and "
            "split what is in it"
        )
    inner = _inner_name(source.filename)
    if not data:
        return SourceContent.of_bytes(data, media_type=PLAIN, filename=inner, charset=source.charset)
    sniffed = None if _is_whole(data) else TextSniffer().sniff(data, filename=inner, declared=None)
    if sniffed is None or sniffed.media_type in COMPRESSED.values():
        what = "a TAR archive" if data[257:262] == b"ustar" else "something other than a text"
        raise SourceError(f"the {name} file holds {what}, which is not read inside it; unpack it first")
    return SourceContent.of_bytes(data, media_type=sniffed.media_type, filename=inner, charset=source.charset)


def _inner_name(filename: str | None) -> str | None:
    """The name without the extension of what packed it."""
    name = filename or ""
    suffix = next((one for one in _SUFFIXES if name.lower().endswith(one)), "")
    return name[: len(name) - len(suffix)] or None


def _is_whole(data: bytes) -> bool:
    """Whether these are the bytes of a format that is no text, whatever their name says."""
    return data.startswith(_WHOLE) or data[257:262] == b"ustar"


def _gzip(file: BinaryIO, most: int) -> bytes:
    with gzip.open(file) as unpacked:
        return unpacked.read(most)


def _streams(start: Callable[[], Any]) -> Callable[[BinaryIO, int], bytes]:
    """Reads at most so many bytes of all the streams of a file; zeros may stand between them and behind."""

    def read(file: BinaryIO, most: int) -> bytes:
        parts: list[bytes] = []
        size = 0
        engine: Any = None
        given = file.read(_PIECE)
        while size < most and (given or engine is not None):
            if engine is None:
                if not (given := given.lstrip(b"\0")):
                    given = file.read(_PIECE)
                    continue
                engine = start()
            parts.append(engine.decompress(given, most - size))
            size += len(parts[-1])
            if engine.eof:
                engine, given = None, engine.unused_data or file.read(_PIECE)
            elif not engine.needs_input:
                given = b""
            elif not (given := file.read(_PIECE)):
                raise EOFError
        return b"".join(parts)

    return read


_OPENERS: Final[dict[str, Callable[[BinaryIO, int], bytes]]] = {
    "application/gzip": _gzip,
    "application/x-bzip2": _streams(bz2.BZ2Decompressor),
    "application/x-xz": _streams(lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)),
}
