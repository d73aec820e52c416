"""What was filled in to a form that draws itself, and what was saved of it: by the names of its elements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from indx_format_pdf._xfa_tree import Node

__all__ = ["Kept", "Named", "values_of"]

_STEP: Final = re.compile(r"([^\[\]]+)(?:\[(\d{1,6}|\*)\])?")
_MOST: Final = 1_000_000  # elements that expressions name, all together
_BEGINNINGS: Final = ("xfa.datasets.data", "$data", "$record", "$")


def values_of(data: Node) -> list[str]:
    """The lines that a field holds, or what was chosen in a list of several."""
    chosen = list(data.nodes("value"))
    return [one.text() for one in chosen] if chosen else data.lines()


class _Children:
    """Elements by a name, each of which is given out once.

    Args:
        named: Whether they say their name, as those of the state do; in data `name` is a word as any other.
    """

    def __init__(self, *, named: bool) -> None:
        self._named = named
        self._found: dict[int, dict[tuple[str, str], list[Node]]] = {}
        self._given: dict[tuple[int, str, str], int] = {}

    def named(self, node: Node | None, name: str, said: str = "") -> Sequence[Node]:
        """All of a name in an element; `said` is what they say their name is."""
        if node is None:
            return ()
        known = self._found.get(id(node))
        if known is None:
            known = self._found[id(node)] = {}
            for one in node.nodes():
                known.setdefault((one.name, one.said("name") if self._named else ""), []).append(one)
        return known.get((name, said), ())

    def take(self, node: Node | None, name: str, said: str = "", *, all_left: bool = False) -> Sequence[Node]:
        """The next of them, or all that are left."""
        if node is None:
            return ()
        found, key = self.named(node, name, said), (id(node), name, said)
        first = self._given.get(key, 0)
        last = len(found) if all_left else min(first + 1, len(found))
        self._given[key] = last
        return found[first:last]


class Kept:
    """What was saved of a form."""

    def __init__(self) -> None:
        """Nothing of it was given out."""
        self._children = _Children(named=True)

    def next(self, state: Node | None, one: Node) -> Node | None:
        """What was saved of the next field, text or group of a name."""
        return next(iter(self._children.take(state, one.name, one.said("name"))), None)

    def all(self, state: Node | None, subform: Node) -> Sequence[Node] | None:
        """What was saved of each instance of a subform; None where it is not told how many there are."""
        name = subform.said("name")
        alone = len(self._children.named(subform.parent, "subform", name)) == 1
        saved = self._children.take(state, "subform", name, all_left=alone)
        if saved or (name and self._children.named(state, "instanceManager", f"_{name}")):
            return saved
        return None


class Named:
    """What was filled in.

    Args:
        data: All of it.
    """

    def __init__(self, data: Node | None) -> None:
        """Nothing of it was given out."""
        self._data = data
        self._record: Node | None = None
        self._left = _MOST
        self._children = _Children(named=False)
        self._shared: dict[str, Node] = {}

    def record(self, name: str) -> Node | None:
        """The data of the whole form: that of its name, else the first."""
        if self._data is not None:
            self._record = next((one for one in self._data.nodes(name)), next(self._data.nodes(), None))
        return self._record

    def field(self, field: Node, data: Node | None) -> Node | None:
        """What a field holds: the next of its name where it stands, or further out.

        Of those that say so (`global`), the others of a name hold what the first does.
        """
        bind, name = _binding(field), field.said("name")
        if bind.get("match") == "none" or not name:
            return None
        if bind.get("match") == "dataRef":
            return next(iter(self._at(bind.get("ref", ""), data)), None)
        shares = bind.get("match") == "global"
        while data is not None:
            if found := self._children.take(data, name):
                return self._shared.setdefault(name, found[0]) if shares else found[0]
            data = data.parent if data is not self._record else None
        return self._shared.get(name) if shares else None

    def groups(self, subform: Node, data: Node | None) -> Sequence[Node | None]:
        """The data of each instance of a subform; that around it where it has none of its own."""
        bind, name, occur = _binding(subform), subform.said("name"), subform.first("occur")
        if bind.get("match") == "none" or not name:
            return [data]
        repeats = occur is not None and occur.said("max", "1") != "1"
        if bind.get("match") == "dataRef":
            return self._at(bind.get("ref", ""), data)[: None if repeats else 1]
        return self._children.take(data, name, all_left=repeats)

    def _at(self, ref: str, data: Node | None) -> Sequence[Node]:
        """The elements that an expression names, where it is a path."""
        start = next((one for one in _BEGINNINGS if ref == one or ref.startswith(f"{one}.")), "")
        node = {"": data, "$": data, "$record": self._record}.get(start, self._data)
        found = [node] if node is not None else []
        for step in filter(None, ref.removeprefix(start).split(".")):
            match = _STEP.fullmatch(step)
            if match is None:
                return []
            name, number = match.groups(default="0")
            same = [self._children.named(one, name) for one in found]
            found = [
                one
                for nodes in same
                for one in (nodes if number == "*" else nodes[int(number) : int(number) + 1])
            ]
            self._left -= len(found)
            if self._left < 0:
                raise OverflowError
        return found


def _binding(one: Node) -> Mapping[str, str]:
    bind = one.first("bind")
    return bind.attributes if bind is not None else {}
