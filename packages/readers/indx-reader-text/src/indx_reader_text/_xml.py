"""XML: the text of its elements, a block a line. Nothing is fetched and no entity is ever resolved."""

from __future__ import annotations

import html
from typing import Final
from xml.parsers import expat

from indx_core.canonical import clean_text
from indx_reader_text._marks import Marks

__all__ = ["read_xml"]

_LEAST_SHARE: Final = 20  # less text than one part in so many: the facts stand in the attributes
_SMALL: Final = 1000  # characters by which a small file may fall short of that


class _AsWrittenError(Exception):
    """The document is better shown as it is written."""


class _Collector:
    """Gathers text. A break between two elements shows only where no text stands beside them.

    `pieces` holds texts, and for each edge of an element the number of the element around it, whose own
    text decides whether the edge breaks the line.
    """

    def __init__(self) -> None:
        self.pieces: list[str | int] = []
        self._mixed = [False]
        self._open = [0]

    def start(self, _name: str, _attributes: dict[str, str]) -> None:
        self.pieces.append(self._open[-1])
        self._open.append(len(self._mixed))
        self._mixed.append(False)

    def end(self, _name: str) -> None:
        self._open.pop()
        self.pieces.append(self._open[-1])

    def text(self, text: str) -> None:
        if not self._mixed[self._open[-1]] and not text.isspace():
            self._mixed[self._open[-1]] = True
        self.pieces.append(text)

    def other(self, text: str) -> None:
        """A reference to an entity that nothing here declares: HTML's are known, others stay as written."""
        if text.startswith("&"):
            self.text(html.unescape(text))

    def declared(self, *_facts: object) -> None:
        raise _AsWrittenError("it declares entities, which are not resolved")

    def result(self) -> str:
        joined = "".join(
            [piece if isinstance(piece, str) else "" if self._mixed[piece] else "\n" for piece in self.pieces]
        )
        return "\n".join([line for line in map(str.strip, joined.split("\n")) if line])


def read_xml(source: str) -> Marks:
    """The text of the elements of `source`; the source as written where that says more.

    That is where it is not well-formed, declares entities of its own, or keeps its facts in attributes.
    """
    try:
        text = _text(source)
    except (expat.ExpatError, _AsWrittenError) as reason:
        return Marks(source, metadata={"xml": f"shown as written: {reason}"})
    if not text or len(text) * _LEAST_SHARE + _SMALL < len(source):
        return Marks(source, metadata={"xml": "shown as written: almost all of it is markup"})
    return Marks(clean_text(text))


def _text(source: str) -> str:
    collector = _Collector()
    parser = expat.ParserCreate(encoding="utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    parser.DefaultHandler = collector.other
    parser.EntityDeclHandler = collector.declared
    parser.Parse(source.encode("utf-8"), True)
    return collector.result()
