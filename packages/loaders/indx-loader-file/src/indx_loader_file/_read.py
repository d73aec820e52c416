"""From a `file:` URI to bytes: the path it names, whether it may be read, no more than the limit."""

from __future__ import annotations

import logging
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Loaded, SourceContent
from indx_loader_file.settings import FILE_ROOTS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["load"]

_log: Final = logging.getLogger("indx.loader.file")
_URI: Final = re.compile(r"file://(?:localhost)?(/[^?#]*)", re.IGNORECASE | re.DOTALL)
_BROKEN_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_STEP: Final = 1 << 20
_SHOWN: Final = 200


def load(uri: str, limit: int, deadline: Deadline) -> Loaded:
    """Read the file at `uri`.

    Raises:
        SourceError: `source_unreadable`, or `source_forbidden` outside of INDX_LOADER_FILE_ROOTS.
        InputTooLarge: It has more than `limit` bytes.
    """
    path = _path(uri)
    target = _permitted(path, uri)
    try:
        descriptor = _open(target, uri)
    except (OSError, ValueError) as error:
        _log.info("%r: %s cannot be opened: %s", uri, target, error)
        raise _unreadable(uri, _why(error)) from None
    with os.fdopen(descriptor, "rb") as file:
        # A link may have been changed since it was looked at: what counts is what is open now.
        if not _is_still(file.fileno(), _permitted(path, uri)):
            raise _unreadable(uri, "it was replaced while it was opened; load it again")
        try:
            data = _read(file.fileno(), limit, deadline)
        except OSError as error:
            _log.info("%r: %s cannot be read: %s", uri, target, error)
            raise _unreadable(uri, "reading it failed; check its disk") from None
    if data is None:
        raise InputTooLarge(
            f"{_shown(uri)} has more than {limit} bytes; raise INDX_MAX_INPUT_BYTES or split it"
        )
    return Loaded(SourceContent.of_bytes(data, filename=clean_text(path.name) or None))


def _path(uri: str) -> Path:
    """The path a URI names, percent-encoding undone, nothing resolved."""
    found = _URI.fullmatch(uri)
    if found is None:
        raise SourceError(f"{_shown(uri)} names no file; write file:///path or file://localhost/path")
    if _BROKEN_ESCAPE.search(found[1]):
        raise _unreadable(uri, "it has a % without two hex digits; write %25 for a percent sign")
    try:
        name = os.fsdecode(unquote_to_bytes(found[1]))
    except UnicodeError:
        raise _unreadable(uri, "its name cannot be decoded") from None
    if "\0" in name:
        raise _unreadable(uri, "its name holds a NUL")
    if os.name == "nt":
        name = name.lstrip("/")  # file:///C:/x; a name of the network, //host/share, is no file here
    return Path(name)


def _permitted(path: Path, uri: str) -> Path:
    """The path with links and `..` resolved, if it lies in one of the roots."""
    roots = [_resolved(root) for root in FILE_ROOTS.get()]
    target = _resolved(path)
    if not roots and target is None:
        raise _unreadable(uri, "its path cannot be resolved; check it for links that lead in a circle")
    if target is None or (roots and not any(root and target.is_relative_to(root) for root in roots)):
        _log.warning(
            "%r resolves to %s, outside of %s: %s", uri, target, FILE_ROOTS.name, list(map(str, roots))
        )
        raise SourceError(
            f"{_shown(uri)} is outside of the directories in {FILE_ROOTS.name}; add its directory there",
            code="source_forbidden",
        )
    return target


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _open(target: Path, uri: str) -> int:
    """Open a regular file. A pipe or a device is not even opened: that alone can block or act."""
    _refuse_special(target.stat().st_mode, uri)
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    )
    descriptor = os.open(target, flags)
    try:
        _refuse_special(os.fstat(descriptor).st_mode, uri)
    except SourceError:
        os.close(descriptor)
        raise
    return descriptor


def _refuse_special(mode: int, uri: str) -> None:
    if stat.S_ISDIR(mode):
        raise _unreadable(uri, "it is a directory; name a file in it")
    if not stat.S_ISREG(mode):
        raise _unreadable(uri, "it is a device, a pipe or a socket; name a regular file")


def _is_still(descriptor: int, target: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), target.stat())
    except OSError:
        return False


def _read(descriptor: int, limit: int, deadline: Deadline) -> bytes | None:
    """All bytes, or None when there are more than `limit`; a file may grow, or say that it is empty."""
    if os.fstat(descriptor).st_size > limit:
        return None
    parts: list[bytes] = []
    size = 0
    while part := os.read(descriptor, min(_STEP, limit - size + 1)):
        deadline.check()
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
    return b"".join(parts)


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "this process may not read it; check its permissions"
    return "it cannot be opened; check its name"


def _unreadable(uri: str, why: str) -> SourceError:
    return SourceError(f"{_shown(uri)} cannot be read: {why}")


def _shown(uri: str) -> str:
    return repr(uri if len(uri) <= _SHOWN else uri[:_SHOWN] + "…")
