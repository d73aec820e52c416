"""One build for each output directory: a lock that ends with the process that holds it."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from indx_core.errors import BuildError

__all__ = ["LOCK_FILE", "Lock"]

LOCK_FILE: Final = ".indx.lock"
_HELD: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """The lock of a directory, held from construction to `release`.

    The file is removed on release and by nobody else; a process that dies leaves it, unlocked.

    Args:
        folder: Where the lock's file stands.
        name: What it is called.

    Raises:
        BuildError: `output_locked`: another build holds it.
    """

    def __init__(self, folder: Path, name: str = LOCK_FILE) -> None:
        """Take it, at once or never."""
        self._path = folder / name
        while True:
            self.handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                _lock(self.handle)
                # Another build may have removed the file between opening and locking it.
                if os.path.samestat(os.fstat(self.handle), self._path.stat()):
                    return
            except FileNotFoundError:
                pass
            except OSError as error:
                os.close(self.handle)
                if error.errno not in _HELD:
                    raise
                raise BuildError(
                    f"another build is writing to {str(folder)!r}: wait for it, or choose another output",
                    code="output_locked",
                ) from None
            os.close(self.handle)

    def release(self) -> None:
        """Let it go."""
        with suppress(OSError):
            self._path.unlink()
        os.close(self.handle)
