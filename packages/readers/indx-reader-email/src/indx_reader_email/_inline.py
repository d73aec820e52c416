"""What stands among the words of a plain text and is none: uuencoded files, signatures and seals of PGP."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Inline", "inline_of"]

_BEGIN: Final = re.compile(rb"^begin(?:-base64)? [0-7]{3,4} ([^\r\n]{1,200})(?:\r\n|\r|\n)", re.MULTILINE)
_LINE: Final = re.compile(rb"[^\r\n]*+(?:\r\n|\r|\n|\Z)")
_ENDS: Final = (b"end", b"====")
_MARK: Final = b"-----BEGIN PGP "
_SIGNED: Final = re.compile(
    rb"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*+\r?\n(?:[A-Za-z-]++: [^\r\n]*+\r?\n)*+(?:[ \t]*+\r?\n)?+",
    re.MULTILINE,
)
_SIGNATURE: Final = b"-----BEGIN PGP SIGNATURE-----"
_ARMOR: Final = (
    rb"(?:(?<=[\r\n])|\A)-----BEGIN PGP %(of)s-----[ \t]*+(?:\r\n|\r|\n)"
    rb"(?:[A-Za-z-]++:[^\r\n]*+(?:\r\n|\r|\n))*+"
    rb"(?:[A-Za-z0-9+/=]*+[ \t]*+(?:\r\n|\r|\n))*+-----END PGP %(of)s-----"
)
_SIGNATURES: Final = re.compile(_ARMOR % {b"of": b"SIGNATURE"})
_SEALED: Final = re.compile(_ARMOR % {b"of": b"MESSAGE"})
_DASHED: Final = re.compile(rb"^- ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Inline:
    """A plain text taken apart.

    Attributes:
        words: The text without the rest.
        files: Names and bytes of files that stood in it.
        sealed: How many texts that stood in it are encrypted.
        signed: Whether it was signed.
    """

    words: bytes
    files: tuple[tuple[bytes, bytes], ...] = ()
    sealed: int = 0
    signed: bool = False


def inline_of(content: bytes) -> Inline:
    """Take `content` apart; what is not whole stays among the words."""
    files: list[tuple[bytes, bytes]] = []
    signed, sealed = False, 0
    if b"begin" in content:
        content = _without_files(content, files)
    if _MARK in content:
        content, signed = _unsigned(content)
        content, signatures = _SIGNATURES.subn(b"", content)
        content, sealed = _SEALED.subn(b"", content)
        signed = signed and signatures > 0
    return Inline(content, tuple(files), sealed, signed)


def _without_files(content: bytes, files: list[tuple[bytes, bytes]]) -> bytes:
    kept, at = [], 0
    for begin in _BEGIN.finditer(content):
        found = _file(content, begin.end(), coded=begin[0].startswith(b"begin-"))
        if found is not None:
            data, end = found
            files.append((begin[1].strip(), data))
            kept.append(content[at : begin.start()])
            at = end
    return b"".join((*kept, content[at:]))


def _file(content: bytes, at: int, *, coded: bool) -> tuple[bytes, int] | None:
    """The file whose lines begin at `at`, and where it ends; None where a line is none of it."""
    pieces: list[bytes] = []
    while at < len(content):
        found = _LINE.match(content, at)
        line = found[0].rstrip(b"\r\n") if found else b""
        at = found.end() if found else len(content)
        if line.rstrip() in _ENDS:
            return (b"".join(pieces), at) if pieces else None
        try:
            piece = binascii.a2b_base64(line, strict_mode=True) if coded else _uuencoded(line)
        except binascii.Error:
            return None
        if piece:
            pieces.append(piece)
    return None


def _uuencoded(line: bytes) -> bytes:
    """A line of uuencode; spaces at its end may be lost, and some programs write a sum behind it."""
    if not line.strip():
        return b""
    return binascii.a2b_uu(line[: (((line[0] - 32) & 63) * 4 + 5) // 3])


def _unsigned(content: bytes) -> tuple[bytes, bool]:
    """Without what PGP puts above and before the lines of a text that it signs; whether it was there."""
    kept: list[bytes] = []
    at = 0
    while (found := _SIGNED.search(content, at)) is not None:
        end = content.find(_SIGNATURE, found.end())
        if end < 0:
            break
        kept += content[at : found.start()], _DASHED.sub(b"", content[found.end() : end])
        at = end
    return b"".join((*kept, content[at:])), at > 0
