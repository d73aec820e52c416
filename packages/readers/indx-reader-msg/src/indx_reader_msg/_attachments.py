"""What is attached to a message: names fit for anybody's disk, bytes, messages and objects as files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Member
from indx_format_office.objects import document_in

if TYPE_CHECKING:
    from indx_format_office.objects import Held
    from indx_reader_msg._values import Values

__all__ = ["Attachment", "attachments_of"]

_DATA, _METHOD, _HIDDEN, _MIME, _NAME = 0x3701, 0x3705, 0x7FFE, 0x370E, 0x3001
_LONG_NAME, _SHORT_NAME, _SUFFIX = 0x3707, 0x3704, 0x3703
_MESSAGE, _OBJECT = 5, 6
_REFERENCES: Final = (2, 3, 4, 7)
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
_UNFIT: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_DRIVE: Final = re.compile("^[A-Za-z]:")
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Attachment:
    """A document inside a message, under the name it goes by; `data` where it was taken out of an object."""

    name: str
    media_type: str | None
    storage: Values
    data: bytes | None = None

    def member(self) -> Member:
        """Its bytes; or why there are none."""
        if self.data is not None:
            return Member(self.name, self.media_type, self.data)
        method = self.storage.integer(_METHOD)
        try:
            if self.storage.holds(_DATA):
                held = self.storage.object_file(_DATA, message=method != _OBJECT)
                return Member(self.name, self.media_type, held)
            data = self.storage.binary(_DATA)
        except (SourceError, InputTooLarge) as error:
            return Member(self.name, self.media_type, b"", error.message)
        if data is None:
            reason = (
                "it is a link to a file elsewhere"
                if method in _REFERENCES
                else "the message holds no bytes of it"
            )
            return Member(self.name, self.media_type, b"", reason)
        return Member(self.name, self.media_type, data)


def attachments_of(message: Values) -> tuple[list[Attachment], int]:
    """The attachments in order, and how many pictures only illustrate the body."""
    found: list[Attachment] = []
    pictures = 0
    for number, storage in enumerate(message.inner("__attach_version1.0_#"), start=1):
        stated = storage.line(_MIME).lower()
        media_type = stated if _MEDIA_TYPE.fullmatch(stated) else None
        if storage.holds(_DATA) and storage.integer(_METHOD) != _OBJECT:
            media_type = storage.message_type
        name = _safe(storage.line(_LONG_NAME, _SHORT_NAME, _NAME))
        if storage.flag(_HIDDEN) and ((media_type or "").startswith("image/") or _is_picture(name)):
            pictures += 1
            continue
        suffix = storage.message_suffix
        if media_type == storage.message_type and not name.lower().endswith(suffix):
            name = f"{name or f'message-{number}'}{suffix}"
        if held := _wrapped(storage, name or f"attachment-{number}"):
            found.append(Attachment(_safe(held.name), held.media_type, storage, held.data))
            continue
        found.append(
            Attachment(name or f"attachment-{number}{_safe(storage.line(_SUFFIX))}", media_type, storage)
        )
    return found, pictures


def _wrapped(storage: Values, name: str) -> Held | None:
    """The document that an object of another program is, or wraps."""
    if storage.integer(_METHOD) != _OBJECT or not storage.holds(_DATA):
        return None
    try:
        held = document_in(storage.object_file(_DATA, message=False), name)
    except (SourceError, InputTooLarge):
        return None  # taken out as it is, or refused, when it is asked for
    if held is None or not _safe(held.name):
        return None
    stem, _, suffix = held.name.rpartition(".")
    return held._replace(name=name) if stem == name and name.lower().endswith(f".{suffix}") else held


def _is_picture(name: str) -> bool:
    return name.lower().rpartition(".")[2] in ("png", "jpg", "jpeg", "gif", "bmp", "emz", "wmz", "svg")


def _safe(name: str) -> str:
    """The last segment of a name, without what misleads; empty when nothing is left."""
    name = _DRIVE.sub("", _UNFIT.sub("", name.replace("\\", "/")).rpartition("/")[2]).strip()
    return "" if name in (".", "..") else name[-_LONGEST:]
