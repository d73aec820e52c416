"""Whether a server lives, and whether it can serve."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from indx_core.contracts._base import WireModel


class Health(WireModel):
    """The process answers; `version` is that of the package."""

    status: Literal["ok"] = Field(default="ok", description="That the process answers.")
    version: str = Field(description="The version of the server.")


class Readiness(WireModel):
    """Whether everything a request needs is there, check by check."""

    ready: bool = Field(description="Whether every check holds.")
    checks: dict[str, bool] = Field(description="Each check and whether it holds.")
