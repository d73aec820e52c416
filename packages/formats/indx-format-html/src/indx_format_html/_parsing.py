"""From markup to a tree, within the bounds of the parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indx_core.errors import SourceError
from indx_format_html._guard import bounded

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

__all__ = ["parsed"]

_SWALLOWING: Final = ("iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp")
"""Elements that hold whatever follows as characters, up to their end tag."""


def parsed(markup: str) -> LexborHTMLParser:
    """The tree of a page.

    Raises:
        InputTooLarge: It has more tags than a document may have.
        SourceError: `source_unreadable` when the parser gives up.
    """
    from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

    try:
        return LexborHTMLParser(bounded(_ended(markup)), options=LexborDocumentOptions.WO_EVENTS)
    except (RuntimeError, ValueError) as error:
        raise SourceError(f"the HTML cannot be parsed ({error}); check the file") from None


def _ended(markup: str) -> str:
    """`markup` in which nothing swallows the rest of the page for want of an end tag.

    Programs that write XML end such an element in its start tag; a frame shows nothing of what it holds. One
    that a title or a field speaks of is none.
    """
    for name in _SWALLOWING:
        last = markup.rfind(f"</{name}") + 1
        if markup.find(f"<{name}", last) >= 0 and not re.compile(f"</{name}", re.I).search(markup, last):
            ended = "" if name == "iframe" else "/"
            opened = re.compile(rf"<{name}(?=[\s/>])[^<>]*{ended}>(?![^<]*</(?i:title|textarea)\b)")
            markup = markup[:last] + opened.sub(rf"\g<0></{name}>", markup[last:])
    return markup
