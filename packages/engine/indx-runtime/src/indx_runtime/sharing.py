"""Looking at the pages of a document together: the side of the workers that do the looking.

The one that has the document in hand goes from the first page on and takes over what others have found before
it comes there. It waits for nobody: help that is late, wrong or dead changes nothing of what comes out.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from indx_core.errors import explain
from indx_runtime.messages import Inbox, Word, pack
from indx_runtime.progress import Found, InFlight

if TYPE_CHECKING:
    from indx_core.ports import Session, SharedSession
    from indx_runtime.progress import Progress

__all__ = ["Words", "look_at_pages", "look_for_others", "shared", "take_over"]

_log = logging.getLogger("indx.sharing")

_SHARED: Final = ("look", "found", "take_over", "pass_over")
_SIGN_OF_LIFE: Final = 1.0  # seconds of looking after which word is given that it goes on


@dataclass(frozen=True, slots=True)
class Words:
    """Word from the pool about the job in hand.

    Attributes:
        come: What has come; with `wait=True`, what comes.
        limit: Bytes a worker may hold, which no word needs more of.
    """

    come: Callable[..., Iterator[Word]]
    limit: int


def shared(session: Session) -> SharedSession | None:
    """The session, if it does all that a shared one does: one that does a part of it goes on by itself."""
    able = all(callable(getattr(session, name, None)) for name in _SHARED)
    return cast("SharedSession", session) if able else None


def look_at_pages(session: SharedSession, words: Words, progress: Progress) -> Iterator[InFlight]:
    """Look at every page but those that are lost, or that others have looked at by the time it is their turn.

    Which page is next is told only where a worker was lost before: word of each costs the worker and the pool
    a hundredth of what looking costs, and most documents end no worker.
    """
    yield InFlight("look")
    told = time.monotonic()
    taken: set[int] = set()
    for page in range(1, session.page_count + 1):
        taken.update(take_over(session, words, since=page))
        if page in taken or page in progress.lost:
            continue
        if progress.tells:
            yield InFlight("look", page=page)
        elif time.monotonic() - told > _SIGN_OF_LIFE:
            yield InFlight("look")
            told = time.monotonic()
        session.look(page)


def take_over(session: SharedSession, words: Words, *, since: int = 1) -> set[int]:
    """Take over what others have found by now on pages from `since` on; these pages."""
    taken: set[int] = set()
    for page, packed in words.come():
        if page < since:
            continue
        try:
            session.take_over(page, _unpacked(packed, words.limit))
        except Exception as error:  # it came from a process that may have been taken over
            _log.warning("what was found on page %d is not taken over: %s", page, explain(error))
        else:
            taken.add(page)
    return taken


def _unpacked(packed: bytes, limit: int) -> Any:
    inbox = Inbox(limit)
    inbox.feed(packed)
    message = inbox.take()
    if message is None or len(inbox):
        raise ValueError("it is not one whole message")
    return message[2]


def look_for_others(session: SharedSession, words: Words) -> Iterator[InFlight | Found]:
    """Look at the pages that are asked for, one after another, until it is enough."""
    yield InFlight("plan")  # sends word that the document is open
    pages: deque[int] = deque()
    while True:
        if not pages:
            pages.extend(page for page, _ in islice(words.come(wait=True), 1))
        pages.extend(page for page, _ in words.come())
        if not pages or 0 in pages:  # the pool is gone, or has told it is enough
            return
        page = pages.popleft()
        try:
            packed = pack(0, "frame", session.found(page))
        except (Exception, SystemExit) as error:  # who has the document in hand finds the same, and says so
            _log.info("page %d is left to who has the document: %s", page, explain(error))
            packed = b""
        yield Found(page, packed)
