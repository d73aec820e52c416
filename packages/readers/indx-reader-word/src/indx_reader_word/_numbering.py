"""The labels that a document's lists put before their paragraphs: `2.1.3`, `(a)`, `第一条`, a bullet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from indx_format_ooxml.names import W
from indx_format_ooxml.values import whole

if TYPE_CHECKING:
    from indx_format_ooxml._xml import Element

__all__ = ["Numbering"]

_VALUE: Final = W + "val"
_PLACE: Final = re.compile(r"%([1-9])")
_MAX_LEVELS: Final = 9
_MAX_COUNT: Final = 1_000_000_000
_BULLET: Final = "•"
_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_SEQUENCES: Final = {
    "aiueo": "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ",
    "aiueoFullWidth": "アイウエオカキクケコサシスセソタチツテトナニヌネノ"
    "ハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "iroha": "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽ",
    "irohaFullWidth": "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオク"
    "ヤマケフコエテアサキユメミシヱヒモセス",
    "ganada": "가나다라마바사아자차카타파하",
}
_KANJI: Final = "〇一二三四五六七八九"


@dataclass(slots=True)
class _Level:
    start: int = 1
    style: str = "decimal"
    text: str = ""
    legal: bool = False
    paragraph_style: str = ""


@dataclass(slots=True)
class _List:
    levels: dict[int, _Level] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The lists of a document, and how far each has counted."""

    def __init__(self, root: Element | None) -> None:
        """Take the lists of `root`, the part of that name, where there is one."""
        self._lists: dict[str, _List] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        if root is None:
            return
        definitions: dict[str, Element] = {}
        by_style: dict[str, Element] = {}
        for element in root.iterchildren(W + "abstractNum"):
            definitions[element.get(W + "abstractNumId", "")] = element
            if (link := _value(element, "styleLink")) is not None:
                by_style[link] = element
        shared: dict[str, _List] = {}
        for element in root.iterchildren(W + "num"):
            key, definition = element.get(W + "numId", ""), _value(element, "abstractNumId") or ""
            found = definitions.get(definition)
            if found is None:
                continue
            if definition not in shared:
                shared[definition] = _List(_levels(by_style.get(_value(found, "numStyleLink") or "", found)))
            self._lists[key] = self._override(key, element, shared[definition])

    def _override(self, key: str, element: Element, base: _List) -> _List:
        """The list of one `w:num`: that of its definition, which it shares, unless it states own levels."""
        own = base
        for override in element.iterchildren(W + "lvlOverride"):
            depth = whole(override.get(W + "ilvl"), most=_MAX_LEVELS - 1)
            start = _value(override, "startOverride")
            if start is not None:
                self._restarts.setdefault(key, {})[depth] = whole(start, 1)
            for level in override.iterchildren(W + "lvl"):
                if own is base:
                    own = _List(dict(base.levels), base.counts)
                own.levels[depth] = _level(level)
        return own

    def label(self, number: str, depth: int | None, style: str) -> str:
        """Count one paragraph of the list `number` and say its label, with the space after it.

        Args:
            number: The list's ID.
            depth: The level in it; None when the level is the one tied to the paragraph's style.
            style: The ID of the paragraph's style.
        """
        found = self._lists.get(number)
        if found is None:
            return ""
        if depth is None:
            tied = (
                place for place, level in found.levels.items() if style and level.paragraph_style == style
            )
            depth = next(tied, 0)
        depth = min(depth, _MAX_LEVELS - 1)
        level = found.levels.get(depth)
        if level is None:
            return ""
        for place, start in self._restarts.pop(number, {}).items():
            found.counts[place] = start - 1
        found.counts[depth] = found.counts.get(depth, level.start - 1) + 1
        for below in [place for place in found.counts if place > depth]:
            del found.counts[below]
        if level.style == "bullet":
            return f"{_BULLET if len(level.text) != 1 or not _is_sign(level.text) else level.text} "
        label = _PLACE.sub(lambda match: _shown(found, int(match[1]) - 1, level.legal), level.text).strip()
        return f"{label} " if label else ""


def _is_sign(text: str) -> bool:
    """Whether a bullet is a sign of its own; letters and private characters stand for a symbol font's."""
    return not text.isalnum() and not "\ue000" <= text <= "\uf8ff" and not text.isspace()


def _shown(found: _List, depth: int, legal: bool) -> str:
    level = found.levels.get(depth)
    start = 1 if level is None else level.start
    return _spelled(found.counts.get(depth, start), "decimal" if level is None or legal else level.style)


def _spelled(count: int, style: str) -> str:
    count = min(max(count, 0), _MAX_COUNT)
    if style in ("upperRoman", "lowerRoman") and 0 < count < 5000:
        return _roman(count) if style == "lowerRoman" else _roman(count).upper()
    if style in ("upperLetter", "lowerLetter") and 0 < count <= 26 * 100:
        times, place = divmod(count - 1, 26)
        return chr((65 if style == "upperLetter" else 97) + place) * (times + 1)
    if style in _SEQUENCES and count:
        signs = _SEQUENCES[style]
        return signs[(count - 1) % len(signs)]
    if style in ("japaneseCounting", "ideographTraditional", "chineseCounting", "chineseCountingThousand"):
        return _kanji(count) if count < 100 else str(count)
    if style == "decimalZero":
        return f"{count:02d}"
    if style == "decimalFullWidth":
        return str(count).translate({48 + digit: 0xFF10 + digit for digit in range(10)})
    if style == "decimalEnclosedCircle" and 0 < count <= 20:
        return chr(0x2460 + count - 1)
    return "" if style == "none" else str(count)


def _roman(count: int) -> str:
    spelled = ""
    for value, sign in _ROMAN:
        times, count = divmod(count, value)
        spelled += sign * times
    return spelled


def _kanji(count: int) -> str:
    tens, ones = divmod(count, 10)
    if not tens:
        return _KANJI[ones]
    return ("" if tens == 1 else _KANJI[tens]) + "十" + (_KANJI[ones] if ones else "")


def _levels(definition: Element) -> dict[int, _Level]:
    return {
        whole(level.get(W + "ilvl"), most=_MAX_LEVELS - 1): _level(level)
        for level in definition.iterchildren(W + "lvl")
    }


def _level(element: Element) -> _Level:
    return _Level(
        start=whole(_value(element, "start"), 1, most=_MAX_COUNT),
        style=_value(element, "numFmt") or "decimal",
        text=_value(element, "lvlText") or "",
        legal=element.find(W + "isLgl") is not None,
        paragraph_style=_value(element, "pStyle") or "",
    )


def _value(element: Element, name: str) -> str | None:
    found = element.find(W + name)
    return None if found is None else found.get(_VALUE)
