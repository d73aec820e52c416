"""Strings of workbooks: shared and inline, rich or plain, without the phonetic guides beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indx_core.canonical import clean_text
from indx_format_ooxml.names import S

if TYPE_CHECKING:
    from indx_format_ooxml import Package
    from indx_format_ooxml._xml import Element

__all__ = ["rich_text", "shared_strings", "unescaped"]

_TEXT, _RUN = S + "t", S + "r"
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
    parts = []
    for child in item:
        if child.tag == _TEXT:
            parts.append(child.text or "")
        elif child.tag == _RUN:
            parts.append(child.findtext(_TEXT) or "")
    return unescaped("".join(parts))


def shared_strings(package: Package) -> list[str]:
    """The strings that cells of the workbook name by number.

    Raises:
        SourceError: Their part is damaged.
    """
    for relation in package.related(package.main, "sharedStrings"):
        return [rich_text(item) for item in package.iterate(relation.part or "", S + "si")]
    return []
