"""The page of a message: subject, sender and receivers, then the text of its bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indx_core.canonical import clean_text
from indx_core.ports import PageReading
from indx_format_html import decode, read_html
from indx_format_html.joining import Joined
from indx_reader_email._inline import inline_of
from indx_reader_email._mime import Part
from indx_reader_email._plain import quoted_runs, unflowed

__all__ = ["Page"]

_AS_IT_IS = ("7bit", "8bit", "binary")


class Page:
    """Puts a page together, piece by piece."""

    def __init__(self, *, recoded: bool) -> None:
        """Begin an empty page; `recoded` when the whole message had to be made UTF-8."""
        self._recoded = recoded
        self._text = Joined()
        self.notes: list[str] = []
        self.images = 0

    def head(self, subject: str, fields: Sequence[tuple[str, str]]) -> None:
        """The subject as the main heading, then a line for each field that says something."""
        if subject:
            self._text.write(subject, level=1)
        if lines := [f"{name}: {value}" for name, value in fields if value]:
            self._text.write("\n".join(lines))

    def body(self, part: Part) -> None:
        """The text of one body part."""
        content = part.content()
        charset = part.parameter("charset")
        if self._recoded and part.transfer_encoding in _AS_IT_IS:
            charset = "utf-8"
        if part.media_type == "text/html":
            document = read_html(content, charset=charset, with_title=False)
            self._note(document.note, document.encoding)
            self.images += document.images
            self._text.add(document, below=1)  # headings stand below the subject
        else:
            decoded = decode(inline_of(content).words, charset=charset, markup=False)
            self._note(decoded.note, decoded.encoding)
            self._plain(decoded.text, part)

    def reading(self, metadata: dict[str, Any]) -> PageReading:
        """The page as read."""
        return self._text.reading(1, metadata=metadata)

    def _note(self, note: str | None, encoding: str) -> None:
        if note:
            self.notes.append(f"body: {note}; read as {encoding}")

    def _plain(self, text: str, part: Part) -> None:
        text = clean_text(text.replace("\r\n", "\n").replace("\r", "\n"))
        if (part.parameter("format") or "").lower() == "flowed":
            delete_space = (part.parameter("delsp") or "").lower() == "yes"
            text = unflowed(text, delete_space=delete_space)
        text = text.strip("\n").rstrip()
        if not text.strip():
            return
        start = self._text.write(text)
        for first, last in quoted_runs(text):
            self._text.mark(start + first, start + last, "quote")
