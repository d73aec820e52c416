"""Parts of XML whose text is made from all of them: formulas, TeX, and the HTML that feeds carry as text."""

from __future__ import annotations

import re
from typing import Final

from indx_format_html import read_html
from indx_format_html.mathml import Part, linear

__all__ = ["Formula", "feed_text", "tex"]

_TEX_BODY: Final = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_HTML: Final = re.compile(r"</?[a-zA-Z][^<>]*>|&#?\w{1,30};")


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
    """What a part of a feed says, which is HTML where it has tags or references."""
    return read_html(text, with_title=False).text if _HTML.search(text) else text
