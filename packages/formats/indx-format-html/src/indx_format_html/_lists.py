"""The marks of list items: bullets, numbers, letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["ListMarks", "is_task"]

_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")
_UNSEEN = frozenset(("-text", "-comment", "a", "span"))
"""What is not seen where it has no text: anchors, and what scripts fill."""
_LOOKED_AT = 10
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


class ListMarks:
    """One open list; gives each of its items the mark it begins with."""

    def __init__(self, tag: str, attributes: Mapping[str, str | None], depth: int, count: int = 0) -> None:
        """Begin a list inside `depth` others; one that counts down begins with the `count` of its items."""
        self._indent = "  " * depth
        self._ordered = tag == "ol"
        self._style = attributes.get("type") or "1"
        self._step = -1 if "reversed" in attributes else 1
        self._next = _integer(attributes.get("start"), count or 1)

    def mark(self, attributes: Mapping[str, str | None]) -> str:
        """The mark of the next item."""
        if not self._ordered:
            return self._indent + "- "
        number = _integer(attributes.get("value"), self._next)
        self._next = number + self._step
        return f"{self._indent}{_label(number, self._style)}. "


def is_task(node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
    """Whether an input is the box that an item of a list of tasks begins with."""
    if (attributes.get("type") or "").lower() != "checkbox" or "hidden" in attributes:
        return False
    holder = node.parent
    if holder is not None and holder.tag in ("label", "p"):
        if not _begins(node):
            return False
        node, holder = holder, holder.parent
    return holder is not None and holder.tag == "li" and _begins(node)


def _begins(node: LexborNode) -> bool:
    """Whether nothing that is seen stands before a node in what holds it."""
    before = node.prev
    for _ in range(_LOOKED_AT):
        if before is None or not _is_unseen(before):
            break
        before = before.prev
    return before is None


def _is_unseen(node: LexborNode) -> bool:
    if node.tag == "input":
        return (node.attributes.get("type") or "").lower() == "hidden"
    return node.tag in _UNSEEN and not node.text(deep=True).strip()


def _integer(text: str | None, default: int) -> int:
    found = _NUMBER.match(text or "")
    return int(found[1]) if found else default


def _label(number: int, style: str) -> str:
    if style in ("a", "A") and number > 0:
        letters = ""
        while number:
            number, letter = divmod(number - 1, 26)
            letters = chr(ord(style) + letter) + letters
        return letters
    if style in ("i", "I") and 0 < number < 4000:
        roman = ""
        for value, letters in _ROMAN:
            count, number = divmod(number, value)
            roman += letters * count
        return roman if style == "i" else roman.upper()
    return str(number)
