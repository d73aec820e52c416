"""Styles and lists of a binary document: what styles say of paragraphs, what lists put before them."""

from __future__ import annotations

import struct
from typing import Final

from indx_core.ports import Role
from indx_format_office.lists import MAX_LEVELS, Counted, Level, indented
from indx_reader_doc._pieces import operations

__all__ = ["Lists", "Styles"]

_MOST_STYLES, _MOST_LISTS, _MAX_DEPTH = 4096, 4096, 20
_PARAGRAPH_STYLE: Final = 1
_ROLES: Final[dict[int, Role]] = {34: "caption", 62: "title"}
"""What styles that Word brings along are for, by the numbers that it knows them by in every language."""
_NAMED_ROLES: Final[dict[str, Role]] = {
    "title": "title", "caption": "caption", "quote": "quote", "intense quote": "quote",
    "html preformatted": "code",
}  # fmt: skip
_WRITTEN: Final = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter",
    11: "japaneseCounting", 12: "aiueo", 13: "iroha", 14: "decimalFullWidth",
    18: "decimalEnclosedCircle", 19: "decimalFullWidth", 20: "aiueoFullWidth", 21: "irohaFullWidth",
    22: "decimalZero", 23: "bullet", 24: "ganada",
    30: "ideographTraditional", 37: "chineseCounting", 39: "chineseCountingThousand", 255: "none",
}  # fmt: skip
"""How numbers are written, by the number that the format has for it."""


class Styles:
    """What the styles of a document say of paragraphs."""

    def __init__(self, sheet: bytes) -> None:
        """Read the style sheet; what is damaged of it says nothing."""
        self._own: dict[int, tuple[int, dict[int, bytes]]] = {}
        self._merged: dict[int, dict[int, bytes]] = {}
        self._roles: dict[int, Role] = {}
        try:
            self._read(sheet)
        except (struct.error, IndexError):
            return

    def _read(self, sheet: bytes) -> None:
        (at,) = struct.unpack_from("<H", sheet)
        count, base_size = struct.unpack_from("<HH", sheet, 2)
        at += 2
        for number in range(min(count, _MOST_STYLES)):
            (size,) = struct.unpack_from("<H", sheet, at)
            style = sheet[at + 2 : at + 2 + size]
            at += 2 + size + size % 2
            if size >= base_size + 2 and struct.unpack_from("<H", style, 2)[0] & 0xF == _PARAGRAPH_STYLE:
                self._own[number] = struct.unpack_from("<H", style, 2)[0] >> 4, _said(style, base_size)
                known = struct.unpack_from("<H", style)[0] & 0xFFF
                role = _ROLES.get(known) or _NAMED_ROLES.get(_name(style, base_size).lower())
                if role is not None:
                    self._roles[number] = role

    def role(self, number: int) -> Role | None:
        """What paragraphs of style `number` are, where they are no plain text."""
        return self._roles.get(number)

    def of(self, number: int) -> dict[int, bytes]:
        """What style `number` says, of characters too, with what the styles it is made from say."""
        known = self._merged.get(number)
        if known is None:
            chain: list[dict[int, bytes]] = []
            place = number
            while place in self._own and len(chain) < _MAX_DEPTH:
                place, said = self._own[place]
                chain.append(said)
            known = self._merged[number] = {}
            for said in reversed(chain):
                known |= said
        return known


def _name(style: bytes, base_size: int) -> str:
    """The name of a style."""
    (length,) = struct.unpack_from("<H", style, base_size)
    return style[base_size + 2 : base_size + 2 + 2 * length].decode("utf-16-le", "replace")


def _said(style: bytes, base_size: int) -> dict[int, bytes]:
    """What a style says of paragraphs and, behind that, of their characters; both stand behind its name."""
    (length,) = struct.unpack_from("<H", style, base_size)
    at = base_size + 2 + 2 * length + 2
    said: dict[int, bytes] = {}
    for lead in (2, 0):  # of paragraphs the number of the style comes first
        if at + 2 > len(style):
            break
        (size,) = struct.unpack_from("<H", style, at)
        said |= operations(style[at + 2 + lead : at + 2 + size])
        at += 2 + size + size % 2
    return said


class Lists:
    """The lists of a document, which count as its paragraphs are read."""

    def __init__(self, table: bytes, lists: int, overrides: int) -> None:
        """Read them.

        Args:
            table: The table stream.
            lists: Where the lists stand in it; 0 for none.
            overrides: Where what paragraphs name stands in it.
        """
        self._named: dict[int, Counted] = {}
        self._restarts: dict[int, dict[int, int]] = {}
        try:
            known = _lists(table, lists) if lists else {}
            self._override(table, overrides, known)
        except (struct.error, IndexError):
            return

    def label(self, number: int, depth: int) -> str:
        """Count a paragraph of list `number`, from 1, and say its label, set in, with the space after it."""
        found = self._named.get(number)
        if found is None:
            return ""
        for place, start in self._restarts.pop(number, {}).items():
            found.counts[place] = start - 1
        return indented(found.label(depth), min(depth, MAX_LEVELS - 1))

    def _override(self, table: bytes, at: int, known: dict[int, Counted]) -> None:
        if not known:
            return
        (count,) = struct.unpack_from("<L", table, at)
        count = min(count, _MOST_LISTS)
        names = [struct.unpack_from("<lLLB", table, at + 4 + 16 * place) for place in range(count)]
        at += 4 + 16 * count
        self._named |= {
            number: known[name] for number, (name, _, _, _) in enumerate(names, start=1) if name in known
        }
        for number, (_, _, _, levels) in enumerate(names, start=1):
            at += 4
            for _ in range(min(levels, MAX_LEVELS)):
                start, flags = struct.unpack_from("<lL", table, at)
                at += 8
                if flags & 0x10:
                    self._restarts.setdefault(number, {})[flags & 0xF] = max(0, start)
                if flags & 0x20:
                    level, at = _level(table, at)
                    if number in self._named:
                        shared = self._named[number]
                        self._named[number] = Counted(shared.levels | {flags & 0xF: level}, shared.counts)
                        self._restarts.setdefault(number, {}).setdefault(flags & 0xF, level.start)


def _lists(table: bytes, at: int) -> dict[int, Counted]:
    """The lists by their own number; their levels stand behind all of them."""
    (count,) = struct.unpack_from("<H", table, at)
    count = min(count, _MOST_LISTS)
    heads = [struct.unpack_from("<l22xB", table, at + 2 + 28 * place) for place in range(count)]
    at += 2 + 28 * count
    found: dict[int, Counted] = {}
    for name, flags in heads:
        levels: dict[int, Level] = {}
        for depth in range(1 if flags & 1 else MAX_LEVELS):
            levels[depth], at = _level(table, at)
        found[name] = Counted(levels)
    return found


def _level(table: bytes, at: int) -> tuple[Level, int]:
    """One level, and where it ends."""
    start, style, facts = struct.unpack_from("<lBB", table, at)
    characters, paragraphs = struct.unpack_from("<BB", table, at + 24)
    at += 28 + characters + paragraphs
    (length,) = struct.unpack_from("<H", table, at)
    at += 2
    if at + 2 * length > len(table):
        raise IndexError(at)
    text = table[at : at + 2 * length].decode("utf-16-le", "replace")
    shown = "".join(f"%{ord(sign) + 1}" if sign < "\x09" else sign for sign in text)
    return Level(max(0, start), _WRITTEN.get(style, "decimal"), shown, bool(facts & 4)), at + 2 * length
