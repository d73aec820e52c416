"""An open Outlook message: one page, and the documents inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_core.ports import Member, PageEvidence, PageReading
from indx_core.text import counted
from indx_format_html import read_html
from indx_format_html.joining import Joined
from indx_format_office.compound import open_compound
from indx_format_office.rtf import read_rtf, wrapped_html
from indx_format_office.session import PagedSession, text_characters
from indx_reader_msg._attachments import attachments_of
from indx_reader_msg._headers import header_field, people
from indx_reader_msg._items import details
from indx_reader_msg._properties import Storage
from indx_reader_msg._sniff import TNEF_MARK
from indx_reader_msg._tnef import read_tnef

if TYPE_CHECKING:
    from indx_core.ports import Buffer, SourceContent
    from indx_reader_msg._values import Values

__all__ = ["MsgSession"]

MAX_MEMBERS: Final = 1000
_CLASS, _SUBJECT, _HEADERS, _MESSAGE_ID = 0x001A, 0x0037, 0x007D, 0x1035
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_REPORT, _SUBJECT_OF_REPORTED = 0x1001, 0x0049
"""What receipts and reports on deliveries have where other messages have a body and a subject."""
_SENT, _DELIVERED = 0x0039, 0x0E06


class MsgSession(PagedSession):
    """An Outlook message, opened over the bytes of its source."""

    def __init__(self, source: SourceContent) -> None:
        """Open `source`, under the rules of `PagedSession`."""
        self._closing = ExitStack()
        super().__init__(source)

    def _open(self) -> int:
        buffer = self._closing.enter_context(self.source.buffer())
        self._images = 0
        self._message: Values = read_tnef(buffer) if buffer[:4] == TNEF_MARK else self._stored(buffer)
        self._attachments, self._pictures = attachments_of(self._message)
        return 1

    def _stored(self, buffer: Buffer) -> Storage:
        """The message at the root of a compound file."""
        file = self._closing.enter_context(open_compound(buffer))
        if "__properties_version1.0" not in {kid.name.lower() for kid in file.root.kids}:
            raise SourceError(
                "the file is no Outlook message: it has no properties of one; check that it is whole"
            )
        return Storage(file, file.root, head=32)

    def _read(self, page: int) -> PageReading:
        message = self._message
        fields = {
            "subject": message.line(_SUBJECT)
            or header_field(message.text(_HEADERS), "Subject")
            or message.line(_SUBJECT_OF_REPORTED),
            **people(message),
            "date": header_field(message.text(_HEADERS), "Date")
            or message.time(_SENT)
            or message.time(_DELIVERED),
        }
        notes = list(message.notes)
        joined = Joined()
        if fields["subject"]:
            joined.write(fields["subject"], level=1)
        shown = [f"{name.title()}: {fields[name]}" for name in ("from", "to", "cc", "date") if fields[name]]
        if shown:
            joined.write("\n".join(shown))
        message_class = message.line(_CLASS)
        said = details(message, message_class)
        if said:
            joined.write("\n".join(f"{label}: {value}" for label, value in said.items()))
        self._body(joined, notes)
        kept = self._attachments[:MAX_MEMBERS]
        facts: dict[str, Any] = {
            **fields,
            "message_id": message.line(_MESSAGE_ID),
            "message_class": message_class,
            "details": said,
            "members": [_described(one.name, one.media_type) for one in kept],
            "members_left_out": len(self._attachments) - len(kept),
            "inline_images": self._pictures,
            "encrypted": self._is_sealed(),
            "notes": notes,
        }
        return joined.reading(page, metadata={name: value for name, value in facts.items() if value})

    def _is_sealed(self) -> bool:
        name = self._message.line(_CLASS).lower()
        return ".smime" in name and "multipartsigned" not in name

    def _body(self, joined: Joined, notes: list[str]) -> None:
        """Add the text: plain where there is any, else HTML, else Rich Text, else what a report says."""
        plain = self._message.text(_BODY)
        if plain.strip():
            joined.write(plain.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip())
            return
        html = self._message.binary(_HTML)
        if html is None and (text := self._message.text(_HTML)):
            html = text.encode("utf-8")
        if html and html.strip():
            document = read_html(html, charset=_charset(self._message), with_title=False)
            self._images += document.images
            if document.note:
                notes.append(f"body: {document.note}; read as {document.encoding}")
            joined.add(document, below=1)
            return
        if packed := self._message.binary(_RTF):
            self._rich(packed, joined, notes)
        elif report := self._message.text(_REPORT):
            joined.write(report.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip())

    def _rich(self, packed: bytes, joined: Joined, notes: list[str]) -> None:
        """Add a body that there is as compressed Rich Text alone."""
        import compressed_rtf  # type: ignore[import-untyped]

        try:
            data = compressed_rtf.decompress(packed)
            html = wrapped_html(data)
            if html is not None:
                document = read_html(html, with_title=False)
                self._images += document.images
                joined.add(document, below=1)
            else:
                joined.add(read_rtf(data).writer.page(1), below=1)
        except SourceError as error:
            notes.append(f"body: not read: {error.message}")
        except Exception as error:  # a library's, on bytes that may be anything
            notes.append(f"body: its Rich Text is damaged ({clean_text(str(error))[:100]})")

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        return PageEvidence(page, text_characters(reading), images=self._images)

    def _facts(self) -> Mapping[str, str]:
        found = {"attachment": len(self._attachments), "table": len(self.reading(1).tables)}
        return {f"{noun}s": counted(count, noun) for noun, count in found.items() if count}

    def members(self) -> Iterator[Member]:
        """Attachments, embedded messages and objects, in their order."""
        for one in self._attachments[:MAX_MEMBERS]:
            yield one.member()
        left = len(self._attachments) - MAX_MEMBERS
        if left > 0:
            reason = f"{left:,} more parts are left inside: {MAX_MEMBERS:,} are taken out of one message"
            yield Member(f"attachment-{MAX_MEMBERS + 1}", None, b"", reason)

    def close(self) -> None:
        """Release the source; calling it again does nothing."""
        self._closing.close()
        super().close()


def _described(name: str, media_type: str | None) -> dict[str, str]:
    return {"name": name, "media_type": media_type} if media_type else {"name": name}


def _charset(message: Values) -> str | None:
    page = message.integer(0x3FDE)
    return None if not page else "utf-8" if page == 65001 else message.codepage
