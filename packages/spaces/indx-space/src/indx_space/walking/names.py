"""Names of files: their one form, their order, and how two that would be one are told apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from posixpath import splitext
from typing import Final

from indx_core.canonical import clean_text

__all__ = ["Taken", "decode_names", "nfc", "order", "refusal"]


def nfc(path: str) -> str:
    """The form in which paths are compared."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def order(path: str) -> bytes:
    """The key by which paths are sorted: the bytes of the NFC form."""
    return nfc(path).encode("utf-8", "surrogateescape")


class Taken:
    """Hands out paths that are fit for JSON, each once after NFC."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, path: str) -> str:
        """`path` itself, or a changed form: U+FFFD for bytes that are no UTF-8, `~2` before a suffix."""
        clean = clean_text(path)
        stem, suffix = splitext(clean)
        free, number = clean, 2
        while nfc(free) in self._taken:
            free, number = f"{stem}~{number}{suffix}", number + 1
        self._taken.add(nfc(free))
        return free


def refusal(name: str) -> str | None:
    """Why the name of an archive member is no relative path inside its container; None when it is one."""
    parts = name.split("/")
    if name.startswith("/"):
        return "its name is an absolute path"
    if ".." in parts:
        return "its name climbs out of the container"
    if len(name) > 1 and name[1] == ":" and name[0].isascii() and name[0].isalpha():
        return "its name begins with a drive"
    if any(part in ("", ".") for part in parts):
        return "its name has an empty part"
    if any(character < " " for character in name):
        return "its name holds control characters"
    return None


def decode_names(raw: Sequence[bytes], read: Callable[[bytes], str]) -> list[str]:
    """Names that an archive stores without saying in which encoding.

    UTF-8 where no more are anything else than are told as UTF-8 by their letters; one odd name changes none
    of the others. What is left is CP932 where that gives Japanese text.

    Args:
        raw: The names.
        read: Reads a name that is neither.
    """
    names: dict[int, str] = {}
    for place, name in enumerate(raw):
        with suppress(UnicodeDecodeError):
            names[place] = name.decode()
    told = sum(not name.isascii() for name in names.values())
    if len(raw) - len(names) > told:
        names.clear()
    rest = [place for place in range(len(raw)) if place not in names]
    names.update(zip(rest, _read([raw[place] for place in rest], read), strict=True))
    return [names[place] for place in range(len(raw))]


def _read(raw: Sequence[bytes], read: Callable[[bytes], str]) -> list[str]:
    with suppress(UnicodeDecodeError):
        names = [name.decode("cp932") for name in raw]
        if any(map(_japanese, names)):
            return names
    return list(map(read, raw))


# Half-width kana are no sign, CP437 letters become those; nor is one ideograph at a letter: "naïve", misread.
_JAPANESE: Final = "[\u3041-\u30ff\u4e00-\u9fff]{2}|(?<![A-Za-z])[\u3041-\u30ff\u4e00-\u9fff](?![A-Za-z])"


def _japanese(name: str) -> bool:
    return re.search(_JAPANESE, name) is not None
