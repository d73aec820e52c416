"""The one shape in which every surface answers a failure."""

from __future__ import annotations

from pydantic import Field

from indx_core.contracts._base import WireModel


class ErrorEnvelope(WireModel):
    """A failure, flat. What the types and codes are, `indx_core.errors` says."""

    type: str = Field(description="The family of the failure.")
    code: str = Field(description="Which failure of that family.")
    message: str = Field(description="What was wrong and what would help.")
    param: str | None = Field(default=None, description="The dotted place in the request.")
    request_id: str | None = Field(default=None, description="The caller's own identifier.")
