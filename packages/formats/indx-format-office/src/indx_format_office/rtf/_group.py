"""What holds in a group of Rich Text, and what the whole text says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from indx_core.ports import Role
from indx_format_office.rtf._flow import Flow
from indx_format_office.writer import TextWriter

__all__ = ["Group", "RtfDocument"]


@dataclass(slots=True)
class Group:
    """What holds in a group. `kind` is empty for text, else what its text is kept for.

    `rise` says how far text is moved up, `size` how large it is, both in half points; `shrinks` that what is
    moved is to be smaller.
    """

    flow: Flow
    kind: bytes = b""
    font: int | None = None
    style: int = 0
    outline: int | None = None
    hidden: bool = False
    raised: bool = False
    deleted: bool = False
    in_table: bool = False
    nested: bool = False
    listed: bool = False
    depth: int = 0
    substitute: int = 1
    link: str = ""
    pending: str = ""
    role: Role | None = None
    rise: int = 0
    size: int = 24
    shrinks: bool = False

    def inner(self) -> Group:
        """A group inside this one, where at first the same holds."""
        return Group(*_all_of(self))


_all_of: Callable[[Group], tuple[Any, ...]] = attrgetter(*(one.name for one in fields(Group)))


@dataclass(slots=True)
class RtfDocument:
    """What a text says.

    Attributes:
        writer: The text with its marks.
        images: How many pictures it has.
        properties: Title, author and the like, as stated.
        objects: The objects embedded in it, each as older programs pass them on.
    """

    writer: TextWriter
    images: int = 0
    properties: dict[str, str] = field(default_factory=dict)
    objects: list[bytes] = field(default_factory=list)
