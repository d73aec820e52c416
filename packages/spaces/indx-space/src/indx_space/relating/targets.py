"""From a link as written to the document it leads to: resolved like a path, never out of the root."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

from indx_space.walking.names import nfc

__all__ = ["Targets"]

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_CUT: Final = re.compile(r"[#?]")
_INDEXES: Final = ("index.md", "README.md", "index.html", "index.htm")
_SUFFIXES: Final = (".md", ".markdown", ".html", ".htm")
_LONGEST: Final = 4096


class Targets:
    """The documents of a space as targets of links.

    Args:
        paths: Their paths.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._exact: dict[str, str] = {}
        self._folded: dict[str, str | None] = {}
        for path in paths:
            form = nfc(path)
            self._exact[form] = path
            folded = form.casefold()
            # Two that differ in case only: neither is meant by a third spelling.
            self._folded[folded] = None if folded in self._folded else path
        self._known: dict[tuple[str, str], str | None] = {}

    def find(self, source: str, target: str) -> str | None:
        """The path of the document that `target`, written in the document at `source`, leads to.

        Args:
            source: The path of the document with the link.
            target: The target as written.

        Returns:
            None for an address on the web, for a place in the same document, for what is not among the
            documents, and for what would climb out of the root or out of the container.
        """
        folder = source.rpartition("/")[0]
        key = (folder, target)
        if key not in self._known:
            self._known[key] = self._find(source, folder, target)
        found = self._known[key]
        return None if found == source else found

    def _find(self, source: str, folder: str, target: str) -> str | None:
        target = target.strip()
        if target.startswith("<") and target.endswith(">"):
            target = target[1:-1].strip()
        if len(target) > _LONGEST or target.startswith("//") or _SCHEME.match(target):
            return None
        written = _CUT.split(target, maxsplit=1)[0].replace("\\", "/")
        if not written:
            return None
        container = source[: at + 2] if (at := source.rfind("!/")) >= 0 else ""
        start = "" if written.startswith("/") else folder[len(container) :]
        for segments in _readings(written):
            parts = _joined(start, segments)
            if parts is None:
                continue
            candidates = [nfc(container + one) for one in _candidates("/".join(parts), written)]
            for candidate in candidates:
                if candidate in self._exact:
                    return self._exact[candidate]
            for candidate in candidates:
                if (found := self._folded.get(candidate.casefold())) is not None:
                    return found
        return None


def _readings(written: str) -> Iterator[list[str]]:
    """The segments of a target: percent-decoded, then as they stand, for names that hold a `%`."""
    segments = written.split("/")
    if "%" not in written:
        yield segments
        return
    decoded = []
    for segment in segments:
        try:
            plain = unquote_to_bytes(segment.encode()).decode("utf-8")
        except UnicodeDecodeError:
            plain = segment
        if "/" in plain or "\\" in plain or "\0" in plain:
            return  # an encoded separator is no way into another folder
        decoded.append(plain)
    yield decoded
    yield segments


def _joined(start: str, segments: Iterable[str]) -> list[str] | None:
    """The parts of a path from the root; None where it would climb out."""
    parts = start.split("/") if start else []
    for segment in segments:
        if segment in ("", "."):
            continue
        if segment == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(segment)
    return parts


def _candidates(path: str, written: str) -> Iterator[str]:
    """What a path may name: the file, the page of a folder, the file without its suffix."""
    if not path:
        yield from _INDEXES
        return
    if not written.endswith(("/", "/.", "/..")):
        yield path
        yield from (path + suffix for suffix in _SUFFIXES)
    yield from (f"{path}/{index}" for index in _INDEXES)
    if written.endswith("/"):
        yield path
        yield from (path + suffix for suffix in _SUFFIXES)
