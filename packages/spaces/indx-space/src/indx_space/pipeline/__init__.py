"""The stages of a build, over one context; `directory` runs them, or amends what they made."""

from __future__ import annotations

from indx_space.pipeline.build import Build, Stage
from indx_space.pipeline.chunk import Chunk
from indx_space.pipeline.embed import Embed
from indx_space.pipeline.enrich import Enrich
from indx_space.pipeline.pack import Pack
from indx_space.pipeline.parse import Parse
from indx_space.pipeline.report import BuildReport
from indx_space.pipeline.walk import Walk
from indx_space.relating import Relate

__all__ = [
    "Build",
    "BuildReport",
    "Chunk",
    "Embed",
    "Enrich",
    "Pack",
    "Parse",
    "Relate",
    "Stage",
    "Walk",
]
