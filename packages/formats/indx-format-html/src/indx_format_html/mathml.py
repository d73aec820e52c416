"""MathML on one line, as people type formulas: `(a+b)/2`, `x^2`, `∑_(i=1)^n i`, `√x`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

__all__ = ["MAX_DEPTH", "Part", "linear"]

MAX_DEPTH: Final = 100
"""Parts inside parts; what is nested deeper is read as the signs it has."""

_ABOVE: Final = dict(
    zip("¯‾^ˆ~˜→⃗˙¨", "\u0305\u0305\u0302\u0302\u0303\u0303\u20d7\u20d7\u0307\u0308", strict=True)
)
_UNSEEN: Final = dict.fromkeys(range(0x2061, 0x2065))
_BIG: Final = frozenset("∑∏∐∫∬∭∮⋂⋃⨁⨂")
_BARS: Final = frozenset("|‖∣∥")
_BINDING: Final = frozenset("√∛∜([{⟨⌊⌈∂∇∞^_") | _BIG
_OPERATORS: Final = frozenset("/¦+-−±∓×⋅·*=<>≤≥≠,;:(")
_GONE: Final = frozenset(("annotation", "annotation-xml", "mphantom"))


@dataclass(slots=True)
class Part:
    """An element of MathML.

    Attributes:
        name: Its name without a prefix, in lower case.
        text: Its own text, where it holds signs.
        attributes: Its attributes.
        parts: The elements in it.
    """

    name: str
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)


def linear(part: Part) -> str:
    """The formula in `part`, a `math` or any part of one, without what it does not show."""
    return _linear(part, 0).strip()


def _linear(part: Part, depth: int) -> str:
    if part.name in _GONE:
        return ""
    if not part.parts:
        return " ".join(part.text.translate(_UNSEEN).split())
    if depth >= MAX_DEPTH:
        return _signs(part)
    write = _WRITERS.get(part.name)
    if write is not None:
        return write(part, [_linear(each, depth + 1) for each in part.parts if each.name not in _GONE])
    if part.name in ("semantics", "maction"):
        return _linear(part.parts[0], depth + 1)
    return _row(part, depth + 1)


def _signs(part: Part) -> str:
    """The signs of a part in their order, however deep they are."""
    texts: list[str] = []
    waiting = [part]
    while waiting:
        one = waiting.pop()
        if one.name not in _GONE:
            texts.append(one.text.strip())
            waiting += reversed(one.parts)
    return "".join(texts)


def _row(part: Part, depth: int) -> str:
    """What stands side by side; names of functions and words stay words."""
    written = last = ""
    worded = named = False
    texts = [_linear(each, depth) for each in part.parts]
    bars = sum(map(_is_bar, texts)) % 2  # one that has no mate opens nothing, as in P(A|B)
    for each, text in zip(part.parts, texts, strict=True):
        word = each.name in ("mi", "mtext") and len(text) > 1
        bar = _is_bar(text)
        opens = text[:1] in _BARS and not (bar and bars % 2)
        bars += bar
        joined = bool(text and written) and written[-1].isalnum() and text[0].isalnum()
        binds = opens or text[:1].isalnum() or text[:1] in _BINDING
        if (
            (joined and (worded or word or _misread(last, text)))
            or (binds and (named or _divided(last)))
            or (opens and (worded or "^" in last[1:] or "_" in last[1:]))
        ):
            written += " "
        written += text
        if text:
            last = text
            scripted = each.name in _SCRIPTED
            named = scripted and len(text) > 1 and text[:2].isalpha() and text[:2].islower()
            worded = word
            if scripted and text[0] in _BIG:
                written += " "
    return written.strip()


def _is_bar(text: str) -> bool:
    """Whether a text is one bar, with or without what is raised or lowered behind it."""
    return text[:1] in _BARS and text[1:2] in ("", "^", "_")


def _misread(left: str, right: str) -> bool:
    """Whether what stands side by side would be something else without a space: 2 and 1/2, x^2 and y."""
    digits = left[-1:].isdigit() and right[0].isdigit() and not (left.isalnum() and right.isalnum())
    return digits or "/" in left or "^" in left[1:]  # ^14 before a sign is of that sign


def _divided(left: str) -> bool:
    """Whether what stands right of a text would become part of what is below the bar of a fraction."""
    depth = 0
    undivided = left[-1:] in _OPERATORS or not ("/" in left or "¦" in left)
    for sign in "" if undivided else left:
        depth += (sign in "([{⟨⌊⌈") - (sign in ")]}⟩⌋⌉")
        if sign in "/¦" and not depth:
            return True
    return False


def _bracketed(text: str) -> str:
    """`text` in brackets, unless it is one thing by itself."""
    text = text.strip()
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _at(texts: list[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""


def _scripts(base: str, below: str, above: str) -> str:
    base = base.strip()
    return base + (f"_{_bracketed(below)}" if below else "") + (f"^{_bracketed(above)}" if above else "")


def _fraction(part: Part, texts: list[str]) -> str:
    if len(texts) < 2:
        return "".join(texts)
    bar = part.attributes.get("linethickness", "1").strip()[:1] != "0"
    return f"{_bracketed(_at(texts, 0))}/{_bracketed(_at(texts, 1))}" if bar else "¦".join(texts)


def _over(_part: Part, texts: list[str]) -> str:
    base, above = _at(texts, 0), _at(texts, 1)
    if above in _ABOVE and base:
        return (base if len(base) == 1 else f"({base})") + _ABOVE[above]
    return _scripts(base, "", above)


def _root(_part: Part, texts: list[str]) -> str:
    return f"{_at(texts, 1)}√{_bracketed(_at(texts, 0))}"


def _fenced(part: Part, texts: list[str]) -> str:
    signs = "".join(part.attributes.get("separators", ",").split())
    inner = _at(texts, 0)
    for place, text in enumerate(texts[1:]):
        inner += (signs[min(place, len(signs) - 1)] if signs else "") + text
    return f"{part.attributes.get('open', '(')}{inner}{part.attributes.get('close', ')')}"


def _both_sides(part: Part, texts: list[str]) -> str:
    """Scripts behind a base, and before it: pairs of one below and one above."""
    before: list[str] = []
    behind: list[str] = []
    side = behind
    shown = [each for each in part.parts if each.name not in _GONE]
    for each, text in list(zip(shown, texts, strict=True))[1:]:
        if each.name == "mprescripts":
            side = before
        else:
            side.append(text)

    def written(side: list[str]) -> str:
        return "".join(_scripts("", side[at], _at(side, at + 1)) for at in range(0, len(side), 2))

    return written(before) + _at(texts, 0) + written(behind)


_SCRIPTED: Final = frozenset(("msub", "msup", "msubsup", "munder", "mover", "munderover"))
_WRITERS: Final[dict[str, Callable[[Part, list[str]], str]]] = {
    "mfrac": _fraction,
    "msup": lambda _, texts: _scripts(_at(texts, 0), "", _at(texts, 1)),
    "msub": lambda _, texts: _scripts(_at(texts, 0), _at(texts, 1), ""),
    "munder": lambda _, texts: _scripts(_at(texts, 0), _at(texts, 1), ""),
    "msubsup": lambda _, texts: _scripts(_at(texts, 0), _at(texts, 1), _at(texts, 2)),
    "munderover": lambda _, texts: _scripts(_at(texts, 0), _at(texts, 1), _at(texts, 2)),
    "mover": _over,
    "msqrt": lambda _, texts: f"√{_bracketed(''.join(texts))}",
    "mroot": _root,
    "mfenced": _fenced,
    "mmultiscripts": _both_sides,
    "mtable": lambda _, texts: f"[{'; '.join(texts)}]",
    "mtr": lambda _, texts: " & ".join(texts),
    "mlabeledtr": lambda _, texts: " & ".join(texts[1:]) + f" {_at(texts, 0)}",
}
