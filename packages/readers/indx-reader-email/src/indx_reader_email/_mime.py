"""The parts of a message, as stretches of its bytes.

The standard library's parser works line by line, opens every embedded message, and recurses as deep as a
sender likes. This one finds boundaries in the bytes, keeps an embedded message as the bytes it is, and
leaves headers and their parameters to the standard library.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesHeaderParser
from itertools import islice
from typing import Final

from indx_core.errors import InputTooLarge

__all__ = ["MAX_DEPTH", "MAX_PARTS", "Part", "Raw", "as_bytes", "begins_as_mail", "parse"]

MAX_PARTS: Final = 10_000
MAX_DEPTH: Final = 30
_LONGEST_HEADER: Final = 1 << 20
_LONGEST_CONTENT_FIELD: Final = 4096

_POSTMARK: Final = re.compile(rb"(?:\r?\n)*+(?:From [^\r\n]*\r?\n)?")
_LINE_OF_MAILBOX: Final = rb">?From [^\r\n]*+(?:\r\n|\r|\n)(?=[A-Za-z][A-Za-z0-9-]*+:)"
"""Some programs leave one among the fields."""
_HEADER: Final = re.compile(
    rb"(?:(?:[!-9;-~]+[ \t]*:|[ \t])[^\r\n]*+(?:\r\n|\r|\n|\Z)|" + _LINE_OF_MAILBOX + rb")*+"
)
_STRAY: Final = re.compile(rb"^" + _LINE_OF_MAILBOX, re.MULTILINE)
_BLANK_LINE: Final = re.compile(rb"(?<=\n)\r?\n|(?<=\r)\r(?!\n)")
_LONGEST_GAP: Final = 1 << 16
_OF_HEADERS: Final = re.compile(
    rb"^(?:content-type|content-transfer-encoding|mime-version|message-id|received|subject|date|from)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_TYPE_AGAIN: Final = re.compile(rb"(?:\r\n|\r|\n)(?=(?:content-type|mime-version)[ \t]*:)", re.IGNORECASE)
_TYPE: Final = re.compile(rb"^content-type[ \t]*:", re.IGNORECASE | re.MULTILINE)
_NO_FIELD: Final = re.compile(rb"^(?![!-9;-~]+[ \t]*:)(?=[^ \t\r\n])", re.MULTILINE)
_SEPARATOR: Final = re.compile(
    rb"(?:\A|(?<=[\r\n]))(--[^\r\n]{0,200}?[^ \t\r\n])[ \t]*+(?:\r\n|\r|\n)"
    rb"(?=content-(?:type|transfer-encoding|disposition|id|description|language)[ \t]*:)",
    re.IGNORECASE,
)
_SPACED_NAME: Final = re.compile(rb"^([!-9;-~]+)[ \t]+:", re.MULTILINE)
_AFTER_MARK: Final = re.compile(rb"(--)?[ \t]*+(?:\r\n|\r|\n|\Z)")
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_SYMBOLS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64: Final = bytes(set(range(256)) - set(_SYMBOLS))
_BASE64: Final = _SYMBOLS + b"= \t\r\n"
_PROSE: Final = re.compile(rb"\s*+(?:[!-~]{1,40}[ \t]++){3}")
"""A text that is said to be base64 and is none."""
_FOOTER: Final = re.compile(rb"(?<=[\n=])[ \t]*+\r?\n(?=[A-Za-z0-9+/]*+(?:[ \t]++[^\s]|[^A-Za-z0-9+/=\s]))")
"""Where base64 ends and a text begins that a list put below it."""
_LAST: Final = 4096
_SPACED_BREAK: Final = re.compile(rb"=[ \t]++(?=[\r\n])")
_COUNTED: Final = re.compile(rb"(\d{1,12})[ \t]*+\r?\n(?=[A-Za-z][!-9;-~]*+:)")
_LIST: Final = re.compile(rb"<\?xml [^\r\n>]*+>\s*+<(?:!DOCTYPE )?plist\b")
_WIDE: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_parser: Final = BytesHeaderParser()


@dataclass(frozen=True, slots=True)
class Raw:
    """The bytes of a file in a form that ASCII can be read in, and whether they had to be recoded."""

    data: bytes
    recoded: bool


def as_bytes(data: bytes) -> Raw:
    """`data` without a byte order mark; UTF-16, which programs save mail in, becomes UTF-8.

    Of a message that says on a line above it how long it is, and has a property list below it (.emlx), the
    message: it is longer than it says where its line ends were changed.
    """
    if counted := _COUNTED.match(data):
        start, end = counted.end(), counted.end() + int(counted[1])
        if data[end:].strip() and not _LIST.match(data[end:].lstrip()):
            end = max((found.start() for found in _LIST.finditer(data, start)), default=len(data))
        data = data[start:end]
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            return Raw(data[2:].decode(encoding, "replace").encode("utf-8", "replace"), True)
    return Raw(data.removeprefix(codecs.BOM_UTF8), False)


@dataclass(slots=True)
class Part:
    """One part: its header, and where its body stands in the bytes of the message.

    Attributes:
        header: Its fields.
        media_type: Its type, by the rules for missing and broken ones.
        raw: The bytes of the message it belongs to.
        start: Where its body starts.
        end: Where its body ends.
        children: The parts inside it.
        unread: How many bytes of its fields are beyond what is read of them.
        sealed: Whether it is encrypted.
    """

    header: Message
    media_type: str
    raw: bytes = field(repr=False)
    start: int
    end: int
    children: list[Part] = field(default_factory=list)
    unread: int = 0
    sealed: bool = False

    @property
    def transfer_encoding(self) -> str:
        """How its body is written, `7bit` when nothing is said."""
        stated = str(self.header.get("content-transfer-encoding", "")).lower().replace(";", " ").split()
        return stated[0] if stated else "7bit"

    @property
    def disposition(self) -> str:
        """`attachment`, `inline` or nothing."""
        return str(self.header.get("content-disposition", "")).partition(";")[0].strip().lower()

    def parameter(self, name: str) -> str | None:
        """A parameter of its content type, as written."""
        value = self.header.get_param(name)
        if isinstance(value, tuple):
            value = value[2]
        return str(value) if value is not None else None

    def content(self) -> bytes:
        """Its body with the transfer encoding undone; what is damaged is decoded as far as it goes."""
        body = self.raw[self.start : self.end]
        encoding = self.transfer_encoding
        if encoding == "base64" and not (self.media_type.startswith("text/") and _PROSE.match(body)):
            body, footer = _without_footer(body)
            return _base64(body) + (footer if self.media_type.startswith("text/") else b"")
        if encoding == "quoted-printable":
            return binascii.a2b_qp(_SPACED_BREAK.sub(b"=", body))
        if encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
            return _uuencoded(body)
        return body


def parse(data: bytes) -> Part:
    """The tree of parts of a message.

    Raises:
        InputTooLarge: It has more parts than a message may have.
    """
    start = _POSTMARK.match(data)
    root = _part(data, start.end() if start else 0, len(data), "text/plain")
    waiting = [(root, 1)]
    count = 1
    while waiting:
        part, depth = waiting.pop()
        if not part.media_type.startswith("multipart/") or depth > MAX_DEPTH:
            continue
        default = "message/rfc822" if part.media_type == "multipart/digest" else "text/plain"
        for start_at, end_at in _stretches(part):
            count += 1
            if count > MAX_PARTS:
                raise InputTooLarge(f"the message has more than {MAX_PARTS:,} parts; split it")
            part.children.append(_part(data, start_at, end_at, default))
        waiting += [(child, depth + 1) for child in part.children]
    return root


def begins_as_mail(data: bytes) -> bool:
    """Whether `data` begins with a field of a header."""
    start = _POSTMARK.match(data := as_bytes(data).data)
    found = _HEADER.match(data, start.end() if start else 0)
    return found is not None and found.end() > found.start() and data[found.start()] not in b" \t"


def _part(data: bytes, start: int, end: int, default: str) -> Part:
    found = _HEADER.match(data, start, end)
    body = found.end() if found else start
    further = _further(data, start, body, end) if default == "text/plain" else body
    block = data[start : min(further, start + _LONGEST_HEADER)]
    header = _parser.parsebytes(_fields(block, broken=further > body))
    unread = max(0, further - start - _LONGEST_HEADER)
    if blank := _LINE_END.match(data, further, end):
        further = blank.end()
    header.set_default_type(default)
    return Part(header, header.get_content_type(), data, further, end, unread=unread)


def _further(data: bytes, start: int, at: int, end: int) -> int:
    """Where a header really ends that something broke at `at`: a line that is no field, or a blank one."""
    if start < at < end and data[at] not in b"\r\n" and data[at : at + 2] != b"--":
        blank = _BLANK_LINE.search(data, at, min(end, at + _LONGEST_GAP))
        if blank and _OF_HEADERS.search(data, at, blank.start()):
            at = blank.start()
    again = _TYPE_AGAIN.match(data, at, end)
    if again and not _TYPE.search(data, start, at):
        found = _HEADER.match(data, again.end(), end)
        if found and (found.end() == end or data[found.end()] in b"\r\n"):
            return found.end()
    return at


def _fields(block: bytes, *, broken: bool) -> bytes:
    """The header as the library takes it; fields with parameters are cut, for it is slow on long ones."""
    block = _SPACED_NAME.sub(rb"\1:", _STRAY.sub(b"", block))
    if broken:  # the library ends at what is no field; joined to the field before it, it is kept
        block = _NO_FIELD.sub(b" ", _BLANK_LINE.sub(b"", block).lstrip(b"\r\n"))
    if len(block) <= _LONGEST_CONTENT_FIELD:
        return block
    fields = re.split(rb"(?<=\n)(?![ \t])", block)
    return b"".join(
        line[:_LONGEST_CONTENT_FIELD] + b"\n"
        if line[:8].lower() == b"content-" and len(line) > _LONGEST_CONTENT_FIELD
        else line
        for line in fields
    )


def _stretches(part: Part) -> list[tuple[int, int]]:
    """Where the parts of a multipart stand; none when its boundary is missing and nothing looks like one."""
    stated = (part.parameter("boundary") or "").rstrip()
    most = MAX_PARTS + 1
    found: list[tuple[int, int]] = []
    for boundary in dict.fromkeys((_unfolded(stated), stated)):
        if boundary and not found:
            found = list(islice(_between(part, b"--" + boundary.encode("utf-8", "replace")), most))
    if not found and (seen := _SEPARATOR.search(part.raw, part.start, part.end)):
        found = list(islice(_between(part, seen[1]), most))
    return found


def _unfolded(value: str) -> str:
    return value.replace("\r", "").replace("\n", "")


def _between(part: Part, mark: bytes) -> Iterator[tuple[int, int]]:
    """The stretches between lines that are `mark`."""
    data, opened, position = part.raw, -1, part.start
    while (position := data.find(mark, position, part.end)) >= 0:
        line = _AFTER_MARK.match(data, position + len(mark), part.end)
        at_line_start = position == part.start or data[position - 1] in b"\r\n"
        if line is None or not at_line_start:
            position += len(mark)
            continue
        if opened >= 0:
            yield opened, max(opened, _before_break(data, position))
        opened = position = line.end()
        if line[1]:
            return
    if 0 <= opened < part.end:
        yield opened, part.end  # the closing boundary is missing


def _before_break(data: bytes, end: int) -> int:
    """The line break before a boundary belongs to the boundary."""
    if data[max(0, end - 2) : end] == b"\r\n":
        return end - 2
    return end - 1 if end and data[end - 1] in b"\r\n" else end


def _without_footer(body: bytes) -> tuple[bytes, bytes]:
    """What is base64, and the text below it."""
    if not body[-_LAST:].translate(None, _BASE64):
        return body, b""
    found = _FOOTER.search(body)
    return (body[: found.start()], body[found.start() :]) if found else (body, b"")


def _base64(body: bytes) -> bytes:
    symbols = body.translate(None, _NOT_BASE64)
    usable = len(symbols) - (len(symbols) % 4 == 1)
    return binascii.a2b_base64(symbols[:usable] + b"=" * (-usable % 4))


def _uuencoded(body: bytes) -> bytes:
    """The file between `begin` and `end`; the body as it stands where there is none."""
    lines = body.splitlines()
    begin = next((number for number, line in enumerate(lines) if line.startswith(b"begin ")), None)
    if begin is None:
        return body
    decoded = []
    for line in lines[begin + 1 :]:
        if line.strip() in (b"end", b"`", b""):
            break
        # Some encoders pad the last group; the first character says how much counts.
        count = (((line[0] - 32) & 63) * 4 + 5) // 3
        try:
            decoded.append(binascii.a2b_uu(line[: count + 1]))
        except binascii.Error:
            return body
    return b"".join(decoded)
