"""Which elements a page's own style sheets do not show, or show as blocks.

Read are the rules for elements by name, class and ID, alone or together (`p.note#x`), as they hold on a
screen. Rules that depend on where an element stands or on its state are passed over, and so are those for
the page as a whole: a script takes them away once the page is loaded. Where it depends on the window whether
a rule holds, it can show an element and cannot hide one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

__all__ = ["Display", "Styles", "displayed", "reduced"]

Display: TypeAlias = Literal["none", "block", "flex", "inline", "inline-flex"]
Weight: TypeAlias = tuple[bool, int, int, int, int]
"""What decides between two rules: important, IDs, classes, names, place."""

MAX_CHARACTERS: Final = 2_000_000
MAX_RULES_PER_NAME: Final = 100

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_STRING: Final = re.compile(r"""("(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?)""", re.DOTALL)
"""One that nothing closes ends with its line, as in a browser."""
_PIECE: Final = re.compile(r"[^{}]*(?:[{}]|\Z)")
_SCREEN: Final = re.compile(r"@media\s+(?:only\s+)?(?:all|screen)\s*", re.IGNORECASE)
_DEPENDING: Final = re.compile(
    r"@(?:container|layer|supports|media(?!\s+(?:only\s+)?print\b))\b", re.IGNORECASE
)
_SELECTOR: Final = re.compile(r"(?P<tag>[a-zA-Z][a-zA-Z0-9-]*)?(?P<names>(?:[.#](?:[\w-]|\\[^\n])+)*)")
_NAME: Final = re.compile(r"[.#](?:[\w-]|\\[^\n])+")
_ESCAPE: Final = re.compile(r"\\(.)")
_DECLARATION: Final = re.compile(
    r"(?:^|;)\s*(?P<property>display|visibility)\s*:\s*(?P<value>[a-zA-Z-]++)[a-zA-Z\s-]*+"
    r"(?P<important>!\s*important\s*)?(?=;|\Z)",
    re.IGNORECASE,
)
_WHOLE: Final = frozenset(("html", "body", "main"))
_HIDING: Final = frozenset(("none", "hidden", "collapse"))
_BLOCKS: Final = frozenset(("block", "list-item", "table", "flow-root"))
_FLEXES: Final = frozenset(("flex", "grid", "inline-flex", "inline-grid"))


@dataclass(frozen=True, slots=True)
class _Rule:
    tag: str
    classes: frozenset[str]
    id: str
    property: str
    value: str
    weight: Weight


def displayed(style: str) -> Mapping[str, tuple[str, bool]]:
    """What declarations say of display and visibility: the last word of each and whether it is important."""
    said: dict[str, tuple[str, bool]] = {}
    for found in _DECLARATION.finditer(style):
        name, important = found["property"].lower(), found["important"] is not None
        if important or not said.get(name, ("", False))[1]:
            said[name] = (found["value"].lower(), important)
    return said


def reduced(sheet: str) -> str:
    """`sheet` with nothing but its rules that show or hide, for one that many pages share."""
    kept: list[str] = []
    for selectors, body, surely in _rules(sheet[:MAX_CHARACTERS]):
        if displayed(body):
            rule = f"{selectors}{{{body}}}"
            kept.append(rule if surely else f"@supports x{{{rule}}}")
    return "".join(kept)


@dataclass(slots=True)
class Styles:
    """The rules of all style sheets of a page that show or hide."""

    rules: dict[str, list[_Rule]] = field(default_factory=dict)

    @classmethod
    def of(cls, sheets: Iterable[str]) -> Styles:
        """Read `sheets` in their order."""
        styles = cls()
        place = room = 0
        for sheet in sheets:
            room += len(sheet)
            if room > MAX_CHARACTERS:
                break
            for selectors, body, surely in _rules(sheet):
                said = displayed(body)
                if not surely:
                    said = {name: one for name, one in said.items() if one[0] not in _HIDING}
                if said:
                    place += 1
                    styles._add(selectors, said, place)
        return styles

    def _add(self, selectors: str, said: Mapping[str, tuple[str, bool]], place: int) -> None:
        for selector in selectors.split(","):
            found = _SELECTOR.fullmatch(selector.strip())
            if found is None or not found[0] or (tag := (found["tag"] or "").lower()) in _WHOLE:
                continue
            names = [_ESCAPE.sub(r"\1", name) for name in _NAME.findall(found["names"])]
            ids = [name[1:] for name in names if name[0] == "#"]
            classes = frozenset(name[1:] for name in names if name[0] == ".")
            if len(ids) > 1:
                continue
            known = self.rules.setdefault(names[-1] if names else tag, [])
            if len(known) >= MAX_RULES_PER_NAME:
                continue
            for name, (value, important) in said.items():
                weight = (important, len(ids), len(classes), bool(tag), place)
                known.append(_Rule(tag, classes, "".join(ids), name, value, weight))

    def concern(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Whether a rule could be for an element."""
        return bool(self.rules) and ("class" in attributes or "id" in attributes or tag in self.rules)

    def display(self, tag: str, attributes: Mapping[str, str | None]) -> Display | None:
        """How an element is shown by the rules and by its own `style`; None where nothing says so."""
        said: dict[str, tuple[Weight, str]] = {}
        if self.rules:
            classes = dict.fromkeys((attributes.get("class") or "").split())
            own = attributes.get("id") or ""
            for name in (tag, f"#{own}", *(f".{one}" for one in classes)):
                for rule in self.rules.get(name, ()):
                    if rule.tag in ("", tag) and rule.classes <= classes.keys() and rule.id in ("", own):
                        said[rule.property] = max(
                            said.get(rule.property, (rule.weight, rule.value)), (rule.weight, rule.value)
                        )
        for name, (value, important) in displayed(attributes.get("style") or "").items():
            if important or name not in said or not said[name][0][0]:
                said[name] = ((important, 0, 0, 0, 0), value)
        if any(value in _HIDING for _, value in said.values()):
            return "none"
        display = said["display"][1] if "display" in said else ""
        if display in _FLEXES:
            return "inline-flex" if display.startswith("inline") else "flex"
        return ("block" if display in _BLOCKS else "inline") if display else None


def _rules(sheet: str) -> Iterator[tuple[str, str, bool]]:
    """The rules of a sheet: what they are for, what they say, and whether they hold on every screen."""
    around: list[bool | None] = []  # whether what is in each open block holds; None: it depends
    prelude = ""
    for piece in _PIECE.findall(_STRING.sub('""', _COMMENT.sub("", sheet))):
        text, end = piece[:-1].strip(), piece[-1:]
        if end == "{":
            head = text.rpartition(";")[2].strip()
            prelude = "" if head.startswith("@") else head
            holds = around[-1] if around else True
            if holds is not False and head.startswith("@") and not _SCREEN.fullmatch(head):
                holds = None if _DEPENDING.match(head) else False
            around.append(holds)
        elif end == "}" and around:
            if prelude and around[-1] is not False:
                yield prelude, text, around[-1] is True
            prelude = ""
            around.pop()
