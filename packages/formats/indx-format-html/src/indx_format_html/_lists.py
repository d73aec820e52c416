"""The marks of list items: bullets, numbers, letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from indx_format_html._tags import SKIPPED

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["ListMarks", "is_task"]

_NUMBER = re.compile(r"\s*([+-]?\d{1,9})")
_SEEN = re.compile(r"[^\s\xad\u200b-\u200f\u2060-\u2064\ufeff]")
"""A letter or sign that has a width."""
_LOOKED_AT = 30
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


def is_task(
    node: LexborNode,
    attributes: Mapping[str, str | None],
    hides: Callable[[str, dict[str, str | None]], bool],
) -> bool:
    """Whether an input is the box that an item of a list of tasks begins with; `hides`: what is hidden."""
    if (attributes.get("type") or "").lower() != "checkbox" or "hidden" in attributes:
        return False
    for _ in range(3):  # a label may stand in a paragraph
        holder = node.parent
        if holder is None or holder.tag not in ("li", "label", "p") or not _begins(node, hides):
            return False
        if holder.tag == "li":
            return True
        node = holder
    return False


def _begins(node: LexborNode, hides: Callable[[str, dict[str, str | None]], bool]) -> bool:
    """Whether nothing that is seen stands before a node in what holds it."""
    waiting = [node.prev]
    for _ in range(_LOOKED_AT):
        if not waiting:
            break
        before = waiting.pop()
        if before is None:
            continue
        waiting.append(before.prev)
        if before.is_text_node:
            if _SEEN.search(before.text_content or ""):
                return False
        elif before.is_element_node:
            tag, attributes = before.tag or "", before.attributes
            if tag in SKIPPED or hides(tag, attributes):
                continue
            if _is_seen(tag, attributes):
                return False
            waiting.append(before.last_child)
    return not any(waiting)


def _is_seen(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether an element is seen even where it has no text."""
    if tag == "input":
        return (attributes.get("type") or "").lower() != "hidden"
    return tag in ("select", "textarea") or (tag == "img" and bool((attributes.get("alt") or "").strip()))


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
