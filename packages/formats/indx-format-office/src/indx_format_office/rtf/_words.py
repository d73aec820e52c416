"""What the words of Rich Text stand for: destinations that are read, kept or passed over, and signs."""

from __future__ import annotations

from typing import Final

from indx_core.ports import Role

__all__ = [
    "BOXES", "CAPTURED", "FACTS", "INNER", "LABELS", "MARGINS", "NOTES", "SAYING", "SIGNS", "SKIPPED",
    "TRANSPARENT", "WORDS",
]  # fmt: skip

NOTES: Final[dict[bytes, Role]] = {b"footnote": "footnote", b"annotation": "comment"}
MARGINS: Final[dict[bytes, Role]] = {
    **{b"header" + one: "header" for one in (b"", b"l", b"r", b"f")},
    **{b"footer" + one: "footer" for one in (b"", b"l", b"r", b"f")},
}
BOXES: Final = frozenset((b"shptxt", b"dptxbxtext"))
FACTS: Final = {
    b"title": "title", b"author": "author", b"subject": "subject", b"keywords": "keywords",
    b"doccomm": "description", b"category": "category",
}  # fmt: skip
SAYING: Final[dict[str, Role]] = {"wzDescription": "caption", "gtextUNICODE": "text_box"}
"""Of the properties of a shape those that are words: what it shows, and its letters where they are drawn."""
LABELS: Final = frozenset((b"listtext", b"pntext"))
INNER: Final = b"fldinst fldinst"
"""The instruction of a field in that of another, which no word begins."""
CAPTURED: Final = frozenset((*FACTS, *LABELS, b"fldinst", INNER, b"sn", b"sv"))
TRANSPARENT: Final = frozenset((
    b"shppict", b"shpinst", b"sp", b"picprop", b"ud", b"fldinst", b"annotation", b"do", b"sn", b"sv",
    b"nesttableprops", b"moMathPara", b"cs",
))  # fmt: skip
"""Destinations that older programs pass over, and whose text is wanted here."""
SKIPPED: Final = frozenset((
    b"colortbl", b"nonshppict", b"bkmkstart", b"bkmkend", b"revtbl", b"listtable", b"pn",
    b"listoverridetable", b"rsidtbl", b"generator", b"xe", b"tc", b"atnid", b"atnauthor", b"atntime",
    b"atndate", b"atnref", b"atrfstart", b"atrfend", b"nonesttables", b"filetbl", b"themedata", b"ftnsep",
    b"ftnsepc", b"aftnsep", b"aftnsepc", b"ftncn", b"aftncn", b"objclass", b"objname", b"template",
    b"comment", b"operator", b"company", b"manager", b"hlinkbase", b"userprops", b"upr", b"shprslt",
    b"mmathPict", b"moMathParaPr",
))  # fmt: skip
WORDS: Final = {
    b"tab": "\t", b"emdash": "—", b"endash": "–", b"emspace": "\u2003", b"enspace": "\u2002", b"lquote": "‘",
    b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"bullet": "•", b"zwj": "\u200d", b"zwnj": "\u200c",
    b"qmspace": "\u2005", b"line": "\n", b"softline": "\n", b"page": "\n", b"column": "\n",
}  # fmt: skip
SIGNS: Final = {b"~": "\u00a0", b"_": "\u2011", b"{": "{", b"}": "}", b"\\": "\\", b"\t": "\t"}
