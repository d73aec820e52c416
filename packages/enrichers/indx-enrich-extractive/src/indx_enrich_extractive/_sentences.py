"""The sentences of a text, in English and Japanese, Markdown included.

Code, comments, headings and rows of tables are no prose. A long line whose next line begins
nothing new, and any line whose next begins in lower case or that ends in a particle, is a wrapped one and is
rejoined with it. A sentence ends at a terminator; what ends without one
(a heading, a field of a form, a short list item) is no sentence.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

__all__ = ["leading_lines", "prose", "sentences"]

CJK: Final = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
MIN_LETTERS: Final = 20  # a sentence of letters is longer; one of kana and ideographs is longer than a third

_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"\n[ \t>]*(?:`{3}|~{3})[^\n]*")
_NO_PROSE_LINE: Final = re.compile(
    r"^[ \t>]*(?:\#{1,6}[ \t]|\||<|!\[|\[!\[|!!!|:::|[=\-*_]{3,}[ \t]*$).*|^(?:[ ]{4}|\t).*|^.*\t.*",
    re.MULTILINE,
)
_LINE_GOES_ON: Final = re.compile(
    r"""
    \n (?: (?<= [^\s.!?:;。！？]\n ) [ \t>]* (?=[a-z])
         | (?<= [^\n]{29} \S \n ) [ \t>]* (?= [^\s\#|<>*+•・\-] ) (?! \d{1,3}[.)]\s ) )
    """,
    re.VERBOSE,
)
_MARK: Final = re.compile(r"(?:[>*+•・◆■○●\-]|\d{1,3}[.)]|\[[ xX]\])[ \t\u3000]+")
_END: Final = re.compile(
    r"""
    [\n.!?…。！？]  # a class stands first, because that is what the engine can skip to
    (?: (?<=\n) | (?<!\n) [.!?…。！？]* ["'”’)\]*_」』）]*
                  (?: (?<= [。！？」』）] ) | (?= [ \t]*(?:\n|\Z) | [ \t]+[^\sa-z] ) ) )
    """,
    re.VERBOSE,
)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|Fig|Eq|Sec|Vol|pp?|vs|cf|approx|e\.g|i\.e|etc)$"
)


# Classes of ideographs take longer to compile than a page takes to summarise, and few pages need them.
@cache
def _has_cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


@cache
def _cjk_line_goes_on() -> re.Pattern[str]:
    return re.compile(
        rf"""
        \n (?: (?<= [、，はがをにでとのもへや]\n ) | (?<= [^\n]{{15}}[{CJK}、，]\n ) )
        [ \t\u3000]* (?= [{CJK}「『（] ) (?!・)
        """,
        re.VERBOSE,
    )


def prose(text: str) -> str:
    """`text` without code, comments and front matter."""
    if text.startswith("---"):
        text = _FRONT_MATTER.sub("", text)
    if "<!--" in text:
        text = _COMMENT.sub("", text)
    return "\n".join(_FENCE.split("\n" + text)[::2])  # every second part stands between two fences


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, each as it stands there, wrapped lines rejoined."""
    lines = _rejoined(_NO_PROSE_LINE.sub("", prose(text)))
    found: list[str] = []
    start = 0
    for end in _END.finditer(lines):
        if end.group() == "\n":
            start = end.end()
        elif not _abbreviates(lines, end.start()):
            sentence = lines[start : end.end()].strip()
            start = end.end()
            while mark := _MARK.match(sentence):
                sentence = sentence[mark.end() :]
            if _long_enough(sentence):
                found.append(sentence)
    return found


def _rejoined(lines: str) -> str:
    if not lines.isascii() and _has_cjk().search(lines):
        lines = _cjk_line_goes_on().sub("", lines)
    return _LINE_GOES_ON.sub(" ", lines)


def _abbreviates(text: str, place: int) -> bool:
    """Whether the terminator at `place` is the full stop of a known abbreviation."""
    return text[place] == "." and _ABBREVIATION.search(text, max(0, place - 8), place) is not None


def _long_enough(sentence: str) -> bool:
    if len(sentence) > MIN_LETTERS:
        return True
    short = len(sentence) * 3 <= MIN_LETTERS or sentence.isascii()
    return not short and _has_cjk().search(sentence) is not None


def leading_lines(text: str, count: int) -> str:
    """The first `count` lines of `text` that hold something, heading marks left out."""
    lines = (line.strip().lstrip("#").strip() for line in (prose(text).strip() or text).split("\n"))
    kept: list[str] = []
    for line in lines:
        if line:
            kept.append(line)
            if len(kept) == count:
                break
    return "\n".join(kept)
