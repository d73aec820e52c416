"""Amending: where few documents changed, the last build's output is written again with their part replaced.

What is written is, to the byte, what a build of everything would write. A ledger of the last build says what
its output is made of; where anything is not as it says, everything is built as ever.
"""

from __future__ import annotations

from indx_space.amending.amend import amend
from indx_space.amending.ledger import Ledger, identity, record

__all__ = ["Ledger", "amend", "identity", "record"]
