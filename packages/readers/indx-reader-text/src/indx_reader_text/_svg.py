"""SVG: the text that a drawing shows, and the titles and descriptions of its parts."""

from __future__ import annotations

import re
from typing import Final
from xml.parsers import expat

from indx_core.canonical import clean_text
from indx_core.ports import RoleSpan
from indx_reader_text._marks import Marks, joined
from indx_reader_text._xml_held import not_well_formed

__all__ = ["read_svg"]

_LINES: Final = frozenset((
    "text", "title", "desc", "p", "div", "li", "textArea", "flowPara", "flowRoot", "h1", "h2", "h3",
    "td", "th",
))  # fmt: skip
"""Elements whose text is a line of its own."""
_ASIDE: Final = frozenset(("title", "desc"))
_SKIPPED: Final = frozenset(("style", "script", "metadata"))
_UNSHOWN: Final = frozenset(("defs", "symbol", "clipPath", "mask", "marker", "pattern"))
"""Elements that show nothing where they stand."""
_HIDDEN: Final = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


class _AsWrittenError(Exception):
    """The drawing declares entities, which are not resolved."""


class _Drawing:
    """Collects lines while the drawing is parsed."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, bool, bool]] = []  # the text, whether it is a description, whether hidden
        self._open: list[tuple[str, bool]] = []
        self._text: list[list[str]] = []
        self._height = ""  # where the line being written stands

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        hidden = bool(self._open and self._open[-1][1]) or (
            local in _UNSHOWN
            or attributes.get("display") == "none"
            or attributes.get("visibility") == "hidden"
            or _HIDDEN.search(attributes.get("style", "")) is not None
        )
        self._open.append((local, hidden))
        if local in _LINES:
            self._text.append([""])
            self._height = attributes.get("y", "")
        elif self._text and (local == "br" or (local == "tspan" and self._is_lower(attributes))):
            self._text[-1].append("")

    def _is_lower(self, attributes: dict[str, str]) -> bool:
        """Whether a stretch of text stands on a line of its own."""
        height, before = attributes.get("y", self._height), self._height
        self._height = height
        return height != before or any(sign in "123456789" for sign in attributes.get("dy", ""))

    def end(self, _name: str) -> None:
        local, hidden = self._open.pop()
        if local in _LINES:
            lines = [" ".join(line.split()) for line in self._text.pop()]
            text = joined([line for line in lines if line])
            if text:
                self.lines.append((clean_text(text), local in _ASIDE, hidden))

    def text(self, text: str) -> None:
        if self._text and not any(local in _SKIPPED for local, _ in self._open[-3:]):
            self._text[-1][-1] += text

    def declared(self, *_facts: object) -> None:
        raise _AsWrittenError("it declares entities, which are not resolved")


def read_svg(source: str) -> Marks:
    """The text of a drawing, a line an element; the source as written where it cannot be parsed."""
    drawing = _Drawing()
    parser = expat.ParserCreate(encoding="utf-8")
    parser.specified_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = drawing.start
    parser.EndElementHandler = drawing.end
    parser.CharacterDataHandler = drawing.text
    parser.EntityDeclHandler = drawing.declared
    try:
        parser.Parse(source.encode("utf-8"), True)
    except expat.ExpatError as error:
        return Marks(source, metadata=not_well_formed(error))
    except _AsWrittenError as reason:
        return Marks(source, metadata={"xml": f"shown as written: {reason}"})
    marks = Marks("\n".join(text for text, _, _ in drawing.lines))
    position = 0
    for text, aside, hidden in drawing.lines:
        end = position + len(text)
        if aside:
            marks.roles.append(RoleSpan(position, end, "caption"))
        if hidden:
            marks.hidden.append((position, end))
        position = end + 1
    return marks
