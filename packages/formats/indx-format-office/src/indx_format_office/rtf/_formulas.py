"""Formulas of Rich Text, whose words are named as the elements of OMML are: written as that, and read."""

from __future__ import annotations

from html import escape
from typing import Final

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_format_office._xml import parse
from indx_format_office.formula import linear
from indx_format_office.names import M

__all__ = ["FORMULA", "FORMULAS", "Formula"]

FORMULA: Final = b"moMath"
_VALUES: Final = frozenset((b"mbegChr", b"mchr", b"mendChr", b"msepChr", b"mtype"))
"""Destinations that hold the value of a property."""
FORMULAS: Final = _VALUES | frozenset((
    FORMULA, b"macc", b"maccPr", b"mbar", b"mborderBox", b"mbox", b"md", b"mdPr", b"mdeg", b"mden", b"me",
    b"meqArr", b"mf", b"mfName", b"mfPr", b"mfunc", b"mgroupChr", b"mlim", b"mlimLow", b"mlimUpp", b"mm",
    b"mmr", b"mnary", b"mnaryPr", b"mnum", b"mphant", b"mr", b"mrad", b"msPre", b"msSub", b"msSubSup",
    b"msSup", b"msub", b"msup",
))  # fmt: skip
"""Destinations in a formula, and that of the formula."""


class Formula:
    """A formula that is being gathered, group by group."""

    def __init__(self) -> None:
        """Begin before its first group."""
        self._parts: list[str] = []
        self._said: list[str] = []
        self._texts: list[str] = []

    def begin(self, kind: bytes) -> None:
        """A group of a kind begins."""
        self._text()
        self._parts.append("" if kind in _VALUES else f"<m:{_name(kind)}>")

    def say(self, text: str) -> None:
        """Text of the group that is open."""
        self._texts.append(text)

    def end(self, kind: bytes) -> None:
        """The group of a kind ends that is open."""
        if kind in _VALUES:
            value = escape("".join(self._texts).strip())
            self._texts = []
            self._parts.append(f'<m:{_name(kind)} m:val="{value}"/>')
        else:
            self._text()
            self._parts.append(f"</m:{_name(kind)}>")

    def _text(self) -> None:
        if text := clean_text("".join(self._texts)):
            self._parts.append(f"<m:t>{escape(text)}</m:t>")
            self._said.append(text)
        self._texts = []

    def linear(self) -> str:
        """The formula on one line; its letters alone where its groups are in no order or too deep."""
        whole = "".join(("<formula xmlns:m='", M.strip("{}"), "'>", *self._parts, "</formula>"))
        try:
            return " ".join(linear(parse(whole.encode("utf-8"), "a formula")).split())
        except SourceError:
            return " ".join("".join(self._said).split())


def _name(kind: bytes) -> str:
    return kind[1:].decode("ascii")
