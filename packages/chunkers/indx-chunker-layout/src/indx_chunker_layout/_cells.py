"""Rows in cells: stretches that a wide gap, or a tab, parts from what stands beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import nan
from typing import Final

from indx_chunker_layout._page import Page, Row

__all__ = ["MARK", "NUMBER", "Fragment", "cells_of", "is_wide"]

_CLOSE: Final = 1.2  # letters; fragments nearer to each other are one

MARK: Final = re.compile(r"[•◦▪●■□‣⁃∙·○◆◇▶►➢✓※*–—\uf000-\uf0ff\ufffd-](?=\s|$)|[①-⑳]")
"""What stands before an item of a list and nowhere else; signs of picture fonts have no code of their own."""

NUMBER: Final = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})[.)](?=\s|$)")
"""What may count the items of a list."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A stretch of a row; its sides are NaN where they are not known."""

    start: int
    end: int
    left: float
    right: float
    lines: tuple[int, ...]


def is_wide(page: Page, row: Row) -> bool:
    """Whether a row has several cells."""
    return len(cells_of(page, row)) > 1


def cells_of(page: Page, row: Row) -> list[Fragment]:
    """The fragments of a row, none of a table. A mark that begins an item of a list is none of its own."""
    if row[0] in page.tables:
        return []
    if len(row) == 1 and "\t" not in page.said(row[0]):
        return [_whole(page, row[0])]
    cells: list[Fragment] = []
    for line in row:
        for cell in _split(page, line):
            last = cells[-1] if cells else None
            near = last is not None and cell.left - last.right < _CLOSE * page.em
            if near and _follows(page, cells[-1], cell):
                cells[-1] = _one(cells[-1], cell)
            else:
                cells.append(cell)
    if len(cells) == 2 and _is_bullet(page, cells[0]) and _follows(page, *cells):
        return [_one(*cells)]
    return cells


def _is_bullet(page: Page, cell: Fragment) -> bool:
    said = page.text[cell.start : cell.end].strip()
    return bool(MARK.fullmatch(said) or NUMBER.fullmatch(said))


def _follows(page: Page, before: Fragment, after: Fragment) -> bool:
    """Whether a fragment is the next of the text."""
    return before.end <= after.start and not page.text[before.end : after.start].strip()


def _one(before: Fragment, after: Fragment) -> Fragment:
    lines = tuple(dict.fromkeys((*before.lines, *after.lines)))
    return Fragment(before.start, after.end, before.left, after.right, lines)


def _whole(page: Page, line: int) -> Fragment:
    return Fragment(page.starts[line], page.ends[line], page.left[line], page.right[line], (line,))


def _split(page: Page, line: int) -> list[Fragment]:
    """The parts of a line between tabs. Of its places only the two ends are known."""
    said = page.said(line)
    if "\t" not in said:
        return [_whole(page, line)]
    parts: list[Fragment] = []
    start = page.starts[line]
    for part in said.split("\t"):
        if part.strip():
            parts.append(Fragment(start, start + len(part), nan, nan, (line,)))
        start += len(part) + 1
    if parts:
        parts[0] = replace(parts[0], left=page.left[line])
        parts[-1] = replace(parts[-1], right=page.right[line])
    return parts
