"""The labels that lists put before their paragraphs: `2.1.3`, `(a)`, `第一条`, a bullet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

__all__ = ["MAX_COUNT", "MAX_LEVELS", "Counted", "Level", "indented", "spelled"]

_PLACE: Final = re.compile(r"%([1-9])")
MAX_LEVELS: Final = 9
MAX_COUNT: Final = 1_000_000_000
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
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "hindiVowels": "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
    "hindiConsonants": "अआइईउऊऋऌऍऎएऐऑऒओऔ",
}
_ZEROS: Final = {"decimalFullWidth": "０", "thaiNumbers": "๐", "hindiNumbers": "०"}
_KANJI: Final = "〇一二三四五六七八九"


@dataclass(slots=True)
class Level:
    """How one level of a list is labelled.

    Attributes:
        start: Where it counts from.
        style: How numbers are written, by the names of Office Open XML.
        text: The label, in which `%1` stands for the number of the first level.
        legal: Whether the numbers of all levels are written as decimals.
        paragraph_style: The style of paragraphs that it is tied to.
    """

    start: int = 1
    style: str = "decimal"
    text: str = ""
    legal: bool = False
    paragraph_style: str = ""


@dataclass(slots=True)
class Counted:
    """A list, and how far it has counted.

    Attributes:
        levels: Its levels, from 0.
        counts: The number that each level has reached.
    """

    levels: dict[int, Level] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)

    def label(self, depth: int) -> str:
        """Count one paragraph of the level `depth` and say its label, with the space after it."""
        depth = min(depth, MAX_LEVELS - 1)
        level = self.levels.get(depth)
        if level is None:
            return ""
        self.counts[depth] = self.counts.get(depth, level.start - 1) + 1
        for below in [place for place in self.counts if place > depth]:
            del self.counts[below]
        if level.style == "bullet":
            if level.text.isspace():
                return ""  # what goes on under an item is set in by a bullet that shows nothing
            return f"{_BULLET if len(level.text) != 1 or not _is_sign(level.text) else level.text} "
        label = _PLACE.sub(lambda match: _shown(self, int(match[1]) - 1, level.legal), level.text).strip()
        return f"{label} " if label else ""


def indented(label: str, depth: int) -> str:
    """`label` set in by its level, counted from 0; no label stays none."""
    return "  " * depth + label if label else ""


def _is_sign(text: str) -> bool:
    """Whether a bullet is a sign of its own; letters and private characters stand for a symbol font's."""
    return not text.isalnum() and not "\ue000" <= text <= "\uf8ff" and not text.isspace()


def _shown(found: Counted, depth: int, legal: bool) -> str:
    level = found.levels.get(depth)
    start = 1 if level is None else level.start
    return spelled(found.counts.get(depth, start), "decimal" if level is None or legal else level.style)


def spelled(count: int, style: str) -> str:
    """A number as a style of lists writes it."""
    count = min(max(count, 0), MAX_COUNT)
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
    if style == "chicago" and 0 < count <= 100:
        return "*†‡§"[(count - 1) % 4] * ((count + 3) // 4)
    if style == "decimalZero":
        return f"{count:02d}"
    if style in _ZEROS:
        return str(count).translate({48 + digit: ord(_ZEROS[style]) + digit for digit in range(10)})
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
