"""What a build did: counts, what was left out, what went wrong, and where the time went."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from indx_core.contracts.space import StageErrorRecord

__all__ = ["BuildReport"]


@dataclass(slots=True)
class BuildReport:
    """The account of one build.

    Attributes:
        documents: Documents in the space.
        chunks: Chunks in the space.
        relations: Edges of the space.
        embeddings: Chunks with a vector.
        parsed: Documents that were read in this build.
        cached: Documents whose reading was taken from the cache.
        enriched: Documents that at least one lane was asked about in this build.
        embedded: Chunks that were embedded in this build.
        skipped: Files and folders left out, by reason; a folder left out whole counts once.
        errors: What could not be processed.
        seconds: Time of each stage, by its name.
        cost_usd: What readers, lanes and embedders charged.
    """

    documents: int = 0
    chunks: int = 0
    relations: int = 0
    embeddings: int = 0
    parsed: int = 0
    cached: int = 0
    enriched: int = 0
    embedded: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    errors: list[StageErrorRecord] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    cost_usd: float = 0.0
