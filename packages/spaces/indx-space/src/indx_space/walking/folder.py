"""A folder of the disk as a tree, and the careful reading of its files."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_source.settings import MAX_INPUT_BYTES
from indx_space.walking.listing import Entry, Fetched, Kind, Node, Problem, Stamp, stamp_of
from indx_space.walking.rules import LEAVE_OUT, RULE_BYTES

__all__ = ["DiskFile", "FolderTree"]

_IN_MEMORY: Final = 1_048_576  # files up to this many bytes are read once; larger ones stay where they are
_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)


class DiskFile:
    """One file of the disk."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def fetch(self, limit: int) -> Fetched:
        """Read the file, once more if it changes meanwhile.

        Raises:
            SourceError: It cannot be read, is no plain file any more, or keeps changing.
            InputTooLarge: It has more than `limit` bytes.
            FileNotFoundError: It is gone.
        """
        for _ in range(2):
            fetched = self._once(limit)
            if fetched is not None and self.unchanged(fetched.stamp):
                return fetched
        raise SourceError("the file changed while it was read; build again when it is at rest")

    def _once(self, limit: int) -> Fetched | None:
        name = os.path.basename(self._path)  # noqa: PTH119  (the bytes of the name are kept as they are)
        try:
            # Not blocking, in case a pipe took the file's place.
            with open(os.open(self._path, _FLAGS), "rb") as file:  # noqa: PTH123
                before = os.fstat(file.fileno())
                if not stat.S_ISREG(before.st_mode):
                    raise SourceError("it is no plain file any more; build again")
                if before.st_size > limit:
                    raise InputTooLarge(
                        f"the file has {before.st_size} bytes; this installation takes {limit}, "
                        f"{MAX_INPUT_BYTES.name} raises that"
                    )
                if before.st_size <= _IN_MEMORY:
                    data = file.read(before.st_size + 1)
                    if len(data) != before.st_size:
                        return None
                    return Fetched(SourceContent.of_bytes(data, filename=name), stamp_of(before))
            content = SourceContent.of_file(Path(self._path), filename=name)
            return Fetched(content, stamp_of(before)) if content.size == before.st_size else None
        except FileNotFoundError:
            raise
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise SourceError(f"the file cannot be read ({reason}); {LEAVE_OUT}") from None

    def unchanged(self, stamp: Stamp | None) -> bool:
        """Whether the file is as it was under `stamp`.

        Raises:
            FileNotFoundError: It is gone.
        """
        try:
            return stamp_of(Path(self._path).stat()) == stamp
        except FileNotFoundError:
            raise
        except OSError:
            return False


class FolderTree:
    """The names below a folder; bytes of names that are no UTF-8 are carried as lone surrogates."""

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self.problems: list[Problem] = []

    def close(self) -> None:
        """Nothing is kept open."""

    def children(self, folder: str) -> list[Node]:
        """The names in a folder."""
        with os.scandir(self._at(folder)) as names:
            return [Node(entry.name, _kind(entry), entry) for entry in names]

    def rules(self, folder: str, node: Node) -> bytes:
        """The first bytes of a file of ignore rules, one more than are obeyed."""
        with open(os.open(self._at(folder, node.name), _FLAGS), "rb") as file:  # noqa: PTH123
            return file.read(RULE_BYTES + 1)

    def entry(self, path: str, folder: str, node: Node) -> Entry:
        """A file as an entry."""
        status = node.handle.stat(follow_symlinks=True)
        return Entry(path, node.name, status.st_size, stamp_of(status), DiskFile(self._at(folder, node.name)))

    def target(self, folder: str, node: Node, *, follow: bool) -> Node | str:
        """What a link leads to: a node under the link's own name, or why it is left out."""
        real = os.path.realpath(self._at(folder, node.name))
        try:
            status = Path(real).stat()
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                return "dangling"
            raise
        if not follow:
            return "symlink"
        if real != self._root and not real.startswith(self._root.rstrip(os.sep) + os.sep):
            return "symlink_outside"
        if stat.S_ISDIR(status.st_mode):
            return Node(node.name, "folder", node.handle)
        return Node(node.name, "file", node.handle) if stat.S_ISREG(status.st_mode) else "special"

    def identity(self, folder: str, node: Node | None) -> Any:
        """Device and inode, by which loops of links are noticed."""
        try:
            status = Path(self._root if node is None else node.handle.path).stat()
        except OSError:
            return folder, node and node.name
        return status.st_dev, status.st_ino

    def _at(self, folder: str, name: str = "") -> str:
        return "/".join(part for part in (self._root, folder, name) if part)


def _kind(entry: os.DirEntry[str]) -> Kind:
    try:
        if entry.is_symlink():
            return "link"
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file(follow_symlinks=False) else "special"
    except OSError:
        return "file"  # reading it will say what is wrong
