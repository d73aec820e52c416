"""An open mailbox: one page that lists its messages, which are members, each as the bytes it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from indx_core.errors import SourceError
from indx_core.ports import (
    Cell,
    Member,
    Observation,
    PageEvidence,
    PageReading,
    Raster,
    SourceContent,
    Table,
    line_columns,
)
from indx_reader_email._headers import header_text
from indx_reader_email._mime import as_bytes, parse
from indx_reader_email._separator import DATE, SEPARATOR

__all__ = ["MAX_MESSAGES", "MailboxSession"]

MAX_MESSAGES: Final = 9_000
"""A build takes ten thousand documents out of one file; what hangs at the messages needs room, too."""

_QUOTED: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
_HEAD_ENDS: Final = re.compile(rb"\r?\n\r?\n")
_HEAD_BYTES: Final = 1 << 16
_FLAT: Final = str.maketrans("\t\n\r", "   ")
_SHOWN: Final = ("From", "Date", "Subject")


class MailboxSession:
    """A mailbox, cut into its messages when it is opened."""

    page_count = 1

    def __init__(self, source: SourceContent) -> None:
        """Open `source`.

        Raises:
            SourceError: `source_unreadable`, there is no message in it.
        """
        self.source = source
        self.media_type = source.media_type
        self._data = as_bytes(source.read()).data.lstrip(b"\r\n")
        self._lines = [found.span() for found in SEPARATOR.finditer(self._data)]
        if not self._lines:
            raise SourceError("no mailbox: no line begins a message; check what the file is")
        ends = [start for start, _ in self._lines[1:]] + [len(self._data)]
        self._messages = [(begin, end) for (_, begin), end in zip(self._lines, ends, strict=True)]
        self._reading: PageReading | None = None

    def reading(self) -> PageReading:
        """The list of the messages, put together once."""
        if self._reading is None:
            self._reading = self._read()
        return self._reading

    def _read(self) -> PageReading:
        rows: list[Sequence[str]] = [_SHOWN]
        notes: list[str] = []
        for line, (begin, end) in zip(self._lines, self._messages[:MAX_MESSAGES], strict=False):
            head = self._data[begin : min(end, begin + _HEAD_BYTES)]
            if ends := _HEAD_ENDS.search(head):
                head = head[: ends.end()]
            header = parse(head).header
            sender, date, subject = (
                header_text(header, name.lower(), notes).translate(_FLAT) for name in _SHOWN
            )
            if not date and (written := DATE.search(self._data[slice(*line)])):
                date = written[1].decode("ascii")
            rows.append([sender, date, subject])
        text = "\n".join("\t".join(row) for row in rows)
        starts, ends_of_lines = line_columns(text)
        table = Table(0, len(text), len(rows), len(_SHOWN), 1, _cells(rows))
        left = len(self._messages) - MAX_MESSAGES
        facts = {"messages": len(self._messages), "members_left_out": max(0, left)}
        facts = {name: value for name, value in facts.items() if value}
        return PageReading(1, text, starts, ends_of_lines, tables=[table], metadata=facts)

    def observe(self) -> Observation:
        """How many messages there are, which reads their headers."""
        count = len(self._messages)
        evidence = PageEvidence(1, sum(map(len, self.reading().text.split())))
        return Observation(
            self.media_type, (evidence,), {"messages": f"{count} message{'' if count == 1 else 's'}"}
        )

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing: a mailbox has no picture."""
        return None

    def members(self) -> Iterator[Member]:
        """The messages in their order; `>From` at the beginning of a line is `From` again."""
        for number, (begin, end) in enumerate(self._messages[:MAX_MESSAGES], start=1):
            data = _QUOTED.sub(rb"\1", self._data[begin:end])
            yield Member(f"message-{number}.eml", "message/rfc822", data)
        left = len(self._messages) - MAX_MESSAGES
        if left > 0:
            reason = f"{left:,} more messages are left inside: {MAX_MESSAGES:,} are taken out of one mailbox"
            yield Member(f"message-{MAX_MESSAGES + 1}.eml", None, b"", reason)

    def close(self) -> None:
        """Forget what was read; calling it again does nothing."""
        self._reading = None


def _cells(rows: Sequence[Sequence[str]]) -> list[Cell]:
    cells: list[Cell] = []
    position = 0
    for row, texts in enumerate(rows, start=1):
        for column, text in enumerate(texts, start=1):
            cells.append(Cell(row, column, 1, 1, text, position, position + len(text)))
            position += len(text) + 1
    return cells
