"""Writes compound files: a message or an object inside another becomes a file of its own.

They are of version 4, whose large sectors need no list of lists for any size that is taken out of a file.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import TypeAlias

from indx_core.errors import InputTooLarge

__all__ = ["Tree", "compound_file"]

Tree: TypeAlias = "Mapping[str, bytes | Tree]"
"""Streams and storages by name."""

_MINI, _CUTOFF = 64, 4096
_END, _FREE, _FAT, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF


class _Node:
    """One entry of the directory."""

    def __init__(self, name: str, kind: int, data: bytes = b"") -> None:
        self.name, self.kind, self.data = name, kind, data
        self.left = self.right = self.child = _NONE
        self.start, self.size = 0, len(data)

    def pack(self) -> bytes:
        """The entry as it stands in the directory."""
        name = self.name.encode("utf-16-le") + b"\0\0"
        links = struct.pack("<BBLLL", self.kind, 1, self.left, self.right, self.child)
        tail = bytes(16 + 4 + 16) + struct.pack("<LQ", self.start, self.size)
        return name.ljust(64, b"\0") + struct.pack("<H", len(name)) + links + tail


def compound_file(tree: Tree, *, sector: int = 4096) -> bytes:
    """The bytes of a compound file that holds `tree`.

    Args:
        tree: What it holds.
        sector: 4096, or 512 as the oldest programs want it, which bounds the whole to 7 MB.

    Raises:
        InputTooLarge: There is more of it than fits.
    """
    large = sector > 512
    nodes = [_Node("Root Entry", 5)]
    _add(nodes, nodes[0], tree)
    sectors: list[bytes] = []
    fat: list[int] = []
    mini = bytearray()
    mini_fat: list[int] = []
    for node in nodes:
        if node.kind == 2 and 0 < len(node.data) < _CUTOFF:
            node.start = len(mini_fat)
            count = -(-len(node.data) // _MINI)
            mini_fat += [*range(node.start + 1, node.start + count), _END]
            mini += node.data.ljust(count * _MINI, b"\0")
        elif node.kind == 2:
            node.start = _store(node.data, sectors, fat, sector)
    nodes[0].start, nodes[0].size = _store(bytes(mini), sectors, fat, sector), len(mini)
    table = _store(struct.pack(f"<{len(mini_fat)}L", *mini_fat), sectors, fat, sector, fill=b"\xff")
    directory = _store(b"".join(node.pack() for node in nodes), sectors, fat, sector)
    own = 1
    while own * (sector // 4) < len(fat) + own:
        own += 1
    places = range(len(fat), len(fat) + own)
    fat += [_FAT] * own
    fat += [_FREE] * (own * (sector // 4) - len(fat))
    packed = struct.pack(f"<{len(fat)}L", *fat)
    if own > 109:
        raise InputTooLarge("what is inside is too large to become a file of its own")
    difat = [*places, *[_FREE] * (109 - own)]
    version, shift = (4, 12) if large else (3, 9)
    listed = -(-128 * len(nodes) // sector) if large else 0
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
        + struct.pack("<HHHHH", 0x3E, version, 0xFFFE, shift, 6) + bytes(6)
        + struct.pack("<LLLLL", listed, own, directory, 0, _CUTOFF)
        + struct.pack("<LLLL", table, -(-4 * len(mini_fat) // sector), _END, 0)
        + struct.pack("<109L", *difat)
    )  # fmt: skip
    return header.ljust(sector, b"\0") + b"".join(sectors) + packed


def _add(nodes: list[_Node], parent: _Node, tree: Tree) -> None:
    """Add what `tree` holds below `parent`, as the balanced tree by length and name that the format has."""
    places: list[int] = []
    for name in sorted(tree, key=lambda name: (len(name), name.upper())):
        held = tree[name]
        node = _Node(name, 2, held) if isinstance(held, bytes) else _Node(name, 1)
        places.append(len(nodes))
        nodes.append(node)
        if not isinstance(held, bytes):
            _add(nodes, node, held)
    parent.child = _balanced(nodes, places)


def _balanced(nodes: list[_Node], places: list[int]) -> int:
    """Link the nodes at `places`; where the root of that tree is."""
    if not places:
        return _NONE
    middle = len(places) // 2
    node = nodes[places[middle]]
    node.left, node.right = _balanced(nodes, places[:middle]), _balanced(nodes, places[middle + 1 :])
    return places[middle]


def _store(data: bytes, sectors: list[bytes], fat: list[int], size: int, fill: bytes = b"\0") -> int:
    """Put `data` in sectors of its own; the number of the first."""
    if not data:
        return _END
    start = len(fat)
    count = -(-len(data) // size)
    fat += [*range(start + 1, start + count), _END]
    padded = data.ljust(count * size, fill)
    sectors += [padded[at : at + size] for at in range(0, len(padded), size)]
    return start
