"""Shared by the benchmarks: CPU of finished processes, medians, tables with versions and inputs.

CPU seconds are user plus system time of the finished process and its children; memory is the largest resident
size of one process. Figures are medians of runs after a warm-up; ratios are medians of ratios pair by pair.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PEERS = ROOT / "build" / "peers"


@dataclass(frozen=True)
class Run:
    """One finished process."""

    cpu: float
    wall: float
    peak_mib: float


def run(command: list[str], *, env: dict[str, str] | None = None, cwd: Path | None = None) -> Run:
    """Run a command to its end; anything but success stops the benchmark."""
    whole = {**os.environ, **(env or {})}
    started = time.perf_counter()
    child = subprocess.Popen(command, env=whole, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if child.returncode != 0:
        sys.exit(
            f"{' '.join(command)} exited with {child.returncode}:\n{errors.decode(errors='replace')[-2000:]}"
        )
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def repeat(command: list[str], times: int, **more: object) -> list[Run]:
    """Runs after one warm-up that is thrown away."""
    run(command, **more)  # type: ignore[arg-type]
    return [run(command, **more) for _ in range(times)]  # type: ignore[arg-type]


def median(values: list[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def ratio(ours: list[float], theirs: list[float]) -> float:
    """The median of ratios pair by pair."""
    return median([a / b for a, b in zip(ours, theirs, strict=True)])


def peer(name: str, *requirements: str) -> Path:
    """The folder of executables of an environment with a peer, made on first need from the registry."""
    folder = PEERS / name
    if not (folder / "bin").exists():
        subprocess.run(["uv", "venv", "-q", "--python", sys.executable, str(folder)], check=True)
        wanted = ["uv", "pip", "install", "-q", "--compile-bytecode", *requirements]
        subprocess.run(wanted, check=True, env={**os.environ, "VIRTUAL_ENV": str(folder)})
    return folder / "bin"


def installed() -> Path:
    """The executables of an environment in which this checkout is installed as users do, made anew.

    In a checkout every distribution is a folder of its own, and Python looks for a module in each of them;
    users, and the peers, have all of it in one.
    """
    folder = PEERS / "indx"
    wanted = ["uv", "sync", "-q", "--locked", "--all-packages", "--no-default-groups", "--no-editable"]
    command = [*wanted, "--reinstall", "--python", sys.executable]
    more = {"UV_PROJECT_ENVIRONMENT": str(folder), "UV_COMPILE_BYTECODE": "1"}
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **more})
    return folder / "bin"


def markdown_tree(target: Path, *, files: int = 832) -> Path:
    """A documentation tree: the shared one where it is, copied until it has `files` Markdown files."""
    source = SHARED / "corpus" / "trees" / "argo-cd-docs" / "docs"
    if not source.exists():
        source = ROOT / "docs"
    pages = sorted(p for p in source.rglob("*.md") if p.is_file())
    for number in range(files):
        page = pages[number % len(pages)]
        copy = target / f"copy{number // len(pages)}" / page.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        # Each copy says so, or every second page would be an exact duplicate.
        copy.write_bytes(
            page.read_bytes() + f"\n\nCopy {number // len(pages)}.\n".encode() * (number >= len(pages))
        )
    return target


def size_of(folder: Path) -> str:
    """Files and megabytes of a folder."""
    sizes = [p.stat().st_size for p in folder.rglob("*") if p.is_file()]
    return f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB"


def heading(title: str) -> None:
    """The title of a table, with the machine and Python it was measured on."""
    cpu = next(
        (line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")), "unknown CPU"
    )
    print(f"## {title}\n\n{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}\n")


def _cpuinfo() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return []


def table(columns: list[str], rows: list[list[object]]) -> None:
    """A Markdown table."""
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(f"{v:.3g}" if isinstance(v, float) else str(v) for v in row) + " |")
    print()


def python_of(environment: Path | None = None) -> str:
    """The interpreter to run: this one's."""
    return sys.executable if environment is None else str(environment / "python")


def dump(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, sort_keys=True)
