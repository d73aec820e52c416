"""Which parts of a message are its text, and which are documents of their own."""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass, field
from email.message import Message
from functools import cache
from typing import Final

from indx_core.ports import Member
from indx_reader_email._headers import file_name
from indx_reader_email._mime import Part, begins_as_mail, parse
from indx_reader_email._signed import bare_name, signed_content

__all__ = ["Attachment", "Contents", "contents_of", "root_of", "unsigned"]

_BODY_TYPES: Final = ("text/plain", "text/html")
_MESSAGES: Final = ("message/rfc822", "message/global", "message/news")
# Parts of a report, on delivery or misuse, that people are meant to read.
_REPORTS: Final = (
    "message/delivery-status", "message/disposition-notification", "message/feedback-report",
    "message/global-delivery-status", "message/global-disposition-notification", "message/global-headers",
    "message/rfc822-headers", "text/rfc822-headers",
)  # fmt: skip
_SIGNATURES: Final = (
    "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
)  # fmt: skip
_SEAL: Final = "application/pgp-encrypted"
_VERSION: Final = re.compile(rb"\s*+version\b", re.IGNORECASE)
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_SEALED: Final = "multipart/encrypted"
_RESOURCES: Final = ("multipart/appledouble", "application/applefile")
"""What a Mac keeps beside a file, under the same name."""
_WRAPPED: Final = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_OCTETS: Final = "application/octet-stream"
_SEALING: Final = ("", "enveloped-data", "authenveloped-data")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A document inside a message, under the name it goes by."""

    name: str
    media_type: str
    part: Part

    def member(self) -> Member:
        """Its bytes; or that they are sealed, and are no document before somebody opens them."""
        if self.part.sealed:
            return Member(
                self.name, self.media_type, b"", "it is encrypted; decrypt it and save what it holds"
            )
        return Member(self.name, self.media_type, self.part.content())


@dataclass(slots=True)
class Contents:
    """What is in a message.

    Attributes:
        bodies: The parts that are its text, in order, of each alternative the one chosen.
        attachments: Documents of their own, in order.
        inline_images: How many pictures only illustrate an HTML body.
        encrypted: Whether some of these are.
        signed: Whether a signature stands beside what it signs.
    """

    bodies: list[Part] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    inline_images: int = 0
    encrypted: bool = False
    signed: bool = False


def unsigned(root: Part) -> Part:
    """The message that `root` wraps to sign it; `root` itself where it wraps none."""
    if root.media_type not in _WRAPPED or (root.parameter("smime-type") or "signed-data") != "signed-data":
        return root
    content = signed_content(root.content())
    return root if content is None else parse(content)


def contents_of(root: Part, notes: list[str]) -> Contents:
    """Sort the parts of a message."""
    contents = Contents()
    leaves: list[Part] = []
    if not root.children and root.media_type in _BODY_TYPES:
        contents.bodies.append(root)
    else:
        _sort(root, contents, leaves, wanted=True)
    if not contents.bodies:
        _promote(contents, leaves)
    messages = 0
    for number, part in enumerate(leaves, start=1):
        media_type = part.media_type if _MEDIA_TYPE.fullmatch(part.media_type) else _OCTETS
        messages += media_type in _MESSAGES
        name = file_name(part.header, notes) or _unnamed(part, number, messages)
        if media_type in _WRAPPED:
            if (content := signed_content(part.content())) is not None:
                media_type = _MESSAGES[0] if begins_as_mail(content) else _OCTETS
                name = name if media_type in _MESSAGES else bare_name(name)
                part = Part(Message(), media_type, content, 0, len(content))
            else:
                part.sealed = (part.parameter("smime-type") or "").lower() in _SEALING
        if media_type in _MESSAGES:
            name, media_type = _named_message(name, part)
        contents.encrypted |= part.sealed
        contents.attachments.append(Attachment(name, media_type, part))
    return contents


def _named_message(name: str, part: Part) -> tuple[str, str]:
    """How an embedded message is called, and its type; without a header it is a text, and named like one."""
    suffix, kind = (".eml", _MESSAGES[0]) if begins_as_mail(part.content()) else (".txt", "text/plain")
    return name if name.lower().endswith(suffix) else name + suffix, kind


def _sort(part: Part, contents: Contents, leaves: list[Part], *, wanted: bool) -> None:
    """Walk one part; its text counts when it is `wanted`, its documents in any case."""
    if not part.children:
        if part.media_type in _SIGNATURES:
            contents.signed = True  # it says nothing to a reader, nor does the version of a seal
        elif part.media_type == _SEAL and _VERSION.match(part.content()):
            pass
        elif _is_body(part):
            if wanted:
                contents.bodies.append(part)
        elif part.start < part.end or not part.media_type.startswith("multipart/"):
            leaves.append(part)
        return
    kind = part.media_type
    chosen = _chosen(part.children) if kind == "multipart/alternative" else None
    root = root_of(part) if kind == "multipart/related" else None
    contents.encrypted |= kind == _SEALED
    for child in part.children:
        child.sealed = kind == _SEALED
        if root is not None and child is not root and _illustrates(child):
            contents.inline_images += 1
        elif (kind, child.media_type) != _RESOURCES or len(part.children) == 1:
            _sort(child, contents, leaves, wanted=wanted and chosen in (None, child))


def _is_body(part: Part) -> bool:
    if part.media_type.startswith("multipart/"):
        return part.start < part.end  # its boundary is missing: what is there is text
    if part.disposition == "attachment" or file_name(part.header, []):
        return False
    return part.media_type in _BODY_TYPES or part.media_type in _REPORTS


def _chosen(alternatives: list[Part]) -> Part:
    """Plain text if there is any, else HTML, else what the sender thought best, which stands last."""
    for wanted in _BODY_TYPES:
        for one in alternatives:
            if _holds(one, wanted):
                return one
    return alternatives[-1]


def _holds(part: Part, media_type: str) -> bool:
    if part.children:
        return any(_holds(child, media_type) for child in part.children)
    return part.media_type == media_type and _is_body(part) and bool(part.content().strip())


def root_of(related: Part) -> Part:
    """The part that the others illustrate: the one named, else the first."""
    start = related.parameter("start")
    for child in related.children:
        if start and str(child.header.get("content-id", "")).strip() == start.strip():
            return child
    return related.children[0]


def _illustrates(part: Part) -> bool:
    return part.media_type.startswith("image/") and part.disposition != "attachment"


def _promote(contents: Contents, leaves: list[Part]) -> None:
    """A message whose only text has a file name still has a text."""
    for part in leaves:
        if part.media_type in _BODY_TYPES and part.disposition != "attachment":
            leaves.remove(part)
            contents.bodies.append(part)
            return


def _unnamed(part: Part, number: int, messages: int) -> str:
    if part.media_type in _MESSAGES:
        return f"message-{messages}"
    return f"attachment-{number}{_extensions().guess_extension(part.media_type) or ''}"


@cache
def _extensions() -> mimetypes.MimeTypes:
    # Python's own table, never the machine's: the same part has the same name everywhere.
    table = mimetypes.MimeTypes(filenames=())
    table.add_type("text/calendar", ".ics")  # an invitation, which has no name in most messages
    table.add_type("text/vcard", ".vcf")
    return table
