"""What a session may offer beyond its port: that others look at some of its pages for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from indx_core.ports.reading import Session

__all__ = ["SharedSession"]


class SharedSession(Session, Protocol):
    """A session that can take over what another session of the same source found on a page.

    Offered by formats whose pages are costly to look at, each by itself. Other processes then look at some of
    the pages of a long document. Whatever was taken over, the document is observed and read as without.
    """

    def look(self, page: int) -> None:
        """Look at a page as observing does, and remember what is there. Pages come in their order."""
        ...

    def found(self, page: int) -> Mapping[str, Any]:
        """What looking at a page finds, without remembering it. Pages come in any order.

        Returns:
            Plain values, columns of `array.array`, and the records of which a `PageReading` is made.

        Raises:
            Exception: It would not be what the session that has the document finds; that one then looks.
        """
        ...

    def take_over(self, page: int, found: Mapping[str, Any]) -> None:
        """Remember what another session found on a page, as if it had been looked at here.

        Raises:
            Exception: It is no such thing; the page is then still to be looked at.
        """
        ...

    def pass_over(self, page: int) -> None:
        """Look at a page no more, whatever is asked of it: it ended the process that did.

        It is observed as one that is there and was not seen.
        """
        ...
