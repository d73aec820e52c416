"""Runs one conversion and sees to its end, whatever becomes of the process that asked for it.

A program of its own, of the standard library alone: `python -I -S _keeper.py JSON`. Standard input stays
open as long as somebody waits for the conversion; when it ends, so does everything that was started, and the
folder is removed. The answer is one line of JSON on standard output.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

__all__ = ["main"]

_LOOK: Final = 0.02
"""How often it is looked whether the program has ended, in seconds."""
_WEIGH: Final = 0.5
_PIECE: Final = 65_536
_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER of Linux
_ROUNDS: Final = 100


def main(asked: dict[str, Any]) -> None:
    """Run `command` in `folder` for at most `seconds`, writing at most `most` bytes.

    Answers with the `code` of the program and the `reason` for its end: `ended` by itself, `late`, `large`.
    """
    folder = Path(asked["folder"])
    _adopt_orphans()
    try:
        program = subprocess.Popen(  # noqa: S603  what the operator named, or what stands on the PATH
            asked["command"],
            cwd=folder,
            env=asked["environment"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: _limit(asked["memory"], asked["most"]),
        )
    except OSError as error:
        _answer(reason="absent", said=error.strerror)
        return
    reason = "abandoned"
    try:
        reason, said = _watch(program, folder, asked["seconds"], asked["most"])
    finally:
        _end_all(program)
        if reason == "abandoned":
            shutil.rmtree(folder, ignore_errors=True)
    _answer(reason=reason, code=program.returncode, said=said)


def _answer(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts))


def _watch(program: subprocess.Popen[bytes], folder: Path, seconds: float, most: int) -> tuple[str, str]:
    """Wait for the program's end or a reason to end it, and keep the start of what it says."""
    assert program.stdout is not None
    said = b""
    began = weighed = time.monotonic()
    streams = [0, program.stdout.fileno()]
    while program.poll() is None:
        now = time.monotonic()
        if now - began > seconds:
            return "late", _text(said)
        if now - weighed > _WEIGH:
            weighed = now
            if _size(folder) >= most:
                return "large", _text(said)
        for stream in select.select(streams, [], [], _LOOK)[0]:
            piece = os.read(stream, _PIECE)
            if not piece and stream == 0:
                return "abandoned", ""
            if not piece:
                streams.remove(stream)
            elif stream != 0:
                said = (said + piece)[:_PIECE]
    large = program.returncode == -signal.SIGXFSZ or _size(folder) >= most
    return "large" if large else "ended", _text(said)


def _text(said: bytes) -> str:
    return said[:2000].decode("utf-8", "replace")


def _size(folder: Path) -> int:
    """The bytes that stand in a folder; what vanishes meanwhile weighs nothing."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118  it may be thousands
    return total


def _limit(memory: int, most: int) -> None:
    """Bounds that hold for the program and all it starts."""
    for what, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, most),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        ceiling = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError, OSError):  # a platform that keeps to no such limit
            resource.setrlimit(what, (ceiling, ceiling))


def _adopt_orphans() -> None:
    """Become the parent of what the program leaves behind, where the platform allows it."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _end_all(program: subprocess.Popen[bytes]) -> None:
    """End the program, its group, and whatever of it went elsewhere."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()
    for _ in range(_ROUNDS):
        left = _children()
        if not left:
            return
        for child in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    try:
        return [int(child) for child in Path("/proc/thread-self/children").read_text().split()]
    except OSError:
        return []


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
