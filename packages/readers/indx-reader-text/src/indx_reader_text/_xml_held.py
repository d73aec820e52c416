"""Parts of XML whose text is made from all of them: formulas, TeX, and the HTML that feeds carry as text."""

from __future__ import annotations

import html
import re
from typing import Final

from indx_format_html.mathml import Part, linear

__all__ = ["Formula", "feed_text", "not_well_formed", "tex"]

_TEX_BODY: Final = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_TAG: Final = re.compile(r"(</?[a-zA-Z][^<>]*>|<!--[^<>]*-->)")
_NAME: Final = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_REFERENCE: Final = re.compile(r"&#?\w{1,30};")
_IN_WORDS: Final = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr",
))  # fmt: skip
"""Tags that break no line; others do."""
_UNSEEN: Final = frozenset(("script", "style"))


def not_well_formed(error: Exception) -> dict[str, str]:
    """The facts of a document that the parser refuses with `error`."""
    return {"xml": f"shown as written: {error}", "damaged": f"not well-formed: {error}"}


class Formula:
    """A formula in MathML that is being gathered."""

    def __init__(self) -> None:
        """Begin inside of its root."""
        self._open = [Part("math")]

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Meet the start of an element."""
        part = Part(name, attributes=attributes)
        self._open[-1].parts.append(part)
        self._open.append(part)

    def text(self, text: str) -> None:
        """Meet text; what stands beside elements is a part of its own."""
        if text.strip():
            self._open[-1].parts.append(Part("mtext", text))

    def end(self) -> str | None:
        """Meet the end of an element; the formula on one line where that was its root."""
        part = self._open.pop()
        if all(each.name == "mtext" and not each.parts for each in part.parts):
            part.text, part.parts = "".join(each.text for each in part.parts), []
        return None if self._open else linear(part)


def tex(source: str) -> str:
    """A formula in TeX without the document that some files put around each."""
    found = _TEX_BODY.search(source)
    return " ".join((found[1] if found else source).split())


def feed_text(text: str) -> str:
    """What a part of a feed says, without the tags where it is HTML.

    The text alone is wanted, which takes no parser of HTML: one is native code, for a process of its own.
    """
    first, *others = _TAG.split(text)
    if not others:
        return html.unescape(text) if _REFERENCE.search(text) else text
    parts = [" ".join(_words(first))]
    unseen = ""
    for tag, words in zip(others[::2], others[1::2], strict=True):
        named = _NAME.match(tag)
        name = named[1].lower() if named else ""
        if unseen:
            unseen = "" if tag.startswith("</") and name == unseen else unseen
        elif name in _UNSEEN and not tag.startswith("</"):
            unseen = name
        elif named and name not in _IN_WORDS:
            parts.append("\n")
        if not unseen:
            parts.append(" ".join(_words(words)))
    return "".join(parts)


def _words(text: str) -> list[str]:
    """The words of a text; empty ones where it begins or ends with white space."""
    return re.split(r"[ \t\r\n\f]+", html.unescape(text))
