"""From the texts of a document's pages to the invoices in it: where each begins, goes on and ends.

An invoice begins on a page with the title or the number of one. The pages after it belong to it while they
repeat its number, or have no other and state amounts; while it has no total yet, some pages without any may
stand between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from indx_parser_invoice._cells import fold
from indx_parser_invoice._facts import Facts, Stated, facts_of
from indx_parser_invoice._labels import Kind

__all__ = ["Invoice", "invoices_in"]

LONGEST_PAGE: Final = 40_000
"""Characters; a page of more holds no invoice."""

_LONGEST_GAP: Final = 10
_HINT: Final = re.compile(r"invoice|i\s?n\s?v\s?o\s?i|inv\b|請\s*求|インボイス", re.IGNORECASE)
_SIGNALS: Final[Sequence[tuple[Kind, str]]] = (
    ("number", "a number"),
    ("issue_date", "a date of issue"),
    ("total", "a total amount"),
    ("tax", "an amount of tax"),
    ("recipient", "a recipient"),
)
_FEWEST_SIGNALS: Final = 4


@dataclass(slots=True)
class Invoice:
    """An invoice.

    Attributes:
        pages: Its pages.
        home: The page that its fields are written on: that with the number, else the first.
        facts: What each of its pages that states anything states, in order.
    """

    pages: list[int]
    home: int
    facts: list[Facts]
    waiting: list[int] = field(default_factory=list)

    def stated(self, kind: Kind) -> list[Stated]:
        """What its pages state for a field, in order."""
        return [stated for facts in self.facts for stated in facts.values.get(kind, ())]

    def number(self) -> str | None:
        """Its number."""
        return next((number for facts in self.facts if (number := facts.number()) is not None), None)

    def goes_on(self, page: int, facts: Facts | None) -> bool:
        """Take the next page, if it can belong to this invoice."""
        belongs = self._belongs(facts)
        if belongs and facts is not None:
            if self.number() is None and facts.number() is not None:
                self.home = page
            self.pages += [*self.waiting, page]
            self.waiting = []
            self.facts.append(facts)
        elif belongs is None and not self.stated("total") and len(self.waiting) < _LONGEST_GAP:
            self.waiting.append(page)
        else:
            return False
        return True

    def _belongs(self, facts: Facts | None) -> bool | None:
        """Whether a page is of this invoice; None where it does not say."""
        if facts is None:
            return None
        number, own = facts.number(), self.number()
        if number is not None and own is not None:
            return number == own
        if facts.other_title and facts.title is None:
            return False
        total = "total" in facts.values
        if facts.begins() and total and self.stated("total"):
            return False
        if self.waiting:
            return True if total else None
        states = total or facts.begins() or "tax" in facts.values or "subtotal" in facts.values
        return True if states else None

    @property
    def title(self) -> str | None:
        """Its title as printed."""
        return next((facts.title for facts in self.facts if facts.title), None)

    @property
    def registration(self) -> str | None:
        """What says that its issuer is registered for tax."""
        return next((facts.registration for facts in self.facts if facts.registration), None)

    @property
    def recognised(self) -> bool:
        """Whether enough speaks for it, the title or a number of an invoice and a total in any case."""
        named = self.title or any(stated.rank == 0 for stated in self.stated("number"))
        return bool(named and self.stated("total")) and len(self.evidence()) >= _FEWEST_SIGNALS

    @property
    def confidence(self) -> float:
        """The share of the signals that are found."""
        return round(len(self.evidence()) / (len(_SIGNALS) + 2), 6)

    def evidence(self) -> list[str]:
        """The signals found, without the values."""
        lines = [f'the title is "{self.title}"'] if self.title else []
        labels = ((what, self.stated(kind)[:1]) for kind, what in _SIGNALS)
        lines += [f'{what} is labelled "{first.label}"' for what, stated in labels for first in stated]
        if self.registration:
            lines.append(f'a tax registration number is printed ("{self.registration}")')
        return lines

    def as_json(self) -> dict[str, Any]:
        """Its fields in the shape of the contract."""
        from indx_core.contracts.invoice import Invoice as Fields

        amounts = {"subtotal": _only(self.stated("subtotal")), "tax": _only(self.stated("tax"))}
        total = _best(self.stated("total"), last=True)
        recipient = _value(_best(self.stated("recipient")))
        found: dict[str, str | None] = {
            "number": self.number(),
            "issue_date": _value(_best(self.stated("issue_date")))
            or _single(date for facts in self.facts for date in facts.dates),
            "due_date": _value(_best(self.stated("due_date"))),
            "currency": self._currency([total, *amounts.values()]),
            **{name: _value(amount) for name, amount in amounts.items()},
            "total": _value(total),
            "issuer": _value(_best(self.stated("issuer")))
            or _single(name for facts in self.facts for name in facts.companies if name != recipient),
            "recipient": recipient,
        }
        return Fields(**found).model_dump(mode="json")

    def _currency(self, amounts: Sequence[Stated | None]) -> str | None:
        marks = [amount.currency for amount in amounts if amount is not None and amount.currency]
        return marks[0] if marks else _value(_best(self.stated("currency")))


def _value(stated: Stated | None) -> str | None:
    return None if stated is None else stated.value


def _single(values: Iterable[str]) -> str | None:
    """The value that stands there without a label, where there is one alone."""
    different = list(dict.fromkeys(values))
    return different[0] if len(different) == 1 else None


def _best(stated: Sequence[Stated], *, last: bool = False) -> Stated | None:
    """What the label that says it best has; of several, the first or the last."""
    return min(stated[::-1] if last else stated, key=lambda one: one.rank, default=None)


def _only(stated: Sequence[Stated]) -> Stated | None:
    """What the label that says it best has, where that is one amount."""
    best = _best(stated)
    equals = [one for one in stated if best is not None and one.rank == best.rank]
    return best if len({one.value for one in equals}) == 1 else None


def invoices_in(pages: Iterable[tuple[int, str]]) -> Iterator[Invoice]:
    """The invoices in a document, given its pages with their texts, in order."""
    current: Invoice | None = None
    for page, text in pages:
        facts = _facts(text, hinted=current is None)
        if current is not None and current.goes_on(page, facts):
            continue
        if current is not None and current.recognised:
            yield current
        if current is not None and facts is None:
            facts = _facts(text, hinted=True)
        current = Invoice([page], page, [facts]) if facts is not None and facts.begins() else None
    if current is not None and current.recognised:
        yield current


def _facts(text: str, *, hinted: bool) -> Facts | None:
    """What a page states; None where nothing does, or where, if hints are asked for, none is found."""
    if not text or len(text) > LONGEST_PAGE or (hinted and not _HINT.search(fold(text))):
        return None
    return facts_of(text)
