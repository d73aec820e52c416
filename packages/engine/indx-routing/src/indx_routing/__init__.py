"""Pure planning: a snapshot, an observation and a request become a plan.

Nothing here reads a file, a clock, a setting or an installed package: equal arguments give equal bytes.
"""

from __future__ import annotations

from indx_routing.economics import DEFAULT_ECONOMICS, Economics, Price, parse_economics
from indx_routing.planning import POLICY_VERSION, Nomination, plan
from indx_routing.spaces import DOCUMENT_EMBEDDING_MODALITIES, unservable_spaces

__all__ = [
    "DEFAULT_ECONOMICS",
    "DOCUMENT_EMBEDDING_MODALITIES",
    "POLICY_VERSION",
    "Economics",
    "Nomination",
    "Price",
    "parse_economics",
    "plan",
    "unservable_spaces",
]
