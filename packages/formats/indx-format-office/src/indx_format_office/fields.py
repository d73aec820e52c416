"""Fields whose instruction is all there is of them: equations, words with their readings above, buttons.

Word writes what it cannot hold as text into the instruction of a field `EQ`, readings of Japanese words for
instance, and leaves the result empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from indx_format_office.formula import Made, bracketed, parted

__all__ = ["Equation", "equation"]

_EQUATION: Final = re.compile(r"\s*EQ(?=[\s\\]|$)", re.IGNORECASE)
_BUTTON: Final = re.compile(r"\s*(?:MACRO|GOTO)BUTTON\s+\S+\s++(.*\S)", re.IGNORECASE | re.DOTALL)
_FORMATTING: Final = re.compile(r'\\\*\s*(?:"[^"]*"|[^\s\\"(]+)')
_SWITCH: Final = re.compile(r"\\([a-zA-Z]+)[ \t]*-?\d*[ \t]*")
_BRACKET: Final = re.compile(r"\\([^a-zA-Z\s])[ \t]*")
_LONGEST: Final = 10_000
_LONGEST_BASE: Final = 200  # with scripts behind it; all of it is looked at for each
_MAX_DEPTH: Final = 30
_MATES: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SCRIPTS: Final = ("^", "_")
_CLOSING: Final = (")", "]", "}")
_SIGNS: Final = {"su": "∑", "pr": "∏"}


@dataclass(slots=True)
class Equation:
    """What an instruction shows.

    Attributes:
        text: On one line.
        ruby: The words in it and their readings, which the text leaves out.
        plain: Whether it is the text of a button, as "[Click here and type your name]", and no equation.
    """

    text: str = ""
    ruby: list[tuple[str, str]] = field(default_factory=list)
    plain: bool = False


class _Raised(Made):
    """A text that stands above the line."""

    __slots__ = ()


def equation(instruction: str) -> Equation | None:
    """What a field `EQ`, or one that is a button, shows; None for another field."""
    if button := _BUTTON.match(instruction[:_LONGEST]):
        return Equation(" ".join(button[1].split()), plain=True)
    found = _EQUATION.match(instruction[:_LONGEST])
    if found is None:
        return None
    reader = _Reader(_FORMATTING.sub("", instruction[found.end() : _LONGEST]))
    made = Equation(ruby=reader.ruby)
    made.text = "".join(_joined(part) for part in reader.parts(0, closed=False)).strip()
    return made


def _joined(part: Sequence[str]) -> str:
    """The pieces of an argument side by side."""
    written = left = ""
    for before, piece in pairwise(("", *part)):
        text = f"^{bracketed(piece)}" if isinstance(piece, _Raised) else piece
        if (isinstance(before, Made) or isinstance(piece, Made)) and parted(left, text):
            written += " "
        written += text
        based = len(left) < _LONGEST_BASE and (left[-1:].isalnum() or left[-1:] in _CLOSING)
        left = left + text if based and text[:1] in _SCRIPTS else text
    return written


class _Reader:
    """Reads switches and what is in their brackets."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.ruby: list[tuple[str, str]] = []

    def parts(self, depth: int, *, closed: bool) -> list[list[str]]:
        """The arguments up to the closing bracket, or up to the end where there is none."""
        parts: list[list[str]] = [[]]
        while self._at < len(self._text):
            sign = self._text[self._at]
            if depth < _MAX_DEPTH and _SWITCH.match(self._text, self._at):
                parts[-1].append(self._switches(depth))
                continue
            self._at += 1
            if sign == "\\":
                parts[-1].append(self._text[self._at : self._at + 1])
                self._at += 1
            elif sign == ")" and closed:
                break
            elif sign in ",;" and closed:
                parts.append([])
            else:
                parts[-1].append(sign)
        return parts

    def _switches(self, depth: int) -> str:
        """One or more switches, and the brackets after them."""
        names: list[str] = []
        mark = ""
        while found := _SWITCH.match(self._text, self._at):
            names.append(found[1].lower())
            self._at = found.end()
            if sign := _BRACKET.match(self._text, self._at):
                mark = sign[1]
                self._at = sign.end()
        if self._text[self._at : self._at + 1] != "(":
            return ""
        self._at += 1
        made = self._made(names, mark, self.parts(depth + 1, closed=True))
        return made if isinstance(made, _Raised) or made.isalnum() else Made(made)

    def _made(self, names: list[str], mark: str, parts: list[list[str]]) -> str:
        texts = [_joined(part).strip() for part in parts]
        kind = names[0]
        if kind == "o":
            return self._over(parts, texts)
        if kind == "s":
            text = "".join(texts)
            return f"_{bracketed(text)}" if "do" in names else _Raised(text)
        if kind == "f" and len(texts) == 2:
            return f"{bracketed(texts[0])}/{bracketed(texts[1])}"
        if kind == "r":
            return "".join(texts[:-1]) + f"√{bracketed(texts[-1])}"
        if kind == "i" and len(texts) == 3:
            sign = next((_SIGNS[name] for name in names if name in _SIGNS), "∫")
            below, above = (bracketed(text) for text in texts[:2])
            return f"{sign}{'_' * bool(below)}{below}{'^' * bool(above)}{above} {texts[2]}"
        joined = ", ".join(texts)
        if kind == "b":
            mark = mark or "("
            mate = _MATES.get(mark, mark)
            return f"{mark * ('rc' not in names)}{joined}{mate * ('lc' not in names)}"
        return joined

    def _over(self, parts: list[list[str]], texts: list[str]) -> str:
        """What is set over something else: a reading over its word stays out of the text."""
        above = [all(isinstance(piece, _Raised) or not piece.strip() for piece in part) for part in parts]
        reading = "".join(
            "".join(part).strip() for part, is_above in zip(parts, above, strict=True) if is_above
        )
        base = "".join(text for text, is_above in zip(texts, above, strict=True) if not is_above)
        if not base or not reading:
            return "".join(texts)
        self.ruby.append((base, reading))
        return base
