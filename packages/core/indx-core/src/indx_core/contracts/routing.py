"""A router made ready for planning: what the workspace hands to the engine."""

from __future__ import annotations

from pydantic import Field

from indx_core.contracts._base import Digest, Key, Name, Ordinal, WireModel
from indx_core.contracts.routers import RouterBranch
from indx_core.contracts.selection import Recognizer


class ResolvedRouter(WireModel):
    """One router version with what the workspace knows about its types and documents."""

    id: Key = Field(description="Its key.")
    version: Ordinal = Field(description="Its version.")
    branches: tuple[RouterBranch, ...] = Field(description="Each names its type_id.")
    default: RouterBranch = Field(description="Serves every page of no known type.")
    recognizer: Recognizer | None = Field(default=None, description="Who tells the type of a page.")
    parsers: dict[Key, Name] = Field(
        default_factory=dict, description="Type to the parser capability whose signature recognises it."
    )
    approved: dict[Digest, Key] = Field(
        default_factory=dict, description="Source digest to the type a person approved on the facet."
    )
    given: Key | None = Field(default=None, description="The type of every page, fixed beforehand.")

    def branch_for(self, type_id: str | None) -> RouterBranch:
        """Return the branch of a type; the default branch where there is none."""
        return next((branch for branch in self.branches if branch.type_id == type_id), self.default)
