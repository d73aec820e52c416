"""What calendar items, contacts and tasks say beside their text: when, where, who."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from indx_reader_msg._values import Values

__all__ = ["details"]


class _Field(NamedTuple):
    label: str
    number: int
    family: int = 0
    """Of a property with a name, the beginning of the set it belongs to."""


_CALENDAR, _TASK, _CONTACT = 0x00062002, 0x00062003, 0x00062004
_WHEN: Final = (
    _Field("Start", 0x820D, _CALENDAR),
    _Field("End", 0x820E, _CALENDAR),
    _Field("Location", 0x8208, _CALENDAR),
    _Field("Recurrence", 0x8232, _CALENDAR),
)
_DONE: Final = (
    _Field("Start", 0x8104, _TASK),
    _Field("Due", 0x8105, _TASK),
    _Field("Owner", 0x811F, _TASK),
)
_WHO: Final = (
    _Field("Name", 0x3001),
    _Field("Company", 0x3A16),
    _Field("Department", 0x3A18),
    _Field("Job title", 0x3A17),
    _Field("Email", 0x8083, _CONTACT),
    _Field("Email 2", 0x8093, _CONTACT),
    _Field("Email 3", 0x80A3, _CONTACT),
    _Field("Business phone", 0x3A08),
    _Field("Business phone 2", 0x3A1B),
    _Field("Mobile phone", 0x3A1C),
    _Field("Home phone", 0x3A09),
    _Field("Business fax", 0x3A24),
    _Field("Business address", 0x801B, _CONTACT),
    _Field("Home address", 0x801A, _CONTACT),
    _Field("Other address", 0x801C, _CONTACT),
    _Field("Web page", 0x802B, _CONTACT),
    _Field("Birthday", 0x3A42),
)
_BY_CLASS: Final = (
    ("ipm.appointment", _WHEN),
    ("ipm.schedule.meeting", _WHEN),
    ("ipm.microsoft schedule.mtg", _WHEN),
    ("ipm.task", _DONE),
    ("ipm.contact", _WHO),
)


def details(message: Values, message_class: str) -> dict[str, str]:
    """What an item of `message_class` states, by how it is called; nothing for a message."""
    beginning = message_class.lower()
    fields = next((fields for prefix, fields in _BY_CLASS if beginning.startswith(prefix)), ())
    found: dict[str, str] = {}
    for label, number, family in fields:
        kept = message.named(family, number) if family else number
        value = "" if kept is None else message.line(kept) or message.time(kept)
        if value:
            found[label] = value
    return found
