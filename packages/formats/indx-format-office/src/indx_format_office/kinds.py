"""What kind of Office file a buffer is, from its content and never from its name alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from indx_core.errors import SourceError
from indx_core.ports import Sniffed
from indx_format_office._zip import MAX_ENTRIES, entries, inflate

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = [
    "CONTENT_TYPES",
    "MEDIA_TYPES",
    "Family",
    "Kind",
    "extension_of",
    "is_encrypted",
    "kind",
    "kind_of",
    "sniff",
]

Family: TypeAlias = Literal["word", "slides", "sheets"]
"""Which of the three readers a package is for."""

CONTENT_TYPES: Final = "[Content_Types].xml"
"""The one part every package has: which content type each part is of."""

_OPEN: Final = "application/vnd.openxmlformats-officedocument."
_BINARY: Final = "application/vnd.ms-excel.sheet.binary.macroenabled"
"""The one main part that is no XML."""
_KINDS: Final[tuple[tuple[str, Family, str, str], ...]] = (
    # main part's content type less ".main+xml", family, media type, file name extension
    (_OPEN + "wordprocessingml.document", "word", _OPEN + "wordprocessingml.document", "docx"),
    (_OPEN + "wordprocessingml.template", "word", _OPEN + "wordprocessingml.template", "dotx"),
    (
        "application/vnd.ms-word.document.macroenabled",
        "word",
        "application/vnd.ms-word.document.macroenabled.12",
        "docm",
    ),
    (
        "application/vnd.ms-word.template.macroenabledtemplate",
        "word",
        "application/vnd.ms-word.template.macroenabled.12",
        "dotm",
    ),
    (_OPEN + "presentationml.presentation", "slides", _OPEN + "presentationml.presentation", "pptx"),
    (_OPEN + "presentationml.slideshow", "slides", _OPEN + "presentationml.slideshow", "ppsx"),
    (_OPEN + "presentationml.template", "slides", _OPEN + "presentationml.template", "potx"),
    (
        "application/vnd.ms-powerpoint.presentation.macroenabled",
        "slides",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "pptm",
    ),
    (
        "application/vnd.ms-powerpoint.slideshow.macroenabled",
        "slides",
        "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
        "ppsm",
    ),
    (
        "application/vnd.ms-powerpoint.template.macroenabled",
        "slides",
        "application/vnd.ms-powerpoint.template.macroenabled.12",
        "potm",
    ),
    (_OPEN + "spreadsheetml.sheet", "sheets", _OPEN + "spreadsheetml.sheet", "xlsx"),
    (_OPEN + "spreadsheetml.template", "sheets", _OPEN + "spreadsheetml.template", "xltx"),
    (
        "application/vnd.ms-excel.sheet.macroenabled",
        "sheets",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "xlsm",
    ),
    (
        "application/vnd.ms-excel.template.macroenabled",
        "sheets",
        "application/vnd.ms-excel.template.macroenabled.12",
        "xltm",
    ),
    (
        _BINARY,
        "sheets",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "xlsb",
    ),
)
_BY_MAIN_TYPE: Final = {
    f"{main}.main{'' if main == _BINARY else '+xml'}": (family, media) for main, family, media, _ in _KINDS
}
_BY_EXTENSION: Final = {extension: (family, media) for _, family, media, extension in _KINDS}
_FAMILY_OF: Final = {media: family for _, family, media, _ in _KINDS}
_MAIN_TYPE: Final = re.compile(rb"application/[a-z.-]+\.main(?:\+xml)?")
_MAX_PIECES: Final = 64
"""Of the inflated list of content types, what is looked at: 16 MiB, more than any real one has."""
_COMPOUND_FILE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM: Final = "EncryptedPackage".encode("utf-16-le")
_DIRECTORY_ENTRY: Final = 128

MEDIA_TYPES: Final[dict[Family, tuple[str, ...]]] = {
    family: tuple(media for _, of, media, _ in _KINDS if of == family)
    for family in ("word", "slides", "sheets")
}
"""The media types of each family, in lower case, the usual one first."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A package's family and media type."""

    family: Family
    media_type: str


def kind(buffer: Buffer) -> Kind | None:
    """The kind of the Office package in `buffer`; None for everything else, another ZIP file included.

    Whatever is not a ZIP container is told by its first four bytes. In one, `[Content_Types].xml` is looked
    up through the central directory, wherever in the file it stands. Never raises.
    """
    if buffer[:4] != b"PK\x03\x04":
        return None
    try:
        for entry in islice(entries(buffer), MAX_ENTRIES):
            if entry.name.lower() == CONTENT_TYPES.lower():
                break
        else:
            return None
        data = b"".join(islice(inflate(buffer, entry), _MAX_PIECES))
    except SourceError:
        return None
    # A package may be written in UTF-16: without its NULs that reads the same for these names.
    for match in _MAIN_TYPE.finditer(data.replace(b"\0", b"").lower()):
        found = kind_of(match[0].decode("ascii"))
        if found is not None:
            return found
    return None


def kind_of(content_type: str) -> Kind | None:
    """The kind of a package whose main part has this content type."""
    found = _BY_MAIN_TYPE.get(content_type.lower())
    return None if found is None else Kind(*found)


def is_encrypted(buffer: Buffer) -> bool:
    """Whether `buffer` is an Office package locked by a password: a compound file that holds the package."""
    if buffer[:8] != _COMPOUND_FILE:
        return False
    position = buffer.find(_ENCRYPTED_STREAM)
    while position >= 0:
        if position % _DIRECTORY_ENTRY == 0:
            return True
        position = buffer.find(_ENCRYPTED_STREAM, position + 1)
    return False


def extension_of(found: Kind) -> str:
    """What the names of files of this kind end in."""
    return next(extension for _, _, media, extension in _KINDS if media == found.media_type)


def sniff(family: Family, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
    """What a sniffer of one family answers.

    A locked package does not show what it is, so its name or declaration decides; where neither speaks,
    the word family answers weakly, for the refusal to say that a password is missing.
    """
    found = kind(head)
    if found is not None:
        return Sniffed(found.media_type, "strong") if found.family == family else None
    if not is_encrypted(head):
        return None
    extension = (filename or "").rpartition(".")[2].lower()
    named = _BY_EXTENSION.get(extension)
    if named is None and declared in _FAMILY_OF:
        named = (_FAMILY_OF[declared], declared)
    if named is not None:
        return Sniffed(named[1], "strong") if named[0] == family else None
    return Sniffed(MEDIA_TYPES["word"][0], "weak") if family == "word" else None
