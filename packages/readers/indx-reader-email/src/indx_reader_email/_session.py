"""One open message: one page, and the documents inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Any, Final

from indx_core.errors import SourceError
from indx_core.ports import Member, Observation, PageEvidence, PageReading, Raster, SourceContent
from indx_core.text import counted
from indx_reader_email._body import Attachment, Contents, contents_of, unsigned
from indx_reader_email._headers import header_text, safe_name
from indx_reader_email._inline import inline_of
from indx_reader_email._mime import Part, as_bytes, parse
from indx_reader_email._page import Page

__all__ = ["MAX_MEMBERS", "MailSession"]

MAX_MEMBERS: Final = 1000

_SHOWN: Final = ("From", "To", "Cc", "Date")
_OCTETS: Final = "application/octet-stream"
_WHITE: Final = re.compile(r"\s+")


class MailSession:
    """An open message, parsed when it is opened."""

    page_count = 1

    def __init__(self, source: SourceContent) -> None:
        """Open `source`.

        Raises:
            SourceError: `source_unreadable`, it has no header.
            InputTooLarge: It has more parts than a message may have.
        """
        self.source = source
        self.media_type = source.media_type
        raw = as_bytes(source.read())
        self._recoded = raw.recoded
        self._root: Part = parse(raw.data)
        if not self._root.header.keys():
            raise SourceError("no mail: it begins with no header field; check what the file is")
        self._names: list[str] = []  # notes on names, once
        self._contents: Contents = contents_of(unsigned(self._root), self._names)
        self._take_out()
        self._reading: PageReading | None = None
        self._images = 0

    def _take_out(self) -> None:
        """Add to the attachments what stands in the texts themselves."""
        contents = self._contents
        for part in contents.bodies:
            if part.media_type == "text/html":
                continue
            found = inline_of(part.content())
            contents.signed |= found.signed
            contents.encrypted |= found.sealed > 0
            taken = [(name.decode("utf-8", "replace"), data, False) for name, data in found.files]
            for name, data, sealed in taken + [("message.asc", b"", True)] * found.sealed:
                inner = Part(Message(), _OCTETS, data, 0, len(data), sealed=sealed)
                named = safe_name(name) or f"attachment-{len(contents.attachments) + 1}"
                contents.attachments.append(Attachment(named, _OCTETS, inner))

    def reading(self) -> PageReading:
        """The message as a page, put together once."""
        if self._reading is None:
            self._reading = self._read()
        return self._reading

    def _read(self) -> PageReading:
        page = Page(recoded=self._recoded)
        header = self._root.header
        charset = next(filter(None, (part.parameter("charset") for part in self._contents.bodies)), None)
        fields = {
            name: header_text(header, name.lower(), page.notes, charset)
            for name in (*_SHOWN, "Subject", "Message-ID")
        }
        if self._root.unread:
            page.notes.append(f"header: its last {self._root.unread:,} bytes are not read; it is too long")
        page.head(fields["Subject"], [(name, fields[name]) for name in _SHOWN])
        for part in self._contents.bodies:
            page.body(part)
        self._images = page.images
        return page.reading(self._metadata(fields, [*page.notes, *self._names]))

    def _metadata(self, fields: dict[str, str], notes: list[str]) -> dict[str, Any]:
        kept = self._contents.attachments[:MAX_MEMBERS]
        facts: dict[str, Any] = {
            "subject": fields["Subject"],
            "from": fields["From"],
            "to": fields["To"],
            "cc": fields["Cc"],
            "date": fields["Date"],
            "message_id": fields["Message-ID"],
            "members": [
                {"name": one.name, "media_type": one.media_type, "size": len(one.part.content())}
                for one in kept
            ],
            "members_left_out": len(self._contents.attachments) - len(kept),
            "inline_images": self._contents.inline_images,
            "encrypted": self._contents.encrypted,
            "signed": self._contents.signed,
            "notes": list(dict.fromkeys(notes)),
        }
        return {name: value for name, value in facts.items() if value}

    def observe(self) -> Observation:
        """How much text there is and what is attached, which reads the message."""
        reading = self.reading()
        counts = {"attachment": len(self._contents.attachments), "table": len(reading.tables)}
        facts = {f"{noun}s": counted(count, noun) for noun, count in counts.items() if count}
        evidence = PageEvidence(1, len(_WHITE.sub("", reading.text)), images=self._images)
        return Observation(self.media_type, (evidence,), facts)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing: a message has no picture."""
        return None

    def members(self) -> Iterator[Member]:
        """Attachments and embedded messages, each as the bytes it was, in their order."""
        attachments = self._contents.attachments
        for one in attachments[:MAX_MEMBERS]:
            yield one.member()
        left = len(attachments) - MAX_MEMBERS
        if left > 0:
            reason = f"{left:,} more parts are left inside: {MAX_MEMBERS:,} are taken out of one message"
            yield Member(f"attachment-{MAX_MEMBERS + 1}", None, b"", reason)

    def close(self) -> None:
        """Forget what was read; calling it again does nothing."""
        self._reading = None
