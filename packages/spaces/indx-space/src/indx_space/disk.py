"""Every change to the file system that a build makes, and the errors it turns into.

All of it goes through `Disk`, one method a step, so that a test can run out of space or be killed at any.
"""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from indx_core.errors import BuildError

__all__ = ["DISK", "Disk", "atomic_write", "build_errors"]

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Disk:
    """Changes files. Reading needs no such care and happens elsewhere."""

    @contextmanager
    def create(self, path: Path, *, sync: bool = True) -> Iterator[BinaryIO]:
        """A new file to write; on the disk when the block ends, gone when it fails."""
        try:
            with path.open("wb") as file:
                yield file
                if sync:
                    file.flush()
                    os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                self.remove(path)
            raise

    def write(self, path: str, data: bytes) -> None:
        """A small new file whose loss a later build would repair: not synced."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
        finally:
            os.close(handle)

    def replace(self, source: Path, target: Path) -> None:
        """Move a file or folder to where it belongs, over a file that is there."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Remove a file; one that is gone is fine."""
        path.unlink(missing_ok=True)

    def remove_tree(self, path: Path) -> None:
        """Remove a folder of ours with all it holds."""
        shutil.rmtree(path)

    def remove_folder(self, path: Path) -> None:
        """Remove a folder if it is empty."""
        with suppress(OSError):
            path.rmdir()

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it."""
        path.mkdir(parents=True, exist_ok=True)

    def sync_folder(self, path: Path) -> None:
        """Bring the names in a folder to the disk, where the system can."""
        with suppress(PermissionError):  # Windows opens no folder
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


DISK: Final = Disk()
"""The disk as it is."""


@contextmanager
def build_errors(path: Path) -> Iterator[None]:
    """Turn what the file system refuses into a `BuildError` that names `path`.

    Raises:
        BuildError: `disk_full` or `output_unwritable`.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        if error.errno in _FULL:
            message = f"{str(path)!r}: {reason}; free some space, or write elsewhere"
            raise BuildError(message, code="disk_full") from error
        message = f"{str(path)!r} cannot be written: {reason}; {_remedy(error)}"
        raise BuildError(message, code="output_unwritable") from error


def _remedy(error: OSError) -> str:
    aside = "move it away, or choose another place"
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"a file stands where a folder is due: {aside}"
    if isinstance(error, IsADirectoryError):
        return f"a folder stands where a file is due: {aside}"
    return "choose a place you may write to"


def atomic_write(path: Path, content: bytes | Callable[[BinaryIO], object], *, disk: Disk = DISK) -> None:
    """Write a file so that it is there whole or as it was before: beside, synced, then renamed.

    Args:
        path: The file.
        content: Its bytes, or what writes them to an open file.
        disk: Where to.

    Raises:
        BuildError: `disk_full` or `output_unwritable`.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    with build_errors(path):
        with disk.create(beside) as file:
            if callable(content):
                content(file)
            else:
                file.write(content)
        try:
            disk.replace(beside, path)
        except OSError:
            with suppress(OSError):
                disk.remove(beside)
            raise
        disk.sync_folder(path.parent)
