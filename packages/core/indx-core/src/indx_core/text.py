"""Text rules that several rooms must agree on: folding, search terms, cuts between graphemes.

The search tokeniser: text is folded (NFKC, case, Latin, Greek and Cyrillic accents), then words are runs
of letters, digits, marks and underscores. Scripts written without spaces are cut into overlapping pairs
of characters, so that a query finds a word wherever it stands in a run. Punctuation alone is no term.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from typing import Any

__all__ = ["counted", "fold", "fold_for_search", "grapheme_floor", "index_terms", "query_terms"]

# Everything in ASCII that is no word becomes a space: splitting is a third faster than searching.
_ASCII_WORDS = str.maketrans({chr(c): " " for c in range(128) if not (chr(c).isalnum() or chr(c) == "_")})

# Scripts written without spaces between words, and Hangul, whose words carry particles: Thai, Lao,
# Myanmar, Khmer, Hangul Jamo, kana, bopomofo, CJK ideographs and their extensions, Hangul syllables.
_RUNS = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3041-\u30ff"
    "\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f"
    "\uac00-\ud7a3\ud7b0-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_WORDS = re.compile(r"\w+")
# Nearly all texts find their marks here, those of emoji included; to look through all of Unicode takes longer
# than opening a space.
_NEAR = (range(0x300, 0x3100), range(0xFE00, 0xFE30))
_FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
# Letters people type without their stroke or apart, which no Unicode form decomposes.
_STROKED = {
    "ł": "l", "đ": "d", "ø": "o", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"
}  # fmt: skip
# Soft hyphens, spaces without width and word joiners say where a line may break; a word goes on across them.
_UNSEEN = "\u00ad\u200b\u2060\ufeff"
_NOT_LETTERS = "\u30fb\u0e3f\u0e4f\u0e5a\u0e5b"  # middle dot, baht sign, Thai punctuation inside the ranges


def fold(text: str) -> str:
    """Compatibility forms and case made one: NFKC, case folded."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def fold_for_search(text: str) -> str:
    """`fold` without accents and strokes of Latin, Greek and Cyrillic, or unseen signs for breaks of lines.

    Kana keep their voicing.
    """
    if text.isascii():
        return text.lower()
    for sign in _UNSEEN:
        text = text.replace(sign, "")
    apart = unicodedata.normalize("NFKD", text).casefold()
    plain = unicodedata.normalize("NFKC", _accents().sub("", apart))
    return _stroked().sub(lambda found: _STROKED[found.group()], plain)


@cache
def _accents() -> re.Pattern[str]:
    return re.compile("[\u0300-\u036f]+")


@cache
def _stroked() -> re.Pattern[str]:
    return re.compile(f"[{''.join(_STROKED)}]")


@cache
def _marks(*, far: bool) -> str:
    """Combining marks as the inside of a character class; only those of `_NEAR` where not `far`."""
    codes = range(0x300, 0x1F000) if far else chain(*_NEAR)
    return _ranges(c for c in codes if unicodedata.category(chr(c)).startswith("M"))


@lru_cache(maxsize=65_536)
def _is_far_mark(character: str) -> bool:
    """Whether a character is a combining mark of those that few texts hold."""
    code = ord(character)
    return not any(code in near for near in _NEAR) and unicodedata.category(character).startswith("M")


@lru_cache(maxsize=65_536)
def _is_beyond(character: str) -> bool:
    """Whether a character makes words more than runs of letters, digits and underscores."""
    if character < "\u0300":
        return False
    return unicodedata.category(character).startswith("M") or _run().match(character) is not None


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{_RUNS}]")


@cache
def _words(*, far: bool) -> re.Pattern[str]:
    """Group 1: a run of a script without spaces. Group 2: a word, combining marks included."""
    run = f"(?:(?![{_NOT_LETTERS}])[{_RUNS}])+"
    word = f"(?:(?![{_RUNS}])[\\w{_marks(far=far)}])+"
    return re.compile(f"({run})|({word})")


def _ranges(codes: Iterable[int]) -> str:
    """Code points as the inside of a character class."""
    parts: list[list[int]] = []
    for code in codes:
        if parts and code == parts[-1][1] + 1:
            parts[-1][1] = code
        else:
            parts.append([code, code])
    return "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in parts)


def query_terms(text: str) -> list[str]:
    """The terms a query asks for, in order, repeats kept.

    A run of three characters of a script without spaces gives its two pairs; a run of one gives itself.
    """
    return _terms(text, singles=False)


def index_terms(text: str) -> list[str]:
    """The terms a text is found by: those of `query_terms`, and single characters of runs beside pairs.

    The single characters let a query of one ideograph find every text that holds it.
    """
    return _terms(text, singles=True)


def _terms(text: str, *, singles: bool) -> list[str]:
    folded = fold_for_search(text)
    if folded.isascii():
        return folded.translate(_ASCII_WORDS).split()
    characters = set(folded)
    if not any(map(_is_beyond, characters)):  # far cheaper than a search for so large a class
        return _WORDS.findall(folded)
    terms: list[str] = []
    far = any(map(_is_far_mark, characters))
    for run, word in _words(far=far).findall(folded):
        if word:
            terms.append(word)
        elif len(run) == 1:
            terms.append(run)
        else:
            terms += [run[i : i + 2] for i in range(len(run) - 1)]
            if singles:
                terms += run
    return terms


@cache
def _graphemes() -> Any:
    import regex

    return regex.compile(r"\X")


def _stands_alone(character: str) -> bool:
    """Whether a character is of those that never join the one before or after; most of print is.

    Latin letters with their accents, quotation marks and dashes, kana, ideographs.
    """
    return (
        character < "\u0300"
        or "\u2010" <= character <= "\u2027"
        or "\u3041" <= character <= "\u3096"
        or "\u30a1" <= character <= "\u30fa"
        or "\u4e00" <= character <= "\u9fff"
    )


def grapheme_floor(text: str, position: int) -> int:
    """The last grapheme boundary at or before `position`.

    Looks back a bounded way: a cluster of more than 64 characters may be cut.
    """
    if position <= 0 or position >= len(text):
        return max(0, min(position, len(text)))
    before, after = text[position - 1], text[position]
    if _stands_alone(before) and _stands_alone(after) and (before != "\r" or after != "\n"):
        return position
    start = max(0, position - 64)
    if text[start] in _FLAGS:  # flags are pairs, counted from where their row begins
        row = text[max(0, start - 4096) : start]
        start -= (len(row) - len(row.rstrip(_FLAGS))) % 2
    boundary = start
    for match in _graphemes().finditer(text[start : position + 64]):
        if start + match.start() > position:
            break
        boundary = start + match.start()
        if start + match.end() == position:
            return position
    return boundary if boundary > start or start == 0 else position


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A count and what is counted: `1 entry`, `2 entries`; the plural is the noun with an s unless given."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"
