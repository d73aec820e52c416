"""Knowledge spaces: the directory pipeline, the index, the archive, relations and search.

Names are resolved when first touched, so that importing the package imports nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_core.contracts.space import SearchHit
    from indx_space.archive.verifying import verify_archive
    from indx_space.config import Config
    from indx_space.context import SpaceContext
    from indx_space.knowledge import KnowledgeSpace
    from indx_space.packing import pack
    from indx_space.parsed import ParsedDoc, ParsedHeading, ParsedLink
    from indx_space.pipeline.directory import DirectoryPipeline
    from indx_space.pipeline.report import BuildReport
    from indx_space.vectors import VectorFacts

__all__ = [
    "BuildReport",
    "Config",
    "DirectoryPipeline",
    "KnowledgeSpace",
    "ParsedDoc",
    "ParsedHeading",
    "ParsedLink",
    "SearchHit",
    "SpaceContext",
    "VectorFacts",
    "pack",
    "verify_archive",
]

_HOME: Final = {
    "BuildReport": "indx_space.pipeline.report",
    "Config": "indx_space.config",
    "DirectoryPipeline": "indx_space.pipeline.directory",
    "KnowledgeSpace": "indx_space.knowledge",
    "ParsedDoc": "indx_space.parsed",
    "ParsedHeading": "indx_space.parsed",
    "ParsedLink": "indx_space.parsed",
    "SearchHit": "indx_core.contracts.space",
    "SpaceContext": "indx_space.context",
    "VectorFacts": "indx_space.vectors",
    "pack": "indx_space.packing",
    "verify_archive": "indx_space.archive.verifying",
}
"""Where each public name lives."""

__getattr__, __dir__ = lazily(__name__, _HOME)
