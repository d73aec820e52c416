"""The settings of an index: how its graph is made and how it is asked. Every value is written with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from indx_core.errors import ConfigurationError

__all__ = ["SIGNALS", "GraphSettings", "SignalWeights", "read_settings"]

SIGNALS: Final = ("semantic", "adjacency", "section", "entity", "utility_question", "citation")
"""The six edge signals, as `signals.npz` names them."""

M = TypeVar("M", bound=BaseModel)

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SignalWeights(_Model):
    """What each signal counts. Signals without an edge are left out and the rest fill their share."""

    semantic: Share = 0.05
    adjacency: Share = 0.10
    section: Share = 0.05
    entity: Share = 0.55
    utility_question: Share = 0.20
    citation: Share = 0.05

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not any(self.model_dump().values()):
            raise ValueError("all weights are 0: give at least one signal a weight")
        return self


class GraphSettings(_Model):
    """How a graph is made and asked.

    The first group decides the folder's bytes; what follows `token_budget` is read when it is asked. Where a
    value names `published`, it does as the published method does.
    """

    embedder: str = "auto"
    tokenizer: Literal["auto", "cl100k_base", "estimate"] = "auto"
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0

    semantic_neighbors: Count = 7
    semantic_threshold: Annotated[float, Field(ge=-1, le=1)] = 0.3
    backend: Literal["exact", "faiss", "hnsw"] = "exact"

    entity_weighting: Literal["rarity", "count"] = "rarity"
    entity_max_share: Share = 0.02
    entity_max_chunks: Annotated[int, Field(ge=2)] = 250
    entity_neighbors: Count = 32
    title_mentions: bool = True
    section_scope: Literal["document", "corpus"] = "document"
    section_neighbors: Count = 8
    citation_scope: Literal["document", "corpus"] = "document"
    question_neighbors: Count = 20
    question_threshold: Share = 0.8
    enricher: str | None = None

    normalization: Literal["strength", "published"] = "strength"
    weighting: Literal["fixed", "calibrated", "fitted"] = "fixed"
    weights: SignalWeights = SignalWeights()
    sparsify: Literal["neighbors", "published"] = "neighbors"
    max_neighbors: Count = 48
    edge_threshold: Share = 0.1

    spectrum: Literal["components", "published"] = "components"
    spectral_dims: Annotated[int, Field(ge=1, le=1024)] = 32
    clusters: Annotated[int, Field(ge=0)] = 0

    token_budget: Annotated[int, Field(ge=0)] = 2000
    seed_k: Count = 20
    rrf_k: Count = 60
    dense_share: Share = 0.5
    title_boost: Annotated[float, Field(ge=0)] = 1.0
    restart_seeds: Count = 3
    restart_sharpness: Annotated[float, Field(ge=0)] = 10.0
    candidates: Count = 1500
    hops: Annotated[int, Field(ge=0, le=8)] = 3
    expansion: Literal["weight", "published"] = "weight"
    damping: Annotated[float, Field(ge=0, lt=1)] = 0.65
    graph_share: Share = 0.65
    spectral_share: Share = 0.05
    coverage_share: Annotated[float, Field(ge=0)] = 0.1
    redundancy: Share = 1.0
    score_floor: Share = 0.0

    def replaced(self, **changes: Any) -> Self:
        """The settings with some changed, checked again.

        Raises:
            ConfigurationError: `invalid_setting`.
        """
        weights = changes.get("weights")
        if isinstance(weights, dict):
            changes["weights"] = {**self.weights.model_dump(), **weights}
        return read_settings(type(self), {**self.model_dump(), **changes})


def read_settings(model: type[M], values: Mapping[str, Any]) -> M:
    """A model of settings from what somebody wrote.

    Raises:
        ConfigurationError: `invalid_setting`, naming the first field that is wrong.
    """
    try:
        return model.model_validate(dict(values))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"])) or "settings"
        if first["type"] == "extra_forbidden":
            known = SignalWeights if first["loc"][:-1] == ("weights",) else model
            raise ConfigurationError(
                f"no setting {where!r}; there are {', '.join(sorted(known.model_fields))}",
                code="invalid_setting",
            ) from None
        raise ConfigurationError(
            f"{where}: {first.get('input')!r} is refused: {first['msg']}", code="invalid_setting"
        ) from None
