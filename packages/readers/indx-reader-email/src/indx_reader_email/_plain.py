"""Plain text bodies: `format=flowed` put back together, replies told from what they quote."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

__all__ = ["quoted_runs", "unflowed"]

_SIGNATURE: Final = "-- "


def unflowed(text: str, *, delete_space: bool) -> str:
    """Join the lines that were broken only for display (RFC 3676)."""
    lines: list[list[str]] = []
    depth_before, flows = -1, False
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:]
        content = content[1:] if content.startswith(" ") else content
        if flows and depth == depth_before and content != _SIGNATURE:
            lines[-1].append(content)
        else:
            lines.append([f"{'>' * depth} {content}" if depth else content])
        depth_before = depth
        flows = content.endswith(" ") and content != _SIGNATURE
        if flows and delete_space:
            lines[-1][-1] = lines[-1][-1][:-1]
    return "\n".join(map("".join, lines))


def quoted_runs(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of lines that quote an earlier message."""
    start = position = -1
    offset = 0
    for line in text.split("\n"):
        if line.startswith(">"):
            start = offset if start < 0 else start
            position = offset + len(line)
        elif start >= 0:
            yield start, position
            start = -1
        offset += len(line) + 1
    if start >= 0:
        yield start, position
