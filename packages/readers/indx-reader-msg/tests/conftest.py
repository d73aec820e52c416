"""Outlook messages built by the tests, property by property."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence

import pytest

from indx_format_office.compound_writer import Tree, compound_file

Value = str | bytes | int | bool | float


def storage(values: Mapping[int, Value], *, head: int, ansi: str = "") -> dict[str, bytes | Tree]:
    """The streams of a storage: numbers together, texts and bytes apart with their lengths among the numbers.

    A float is a FILETIME.
    """
    fixed = bytes(head)
    tree: dict[str, bytes | Tree] = {}
    for number, value in values.items():
        if isinstance(value, str):
            kind, data = (0x1E, value.encode(ansi)) if ansi else (0x1F, value.encode("utf-16-le"))
            tree[f"__substg1.0_{number:04X}{kind:04X}"] = data
            fixed += struct.pack("<HHLLL", kind, number, 6, len(data) + 2, 0)
        elif isinstance(value, bytes):
            tree[f"__substg1.0_{number:04X}0102"] = value
            fixed += struct.pack("<HHLLL", 0x0102, number, 6, len(value), 0)
        else:
            kind, form = (0x0B, "<Q") if isinstance(value, bool) else (0x03, "<q")
            kind, form = (0x40, "<Q") if isinstance(value, float) else (kind, form)
            fixed += struct.pack("<HHL", kind, number, 6) + struct.pack(form, int(value))
    return {"__properties_version1.0": fixed, **tree}


def message_tree(
    values: Mapping[int, Value],
    receivers: Sequence[Mapping[int, Value]],
    attachments: Sequence[Mapping[int, Value | Tree]],
    *,
    head: int,
    ansi: str = "",
) -> Tree:
    tree = storage(values, head=head, ansi=ansi)
    tree["__nameid_version1.0"] = {"__substg1.0_00020102": b""}
    for place, receiver in enumerate(receivers):
        tree[f"__recip_version1.0_#{place:08X}"] = storage(receiver, head=8, ansi=ansi)
    for place, attachment in enumerate(attachments):
        plain = {key: value for key, value in attachment.items() if not isinstance(value, Mapping)}
        held = storage(plain, head=8, ansi=ansi)
        for key, value in attachment.items():
            if isinstance(value, Mapping):
                held[f"__substg1.0_{key:04X}000D"] = value
        tree[f"__attach_version1.0_#{place:08X}"] = held
    return tree


def named(names: Sequence[tuple[int, int]]) -> dict[str, bytes | Tree]:
    """What properties from 0x8000 on are called: the beginning of a set, and a number in it."""
    sets = list(dict.fromkeys(beginning for beginning, _ in names))
    text = struct.pack("<LHH", 0, 1 | 2 << 1, len(names))  # one whose name is a text
    return {
        "__substg1.0_00020102": b"".join(
            struct.pack("<L", each) + bytes(4) + b"\xc0\0\0\0\0\0\0\x46" for each in sets
        ),
        "__substg1.0_00030102": text
        + b"".join(
            struct.pack("<LHH", number, (3 + sets.index(beginning)) << 1, place)
            for place, (beginning, number) in enumerate(names)
        ),
    }


@pytest.fixture
def inside() -> Callable[..., Tree]:
    """A message as it stands inside another."""

    def make(values: Mapping[int, Value], attachments: Sequence[Mapping[int, Value | Tree]] = ()) -> Tree:
        return message_tree(values, (), attachments, head=24)

    return make


@pytest.fixture
def msg() -> Callable[..., bytes]:
    """A message: its values, its receivers, its attachments; `ansi` writes texts in that encoding."""

    def make(
        values: Mapping[int, Value],
        receivers: Sequence[Mapping[int, Value]] = (),
        attachments: Sequence[Mapping[int, Value | Tree]] = (),
        ansi: str = "",
        names: Sequence[tuple[int, int]] = (),
    ) -> bytes:
        tree = dict(message_tree(values, receivers, attachments, head=32, ansi=ansi))
        tree["__nameid_version1.0"] = named(names)
        return compound_file(tree, sector=512)

    return make
