"""Formulas (OMML) on one line: `a^2`, `(a+b)/(c)`, `√(x)`, as people type them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from indx_format_office.names import M, W

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["Made", "bracketed", "linear", "parted"]


class Made(str):
    """What is arranged, unlike signs that stay as they were typed."""

    __slots__ = ()


def linear(element: Element) -> str:
    """The formula in `element`, an `m:oMath` or any part of one."""
    write = _WRITERS.get(element.tag)
    if write is not None:
        return Made(write(element))
    if element.tag == _TEXT:
        return element.text or ""
    if element.tag in _GONE or (element.tag == _RUN and element.find(_DELETED) is not None):
        return ""
    return _row(element)


def _row(element: Element) -> str:
    """What stands side by side; runs, which end anywhere, are put together as they were typed."""
    written: list[str] = []
    left = last = ""
    made = limited = False
    for child in element:
        text = linear(child)
        if not text:
            continue
        made = made or isinstance(text, Made)
        before = left if isinstance(left, Made) else left[-1:]
        arranged = isinstance(left, Made) or isinstance(text, Made)
        named = child.tag == _FUNCTION and left[-1:].isalnum()  # its name is a word
        worded = len(last) > 1 and last.isalpha() and _opens_bars(text)
        if named or worded or (limited and _binds(text)) or (arranged and parted(before, text)):
            written.append(" ")
        written.append(text)
        left, last, limited = text, (last + text)[-2:], child.tag in _LIMITS
    joined = "".join(written)
    return Made(joined) if made else joined


def parted(left: str, right: str) -> bool:
    """Whether two texts would be read as something else without a space: 2 and 1/2, x^2 and y, 1/2 and √x."""
    raised = "^" in left[1:]  # ^14 before a sign is of that sign
    digits = left[-1:].isdigit() and right[:1].isdigit()
    if digits or (raised and left[-1:].isalnum() and right[:1].isalnum()):
        return True
    if _opens_bars(right) and ("^" in left[1:] or "_" in left[1:]):
        return True
    return _binds(right) and _ends_divided(left)


def _binds(text: str) -> bool:
    """Whether a text would belong to what stands directly before it."""
    return text[:1].isalnum() or text[:1] in _BINDING or _opens_bars(text)


def _opens_bars(text: str) -> bool:
    """Whether a text begins with a bar that is no sign by itself, as in |x|."""
    return text[:1] in _BARS and isinstance(text, Made)


def _ends_divided(text: str) -> bool:
    """Whether what is written behind a text would become part of what is below the bar of a fraction."""
    depth = 0
    undivided = text[-1:] in _OPERATORS or not ("/" in text or "¦" in text)
    for sign in "" if undivided else text:
        depth += (sign in "([{⟨⌊⌈") - (sign in ")]}⟩⌋⌉")
        if sign in "/¦" and not depth:
            return True
    return False


def _part(element: Element, name: str) -> str:
    child = element.find(M + name)
    return "" if child is None else linear(child).strip()


def bracketed(text: str) -> str:
    """`text` in brackets, unless it is one thing by itself."""
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _value(element: Element, properties: str, name: str, default: str) -> str:
    holder = element.find(M + properties)
    found = None if holder is None else holder.find(M + name)
    return default if found is None else found.get(M + "val", "")


def _fraction(element: Element) -> str:
    if _value(element, "fPr", "type", "bar") == "noBar":
        return f"{_part(element, 'num')}¦{_part(element, 'den')}"
    return f"{bracketed(_part(element, 'num'))}/{bracketed(_part(element, 'den'))}"


def _scripts(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    text = _part(element, "e")
    return text + (f"_{bracketed(below)}" if below else "") + (f"^{bracketed(above)}" if above else "")


def _scripts_before(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    before = (f"_{bracketed(below)}" if below else "") + (f"^{bracketed(above)}" if above else "")
    return before + _part(element, "e")


def _sum(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    sign = _value(element, "naryPr", "chr", "∫")
    limits = (f"_{bracketed(below)}" if below else "") + (f"^{bracketed(above)}" if above else "")
    return f"{sign}{limits} {_part(element, 'e')}"


def _root(element: Element) -> str:
    return f"{_part(element, 'deg')}√{bracketed(_part(element, 'e'))}"


def _delimited(element: Element) -> str:
    inner = _value(element, "dPr", "sepChr", "|").join(
        linear(child).strip() for child in element.iterchildren(M + "e")
    )
    return f"{_value(element, 'dPr', 'begChr', '(')}{inner}{_value(element, 'dPr', 'endChr', ')')}"


def _limit(element: Element) -> str:
    sign = "^" if element.tag == _ABOVE else "_"
    return f"{_part(element, 'e')}{sign}{bracketed(_part(element, 'lim'))}"


def _accent(element: Element) -> str:
    text = _part(element, "e")
    mark = _value(element, "accPr", "chr", "\u0302") if element.tag == _ACCENT else "\u0305"
    return (text if len(text) == 1 else f"({text})") + mark if text else ""


def _lines(element: Element) -> str:
    return "; ".join(linear(line).strip() for line in element.iterchildren(M + "e"))


def _matrix(element: Element) -> str:
    rows = (
        " & ".join(linear(cell).strip() for cell in row.iterchildren(M + "e"))
        for row in element.iterchildren(M + "mr")
    )
    return f"[{'; '.join(rows)}]"


def _function(element: Element) -> str:
    return f"{_part(element, 'fName')} {_part(element, 'e')}"


_TEXT, _RUN, _ABOVE, _ACCENT, _FUNCTION = M + "t", M + "r", M + "limUpp", M + "acc", M + "func"
_LIMITS: Final = frozenset((M + "limLow", _ABOVE))
_BARS: Final = frozenset("|‖∣∥")
_BINDING: Final = frozenset("√∛∜([{⟨⌊⌈∂∇∞∑∏∐∫∬∭∮⋂⋃⨁⨂^_")
_OPERATORS: Final = frozenset("/¦+-−±∓×⋅·*=<>≤≥≠,;:(")
_GONE: Final = frozenset((W + "del", W + "moveFrom"))
_DELETED: Final = f"{W}rPr/{W}del"
_WRITERS: Final[dict[str, Callable[[Element], str]]] = {
    M + "f": _fraction,
    M + "sSup": _scripts,
    M + "sSub": _scripts,
    M + "sSubSup": _scripts,
    M + "sPre": _scripts_before,
    M + "nary": _sum,
    M + "rad": _root,
    M + "d": _delimited,
    M + "limLow": _limit,
    M + "limUpp": _limit,
    M + "m": _matrix,
    M + "acc": _accent,
    M + "bar": _accent,
    M + "eqArr": _lines,
    _FUNCTION: _function,
}
