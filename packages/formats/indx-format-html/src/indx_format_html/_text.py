"""The text of a page as it grows: white space, line breaks, and what stands where.

Breaks and spaces are held back until text follows, so that no line begins or ends with one and every
stretch begins at its first character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Stretch", "TextBuilder"]

# A no-break space keeps a line together, which matters to no reader of the text.
_WHITE = re.compile("[\t\n\f\r \xa0]+")
# What a browser shows nothing for, though it may stand inside a word.
_CONTROLS = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f]")
_UNSEEN = re.compile("[\xad\u200b\ufeff]+")
_BREAKS = str.maketrans("\n\t", "  ")
# Letters and signs of Chinese and Japanese, between which a line of the source ends without a space.
_WIDE = (
    "\u2e80-\u303f\u3041-\u30ff\u3105-\u312f\u3190-\u4dbf\u4e00-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff9f"
)
_WIDE += "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
_WIDE_LAST = re.compile(f"[{_WIDE}]")
_WIDE_BREAK = re.compile(f"(?<=[{_WIDE}])[\t\f\r ]*\n[\t\n\f\r ]*(?=[{_WIDE}])")


@dataclass(slots=True, eq=False)
class Stretch:
    """A part of the text; `start` is -1 until its first character is there, `part` is that piece's place."""

    start: int = -1
    end: int = -1
    part: int = -1


class TextBuilder:
    """Collects text piece by piece and knows the offset of everything written."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.length = 0
        self.controls = 0  # control characters left out
        self._parts: list[str] = []
        self._breaks = 0
        self._space = False
        self._line_end = False  # the space to come is where a line of the source ends
        self._goes_on = False
        self._fresh = 0  # no space is written where nothing else has been since
        self._base = 0  # where the innermost cell begins: no break is written before its first character
        self._most_breaks = 2
        self._prefix = ""
        self._waiting: list[Stretch] = []

    def build(self) -> str:
        """Everything written."""
        return "".join(self._parts)

    def ends_in_word(self) -> bool:
        """Whether a letter or digit was written last."""
        return bool(self._parts) and self._parts[-1][-1:].isalnum()

    def ends_in_digit(self) -> bool:
        """Whether a digit was written last, and no space is to follow it."""
        return bool(self._parts) and self._parts[-1][-1:].isdecimal() and not (self._space or self._breaks)

    def text(self, text: str) -> None:
        """Add text whose white space counts as one space."""
        source = text
        if not text.isascii() and "\n" in text:
            text = _WIDE_BREAK.sub("", text)
        text = _WHITE.sub(" ", text)
        if not text.isprintable():  # the few others there are
            text = _WHITE.sub(" ", self._seen(text))
        if text == " ":
            self._white(source)
            return
        if text[:1] == " ":
            self._white(source[: -len(source.lstrip())])
            text = text[1:]
        trailing = text[-1:] == " "
        if trailing:
            text = text[:-1]
        if text:
            self._write(text, self._most_breaks)
        if trailing:
            self._white(source[len(source.rstrip()) :])

    def _white(self, source: str) -> None:
        """White space of the page: a space, unless a line ends there between letters that need none."""
        if "\n" in source and (self._line_end or not self._space):
            self.space()
            self._line_end = True
        elif not self._line_end:
            self.space()

    def _seen(self, text: str) -> str:
        text, controls = _CONTROLS.subn("", text)
        self.controls += controls
        return text if text.isascii() else _UNSEEN.sub("", text)

    def preformatted(self, text: str) -> None:
        """Add text as it stands, line breaks and all."""
        text = self._seen(text.replace("\r\n", "\n").replace("\r", "\n"))
        body = text.rstrip("\n")
        if lines := len(body) - len(body.lstrip("\n")):
            self._breaks += lines
            body = body[lines:]
        if body:
            self._write(body, None)
        self._breaks += len(text) - len(body) - lines

    def space(self) -> None:
        """One space before the next text, unless a line begins there."""
        self._space = not self._breaks
        self._line_end = False

    def line(self) -> None:
        """A line break, as `br` makes one: two of them leave an empty line."""
        self._breaks += 1
        self._space = False

    def block(self, breaks: int) -> None:
        """At least so many line breaks before the next text."""
        self._breaks = max(min(self._breaks, self._most_breaks), breaks)
        self._space = False

    def prefix(self, prefix: str) -> None:
        """What the next text begins with, such as the mark of a list item."""
        self._prefix, self._goes_on = prefix, False

    def go_on(self) -> None:
        """Have the next text follow in this line, whatever block it is in, unless it has a prefix."""
        self._goes_on = True

    def open(self) -> Stretch:
        """A stretch that begins with the next text."""
        stretch = Stretch()
        self._waiting.append(stretch)
        return stretch

    def close(self, stretch: Stretch) -> bool:
        """End a stretch here; whether it holds anything."""
        if stretch.start < 0:
            self._waiting.remove(stretch)  # at most as many wait as elements are open
            stretch.start = self.length
        stretch.end = self.length
        return stretch.end > stretch.start

    def written(self, stretch: Stretch) -> str:
        """The text of a stretch that was closed just now."""
        return "".join(self._parts[stretch.part :]) if stretch.part >= 0 else ""

    def one_line(self, stretch: Stretch) -> str:
        """Make a closed stretch one line, of the same length, and return its text as it was."""
        if stretch.part < 0:
            return ""
        written = self.written(stretch)
        self._parts[stretch.part :] = [written.translate(_BREAKS)]
        return written

    def first_row(self) -> None:
        """Begin the first line of a table, which is there even if nothing is written on it."""
        self._goes_on = False
        self._flush(self._most_breaks)
        self._begin_field()

    def next_row(self) -> None:
        """Begin another line of a table."""
        self._append("\n")
        self._begin_field()

    def tab(self, count: int = 1) -> None:
        """Tabs between two cells, whatever is in them."""
        self._append("\t" * count)
        self._begin_field()

    def _begin_field(self) -> None:
        self._breaks, self._space, self._prefix, self._goes_on = 0, False, "", False
        self._fresh = self.length

    def cell(self) -> tuple[Stretch, int, int]:
        """Begin a cell: its stretch, and what `end_cell` puts back."""
        before = (self._base, self._most_breaks)
        self._base, self._most_breaks = self.length, 1
        return Stretch(self.length, part=len(self._parts)), *before

    def end_cell(self, cell: tuple[Stretch, int, int]) -> str:
        """End a cell and make it part of its row's line; its text, with its line breaks."""
        stretch, self._base, self._most_breaks = cell
        stretch.end = self.length
        self._begin_field()
        return self.one_line(stretch)

    def _write(self, text: str, most: int | None) -> None:
        self._flush(most, text)
        if self._prefix:
            self._append(self._prefix)
            self._prefix = ""
        if self._waiting:
            for stretch in self._waiting:
                stretch.start, stretch.part = self.length, len(self._parts)
            self._waiting.clear()
        self._append(text)

    def _flush(self, most: int | None, text: str = "") -> None:
        if self.length > self._base:
            if self._goes_on:
                self._append(" ")
            elif self._breaks:
                self._append("\n" * (self._breaks if most is None else min(self._breaks, most)))
            elif self._space and self.length > self._fresh and not (self._line_end and self._joins(text)):
                self._append(" ")
        self._breaks, self._space, self._line_end, self._goes_on = 0, False, False, False

    def _joins(self, text: str) -> bool:
        """Whether what was written last and what comes stand without a space between them."""
        return bool(_WIDE_LAST.match(text) and _WIDE_LAST.match(self._parts[-1][-1:]))

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)
