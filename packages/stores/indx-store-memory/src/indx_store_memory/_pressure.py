"""How much of its memory limit a process shares in is taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["share_in_use"]

_V2: Final = ("memory.max", "memory.current", "inactive_file")
_V1: Final = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


def share_in_use(root: Path = Path("/")) -> float:
    """The share in use of the tightest limit: the control group's, else the machine's; 0 where none is told.

    Files that the system could drop from its cache count as free, as they do where a limit is enforced.

    Args:
        root: Where `proc` and `sys` are mounted.
    """
    total, free = _machine(root)
    shares = [used / limit for limit, used in _groups(root) if 0 < limit < (total or limit + 1)]
    if not shares and total:
        shares = [1 - free / total]
    return max(shares, default=0.0)


def _machine(root: Path) -> tuple[int, int]:
    """Memory of the machine, and what of it is available, in bytes."""
    found = {"MemTotal:": 0, "MemAvailable:": 0}
    for line in _lines(root / "proc/meminfo"):
        name, *rest = line.split()
        if name in found:
            found[name] = int(rest[0]) * 1024
    return found["MemTotal:"], found["MemAvailable:"]


def _groups(root: Path) -> Iterator[tuple[int, int]]:
    """Limit and use of each control group this process is in, and of those around it."""
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, place = line.split(":", 2)
        if not controllers:
            base, names = root / "sys/fs/cgroup", _V2
        elif "memory" in controllers.split(","):
            base, names = root / "sys/fs/cgroup/memory", _V1
        else:
            continue
        # A container sees its own group as the root, whatever the path says.
        inside = base / place.lstrip("/")
        for folder in (inside, *inside.parents):
            yield from _group(folder, *names)
            if folder == base:
                break


def _group(folder: Path, limit: str, used: str, cached: str) -> Iterator[tuple[int, int]]:
    ceiling, current = _number(folder / limit), _number(folder / used)
    if ceiling is None or current is None:
        return
    for line in _lines(folder / "memory.stat"):
        name, _, value = line.partition(" ")
        if name == cached:
            current -= int(value)
    yield ceiling, max(0, current)


def _number(path: Path) -> int | None:
    text = "".join(_lines(path)).strip()
    return int(text) if text.isdigit() else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("ascii", "replace").splitlines()
    except OSError:
        return []
