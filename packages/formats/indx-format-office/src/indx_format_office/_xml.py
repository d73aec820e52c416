"""Safe parsing of XML parts: the only module of indx that imports lxml, and only when it parses.

Any DOCTYPE is refused, whatever the encoding. No entity is expanded, nothing is fetched, and libxml2's own
limits on depth, on the size of one text and on names stay on. Parts of the strict flavour are rewritten to
the transitional namespaces before parsing, so that readers know one set of names.
"""

from __future__ import annotations

import re
from codecs import iterdecode
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, Protocol, overload

from indx_core.errors import SourceError

__all__ = ["DoctypeRefused", "Element", "iterate", "parse"]


class DoctypeRefused(SourceError):
    """A part has a DOCTYPE: the whole document is refused, not that part alone."""


class Element(Protocol):
    """What readers use of an XML element; comments and processing instructions are gone."""

    @property
    def tag(self) -> str:
        """`{namespace}name`."""
        ...

    @property
    def text(self) -> str | None:
        """The text before the first child."""
        ...

    @property
    def tail(self) -> str | None:
        """The text after the element, up to the next."""
        ...

    def itertext(self) -> Iterator[str]:
        """All text in it, piece by piece."""
        ...

    @overload
    def get(self, key: str) -> str | None: ...
    @overload
    def get(self, key: str, default: str) -> str: ...

    def find(self, path: str) -> Element | None:
        """The first child with this tag."""
        ...

    def findtext(self, path: str) -> str | None:
        """The text of the first child with this tag."""
        ...

    def itersiblings(self) -> Iterator[Element]:
        """The elements after this one, in what holds it."""
        ...

    def iterancestors(self, *tags: str) -> Iterator[Element]:
        """The elements around this one that have any of these tags, the innermost first."""
        ...

    def iterchildren(self, *tags: str) -> Iterator[Element]:
        """The children with any of these tags."""
        ...

    def iter(self, *tags: str) -> Iterator[Element]:
        """This element and all below it that have any of these tags, in document order."""
        ...

    def __iter__(self) -> Iterator[Element]:
        """The children."""
        ...

    def __len__(self) -> int:
        """The number of children."""
        ...

    def __getitem__(self, index: int) -> Element:
        """A child by position."""
        ...


_SAFE: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
_STRICT: Final = b"http://purl.oclc.org/ooxml/"
_STRICT_NAME: Final = re.compile(rb"""(=\s*["'])http://purl\.oclc\.org/ooxml/([A-Za-z]+)/([A-Za-z/]+)""")
_TRANSITIONAL: Final = rb"\1http://schemas.openxmlformats.org/\2/2006/\3"
_DOCTYPE: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
"""A DOCTYPE in its place, before the root: seen here, no parser is started on it."""

_NAMES: Final = frozenset(("NS_ERR_UNDEFINED_NAMESPACE", "DTD_ID_REDEFINED", "DTD_XMLID_VALUE"))
"""Faults of names alone, which move nothing: the element or attribute is nobody's, the identity is none."""
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")


def _prepared(data: bytes, name: str) -> bytes:
    """The beginning of a part, or all of it, fit for the parser."""
    if _DOCTYPE.match(data):
        raise _doctype(name)
    return _STRICT_NAME.sub(_TRANSITIONAL, data) if _STRICT in data else data


def _utf8(chunks: Iterator[bytes]) -> tuple[Iterator[bytes], str | None]:
    """The same text in UTF-8 where it is in UTF-16, so that the strict names can be found.

    The second value is the encoding that then holds whatever the part declares, or None.
    """
    first = next(chunks, b"")
    whole = chain((first,), chunks)
    if first[:2] not in _UTF16:
        return whole, None
    encoding = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}.get(first[:2], "utf-16")
    return (piece.encode("utf-8", "replace") for piece in iterdecode(whole, encoding, "replace")), "utf-8"


def parse(data: bytes, name: str) -> Element:
    """The root of the part `name` whose bytes are `data`.

    Raises:
        SourceError: `source_unreadable`: it is not well-formed, too deep, or has a DOCTYPE.
    """
    from lxml import etree

    chunks, encoding = _utf8(iter((data,)))
    prepared = _prepared(b"".join(chunks), name)
    parser = etree.XMLParser(encoding=encoding, **_SAFE)
    try:
        root = etree.fromstring(prepared, parser)
    except etree.XMLSyntaxError as error:
        if not parser.error_log or any(fault.type_name not in _NAMES for fault in parser.error_log):
            raise _malformed(name, error.msg or "") from None
        root = etree.fromstring(prepared, etree.XMLParser(encoding=encoding, recover=True, **_SAFE))
    _refuse_doctype(root, name)
    element: Element = root
    return element


def iterate(chunks: Iterable[bytes], name: str, *tags: str) -> Iterator[Element]:
    """The elements with one of `tags` in the part `name`, each as soon as it is complete, then forgotten.

    What `yield` hands over is emptied when the next is asked for: memory follows one element, not the part.

    Raises:
        SourceError: As for `parse`; elements before the fault have been handed over.
    """
    from lxml import etree

    utf8, encoding = _utf8(iter(chunks))
    parser = etree.XMLPullParser(events=("end",), tag=tags, encoding=encoding, **_SAFE)
    checked = False
    try:
        for index, chunk in enumerate(utf8):
            # The namespaces that matter to a streamed part are declared at its root.
            parser.feed(_prepared(chunk, name) if index == 0 else chunk)
            for _, element in parser.read_events():
                if not checked:
                    _refuse_doctype(element, name)
                    checked = True
                yield element
                _forget(element)
        _refuse_doctype(parser.close(), name)
    except etree.XMLSyntaxError as error:
        raise _malformed(name, error.msg or "") from None


def _malformed(name: str, said: str) -> SourceError:
    if said.startswith("Excessive depth"):
        return SourceError(f"the part {name!r} is nested deeper than is read; save it with fewer levels")
    return SourceError(f"the part {name!r} is not well-formed XML: {said}; save it again")


def _forget(element: Any) -> None:
    """Empty `element` and drop what stands before it, which has been handed over or was not asked for."""
    element.clear()
    parent = element.getparent()
    if parent is not None:
        while parent[0] is not element:
            del parent[0]


def _refuse_doctype(element: Any, name: str) -> None:
    """Refuse what the look at the beginning did not see, in an encoding of its own or far into the part."""
    if element.getroottree().docinfo.doctype:
        raise _doctype(name)


def _doctype(name: str) -> DoctypeRefused:
    return DoctypeRefused(f"the part {name!r} has a DOCTYPE, which Office files never have; save it anew")
