"""Fields of a document: their results are text, their instructions are not, and some are links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from indx_format_ooxml import TextWriter

__all__ = ["Fields", "target_of"]

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

    def mark(self, kind: str, writer: TextWriter) -> None:
        """Meet the begin, the separator or the end of a field."""
        if kind == "begin":
            self._open.append(_Field())
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
            if field.writer is writer and not self.in_instruction:
                writer.link(field.start, target_of(field.instruction))

    def instruct(self, text: str) -> None:
        """Meet a piece of an instruction."""
        if self._open and not self._open[-1].in_result and len(self._open[-1].instruction) < 10_000:
            self._open[-1].instruction += text
