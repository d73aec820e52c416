"""Opens what a source is declared as: a message, or a mailbox of several."""

from __future__ import annotations

from indx_core.ports import SourceContent
from indx_reader_email._mailbox import MailboxSession
from indx_reader_email._session import MailSession
from indx_reader_email.provider import MEDIA_TYPES

__all__ = ["MailSession", "MailboxSession", "opened"]


def opened(source: SourceContent) -> MailSession | MailboxSession:
    """The session of `source`, by its media type."""
    return MailboxSession(source) if source.media_type == MEDIA_TYPES[1] else MailSession(source)
