"""From lines with places to the text of a page: rows, words broken over two lines, offsets.

Pure functions. A stretch of text keeps its index through everything, so that what points into it (a link)
can be found in the finished text.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final

__all__ = ["Assembled", "GridRow", "Joins", "assemble", "join_words"]

_BETWEEN: Final = "\t"  # cells of one row
_PUNCTUATION: Final = ".,;:!?)]}»”’\"'"
_OPENING: Final = "([{«“‘\"'"


class GridRow(list[int]):
    """A row of a table: its stretches, and which of them make up the cell of each column.

    Args:
        cells: The stretches of each cell, in order; none where it is empty.
        glued: Stretches after which the next of the cell follows without a space.
    """

    __slots__ = ("cells", "glued")

    def __init__(self, cells: Sequence[Sequence[int]], glued: AbstractSet[int]) -> None:
        """Take the cells of a row, of which one holds text."""
        super().__init__(index for cell in cells for index in cell)
        self.cells = cells
        self.glued = glued

    def laid_out(self, texts: Sequence[str]) -> tuple[str, list[int]]:
        """The line of the row, and where each of its stretches starts in it."""
        line: list[str] = []
        places: list[int] = []
        length = 0
        for number, cell in enumerate(self.cells):
            between = _BETWEEN if number else ""
            for index in cell:
                line += between, texts[index]
                length += len(between)
                places.append(length)
                length += len(texts[index])
                between = "" if index in self.glued else " "
            if not cell:
                line.append(between)
                length += len(between)
        return "".join(line), places


@dataclass(slots=True)
class Joins:
    """What joining words did.

    Attributes:
        moved: How many characters went up from the beginning of a stretch, the space after them included.
        absorbed: Stretches that went up whole: into which, and at which offset.
    """

    moved: dict[int, int] = field(default_factory=dict)
    absorbed: dict[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Assembled:
    """The finished text.

    Attributes:
        text: All of it.
        starts: Where each line starts.
        ends: Where it ends.
        texts: The stretches it is made of.
        bases: For each stretch, what turns an offset into it into one into the text; -1 where it is left out.
        moved: How many characters of a stretch went up to the line before.
    """

    text: str
    starts: array[int]
    ends: array[int]
    texts: Sequence[str]
    bases: Sequence[int]
    moved: Mapping[int, int] = field(default_factory=dict)

    def span(self, index: int) -> tuple[int, int] | None:
        """Where a stretch stands in the text, what went up to the line before included."""
        start = self.bases[index]
        end = start + self.moved.get(index, 0) + len(self.texts[index])
        return (start, end) if 0 <= start < end else None


def join_words(
    texts: list[str], rows: list[list[int]] | None, broken: set[int], page: str
) -> tuple[Joins, list[list[int]] | None]:
    """Join words that a hyphen breaks over two lines; `texts` is changed.

    A word is joined without its hyphen where its rest is in small letters, or both lines are in capitals and
    there is no digit in it, and the page does not write it with a hyphen elsewhere; the rest moves up to the
    line where the word began. Otherwise the hyphen is put back.

    Args:
        texts: The stretches, the breaking hyphens left out.
        rows: The lines, as indices of stretches; None for one each, as they come.
        broken: The stretches that end in such a hyphen.
        page: The text of the page, to look words up in.

    Returns:
        What was joined, and the rows, those left out that went up whole.
    """
    joins = Joins()
    following = _following(rows, len(texts))
    hyphenated = _hyphenated(page)
    for index in sorted(broken):
        head = joins.absorbed.get(index, (index, 0))[0]
        alone = following.get(index)
        after = texts[index + 1] if alone is not None else ""
        word, _, rest = after.partition(" ")
        goes_on = word[:1].islower() or _in_capitals(texts[head], after)
        if not goes_on or not (rest or alone) or not _one_word(texts[head], word, hyphenated):
            texts[head] += "-"
        elif rest:
            texts[head] += word
            texts[index + 1] = rest.lstrip()
            joins.moved[index + 1] = len(word) + 1
        else:
            joins.absorbed[index + 1] = (head, len(texts[head]))
            texts[head] += word
    if joins.absorbed:
        every = rows if rows is not None else [[index] for index in range(len(texts))]
        rows = [row for row in every if row[0] not in joins.absorbed]
    return joins, rows


def _following(rows: list[list[int]] | None, count: int) -> Mapping[int, bool]:
    """The stretches that the next goes on from on the line after, and whether that is all of the line.

    Of two lines of several cells each, which are a table, none goes on.
    """
    if rows is None:
        return dict.fromkeys(range(count - 1), True)
    return {
        row[-1]: len(after) == 1
        for row, after in pairwise(rows)
        if row and after and row[-1] + 1 == after[0] and (_is_whole(row) or _is_whole(after))
    }


def _is_whole(row: list[int]) -> bool:
    """Whether a line is not in cells."""
    return (len(row.cells) if type(row) is GridRow else len(row)) == 1


def _in_capitals(before: str, after: str) -> bool:
    """Whether a word goes on between lines in capitals; `COVID-19` and `XR-200B` do not."""
    if not (before.isupper() and after.isupper()):
        return False
    parts = before.rpartition(" ")[2] + after.partition(" ")[0]
    return not any(map(str.isdigit, parts))


def _hyphenated(page: str) -> Mapping[str, set[str]]:
    """What the page writes behind a hyphen, by what stands before it, without regard to capitals."""
    found: dict[str, set[str]] = {}
    for before, after in pairwise(page.lower().split("-")):
        if before and after and not before[-1].isspace() and not after[0].isspace():
            left, right = before.rsplit(None, 1)[-1], after.split(None, 1)[0]
            found.setdefault(left.lstrip(_OPENING), set()).add(right)
    return found


def _one_word(before: str, word: str, hyphenated: Mapping[str, set[str]]) -> bool:
    beginning = before.rpartition(" ")[2].rpartition("-")[2].lstrip(_OPENING).lower()
    rest = word.rstrip(_PUNCTUATION).partition("-")[0].lower()
    return not any(written.startswith(rest) for written in hyphenated.get(beginning, ()))


def assemble(texts: Sequence[str], rows: list[list[int]] | None, joins: Joins | None = None) -> Assembled:
    """Put lines together.

    Args:
        texts: The stretches.
        rows: Which of them make up each line, in reading order; None for one each, as they come.
        joins: What joining words did to them.
    """
    grids = {at: row.laid_out(texts) for at, row in enumerate(rows or ()) if type(row) is GridRow}
    lines = texts
    if rows is not None:
        lines = [
            grids[at][0] if at in grids else _BETWEEN.join([texts[index] for index in row])
            for at, row in enumerate(rows)
        ]
    lengths = list(map(len, lines))
    ends = array("q", [end - 1 for end in accumulate([length + 1 for length in lengths])])
    starts = array("q", [end - length for end, length in zip(ends, lengths, strict=True)])
    moved = joins.moved if joins is not None else {}
    return Assembled("\n".join(lines), starts, ends, texts, _bases(texts, rows, grids, starts, joins), moved)


def _bases(
    texts: Sequence[str],
    rows: list[list[int]] | None,
    grids: Mapping[int, tuple[str, list[int]]],
    starts: array[int],
    joins: Joins | None,
) -> Sequence[int]:
    if rows is None and (joins is None or not joins.moved):
        return starts
    bases = list(starts) if rows is None else [-1] * len(texts)
    for at, (start, row) in enumerate(zip(starts, rows or (), strict=False)):
        if at in grids:
            for index, place in zip(row, grids[at][1], strict=True):
                bases[index] = start + place
            continue
        position = start
        for index in row:
            bases[index] = position
            position += len(texts[index]) + 1
    if joins is not None:
        for index, (head, offset) in joins.absorbed.items():
            bases[index] = bases[head] + offset
        for index, length in joins.moved.items():
            bases[index] -= length
    return bases
