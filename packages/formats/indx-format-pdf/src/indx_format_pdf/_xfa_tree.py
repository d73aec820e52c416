"""The XML of a form that draws itself (XFA): what of it may be text, as a tree of bounded size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

__all__ = ["Node", "parse"]

_DEEPEST: Final = 100  # elements within elements; forms have forty
_MOST: Final = 300_000  # elements; forms have some ten thousand
_MOST_SAID: Final = 1_000_000  # attributes
_MOST_WRITTEN: Final = 1 << 23  # characters, those of pictures of a template apart
_PASSED_OVER: Final = frozenset({"config", "connectionSet", "image", "localeSet", "script", "stylesheet"})
_SPACE: Final = re.compile(r"\s+")
_BARE: Final = re.compile(rb"&(?!#?\w{1,40};)")
_INVALID: Final = expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]
_NO_FORM: Final = (OverflowError, LookupError, ValueError)  # the last two: encodings that expat cannot read
_BLOCKS: Final = frozenset({"br", "div", "li", "p", "tr"})


@dataclass(slots=True)
class Node:
    """An element; names are without their namespaces.

    Attributes:
        name: Its name.
        attributes: What it says of itself.
        content: Elements and text, in order.
        parent: The element around it.
        size: How many elements and texts it is, with all that is in it.
    """

    name: str
    attributes: dict[str, str]
    parent: Node | None = None
    content: list[Node | str] = field(default_factory=list)
    size: int = 1
    _lines: list[str] | None = None
    _text: str | None = None

    def said(self, name: str, otherwise: str = "") -> str:
        """What it says of itself by a name."""
        return self.attributes.get(name, otherwise)

    def nodes(self, *names: str) -> Iterator[Node]:
        """The elements in it, those of some names if any are given."""
        for one in self.content:
            if isinstance(one, Node) and (not names or one.name in names):
                yield one

    def first(self, *path: str) -> Node | None:
        """The first element of a name in the first of another, and so on."""
        found: Node | None = self
        for name in path:
            found = next(found.nodes(name), None) if found is not None else None
        return found

    def lines(self) -> list[str]:
        """What is written in it, without blank lines; in rich text only elements break lines."""
        if self._lines is None:
            raw = "".join(_rich(self) if any(self.nodes()) else map(str, self.content))
            self._lines = list(filter(None, (" ".join(line.split()) for line in raw.splitlines())))
        return self._lines

    def text(self) -> str:
        """All of it as one line."""
        if self._text is None:
            self._text = " ".join(self.lines())
        return self._text


def _rich(node: Node) -> Iterator[str]:
    for one in node.content:
        if isinstance(one, str):
            yield _SPACE.sub(" ", one)
        else:
            edge = "\n" if one.name in _BLOCKS else ""
            yield from (edge, *_rich(one), edge)


def parse(data: bytes) -> Node | None:
    """The root of a document; None where it is malformed, declares entities, or is larger than any form.

    Programs that fill in forms write `&` where they should not; it is then taken for what it is.
    """
    try:
        return _Builder().read(data)
    except expat.ExpatError as error:
        if error.code != _INVALID or not _BARE.search(data):
            return None
    except _NO_FORM:
        return None
    try:
        return _Builder().read(_BARE.sub(b"&amp;", data))
    except (expat.ExpatError, *_NO_FORM):
        return None


class _Builder:
    """A tree in the making."""

    def __init__(self) -> None:
        self._root = Node("", {})
        self._within = [self._root]
        self._passed_over = 0
        self._left, self._unsaid, self._room = _MOST, _MOST_SAID, _MOST_WRITTEN

    def read(self, data: bytes) -> Node | None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.CharacterDataHandler = self._write
        parser.StartDoctypeDeclHandler = self._refuse
        parser.Parse(data, True)
        return next(self._root.nodes(), None)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        self._left -= 1
        self._unsaid -= len(attributes)
        if min(self._left, self._unsaid) < 0 or len(self._within) > _DEEPEST:
            raise OverflowError
        if self._passed_over or (local in _PASSED_OVER and not self._in_data()):
            self._passed_over += 1
            return
        said = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        node = Node(local, said, self._within[-1])
        self._within[-1].content.append(node)
        self._within.append(node)

    def _in_data(self) -> bool:
        """Whether an element is one of the data, whose names are anybody's."""
        return any(one.name == "datasets" for one in self._within[1:3])

    def _end(self, _: str) -> None:
        if self._passed_over:
            self._passed_over -= 1
        else:
            size = self._within.pop().size
            self._within[-1].size += size

    def _write(self, text: str) -> None:
        if not self._passed_over:
            self._room -= len(text)
            if self._room < 0:
                raise OverflowError
            self._within[-1].content.append(text)
            self._within[-1].size += 1

    def _refuse(self, *_: object) -> None:
        raise OverflowError
