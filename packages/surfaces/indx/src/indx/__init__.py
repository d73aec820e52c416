"""Documents and directories become retrievable knowledge, by routes that can be explained.

    from indx import Indx, KnowledgeSpace

    space = KnowledgeSpace.load("./ai-ready/handbook.indx")
    hits = space.search("data retention")

    result = Indx().encode("report.pdf", granularities=["CHUNK"])

Names resolve when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx.facade import Indx
    from indx_core.contracts import Chunk, Document, Relation, RelationType, SearchHit, Source, SpaceStats
    from indx_core.errors import IndxError
    from indx_space import DirectoryPipeline, KnowledgeSpace, SpaceContext

__all__ = [
    "Chunk",
    "DirectoryPipeline",
    "Document",
    "Indx",
    "IndxError",
    "KnowledgeSpace",
    "Relation",
    "RelationType",
    "SearchHit",
    "Source",
    "SpaceContext",
    "SpaceStats",
]

_HOMES = {
    "Indx": "indx.facade",
    "IndxError": "indx_core.errors",
    "DirectoryPipeline": "indx_space",
    "KnowledgeSpace": "indx_space",
    "SpaceContext": "indx_space",
}

__getattr__, __dir__ = lazily(__name__, dict.fromkeys(__all__, "indx_core.contracts") | _HOMES)
