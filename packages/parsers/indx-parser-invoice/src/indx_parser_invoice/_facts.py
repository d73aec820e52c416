"""What one page states: labels with what stands behind or below them, titles, names of companies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from indx_parser_invoice._amounts import CODES, Amount, amount_at
from indx_parser_invoice._cells import Cell, rows_of
from indx_parser_invoice._dates import date_at
from indx_parser_invoice._labels import AMOUNTS, Kind, Label, is_other_title, label_of, title_of

__all__ = ["Facts", "Stated", "facts_of"]

Row = Sequence[Cell]

_RATE: Final = r"(?:\(?(?:@|at\s)?\s*[0-9]{1,2}(?:\.[0-9]{1,3})?\s*%\s*(?:対象)?\)?)?"
_BEFORE_AMOUNT: Final = re.compile(
    rf"{_RATE}\s*(?P<aside>\([^)]{{0,40}}\)|\[[^\]]{{0,40}}\])?\s*{_RATE}\s*[:=]?\s*(?:金\s*)?", re.IGNORECASE
)
_STATED_CODE: Final = re.compile(rf"(?:in\s+)?(?P<code>{CODES})\s*[:=]\s*")
_CODE: Final = re.compile(rf"(?<![A-Za-z]){CODES}|円")
_NUMBER: Final = re.compile(r"(?:[A-Za-z]{1,5} (?=[0-9]))?(?=[^\s]{0,40}[0-9])[^\s:,;|]{1,40}")
_REGISTERED: Final = re.compile(r"(?<![A-Za-z0-9])T-?[0-9]{13}(?![0-9])")
_IDENTIFIER: Final = re.compile(r"(?:[^0-9]{0,4}[0-9]){6}")
_LETTER: Final = re.compile(r"[^\W\d_]")
_ADDRESSED: Final = re.compile(r"(?P<name>[^。、:]{1,60}?)\s*(?:御中|様|殿)")
_NOBODY: Final = re.compile(r".*(?:お客|皆|各位|担当者?|仕|模|同|多|一|異|有|神|宮|御)$")
_HONORIFICS: Final = frozenset(("御中", "様", "殿"))
_COMPANY: Final = re.compile(
    r"株式会社|有限会社|合同会社|合資会社|合名会社|(?:一般|公益)(?:社団|財団)法人|\(株\)|\(有\)|㈱|㈲"
)
_NO_ISSUER: Final = re.compile(r"御中|様$|銀行|信用金庫|支店|振込|口座|名義|[:。、]")
_LONGEST_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class Stated:
    """A value, the rank and name of the label that it stands behind, and its currency where it has one."""

    value: str
    rank: int
    label: str
    currency: str | None = None


@dataclass(slots=True)
class Facts:
    """What a page states.

    Attributes:
        title: Its title as printed, where it is that of an invoice.
        other_title: Whether it has the title of another kind of document.
        registration: What says that its issuer is registered for tax; None where nothing does.
        companies: Names of companies in cells of their own, that no honorific follows.
        dates: Dates on lines of their own, that no label claims.
        values: What stands behind labels, in order.
    """

    title: str | None = None
    other_title: bool = False
    registration: str | None = None
    companies: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    values: dict[Kind, list[Stated]] = field(default_factory=dict)

    def add(self, kind: Kind, stated: Stated) -> None:
        """Note a value."""
        self.values.setdefault(kind, []).append(stated)

    def number(self) -> str | None:
        """The number, as the label that says it best has it."""
        numbers = self.values.get("number", ())
        return min(numbers, key=lambda stated: stated.rank).value if numbers else None

    def begins(self) -> bool:
        """Whether an invoice may begin here."""
        named = any(stated.rank == 0 for stated in self.values.get("number", ()))
        return self.title is not None or (named and not self.other_title)


def facts_of(text: str) -> Facts:
    """Everything that a page of this text states."""
    facts = Facts()
    rows = rows_of(text)
    for row, below in pairwise([*rows, ()]):
        labels = [label_of(cell) for cell in row]
        _titles(row, facts)
        for index, label in enumerate(labels):
            if label is not None:
                _value(_Place(row, labels, index, below), label, facts)
    _addressed(rows, facts)
    _unlabelled(rows, facts)
    return facts


@dataclass(frozen=True, slots=True)
class _Place:
    """A label's cell, with the row it stands in, the labels of that row, and the row below."""

    row: Row
    labels: Sequence[Label | None]
    index: int
    below: Row

    @property
    def cell(self) -> Cell:
        return self.row[self.index]

    def beside(self) -> Row:
        """The cells after it, up to the next label."""
        end = self.index + 1
        while end < len(self.row) and self.labels[end] is None:
            end += 1
        return self.row[self.index + 1 : end]

    def under(self) -> Cell | None:
        """The cell below, where it is clear which one that is, and that it is no label itself."""
        if any(label is not None and label.kind == "item" for label in self.labels):
            return None
        if len(self.below) == len(self.row):
            found = self.below[self.index]
        elif self.index == 0 and self.below:
            found = self.below[0]
        else:
            return None
        return found if label_of(found) is None else None


def _titles(row: Row, facts: Facts) -> None:
    spread = [Cell(*("".join(getattr(cell, name) for cell in row) for name in ("text", "folded")))]
    for cell in spread if all(len(cell.text) <= 2 for cell in row) else row:
        facts.other_title = facts.other_title or is_other_title(cell)
        found = title_of(cell)
        if found is not None:
            title, number = found
            facts.title = facts.title or title
            if number is not None and date_at(number, 0) is None:
                facts.add("number", Stated(number, 1, title))


def _value(place: _Place, label: Label, facts: Facts) -> None:
    """Note what stands behind a label, where it is what the label calls for."""
    if label.kind in AMOUNTS:
        amount = _amount(place, label)
        if amount is not None:
            facts.add(label.kind, amount)
        return
    find = _FINDERS.get(label.kind)
    if find is None:
        return
    for cell, start in _candidates(place, label):
        span = find(cell.folded, start)
        if span is None:
            continue
        if label.kind == "registration":
            facts.registration = label.name
        else:
            facts.add(label.kind, Stated(cell.text[slice(*span)].strip(), label.rank, label.name))
            _next_in_line(cell, span[1], facts)
        return


def _next_in_line(cell: Cell, end: int, facts: Facts) -> None:
    """Note what a cell states behind a value, where another label follows it."""
    start = len(cell.folded) - len(cell.folded[end:].lstrip(" ,;|"))
    rest = Cell(cell.text[start:], cell.folded[start:])
    label = label_of(rest) if start > end else None
    if label is not None:
        _value(_Place((rest,), (label,), 0, ()), label, facts)


def _candidates(place: _Place, label: Label) -> Iterator[tuple[Cell, int]]:
    """Where a value may begin: behind the label in its cell; else in the next cell, or in the one below."""
    if place.cell.folded[label.end :].strip():
        names = label.kind in ("recipient", "issuer")
        if label.marked or not names or not label.name.isascii():
            yield place.cell, label.end
        return
    for cell in place.beside()[:1]:
        yield cell, 0
    under = place.under()
    if under is not None:
        yield under, 0


def _number(folded: str, start: int) -> tuple[int, int] | None:
    found = _NUMBER.match(folded, start)
    return None if found is None or _REGISTERED.match(folded, start) else found.span()


def _name(folded: str, start: int) -> tuple[int, int] | None:
    """A name, without the honorific behind it."""
    text = folded[start:].rstrip()
    if len(text) > _LONGEST_NAME or not _LETTER.search(text) or date_at(folded, start):
        return None
    addressed = _ADDRESSED.fullmatch(text)
    return start, start + (len(text) if addressed is None else addressed.end("name"))


def _identifier(folded: str, start: int) -> tuple[int, int] | None:
    found = _IDENTIFIER.search(folded, start)
    return None if found is None else found.span()


def _code(folded: str, start: int) -> tuple[int, int] | None:
    found = _CODE.match(folded, start)
    return None if found is None else found.span()


_FINDERS: Final[dict[Kind, Callable[[str, int], tuple[int, int] | None]]] = {
    "number": _number,
    "issue_date": date_at,
    "due_date": date_at,
    "recipient": _name,
    "issuer": _name,
    "registration": _identifier,
    "currency": _code,
}


def _amount(place: _Place, label: Label) -> Stated | None:
    """The amount that stands behind a label, in its cell, beside it or below."""
    cell = place.cell
    before = _BEFORE_AMOUNT.match(cell.folded, label.end)
    assert before is not None, "every part of it is optional"
    start, currency = before.end(), _currency(before["aside"])
    stated = _STATED_CODE.match(cell.folded, start)
    if stated is not None:
        start, currency = stated.end(), stated["code"]
    if cell.folded[start:].strip():
        found = [(cell, amount_at(cell.folded, start))]
    else:
        found = [(other, amount_at(other.folded, _start(other))) for other in place.beside()]
        alone = len(place.row) == len(place.below) == 1
        if not any(amount for _, amount in found) and (alone or all(place.labels)):
            under = place.under() if len(place.row) == len(place.below) else None
            found = [] if under is None else [(under, amount_at(under.folded, _start(under)))]
    amounts = [(other, amount) for other, amount in found if amount is not None]
    if not amounts:
        return None
    other, amount = _last_sure(amounts)
    mark = currency if amount.mark is None else other.text[slice(*amount.mark)]
    return Stated(amount.digits, label.rank, label.name, mark)


def _last_sure(amounts: Sequence[tuple[Cell, Amount]]) -> tuple[Cell, Amount]:
    """The last amount of a row that is more than bare digits, else the last one."""
    return ([pair for pair in amounts if not pair[1].plain] or amounts)[-1]


def _start(cell: Cell) -> int:
    return len(cell.folded) - len(cell.folded.removeprefix("金").lstrip())


def _currency(aside: str | None) -> str | None:
    found = None if aside is None else _CODE.search(aside)
    return None if found is None else found.group()


def _addressed(rows: Sequence[Row], facts: Facts) -> None:
    """Note whom honorifics address."""
    for number, row in enumerate(rows):
        for index, cell in enumerate(row):
            folded = cell.folded.strip()
            if folded in _HONORIFICS:
                before = row[index - 1 : index] or (rows[number - 1][:1] if number and len(row) == 1 else ())
                names = [other.text.strip() for other in before if label_of(other) is None]
            else:
                found = _ADDRESSED.fullmatch(folded)
                names = [] if found is None else [cell.text.strip()[: found.end("name")]]
            for name in names:
                if label_of(cell) is None and not _NOBODY.match(name) and _LETTER.search(name):
                    facts.add("recipient", Stated(name, 1, folded[-2:].strip()))


def _unlabelled(rows: Sequence[Row], facts: Facts) -> None:
    """Note what is told without a label: registration numbers by their form, companies, dates on a line."""
    claimed = False
    for row in rows:
        for cell in row:
            if _REGISTERED.search(cell.folded) and facts.registration is None:
                facts.registration = "T and 13 digits"
            if len(cell.text) <= 40 and _COMPANY.search(cell.folded) and not _NO_ISSUER.search(cell.folded):
                facts.companies.append(cell.text.strip())
        folded = row[0].folded.rstrip() if len(row) == 1 else ""
        if folded and not claimed and date_at(folded, 0) == (0, len(folded)):
            facts.dates.append(row[0].text.strip())
        label = label_of(row[0]) if folded else None
        claimed = label is not None and not folded[label.end :]
