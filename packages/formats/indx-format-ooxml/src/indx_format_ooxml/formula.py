"""Formulas (OMML) on one line: `a^2`, `(a+b)/(c)`, `√(x)`, as people type them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from indx_format_ooxml.names import M

if TYPE_CHECKING:
    from indx_format_ooxml._xml import Element

__all__ = ["linear"]


def linear(element: Element) -> str:
    """The formula in `element`, an `m:oMath` or any part of one."""
    write = _WRITERS.get(element.tag)
    if write is not None:
        return write(element)
    if element.tag == _TEXT:
        return element.text or ""
    return "".join(linear(child) for child in element)


def _part(element: Element, name: str) -> str:
    child = element.find(M + name)
    return "" if child is None else linear(child).strip()


def _bracketed(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _value(element: Element, properties: str, name: str, default: str) -> str:
    holder = element.find(M + properties)
    found = None if holder is None else holder.find(M + name)
    return default if found is None else found.get(M + "val", "")


def _fraction(element: Element) -> str:
    return f"{_bracketed(_part(element, 'num'))}/{_bracketed(_part(element, 'den'))}"


def _scripts(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    text = _part(element, "e")
    return text + (f"_{_bracketed(below)}" if below else "") + (f"^{_bracketed(above)}" if above else "")


def _sum(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    sign = _value(element, "naryPr", "chr", "∫")
    limits = (f"_{_bracketed(below)}" if below else "") + (f"^{_bracketed(above)}" if above else "")
    return f"{sign}{limits} {_part(element, 'e')}"


def _root(element: Element) -> str:
    return f"{_part(element, 'deg')}√{_bracketed(_part(element, 'e'))}"


def _delimited(element: Element) -> str:
    inner = _value(element, "dPr", "sepChr", "|").join(
        linear(child).strip() for child in element.iterchildren(M + "e")
    )
    return f"{_value(element, 'dPr', 'begChr', '(')}{inner}{_value(element, 'dPr', 'endChr', ')')}"


def _limit(element: Element) -> str:
    return f"{_part(element, 'e')}_{_bracketed(_part(element, 'lim'))}"


def _matrix(element: Element) -> str:
    rows = (
        " & ".join(linear(cell).strip() for cell in row.iterchildren(M + "e"))
        for row in element.iterchildren(M + "mr")
    )
    return f"[{'; '.join(rows)}]"


def _function(element: Element) -> str:
    return f"{_part(element, 'fName')} {_part(element, 'e')}"


_TEXT: Final = M + "t"
_WRITERS: Final[dict[str, Callable[[Element], str]]] = {
    M + "f": _fraction,
    M + "sSup": _scripts,
    M + "sSub": _scripts,
    M + "sSubSup": _scripts,
    M + "sPre": _scripts,
    M + "nary": _sum,
    M + "rad": _root,
    M + "d": _delimited,
    M + "limLow": _limit,
    M + "limUpp": _limit,
    M + "m": _matrix,
    M + "func": _function,
}
