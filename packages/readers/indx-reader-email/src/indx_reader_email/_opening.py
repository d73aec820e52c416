"""Opens what a source is declared as: a message, a mailbox, a saved web page, or a signed envelope."""

from __future__ import annotations

from typing import Final

from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_reader_email._envelope import EnvelopeSession
from indx_reader_email._mailbox import MailboxSession
from indx_reader_email._session import MailSession
from indx_reader_email._webarchive import WebArchiveSession
from indx_reader_email.provider import MEDIA_TYPES

__all__ = ["OWN", "opened"]

OWN: Final = (MailSession, MailboxSession, WebArchiveSession, EnvelopeSession)
"""The sessions of this reader."""


def opened(source: SourceContent) -> MailSession | MailboxSession | WebArchiveSession | EnvelopeSession:
    """The session of `source`, by its media type.

    Raises:
        SourceError: `source_unreadable`, it is no such message, or empty.
    """
    if not source.size:
        raise SourceError("the file is empty: it holds no bytes; save or send it again")
    if source.media_type in (MEDIA_TYPES[2], MEDIA_TYPES[4]):
        return WebArchiveSession(source)
    if source.media_type == MEDIA_TYPES[3]:
        return EnvelopeSession(source)
    return MailboxSession(source) if source.media_type == MEDIA_TYPES[1] else MailSession(source)
