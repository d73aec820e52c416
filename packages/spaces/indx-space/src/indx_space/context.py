"""`SpaceContext`: what travels from stage to stage while a space is built."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from indx_core.contracts.space import SpaceModel, StageErrorRecord
from indx_space.knowledge import KnowledgeSpace
from indx_space.parsed import ParsedDoc

__all__ = ["SpaceContext"]


class SpaceContext(SpaceModel):
    """The work in progress: every stage takes it, fills its part in place, and returns the same object.

    Attributes:
        root: The walked directory or ZIP.
        seed: Governs any sampling or choice of order.
        space: The space in the making.
        parsed: What Parse left of each document, by document ID.
        errors: What could not be processed; it ends up in the metadata of the space.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, defer_build=True)

    root: str
    seed: int = 0
    space: KnowledgeSpace
    parsed: dict[str, ParsedDoc] = Field(default_factory=dict)
    errors: list[StageErrorRecord] = Field(default_factory=list)
