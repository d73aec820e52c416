"""Strings of workbooks: shared and inline, rich or plain, and the phonetic guides that stand beside them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_format_office import TextWriter
from indx_format_office.names import S
from indx_format_office.symbols import is_known, set_in
from indx_format_office.values import whole

if TYPE_CHECKING:
    from indx_format_office import Package
    from indx_format_office._xml import Element

__all__ = ["Strings", "own_length", "readings", "rich_text", "shared_strings", "unescaped"]

Readings = tuple[tuple[str, str], ...]
_TEXT, _RUN, _GUIDE = S + "t", S + "r", S + "rPh"
_SAID, _SET_AT, _FONT = S + "rPr", S + "vertAlign", S + "rFont"
_LONGEST_WORD: Final = 400
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")


def unescaped(text: str) -> str:
    """`text` with what XML cannot hold put back (`_x000D_` and the like), each line ended by a line feed."""
    if "_x" in text:
        text = clean_text(_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text))
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def rich_text(item: Element) -> str:
    """The text of a string item, its runs joined."""
    if len(item) == 1 and item[0].tag == _TEXT:
        return unescaped(item[0].text or "")
    writer = TextWriter()
    for child in item:
        if child.tag == _TEXT:
            writer.write(child.text or "")
        elif child.tag == _RUN:
            text = child.findtext(_TEXT) or ""
            said = child.find(_SAID)
            set_at, font = (None, None) if said is None else (said.find(_SET_AT), said.find(_FONT))
            if font is not None and is_known(font.get("val", "")):
                text = set_in(font.get("val", ""), unescaped(text))
            raised = set_at is not None and set_at.get("val") == "superscript"
            (writer.write_raised if raised else writer.write)(text)
    return unescaped(writer.text())


def own_length(item: Element) -> int:
    """How many characters at the head of a rich string item are in the font of the cell."""
    length = 0
    for child in item:
        if child.tag == _RUN and child.find(f"{_SAID}/{_FONT}") is not None:
            break
        length += len(unescaped((child.text if child.tag == _TEXT else child.findtext(_TEXT)) or ""))
    return length


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
        own: Of those that are rich, how many characters at their head are in the font of the cell.
    """

    texts: list[str] = field(default_factory=list)
    readings: dict[int, Readings] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)


def shared_strings(package: Package) -> Strings:
    """The strings that cells of the workbook name by number.

    Raises:
        SourceError: Their part is damaged.
    """
    strings = Strings()
    for relation in package.related(package.main, "sharedStrings")[:1]:
        for item in package.iterate(relation.part or "", S + "si"):
            strings.texts.append(rich_text(item))
            if len(item) and item[0].tag != _TEXT:
                strings.own[len(strings.texts) - 1] = own_length(item)
            if len(item) > 1 and (found := readings(item, strings.texts[-1])):
                strings.readings[len(strings.texts) - 1] = found
    return strings
