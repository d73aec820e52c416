"""Damaged bytes, the same ones on every run: cut short, with flipped bits, or never a document at all."""

from __future__ import annotations

import random
from collections.abc import Iterator

__all__ = ["damaged", "flips", "garbage", "truncations"]


def truncations(data: bytes, count: int = 12) -> Iterator[bytes]:
    """`data` cut short at `count` places spread over its length, the empty and the all-but-whole included."""
    places = {len(data) * step // count for step in range(count)} | {max(0, len(data) - 1)}
    for place in sorted(places):
        if place < len(data):
            yield data[:place]


def flips(data: bytes, count: int = 12, *, seed: int = 0) -> Iterator[bytes]:
    """`count` copies of `data`, each with one to eight bits flipped at places that follow from `seed`."""
    if not data:
        return
    chance = random.Random(seed)  # noqa: S311  a fixed seed makes a failure repeatable
    for _ in range(count):
        copy = bytearray(data)
        for _ in range(chance.randint(1, 8)):
            copy[chance.randrange(len(copy))] ^= 1 << chance.randrange(8)
        yield bytes(copy)


def garbage(*, seed: int = 0) -> Iterator[bytes]:
    """Bytes that are no document of any format."""
    chance = random.Random(seed)  # noqa: S311
    yield b""
    yield b"\x00"
    yield b"\x00" * 4096
    yield b"\xff\xfe\xfd" * 1000
    yield chance.randbytes(1)
    yield chance.randbytes(4096)


def damaged(data: bytes, *, seed: int = 0) -> Iterator[tuple[str, bytes]]:
    """All of the above for one document, each with words that say what was done to it."""
    for cut in truncations(data):
        yield f"cut to {len(cut)} of {len(data)} bytes", cut
    for number, copy in enumerate(flips(data, seed=seed)):
        yield f"bits flipped (seed {seed}, copy {number})", copy
    for noise in garbage(seed=seed):
        yield f"{len(noise)} bytes of noise starting with {noise[:4]!r}", noise
