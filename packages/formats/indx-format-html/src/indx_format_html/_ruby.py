"""Readings of words (ruby): kept beside the text, which holds the words alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

__all__ = ["MAX_PAIRS", "Ruby"]

MAX_PAIRS: Final = 2000
_LONGEST: Final = 200  # characters of a base or a reading; longer ones are no words


class Ruby:
    """Collects each word with its reading once, in the order of the text.

    Attributes:
        pairs: Words and their readings.
        more: How many beyond `MAX_PAIRS` were passed over.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.pairs: dict[tuple[str, str], None] = {}
        self.more = 0
        self._open: list[list[str]] = []

    def begin(self) -> None:
        """A word begins."""
        self._open.append([])

    def read(self, reading: str) -> bool:
        """A part of the reading of the word begun last; whether there is one."""
        if self._open:
            self._open[-1].append("".join(reading.split()) if not reading.isascii() else reading.strip())
        return bool(self._open)

    def end(self, base: str) -> None:
        """The word ends; `base` is its text."""
        readings = [reading for reading in self._open.pop() if reading]
        joined = ("" if not all(map(str.isascii, readings)) else " ").join(readings)
        pair = ("".join(base.split("\n")).strip(), joined)
        if all(pair) and max(map(len, pair)) <= _LONGEST:
            self.add([pair])

    def add(self, pairs: Iterable[tuple[str, str]], *, more: int = 0) -> None:
        """Take `pairs` found elsewhere, of which `more` were passed over there."""
        self.more += more
        for pair in pairs:
            if pair in self.pairs or len(self.pairs) < MAX_PAIRS:
                self.pairs[pair] = None
            else:
                self.more += 1

    def metadata(self) -> dict[str, Any]:
        """The pairs as facts of a page; none where there are none."""
        facts: dict[str, Any] = {}
        if self.pairs:
            facts["ruby"] = [{"base": base, "reading": reading} for base, reading in self.pairs]
        if self.more:
            facts["more_ruby"] = self.more
        return facts
