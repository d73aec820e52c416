"""Opens what a source is declared as: a message, a mailbox of several, or a saved web page."""

from __future__ import annotations

from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_reader_email._mailbox import MailboxSession
from indx_reader_email._session import MailSession
from indx_reader_email._webarchive import WebArchiveSession
from indx_reader_email.provider import MEDIA_TYPES

__all__ = ["MailSession", "MailboxSession", "WebArchiveSession", "opened"]


def opened(source: SourceContent) -> MailSession | MailboxSession | WebArchiveSession:
    """The session of `source`, by its media type.

    Raises:
        SourceError: `source_unreadable`, it is no such message, or empty.
    """
    if not source.size:
        raise SourceError("the file is empty: it holds no bytes; save or send it again")
    if source.media_type == MEDIA_TYPES[2]:
        return WebArchiveSession(source)
    return MailboxSession(source) if source.media_type == MEDIA_TYPES[1] else MailSession(source)
