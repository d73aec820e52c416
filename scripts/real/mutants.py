"""Damage by fixed seeds: to the bytes of a document, and below its packing, where most readers stop short.

A part of an Office package is damaged and packed anew with a true checksum; a stream of a PDF is unpacked,
damaged and packed again; one of a compound file is put in a container that is whole. Else a reader would only
ever see the checksum, or the container, fail.
"""

from __future__ import annotations

import random
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO

from olefile import OleFileIO
from real.seeds import Seed

from indx_format_office.compound_writer import compound_file

Damage = Callable[[bytes, bytes, random.Random], bytes]
PACKED = {"docx", "xlsx", "pptx"}
COMPOUND = {"xls", "ppt", "doc"}
_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_ELEMENT = re.compile(rb"<(?:[a-zA-Z]+:)?[a-zA-Z]+[^<>]*>")
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_ODD = [b"-1", b"0", b"", b"NaN", b"1e309", b"2147483648", b"99999999999999999999", b"0.0000001", b"%00"]
_BYTES = [b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"<", b">", b"&#0;", b'"', b"\r", b"\xf0\x9f\x91\xa8", b"]]>"]


@dataclass(frozen=True)
class Mutant:
    """A damaged document, and how it came about."""

    seed: Seed
    how: str
    data: bytes

    @property
    def name(self) -> str:
        """Its file name."""
        return self.seed.name.rpartition("/")[2]


def mutants(documents: list[Seed], count: int, seed: int) -> Iterator[Mutant]:
    """`count` mutants, formats and their documents in turn."""
    by_kind: dict[str, list[Seed]] = {}
    for document in documents:
        by_kind.setdefault(document.kind, []).append(document)
    kinds = list(by_kind)
    for number in range(count if kinds else 0):
        chance = random.Random(f"{seed}-{number}")
        document = chance.choice(by_kind[kinds[number % len(kinds)]])
        other = chance.choice(by_kind[document.kind])
        how, data = _damaged(document, other.data, chance)
        yield Mutant(document, f"{seed}-{number} {how}", data)


def _damaged(document: Seed, other: bytes, chance: random.Random) -> tuple[str, bytes]:
    damage = chance.choice(DAMAGES)
    deep = chance.random() < 0.7
    name = damage.__name__.strip("_")
    if document.kind in PACKED and deep:
        return f"{name} in a part", _in_a_part(document.data, damage, chance)
    if document.kind == "pdf" and deep:
        return f"{name} in a stream", _in_a_stream(document.data, damage, chance)
    if document.kind in COMPOUND and deep:
        return f"{name} in a stream", _in_a_compound(document.data, damage, chance)
    return name, damage(document.data, other, chance)


def _in_a_part(data: bytes, damage: Damage, chance: random.Random) -> bytes:
    file = BytesIO()
    try:
        with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
            parts = {info.filename: old.read(info) for info in old.infolist()}
            likely = [name for name in parts if name.endswith((".xml", ".rels"))] or list(parts)
            chosen = chance.choice(likely)
            for name, part in parts.items():
                other = parts[chance.choice(likely)]
                new.writestr(name, damage(part, other, chance) if name == chosen else part)
    except Exception:  # a corpus holds locked and broken packages too
        return damage(data, data, chance)
    return file.getvalue()


def _in_a_stream(data: bytes, damage: Damage, chance: random.Random) -> bytes:
    streams = list(_STREAM.finditer(data))
    for stream in chance.sample(streams, min(8, len(streams))):
        try:
            plain = zlib.decompress(stream[1])
        except zlib.error:
            continue
        changed = zlib.compress(damage(plain, plain[::-1], chance))
        return data[: stream.start(1)] + changed + data[stream.end(1) :]
    return damage(data, data, chance)


def _in_a_compound(data: bytes, damage: Damage, chance: random.Random) -> bytes:
    """A stream of the file itself damaged; those of objects inside it are left out."""
    try:
        with OleFileIO(BytesIO(data)) as file:
            streams = {path[0]: file.openstream(path).read() for path in file.listdir() if len(path) == 1}
    except OSError:  # a corpus holds older formats and broken files too
        return damage(data, data, chance)
    chosen = chance.choice(list(streams))
    other = streams[chance.choice(list(streams))]
    damaged = damage(streams[chosen], other, chance)
    return compound_file({**streams, chosen: damaged}, sector=512 if len(damaged) < 1 << 22 else 4096)


def _flips(data: bytes, _: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _flip in range(chance.choice((1, 4, 32)) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(data: bytes, _: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _splice(data: bytes, other: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _repeat(data: bytes, _: bytes, chance: random.Random) -> bytes:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    end = min(end, start + 4096)
    return data[:end] + data[start:end] * chance.choice((1, 3, 50)) + data[end:]


def _drop(data: bytes, _: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice((1, 16, 400)) :]


def _insert(data: bytes, _: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(_BYTES) * chance.choice((1, 2, 2000)) + data[at:]


def _number(data: bytes, _: bytes, chance: random.Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    for match in sorted(chance.sample(found, min(chance.choice((1, 5)), len(found))), key=_end, reverse=True):
        data = data[: match.start()] + chance.choice(_ODD) + data[match.end() :]
    return data


def _nest(data: bytes, _: bytes, chance: random.Random) -> bytes:
    """An element opened many times over."""
    found = list(_ELEMENT.finditer(data))
    if not found:
        return _repeat(data, data, chance)
    match = chance.choice(found)
    return data[: match.end()] + match[0] * chance.choice((1, 40, 3000)) + data[match.end() :]


def _swap(data: bytes, _: bytes, chance: random.Random) -> bytes:
    """An element put where another stood."""
    found = list(_ELEMENT.finditer(data))
    if len(found) < 2:
        return _flips(data, data, chance)
    one, other = sorted(chance.sample(found, 2), key=_end)
    return b"".join(
        (data[: one.start()], other[0], data[one.end() : other.start()], one[0], data[other.end() :])
    )


def _end(match: re.Match[bytes]) -> int:
    return match.end()


DAMAGES: list[Damage] = [_flips, _cut, _splice, _repeat, _drop, _insert, _number, _nest, _swap]
