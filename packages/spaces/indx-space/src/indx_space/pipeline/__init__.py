"""The directory pipeline: stages over one context, from a folder or ZIP to a knowledge space."""

from __future__ import annotations

from indx_space.pipeline.build import Build, Stage
from indx_space.pipeline.directory import STAGES, DirectoryPipeline
from indx_space.pipeline.report import BuildReport

__all__ = ["STAGES", "Build", "BuildReport", "DirectoryPipeline", "Stage"]
