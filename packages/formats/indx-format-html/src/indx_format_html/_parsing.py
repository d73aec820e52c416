"""From markup to a tree, within the bounds of the parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.errors import SourceError
from indx_format_html._guard import bounded

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

__all__ = ["parsed"]


def parsed(markup: str) -> LexborHTMLParser:
    """The tree of a page.

    Raises:
        InputTooLarge: It has more tags than a document may have.
        SourceError: `source_unreadable` when the parser gives up.
    """
    from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

    try:
        return LexborHTMLParser(bounded(markup), options=LexborDocumentOptions.WO_EVENTS)
    except (RuntimeError, ValueError) as error:
        raise SourceError(f"the HTML cannot be parsed ({error}); check the file") from None
