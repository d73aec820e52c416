"""Who sent a message to whom, and the fields of the header it travelled with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from indx_reader_msg._values import Values

__all__ = ["header_field", "people"]

_SENDER, _SENDER_ADDRESS, _SENDER_MAIL = 0x0C1A, 0x0C1F, 0x5D01
_NAME, _ADDRESS, _MAIL, _KIND = 0x3001, 0x3003, 0x39FE, 0x0C15
_TO, _CC = 1, 2
_SHOWN: Final = {"to": 0x0E04, "cc": 0x0E03}
_MOST: Final = 10_000


def header_field(headers: str, name: str) -> str:
    """A field of the header as printed, its lines joined; empty where there is none."""
    found = re.search(rf"^{name}:[ \t]*(.*(?:\r?\n[ \t].*)*)", headers, re.IGNORECASE | re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


def people(message: Values) -> dict[str, str]:
    """Sender and receivers, as `Name <address>`; `message` notes when there are more than are looked at."""
    receivers: dict[int, list[str]] = {_TO: [], _CC: []}
    for place, one in enumerate(message.inner("__recip_version1.0_#")):
        if place == _MOST:
            message.notes.append(f"of more than {_MOST:,} receivers those are named")
            break
        shown = _written(one.line(_NAME), _mail(one, _MAIL, _ADDRESS))
        if shown:
            receivers.get(one.integer(_KIND) or 0, []).append(shown)
    written = {"to": ", ".join(receivers[_TO]), "cc": ", ".join(receivers[_CC])}
    return {
        "from": _written(message.line(_SENDER), _mail(message, _SENDER_MAIL, _SENDER_ADDRESS)),
        **{key: text or message.line(_SHOWN[key]) for key, text in written.items()},
    }


def _mail(storage: Values, *numbers: int) -> str:
    """The first of these that is an address of mail, and not one of an exchange's own."""
    return next((text for number in numbers if "@" in (text := storage.line(number))), "")


def _written(name: str, address: str) -> str:
    if name and address and name != address:
        return f"{name} <{address}>"
    return name or address
