"""The spectral chunk graph: multi-hop questions answered within a token budget.

Names are resolved when first touched, so that importing the package imports nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_graph.chunks import GraphChunk
    from indx_graph.errors import EmbedderError, IndexError_, IndexWarning
    from indx_graph.ingest import SpectRAGIngestion, rebuild_graph
    from indx_graph.options import GraphSettings, SignalWeights
    from indx_graph.retrieval import Chosen, Retrieval, SpectRAGRetrieval
    from indx_graph.tuning import Question, read_questions, tune

__all__ = [
    "Chosen",
    "EmbedderError",
    "GraphChunk",
    "GraphSettings",
    "IndexError_",
    "IndexWarning",
    "Question",
    "Retrieval",
    "SignalWeights",
    "SpectRAGIngestion",
    "SpectRAGRetrieval",
    "read_questions",
    "rebuild_graph",
    "tune",
]

_HOME: Final = {
    "Chosen": ".retrieval",
    "EmbedderError": ".errors",
    "GraphChunk": ".chunks",
    "GraphSettings": ".options",
    "IndexError_": ".errors",
    "IndexWarning": ".errors",
    "Question": ".tuning",
    "Retrieval": ".retrieval",
    "SignalWeights": ".options",
    "SpectRAGIngestion": ".ingest",
    "SpectRAGRetrieval": ".retrieval",
    "read_questions": ".tuning",
    "rebuild_graph": ".ingest",
    "tune": ".tuning",
}
"""The module of each public name."""

__getattr__, __dir__ = lazily(__name__, _HOME)
