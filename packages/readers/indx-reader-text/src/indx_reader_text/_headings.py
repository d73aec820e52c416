"""Headings of lightweight markup other than Markdown: reStructuredText, AsciiDoc, LaTeX, Org."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from indx_core.ports import Heading
from indx_reader_text._marks import Marks

__all__ = ["READERS"]

_RST: Final = re.compile(
    r"(?m)^(?:(?P<over>([=\-`:.'\"~^_*+#<>])\2{2,})[ \t]*\n)?[ \t]*(?P<title>\S[^\n]*)\n"
    r"(?P<under>([=\-`:.'\"~^_*+#<>])\5{2,})[ \t]*$"
)
_ASCIIDOC: Final = re.compile(
    r"(?m)^(?:(?P<marks>={1,6})[ \t]+(?P<title>\S[^\n]*)|(?P<fence>-{4,}|\.{4,}|/{4,})[ \t]*$)"
)
_LATEX: Final = re.compile(
    r"(?m)^[^%\n]{0,200}?\\(?P<marks>part|chapter|section|subsection|subsubsection|paragraph)\*?"
    r"(?:\[[^\]\n]{0,300}\])?\{(?P<title>[^{}\n]{0,300}(?:\{[^{}\n]{0,300}\}[^{}\n]{0,300}){0,9})\}"
)
_ORG: Final = re.compile(r"(?m)^(?P<marks>\*{1,9})[ \t]+(?P<title>[^\n]+)")
_LATEX_LEVELS: Final = {
    name: level
    for level, name in enumerate(
        ("part", "chapter", "section", "subsection", "subsubsection", "paragraph"), start=1
    )
}


def _marked(pattern: re.Pattern[str], level: Callable[[str], int]) -> Callable[[str], Marks]:
    """A reader of headings that a mark begins; lines between two equal fences are none."""

    def read(source: str) -> Marks:
        headings = []
        fence = None
        for found in pattern.finditer(source):
            facts = found.groupdict()
            if facts.get("fence"):
                fence = None if fence == facts["fence"] else fence or facts["fence"]
            elif fence is None and (title := facts["title"].strip()):
                start = source.index(title, found.start("title"))
                headings.append(Heading(start, start + len(title), level(facts["marks"])))
        return Marks(source, headings=headings)

    return read


def _restructured(source: str) -> Marks:
    """Levels are counted in the order in which the styles of lines first appear."""
    styles: list[tuple[str, bool]] = []
    headings = []
    for found in _RST.finditer(source):
        title = found["title"].rstrip()
        over, under = found["over"], found["under"]
        if len(under) < len(title) or (over and over != under) or not title.strip("=-`:.'\"~^_*+#<> "):
            continue
        style = (under[0], bool(over))
        if style not in styles:
            styles.append(style)
        start = found.start("title")
        headings.append(Heading(start, start + len(title), styles.index(style) + 1))
    return Marks(source, headings=headings)


READERS: Final[dict[str, Callable[[str], Marks]]] = {
    "text/x-rst": _restructured,
    "text/asciidoc": _marked(_ASCIIDOC, len),
    "text/x-tex": _marked(_LATEX, _LATEX_LEVELS.__getitem__),
    "text/x-org": _marked(_ORG, len),
}
"""How a text of each media type is marked."""
