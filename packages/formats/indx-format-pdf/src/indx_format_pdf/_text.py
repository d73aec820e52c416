"""The text of a page as PDFium gives it, cut into lines and cleaned.

PDFium numbers characters in UTF-16 units. Lines keep that numbering, so that places can be asked for, while
their text is cleaned: what maps to no character is one U+FFFD, ligatures are letters, soft hyphens are gone.
"""

from __future__ import annotations

import ctypes
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from indx_format_pdf._accents import has_accents, put_on
from indx_format_pdf._calibri import LETTERS, has_misnamed, named
from indx_format_pdf._fonts import FAMILIES
from indx_format_pdf._leftwards import JOINT, put_right, runs_leftwards
from indx_format_pdf._letterspaced import false_spaces, may_be_spaced
from indx_format_pdf._numbered import Numbered
from indx_format_pdf._pdfium import bytes_of, fast, pdfium, place_of, pointer
from indx_format_pdf._spacing import gaps_in

__all__ = ["Lines", "PageText", "clean"]

_HYPHEN: Final = 2  # what PDFium calls a hyphen at a line's end; its text shows U+FFFE there
_BREAK: Final = "\ufffe"
_UNFIT: Final = re.compile("[\0-\x08\x0a-\x1f\x7f-\x9f\ufffd-\uffff]+")
_CONTROL: Final = re.compile("[\0-\x08\x0a-\x1f]")
_DROPPED: Final = str.maketrans(dict.fromkeys("\xad\ufeff\u200b"))
_SPACES: Final = re.compile("[\u2028\u2029]")
_LIGATURE_FORMS: Final = "\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"
_LIGATURES: Final = LETTERS | str.maketrans(
    dict(zip(_LIGATURE_FORMS, ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
)
_BLANK: Final = " \t\xa0\u3000\xad\ufeff\u200b"
_NO_GAP: Final = 0.05  # of a letter's height; a space of a tight line is more
_KERN: Final = 0.2  # the same before a `j`, which TeX sets apart from an `a`, by a third of a narrow space
_LOW: Final = 0.2  # of a font's size above the base line: every letter is there
_RINGED: Final = {"c": "©", "C": "©", "R": "®", "r": "®", "P": "℗", "p": "℗"}
_STRAY: Final = re.compile(r"f[fil]{1,2}( )(?=[a-z])")
_HANGING: Final = re.compile(r" j[a-z]")


def clean(units: str) -> str:
    """Text fit to be shown: surrogates paired, ligatures spelled out, invisible characters dropped."""
    if not units.isascii():
        units = units.translate(_DROPPED).translate(_LIGATURES)
        units = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        units = _SPACES.sub(" ", units)
    return _UNFIT.sub("\ufffd", units)


@dataclass(slots=True)
class Lines:
    """Lines as columns: texts, and where their characters stand in PDFium's numbering.

    Attributes:
        texts: What each says, without white space around it.
        starts: The first character of each.
        lengths: How many characters each has.
        broken: Lines that end within a word, where a hyphen stood.
    """

    texts: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    broken: set[int] = field(default_factory=set)


class PageText:
    """The text of one page.

    Args:
        handle: The open text page.
        ghostscript: Whether Ghostscript wrote it, which spaces some words as letters.
    """

    __slots__ = ("gaps", "ghostscript", "handle", "numbered", "odd", "place", "size", "units", "unmapped")

    def __init__(self, handle: object, *, ghostscript: bool = False) -> None:
        """Ask for all of it at once."""
        self.handle = handle
        self.ghostscript = ghostscript
        self.gaps: Sequence[int] = ()
        self.place = place_of(handle)
        self.unmapped = 0
        self.odd = False
        self.size = max(0, pdfium.FPDFText_CountChars(handle))
        room = array("H", bytes(2 * self.size + 2))  # a ctypes array of each size would be a type of its own
        written = fast.text(self.place, 0, self.size, pointer(room.buffer_info()[0])) if self.size else 0
        raw = room[: max(0, written - 1)].tobytes()
        self.units = raw.decode("utf-16-le", "surrogatepass")
        if 2 * len(self.units) != len(raw):  # pairs of surrogates: two units each
            self.units = "".join(map(chr, memoryview(raw).cast("H")))
        # Some characters stand in no text; then the numbering has to be asked for.
        self.numbered = len(self.units) == self.size

    def letters(self) -> int:
        """How many characters there are, not counting white space."""
        return len("".join(self.units.split()))

    def character(self, unit: int) -> int:
        """The number of the character at a place in the text."""
        if self.numbered:
            return unit
        found: int = fast.char_index(self.place, unit)
        return max(0, found)

    def unit(self, character: int) -> int:
        """Where a character stands in the text, the other way round."""
        if self.numbered:
            return character
        found: int = pdfium.FPDFText_GetTextIndexFromCharIndex(self.handle, character)
        return max(0, found)

    def shown(self, first: int, last: int) -> str:
        """The text from one place to another, with the spaces that PDFium left out."""
        if not self.gaps:
            return self.units[first:last]
        cuts = self.gaps[bisect_right(self.gaps, first) : bisect_left(self.gaps, last)]
        return " ".join(self.units[one:other] for one, other in pairwise((first, *cuts, last)))

    def lines(self) -> Lines:
        """The page's lines in PDFium's order, blank ones left out."""
        if self.ghostscript and self.numbered:
            self.gaps = gaps_in(self.units, self.place, self._extent)
        self.units = self.units.replace("\t", " ")  # what some fonts call their space; it would part cells
        self.units = self.units.replace(JOINT, "\xad")  # of the document's own, which joins nothing
        if misnamed := has_misnamed(self.units):
            self.units = named(self.units)
        self._close_words()
        if has_accents(self.units):
            self.units = put_on(self.units, self.box, self._under)
        if runs_leftwards(self.units):
            self.units = put_right(self.units, self.box)
        flat = self.units.replace("\r\n", " ")
        if _BREAK in flat:
            flat = flat.replace(_BREAK, " " if self._only_hyphens() else "\0")
        self.odd = not flat.isprintable()
        if self.odd:
            numbered = Numbered(self.units, self.place, self.character)
            spelled = numbered.spelled()
            if spelled != self.units:
                self.units = put_on(spelled, self.box, self._under) if has_accents(spelled) else spelled
            self._mark_unmapped(numbered)
            flat = self.units
        self.odd = self.odd or misnamed or any(map(flat.__contains__, _LIGATURE_FORMS))
        lines = self._cut()
        if self.odd:
            lines.texts = [clean(text).strip() or "\ufffd" for text in lines.texts]
        if not self.numbered:
            self._renumber(lines)
        return lines

    def _cut(self) -> Lines:
        texts: list[str] = []
        starts: list[int] = []
        lengths: list[int] = []
        broken: set[int] = set()
        position = 0
        for row in self.units.split("\r\n"):
            parts = row.split(_BREAK) if _BREAK in row else (row,)
            for number, part in enumerate(parts, start=1):
                whole = self.shown(position, position + len(part)) if self.gaps else part
                text = whole.strip(_BLANK)
                if text:
                    texts.append(text)
                    starts.append(position)
                    lengths.append(len(part))
                    if number < len(parts):
                        broken.add(len(texts) - 1)
                position += len(part) + 1
            position += 1
        return Lines(texts, starts, lengths, broken)

    def _only_hyphens(self) -> bool:
        """Whether every break sign stands for a hyphen; it also stands for a glyph mapped to nothing."""
        return all(self._is_hyphen(match.start()) for match in re.finditer(_BREAK, self.units))

    def _renumber(self, lines: Lines) -> None:
        for index, (start, length) in enumerate(zip(lines.starts, lines.lengths, strict=True)):
            first = self.character(start)
            lines.starts[index] = first
            lines.lengths[index] = self.character(start + length - 1) - first + 1

    def _mark_unmapped(self, numbered: Numbered) -> None:
        """Put one U+FFFD for each run of glyphs that map to no character, soft hyphens for the rest of it.

        A glyph code without a mapping comes through as if it were a character. Where such a run holds a
        control character, none of it is text, unless its font holds words.
        """
        units = list(self.units)
        done = 0
        for match in _UNFIT.finditer(self.units.replace("\r\n", "  ")):
            first, last = max(done, match.start()), match.end()
            while first < last and units[first] == _BREAK and self._is_hyphen(first):
                first += 1
            if first >= last:
                continue
            if sign := self._ringed(first):
                units[first], units[last] = sign, "\xad"
                done = last + 1
                continue
            if _CONTROL.search(self.units, first, last):
                first, last = self._run_around(first, last, done, numbered)
            done = last
            if units[first] == "\xad":
                continue
            if all(units[at].isspace() and not numbered.is_numbered(at) for at in range(first, last)):
                units[first:last] = " " * (last - first)  # a line break within a text operation
                continue
            self.unmapped += sum(not units[at].isspace() or units[at] < " " for at in range(first, last))
            units[first:last] = self._shown(first, last)
        self.units = "".join(units)

    def _shown(self, first: int, last: int) -> str:
        """What to put for a run of glyphs without a character, as long as the run."""
        if last - first == 1 and self.units[first] == _BREAK and self._is_ligature(first):
            return "\ufb04" if self.units[last] in "aeouy" else "\ufb03"
        return "\ufffd" + "\xad" * (last - first - 1)

    def _is_ligature(self, unit: int) -> bool:
        """Whether a glyph mapped to nothing is one of three letters, which fonts of some typesetters lack.

        No other glyph within a word is wider than high, and higher than the vowel before it.
        """
        if not 0 < unit < len(self.units) - 1:
            return False
        if self.units[unit - 1] not in "aeiouAEIOU" or not self.units[unit + 1].islower():
            return False
        left, bottom, right, top = self.box(unit)
        _, low, _, high = self.box(unit - 1)
        height, before = top - bottom, high - low
        taller = height > (0.9 if self.units[unit - 1] == "i" else 1.2) * before > 0
        wide = right - left > 0.95 * height and abs(bottom - low) < 0.35 * height
        return taller and wide and self._has_outline(unit)

    def _ringed(self, unit: int) -> str | None:
        """The sign that a glyph mapped to nothing is together with the letter it is drawn around, if any."""
        sign = _RINGED.get(self.units[unit + 1 : unit + 2])
        if sign is None:
            return None
        left, bottom, right, top = self.box(unit)
        x0, y0, x1, y1 = self.box(unit + 1)
        return sign if left < x0 < x1 < right and bottom < y0 < y1 < top else None

    def _has_outline(self, unit: int) -> bool:
        """Whether a glyph is drawn as its font has it, and not as one that stands in for the font."""
        text = fast.text_object(self.place, self.character(unit))
        font = pdfium.FPDFTextObj_GetFont(ctypes.cast(text, pdfium.FPDF_PAGEOBJECT)) if text else None
        if not font:
            return False
        name = bytes_of(pdfium.FPDFFont_GetBaseFontName, font).rstrip(b"\0").decode("latin-1")
        return name in FAMILIES or pdfium.FPDFFont_GetIsEmbedded(font) == 1

    def _is_hyphen(self, unit: int) -> bool:
        return bool(fast.char_unicode(self.place, self.character(unit)) == _HYPHEN)

    def _run_around(self, first: int, last: int, since: int, numbered: Numbered) -> tuple[int, int]:
        """The characters from `since` on without a mapping next to `[first, last)`, within its line."""

        def unknown(unit: int) -> bool:
            if self.units[unit : unit + 2] == "\r\n" or self.units[max(0, unit - 1) : unit + 1] == "\r\n":
                return False
            return numbered.is_numbered(unit) and not numbered.holds_words(unit)

        while first > since and unknown(first - 1):
            first -= 1
        while last < len(self.units) and unknown(last):
            last += 1
        return first, last

    def _close_words(self) -> None:
        """Drop spaces that no gap on the page stands for: after a ligature, before a `j`, within words."""
        spaces = (match.start(1) for match in _STRAY.finditer(self.units))
        stray = [at for at in spaces if self._touching(at, _NO_GAP)]
        before_j = map(re.Match.start, _HANGING.finditer(self.units))
        hanging = (at for at in before_j if at and self.units[at - 1].islower() and self._is_added(at))
        stray += [at for at in hanging if self._touching(at, _KERN)]
        if may_be_spaced(self.units):
            stray += false_spaces(self.units, self._extent)
        if stray:
            units = list(self.units)
            for at in stray:
                units[at] = "\xad"
            self.units = "".join(units)

    def _is_added(self, space: int) -> bool:
        """Whether a space is none of the document but PDFium's own, which has no width."""
        left, _, right, _ = self._extent(space)
        return left == right

    def _touching(self, space: int, most: float) -> bool:
        """Whether the characters beside a space stand as close as within a word, by a letter's height."""
        _, low, _, high = self.box(space - 1)
        # Where it begins, not where its ink does: a j hangs back under the letter before.
        return abs(self._origin(space + 1)[0] - self._extent(space - 1)[2]) < most * (high - low)

    def _under(self, unit: int) -> int | None:
        """The place of the character that stands where another does, a little above its base line."""
        left, _, right, _ = self.box(unit)
        y = self._origin(unit)[1] + _LOW * fast.font_size(self.place, self.character(unit))
        found = pdfium.FPDFText_GetCharIndexAtPos(self.handle, (left + right) / 2, y, 0, 0)
        return self.unit(found) if found >= 0 else None

    def _origin(self, unit: int) -> tuple[float, float]:
        """Where a character begins on its base line."""
        x, y = ctypes.c_double(), ctypes.c_double()
        fast.char_origin(self.place, self.character(unit), ctypes.byref(x), ctypes.byref(y))
        return (x.value, y.value)

    def _extent(self, unit: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of a character by its ink and advance, and the height of its font."""
        values = (ctypes.c_float * 4)()
        fast.loose_box(self.place, self.character(unit), ctypes.byref(values))
        left, top, right, bottom = values
        return (left, bottom, right, top)

    def box(self, unit: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of a character, in the page's own coordinates."""
        values = (ctypes.c_double * 4)()
        left, bottom, right, top = (ctypes.byref(values, 8 * side) for side in range(4))
        fast.char_box(self.place, self.character(unit), left, right, bottom, top)
        return (values[0], values[1], values[2], values[3])
