"""Installed distributions, read straight from their `*.dist-info` folders.

What importlib-metadata does for any kind of path costs a tenth of a second with 200 distributions. Here the
folders of a plain path are read as what they are; whatever is unusual (a ZIP on the path, a finder of an
application's own, legacy or malformed metadata) is left to importlib-metadata.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import importlib_metadata as metadata

__all__ = [
    "Folders",
    "InfoFolder",
    "Point",
    "distributions",
    "find",
    "folders",
    "is_installed",
    "key",
    "version",
]

_POINT: Final = re.compile(r"([^=\s][^=]*?)\s*=\s*([\w.]+):([\w.]+)")
_NAME: Final = re.compile(r"^Name:[ \t]*(\S+)[ \t\r]*$", re.MULTILINE)
_VERSION: Final = re.compile(r"^Version:[ \t]*(\S+)[ \t\r]*$", re.MULTILINE)
_SEPARATORS: Final = re.compile(r"[-_.]+")
_ABSENT: Final = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)


@dataclass(frozen=True, slots=True)
class Point:
    """An entry point: its group, its name, `module:attribute`, and what imports that."""

    group: str
    name: str
    value: str
    load: Callable[[], Any] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class InfoFolder:
    """A distribution as its folder of metadata tells it."""

    path: str
    name: str
    version: str
    entry_points: tuple[Point, ...] = ()

    def read_text(self, file: str) -> str | None:
        """The text of one file of the folder; None where there is none."""
        data = _bytes(self.path, file)
        return None if data is None else data.decode("utf-8")


def distributions(mark: str) -> Iterator[InfoFolder | metadata.Distribution]:
    """The distributions of this environment whose entry points name `mark`, in the order of the path."""
    if not _is_plain():
        import importlib_metadata

        yield from importlib_metadata.distributions()
        return
    for entry in sys.path:
        entry = entry or "."
        if os.path.isfile(entry):  # noqa: PTH113  (a ZIP)
            import importlib_metadata

            yield from importlib_metadata.distributions(path=[entry])
            continue
        for name in _names(entry):
            if name.lower().endswith((".dist-info", ".egg-info")) or name.lower() == "egg-info":
                made = _distribution(f"{entry}/{name}", mark.encode())
                if made is not None:
                    yield made


class Folders(NamedTuple):
    """The folders of metadata on a path.

    Attributes:
        by_key: Each under the key of its distribution; of two the first.
        all_of_it: Whether distributions can be nowhere else: in a ZIP, as an egg, with a finder of an
            application's own.
    """

    by_key: dict[str, str]
    all_of_it: bool


def key(distribution: str) -> str:
    """A distribution's name as the package index compares it."""
    plain = distribution.lower().replace("_", "-").replace(".", "-")
    return _SEPARATORS.sub("-", plain) if "--" in plain else plain


def folders(path: Sequence[str]) -> Folders:
    """What stands on a path, each entry listed once; who looks up many names keeps the answer."""
    found: dict[str, str] = {}
    all_of_it = _is_plain()
    for known, folder in _listed(path):
        if known is None:
            all_of_it = False
        else:
            found.setdefault(known, folder)
    return Folders(found, all_of_it)


def find(distribution: str) -> InfoFolder | None:
    """The metadata of one distribution, its entry points left out; None where it is not found this way."""
    wanted = key(distribution)
    listed = _listed(sys.path, wanted[:1] + wanted[:1].upper()) if _is_plain() else ()
    folder = next((folder for known, folder in listed if known == wanted), None)
    return None if folder is None else _folder(folder, ())


def _listed(path: Sequence[str], letters: str = "") -> Iterator[tuple[str | None, str]]:
    """Each folder of metadata on a path with its key; with None, what has distributions in another form.

    With `letters`, those alone that begin with one of them: who looks up one has not to sort hundreds.
    """
    for entry in path:
        try:
            names = os.listdir(entry or ".")  # noqa: PTH208  (names are all that is wanted)
        except NotADirectoryError:  # a ZIP, perhaps
            yield None, entry
            continue
        except OSError:
            continue
        for name in sorted(name for name in names if not letters or name[0] in letters):
            stem, _, kind = name.lower().rpartition(".")
            if kind == "dist-info":
                yield key(stem.partition("-")[0]), f"{entry or '.'}/{name}"
            elif kind in ("egg-info", "egg") or name.lower() == "egg-info":
                yield None, f"{entry or '.'}/{name}"


def version(distribution: str) -> str:
    """The version of one distribution.

    Raises:
        importlib.metadata.PackageNotFoundError: It is not installed, or was packed without its metadata.
    """
    found = find(distribution)
    if found is not None:
        return found.version
    import importlib.metadata

    return importlib.metadata.version(distribution)


def is_installed(distribution: str) -> bool:
    """Whether a distribution is installed, which is asked without importing anything of it."""
    if find(distribution) is not None:
        return True
    import importlib.metadata

    try:
        importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _is_plain() -> bool:
    """Whether only the folders and ZIPs of the path hold distributions."""
    for finder in sys.meta_path:
        if finder is PathFinder or not hasattr(finder, "find_distributions"):
            continue
        # The library puts one of its own there when it is imported, which looks in the same places.
        ours = sys.modules.get("importlib_metadata")
        if ours is None or not isinstance(finder, ours.MetadataPathFinder):
            return False
    return True


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []


def _bytes(folder: str, file: str) -> bytes | None:
    try:
        handle = os.open(f"{folder}/{file}", os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except _ABSENT:
        return None
    with open(handle, "rb", buffering=0) as opened:  # noqa: PTH123
        return opened.readall()


def _distribution(path: str, mark: bytes) -> InfoFolder | metadata.Distribution | None:
    try:
        text = _bytes(path, "entry_points.txt")
        if text is None or mark not in text:
            return None
        points = _points(text.decode("utf-8"))
        made = None if points is None or not path.endswith(".dist-info") else _folder(path, points)
    except (OSError, UnicodeDecodeError):
        made = None
    if made is not None:
        return made
    import importlib_metadata

    return importlib_metadata.Distribution.at(path)


def _folder(path: str, points: tuple[Point, ...]) -> InfoFolder | None:
    data = _bytes(path, "METADATA")
    if data is None:
        return None
    head = re.split(r"\r?\n\r?\n", data[:65_536].decode("utf-8", "replace"), maxsplit=1)[0]
    name, version = _NAME.search(head), _VERSION.search(head)
    return InfoFolder(path, name[1], version[1], points) if name and version else None


def _points(text: str) -> tuple[Point, ...] | None:
    """The entry points; None where a line is not a plain `name = module:attribute`."""
    points: list[Point] = []
    group: str | None = None
    for line in map(str.strip, text.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
            continue
        found = _POINT.fullmatch(line)
        if found is None or group is None:
            return None
        name, module, attribute = found.groups()
        points.append(Point(group, name, f"{module}:{attribute}", _loader(module, attribute)))
    return tuple(points)


def _loader(module: str, attribute: str) -> Callable[[], Any]:
    return lambda: reduce(getattr, attribute.split("."), import_module(module))
