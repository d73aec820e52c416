"""Whether a server lives, and whether it can serve."""

from __future__ import annotations

from typing import Literal

from indx_core.contracts._base import WireModel


class Health(WireModel):
    """The process answers; `version` is that of the package."""

    status: Literal["ok"] = "ok"
    version: str


class Readiness(WireModel):
    """Whether everything a request needs is there, check by check."""

    ready: bool
    checks: dict[str, bool]
