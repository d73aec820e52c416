"""What helps, beside what a person is told: an account of a build has the reason in one word."""

from __future__ import annotations

from typing import Final

__all__ = ["with_remedy"]

_REMEDIES: Final = {
    "page_unreadable": "open the document and save it anew",
    "nothing_decoded": "open the document and save it anew; pages that are pictures are read with "
    'pip install "indx[ocr]"',
}


def with_remedy(message: str) -> str:
    """A message and, where it ends in a reason that says nothing of what to do, that."""
    remedy = _REMEDIES.get(message.rpartition(" not read: ")[2])
    return message if remedy is None else f"{message}; {remedy}"
