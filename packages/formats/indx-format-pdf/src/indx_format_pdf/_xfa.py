"""Forms that draw themselves (XFA): their text, from a template and data that the file carries.

The pages of such a file only say to wait until a program has drawn the form, which few can. What it asks is
in its template, what was filled in is in its data, and what showed when it was saved is in its state. They
belong together by the names of their elements, as chapter 4 of the specification (XFA 3.3) has it. Scripts
are not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indx_format_pdf._xfa_data import Kept, Named, values_of
from indx_format_pdf._xfa_layout import laid_out, titled
from indx_format_pdf._xfa_tree import Node, parse

__all__ = ["form_text"]

_PARTS: Final = ("template", "datasets", "form")
_THROUGH: Final = ("subformSet", "area", "pageSet", "pageArea")
_SHOWN: Final = (*_THROUGH, "subform", "exclGroup", "field", "draw")
_UNSEEN: Final = frozenset({"hidden", "invisible", "inactive"})
_WORDLESS: Final = frozenset({"barcode", "button", "imageEdit", "passwordEdit", "signature"})
_MOST: Final = 200_000  # containers, fields, texts and entries of lists; a part of a form would pass for it
_MOST_PASSED: Final = 20_000_000  # elements gone through, those of a part that repeats each time
_DIGITS: Final = 7  # of a number that says how often; longer ones are none
_MOST_TEXT: Final = 1 << 22  # characters; a page of as many takes fifty bytes for each
_ON: Final = "1"  # what a box holds that is ticked, unless it says something else


def form_text(packets: Mapping[str, bytes]) -> str | None:
    """The text of a form, or None where it cannot be told.

    Args:
        packets: The XML of its template, its data and its state by their names; all in one under no name.
    """
    parts: dict[str, Node] = {}
    for name in filter(packets.__contains__, ("", *_PARTS)):
        root = parse(packets[name])
        if root is None:
            return None
        for one in (root,) if name else root.nodes(*_PARTS):
            parts.setdefault(one.name, one)
    main = parts["template"].first("subform") if "template" in parts else None
    if main is None:
        return None
    try:
        return "\n".join(_Form(parts).lines(main))
    except OverflowError:
        return None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a container stands: the data that its fields hold, and what was saved of them.

    Attributes:
        data: The element of the data; None where nothing was filled in.
        state: The element of the state; None where it was not saved.
    """

    data: Node | None
    state: Node | None


class _Form:
    """A form that is being read."""

    def __init__(self, parts: Mapping[str, Node]) -> None:
        data, state = parts.get("datasets"), parts.get("form")
        self._data = Named(data.first("data") if data is not None else None)
        self._state = Kept()
        self._start = state.first("subform") if state is not None else None
        self._left, self._room, self._passes = _MOST, _MOST_TEXT, _MOST_PASSED

    def lines(self, main: Node) -> list[str]:
        """All that shows, in reading order."""
        return self._inside(main, _Place(self._data.record(main.said("name")), self._start))

    def _inside(self, container: Node, place: _Place) -> list[str]:
        found: list[tuple[Node, list[str]]] = []
        self._pass(len(container.content))
        for one in container.nodes(*_SHOWN):
            if one.name == "subform":
                for own in self._instances(one, place):
                    self._work()
                    lines = self._inside(one, own)
                    found += [(one, lines)] if _is_seen(one, own.state) else []
                continue
            saved = self._state.next(place.state, one)
            lines = self._lines(one, place, saved)
            self._work(lines=() if one.name in _THROUGH else lines)
            found += [(one, lines)] if _is_seen(one, saved) else []
        return laid_out(container, found)

    def _work(self, count: int = 1, lines: Sequence[str] = ()) -> None:
        self._left -= count
        self._room -= sum(map(len, lines))
        if self._left < 0 or self._room < 0:
            raise OverflowError

    def _pass(self, count: int) -> None:
        self._passes -= count
        if self._passes < 0:
            raise OverflowError

    def _lines(self, one: Node, place: _Place, saved: Node | None) -> list[str]:
        if one.name in _THROUGH:
            return self._inside(one, _Place(place.data, saved or place.state))
        self._pass(one.size + (saved.size if saved is not None else 0))
        if one.name == "draw":
            return _written("value", saved, one)
        held = self._data.field(one, place.data)
        self._pass(held.size if held is not None else 0)
        if one.name == "exclGroup":
            return self._choices(one, place, saved, None if held is None else values_of(held))
        given = _written("value", saved, one) if held is None else values_of(held)
        return self._field(one, saved, given)

    def _instances(self, one: Node, place: _Place) -> Iterable[_Place]:
        """A subform as often as it was saved or filled in; it takes up the data of its name."""
        groups = self._data.groups(one, place.data)
        saved = self._state.all(place.state, one)
        if saved is None:
            count = len(groups) and max(len(groups), _occurs(one, "min"))
            count = count or _occurs(one, "initial", "min")
        else:
            count = len(saved)
        for at in range(count):
            data = groups[at] if at < len(groups) else None
            yield _Place(data, saved[at] if saved else None)

    def _choices(self, group: Node, place: _Place, saved: Node | None, given: list[str] | None) -> list[str]:
        """The boxes of which one is ticked; what it holds is said of them together, or of each."""
        found: list[tuple[Node, list[str]]] = []
        for box in group.nodes("field"):
            self._work()
            own = self._state.next(saved, box)
            held = given
            if held is None:
                data = self._data.field(box, place.data)
                self._pass(data.size if data is not None else 0)
                held = _written("value", own, box) if data is None else values_of(data)
            if _is_seen(box, own):
                found.append((box, self._field(box, own, held)))
        return laid_out(group, found)

    def _field(self, field: Node, saved: Node | None, given: list[str]) -> list[str]:
        ui = field.first("ui")
        kind = (
            next((one.name for one in ui.nodes() if one.name not in {"extras", "picture"}), "") if ui else ""
        )
        if kind in _WORDLESS:
            return []
        caption = field.first("caption")
        asked = _written("value", saved and saved.first("caption"), caption)
        if caption is not None and not _is_seen(caption, None):
            asked = []
        lists = list((saved or field).nodes("items")) or list(field.nodes("items"))
        self._work(sum(len(one.content) for one in lists))
        if kind == "checkButton":
            on = next((one.text() for items in lists[:1] for one in items.nodes()), _ON)
            return [f"[{'x' if given == [on] else ' '}] {' '.join(asked)}".rstrip()]
        return titled(asked, _as_shown(lists, given))


def _as_shown(lists: list[Node], given: list[str]) -> list[str]:
    """What a list shows for what it holds, where these differ."""
    held = next((one for one in lists if one.said("save") == "1"), None)
    shown = next((one for one in lists if one.said("save") != "1"), None)
    if held is None or shown is None:
        return given
    names = dict(
        zip((one.text() for one in held.nodes()), (one.text() for one in shown.nodes()), strict=False)
    )
    return [names.get(one, one) for one in given]


def _occurs(one: Node, *names: str) -> int:
    """How often a part is there by the first of some names that its template says a number by; else once."""
    occur = one.first("occur")
    said = (occur.said(name) for name in names) if occur is not None else ()
    return next((int(number) for number in said if number.isdecimal() and len(number) < _DIGITS), 1)


def _is_seen(one: Node, saved: Node | None) -> bool:
    return (saved or one).said("presence", one.said("presence")) not in _UNSEEN


def _written(name: str, *nodes: Node | None) -> list[str]:
    """The lines of the first of some elements that has any in an element of a name."""
    for node in nodes:
        value = node.first(name) if node is not None else None
        for one in value.nodes() if value is not None else ():
            if lines := one.lines():
                return lines
    return []
