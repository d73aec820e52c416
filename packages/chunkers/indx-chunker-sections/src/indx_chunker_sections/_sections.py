"""Sections become chunks: small ones together, long ones cut, tables apart."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import Final

from indx_chunker_sections._outline import Plain, Section, outline
from indx_chunker_sections._tables import table_drafts
from indx_core.cutting import place, split, trim
from indx_core.hiding import parted
from indx_core.ports import ChunkDraft, PageReading, Span

__all__ = ["cut_page"]

_TINY: Final = 200  # characters below which a section is joined to a neighbour


def cut_page(page: PageReading, limit: int, *, plain: Plain | None = None) -> list[ChunkDraft]:
    """The chunks of `page`, none of more than `limit` characters, in the order of their starts."""
    tiny = min(_TINY, limit // 8)
    cutter = _Cutter(page, limit, tiny)
    drafts: list[ChunkDraft] = []
    for section in _joined(page.text, outline(page, plain=plain), limit, tiny):
        drafts += cutter.cut(section)
    return sorted(parted(page, drafts), key=lambda draft: draft.spans[0])


def _joined(text: str, sections: Sequence[Section], limit: int, tiny: int) -> list[Section]:
    """`sections` with tiny ones joined to the next under the same parent, else to the one before."""
    groups: list[Section] = []
    for section in sections:
        last = groups[-1] if groups else None
        size = section.end - section.start
        if last and section.level >= last.level and last.end - last.start < tiny:
            inner = section.level > last.level and not text[last.body : last.end].strip()
            if inner or last.end - last.start + size <= limit:
                path = section.path if inner or not last.path else _common(last.path, section.path)
                groups[-1] = Section(last.start, section.end, section.body, last.level, path)
                continue
        groups.append(section)
    return _without_rests(groups, limit, tiny)


def _without_rests(groups: Sequence[Section], limit: int, tiny: int) -> list[Section]:
    """`groups` with those that are still tiny joined to the one before, a sibling or the parent."""
    result: list[Section] = []
    for group in groups:
        last = result[-1] if result else None
        size = group.end - group.start
        if last and size < tiny and 0 < last.level <= group.level and last.end - last.start + size <= limit:
            path = _common(last.path, group.path)
            result[-1] = Section(last.start, group.end, group.body, last.level, path)
        else:
            result.append(group)
    return result


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The headings that stand above both."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(label for label, _ in pairs)


class _Cutter:
    """Cuts the sections of one page."""

    def __init__(self, page: PageReading, limit: int, tiny: int) -> None:
        self._page = page
        self._limit = limit
        self._tiny = tiny
        self._code = [(role.start, role.end) for role in page.roles if role.role == "code"]

    def cut(self, section: Section) -> list[ChunkDraft]:
        """The chunks of `section`: its text between tables, and its tables."""
        tables = self._page.tables
        first = bisect_left(tables, section.start, key=attrgetter("start"))
        last = bisect_left(tables, section.end, first, key=attrgetter("start"))
        if first == last:
            return list(self._pieces(section.start, section.end, section.path))
        drafts: list[ChunkDraft] = []
        waiting: list[Span] = []  # short text before a table, for the text behind it
        position = section.start
        for table in tables[first:last]:
            drafts += self._between(waiting, position, table.start, section.path, more=True)
            drafts += table_drafts(self._page, table, self._limit, section.path)
            position = table.end
        drafts += self._between(waiting, position, section.end, section.path, more=False)
        return drafts

    def _between(
        self, waiting: list[Span], start: int, end: int, path: tuple[str, ...], *, more: bool
    ) -> Iterator[ChunkDraft]:
        """The chunks of a stretch beside tables; what is short waits for the next where there is `more`."""
        body = trim(self._page.text, start, end)
        length = sum(last - first for first, last in waiting)
        if body and more and length + body[1] - body[0] < self._tiny:
            waiting.append((body[0], end))
            return
        if more and body is None:
            return
        if body and waiting and length + body[1] - body[0] <= self._limit:
            yield self._draft([*waiting, body], path)
        else:
            if waiting:
                yield self._draft(waiting, path)
            if body:
                yield from self._pieces(*body, path)
        waiting.clear()

    def _pieces(self, start: int, end: int, path: tuple[str, ...]) -> Iterator[ChunkDraft]:
        body = trim(self._page.text, start, end)
        if body is None:
            return
        if body[1] - body[0] <= self._limit:
            yield self._draft([body], path)
            return
        first = bisect_left(self._code, (body[0], 0))
        last = bisect_left(self._code, (body[1], 0), first)
        keep = self._code[max(0, first - 1) : last]
        for piece in split(self._page.text, *body, limit=self._limit, keep=keep):
            if span := trim(self._page.text, *piece):
                yield self._draft([span], path)

    def _draft(self, spans: Sequence[Span], path: tuple[str, ...]) -> ChunkDraft:
        text = self._page.text
        start, end = spans[-1]
        spans = (*spans[:-1], (start, start + len(text[start:end].rstrip())))
        box, reason = place(self._page, spans)
        joined = "".join([text[start:end] for start, end in spans])
        return ChunkDraft(joined, spans=spans, box=box, box_reason=reason, section=path)
