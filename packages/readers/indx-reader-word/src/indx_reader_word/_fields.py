"""Fields of a document: their results are text, their instructions are not, and some are links.

Equations, boxes to tick and lists to choose from have no result: what they show is said elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_format_office import TextWriter
from indx_format_office.fields import equation
from indx_format_office.names import W
from indx_format_office.values import whole
from indx_reader_word._styles import is_on

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Fields", "show", "target_of"]

_HYPERLINK: Final = re.compile(
    r'^\s*HYPERLINK\b((?:\s+(?:\\[a-zA-Z]\b|"[^"]*"|[^\s"\\]\S*))*)', re.IGNORECASE
)
_ARGUMENT: Final = re.compile(r'\\([a-zA-Z])\b|"([^"]*)"|(\S+)')


def target_of(instruction: str) -> str:
    """Where a field's instruction leads to, empty when it is no link."""
    match = _HYPERLINK.match(instruction)
    if match is None:
        return ""
    address = anchor = switch = ""
    for letter, quoted, bare in _ARGUMENT.findall(match[1]):
        if letter:
            switch = letter.lower()
            continue
        if switch == "l":
            anchor = quoted or bare
        elif switch not in ("o", "t"):
            address = address or quoted or bare
        switch = ""
    return f"{address}#{anchor}" if anchor else address


@dataclass(slots=True)
class _Field:
    instruction: str = ""
    in_result: bool = False
    writer: TextWriter | None = None
    start: int = 0
    shown: str = ""


def show(instruction: str, writer: TextWriter, shown: str = "") -> None:
    """Write what a field without a result shows: an equation, a button, or what is chosen in a form."""
    made = equation(instruction)
    if made is None:
        writer.write(shown)
        return
    start = writer.length
    writer.write(made.text)
    for base, reading in made.ruby:
        writer.ruby(base, reading)
    if made.text and not made.ruby and not made.plain:
        writer.role(start, "formula")


def _chosen(data: Element | None) -> str:
    """What a form shows: whether a box is ticked, or the entry of a list."""
    if data is None:
        return ""
    box = data.find(W + "checkBox")
    if box is not None:
        name = "checked" if box.find(W + "checked") is not None else "default"
        return "☒" if is_on(box, W + name) else "☐"
    choices = data.find(W + "ddList")
    if choices is None:
        return ""
    result = choices.find(W + "result")
    place = 0 if result is None else whole(result.get(W + "val"))
    entries = [entry.get(W + "val", "") for entry in choices.iterchildren(W + "listEntry")]
    return entries[place] if place < len(entries) else ""


class Fields:
    """The complex fields that are open where the reader is; they nest, and may run over paragraphs."""

    def __init__(self) -> None:
        """Start outside of any."""
        self._open: list[_Field] = []
        self._instructions = 0

    @property
    def in_instruction(self) -> bool:
        """Whether what comes now is part of an instruction."""
        return self._instructions > 0

    def mark(self, kind: str, writer: TextWriter, data: Element | None = None) -> None:
        """Meet the begin, the separator or the end of a field; `data` says what a form has in it."""
        if kind == "begin":
            self._open.append(_Field(shown=_chosen(data)))
            self._instructions += 1
        elif not self._open:
            return
        elif kind == "separate":
            field = self._open[-1]
            self._instructions -= not field.in_result
            field.in_result, field.writer, field.start = True, writer, writer.length
        elif kind == "end":
            field = self._open.pop()
            self._instructions -= not field.in_result
            if self.in_instruction:
                return
            if not field.in_result or (field.writer is writer and field.start == writer.length):
                show(field.instruction, writer, field.shown)
            elif field.writer is writer:
                writer.link(field.start, target_of(field.instruction))

    def instruct(self, text: str) -> None:
        """Meet a piece of an instruction."""
        if self._open and not self._open[-1].in_result and len(self._open[-1].instruction) < 10_000:
            self._open[-1].instruction += text
