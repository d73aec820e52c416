"""What a format parser finds in a text, and the page reading made of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from indx_core.ports import Heading, Link, PageReading, RoleSpan, Span, Table, line_columns

__all__ = ["UNSPACED", "Marks", "joined"]

UNSPACED: Final = "[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
"""Characters of scripts that are written without spaces."""


def joined(lines: Sequence[str]) -> str:
    """Lines, none of them empty, as one; scripts written without spaces get none."""
    parts = [*lines[:1]]
    for before, after in pairwise(lines):
        bare = re.match(UNSPACED, before[-1]) and re.match(UNSPACED, after[0])
        parts += ("" if bare else " ", after)
    return "".join(parts)


@dataclass(slots=True)
class Marks:
    """A text with everything that is known about its stretches, in order of their starts."""

    text: str
    tables: list[Table] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    roles: list[RoleSpan] = field(default_factory=list)
    hidden: list[Span] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)

    def page(self, facts: Mapping[str, Any]) -> PageReading:
        """The reading of the only page: its first top heading is the title, `facts` go to its metadata."""
        starts, ends = line_columns(self.text)
        title = next((heading for heading in self.headings if heading.level == 1), None)
        if title is not None:
            self.roles.append(RoleSpan(title.start, title.end, "title"))
            self.roles.sort(key=lambda role: role.start)
        return PageReading(
            page=1,
            text=self.text,
            line_starts=starts,
            line_ends=ends,
            tables=self.tables,
            links=self.links,
            headings=self.headings,
            roles=self.roles,
            hidden=self.hidden,
            metadata={**self.metadata, **facts} or None,
        )
