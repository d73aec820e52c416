"""Why another time may go otherwise: what an outcome owes to the moment, and not to the document."""

from __future__ import annotations

import errno
from typing import Final, Literal, TypeAlias

__all__ = ["Lapse", "heavier", "lapse_of"]

Lapse: TypeAlias = Literal["ended", "lacking"]
"""`lacking`: the moment had too little of something: disk, open files, a program, a server.
`ended`: what reads the document hung, crashed or had too little memory; it may be so each time."""

_DEEPEST: Final = 16
_LACKS: Final = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.ESTALE),  # room, and what it is on
        *(errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOBUFS, errno.EBUSY, errno.ETXTBSY),
        *(errno.ECONNREFUSED, errno.ECONNRESET, errno.ECONNABORTED, errno.EPIPE, errno.ETIMEDOUT),
        *(errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EHOSTUNREACH),
    }
)
"""Errors of the operating system that no bytes of a document bring about."""


def heavier(one: Lapse | None, other: Lapse | None) -> Lapse | None:
    """What two parts of an outcome owe to the moment together: what was lacking decides."""
    return "lacking" if "lacking" in (one, other) else one or other


def lapse_of(error: BaseException) -> Lapse | None:
    """What an error, or one that it was raised from or while handling, owes to the moment; None: nothing.

    Readers say of many a failure that the document is damaged: what stopped them stands behind that.
    """
    found: Lapse | None = None
    behind: BaseException | None = error
    for _ in range(_DEEPEST):
        if behind is None:
            break
        found = heavier(found, _own(behind))
        behind = behind.__context__ if behind.__cause__ is None else behind.__cause__
    return found


def _own(error: BaseException) -> Lapse | None:
    from indx_core.errors import IndxError

    if isinstance(error, IndxError):
        return error.lapse
    if isinstance(error, MemoryError):
        return "ended"
    if not isinstance(error, OSError) or type(error.errno) is not int:  # which may be anything
        return None
    if error.errno == errno.ENOMEM:
        return "ended"
    # Nobody's file is not found: there is no folder for temporary files, which a full disk has none of.
    homeless = error.errno == errno.ENOENT and error.filename is None
    return "lacking" if homeless or error.errno in _LACKS else None
