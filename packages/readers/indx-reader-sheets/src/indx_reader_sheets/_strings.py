"""Strings of workbooks: shared and inline, rich or plain, and the phonetic guides that stand beside them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_format_office import TextWriter
from indx_format_office.names import S
from indx_format_office.symbols import set_in
from indx_format_office.values import whole

if TYPE_CHECKING:
    from indx_format_office import Package
    from indx_format_office._xml import Element

__all__ = ["Strings", "readings", "rich_text", "shared_strings", "unescaped"]

Readings = tuple[tuple[str, str], ...]
_TEXT, _RUN, _GUIDE = S + "t", S + "r", S + "rPh"
_SAID, _SET_AT, _FONT = S + "rPr", S + "vertAlign", S + "rFont"
_LONGEST_WORD: Final = 400
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")


def unescaped(text: str) -> str:
    """`text` with what XML cannot hold put back (`_x000D_` and the like), each line ended by a line feed."""
    if "_x" in text:
        text = _put_back(text)
    return _with_line_feeds(text) if "\r" in text else text


def _put_back(text: str) -> str:
    return clean_text(_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text))


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def rich_text(item: Element, around: str = "") -> str:
    """The text of a string item, its runs joined; `around` is the font of its cell if a symbol font."""
    if len(item) == 1 and item[0].tag == _TEXT:
        text = unescaped(item[0].text or "")
        return set_in(around, text) if around else text
    writer = TextWriter()
    for child in item:
        font, raised = around, False
        if child.tag == _TEXT:
            text = child.text or ""
        elif child.tag == _RUN:
            text = child.findtext(_TEXT) or ""
            for said in child.iterchildren(_SAID):
                set_at, named = said.find(_SET_AT), said.find(_FONT)
                raised = set_at is not None and set_at.get("val") == "superscript"
                font = around if named is None else named.get("val", "")
        else:
            continue
        if "_x" in text:
            text = _put_back(text)
        (writer.write_raised if raised else writer.write)(set_in(font, text) if font else text)
    return _with_line_feeds(writer.text())


def readings(item: Element, text: str) -> Readings:
    """The words of a string item, whose text is `text`, and how its phonetic guides have them read."""
    found = []
    # Guides count units of UTF-16, as the programs do that write them.
    guides = list(item.iterchildren(_GUIDE))
    units = text.encode("utf-16-le", "replace") if guides else b""
    for guide in guides:
        start, end = (2 * whole(guide.get(side), -1, least=-1) for side in ("sb", "eb"))
        if not 0 <= start < end:
            start, end = 0, len(units)
        if end - start <= _LONGEST_WORD:
            base = units[start:end].decode("utf-16-le", "replace")
            found.append((base, unescaped(guide.findtext(_TEXT) or "")))
    return tuple(found)


@dataclass(slots=True)
class Strings:
    """The strings that cells name by number.

    Attributes:
        texts: What they say.
        readings: Of those that have any, words and how they are read.
        set_in: What those that are rich say in a cell of a symbol font, by their number and the font.
    """

    texts: list[str] = field(default_factory=list)
    readings: dict[int, Readings] = field(default_factory=dict)
    set_in: dict[tuple[int, str], str] = field(default_factory=dict)


def shared_strings(package: Package, symbols: Collection[str]) -> Strings:
    """The strings that cells of the workbook name by number; of some the font is in `symbols`.

    Raises:
        SourceError: Their part is damaged.
    """
    strings = Strings()
    for relation in package.related(package.main, "sharedStrings")[:1]:
        for item in package.iterate(relation.part or "", S + "si"):
            strings.texts.append(rich_text(item))
            if symbols and item.find(_RUN) is not None:
                for font in symbols:
                    strings.set_in[len(strings.texts) - 1, font] = rich_text(item, font)
            if len(item) > 1 and (found := readings(item, strings.texts[-1])):
                strings.readings[len(strings.texts) - 1] = found
    return strings
