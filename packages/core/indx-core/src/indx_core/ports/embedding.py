"""The port that turns texts and images into vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from indx_core.ports.declarations import Device, Unavailability

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.deadline import Deadline
    from indx_core.ports.reading import Raster

__all__ = ["Embedded", "Embedder", "EmbedderDeclaration", "EmbeddingInput", "Metric", "Modality", "Space"]

Metric: TypeAlias = Literal["cosine", "dot", "euclidean"]
Modality: TypeAlias = Literal["text", "image"]
EmbeddingInput: TypeAlias = "str | Raster"


@dataclass(frozen=True, slots=True)
class Space:
    """An embedding space: vectors of one space are directly comparable, across modalities too."""

    id: str
    dimension: int
    metric: Metric
    normalized: bool


@dataclass(frozen=True, slots=True)
class EmbedderDeclaration:
    """An embedder's facts.

    Attributes:
        id: Unique among embedders.
        space: The space its vectors are in; embedders of one space declare it alike.
        roles: What it embeds for.
        modalities: What it embeds.
        device: Where the work happens.
        model: The public name of the model, where there is one.
        fingerprint: What identifies the vectors it makes: algorithm or weights with their version. Vectors
            are reused from a cache only under an equal fingerprint.
        max_characters: Characters it looks at of a text, when it stops somewhere.
    """

    id: str
    space: Space
    roles: tuple[Literal["document", "query"], ...]
    modalities: tuple[Modality, ...]
    device: Device = "cpu"
    model: str | None = None
    fingerprint: str = ""
    max_characters: int | None = None


@dataclass(slots=True)
class Embedded:
    """Vectors of a batch.

    Attributes:
        values: float32, shape (n, dimension); the rows of failed items are zero and named in `errors`.
        errors: Why an item has no vector, by its place in the batch.
        cost_usd: What the batch was charged.
    """

    values: npt.NDArray[np.float32]
    errors: Mapping[int, str] = field(default_factory=dict)
    cost_usd: float = 0.0


class Embedder(Protocol):
    """Embeds batches. It has no fallback: who names a space asked for exactly that one."""

    port_version: int
    declaration: EmbedderDeclaration

    def availability(self) -> Unavailability | None:
        """Why it cannot run now; None when it can. Imports nothing heavy."""
        ...

    def embed(
        self, batch: Sequence[EmbeddingInput], *, role: Literal["document", "query"], deadline: Deadline
    ) -> Embedded:
        """Embed `batch`; one bad item fails alone. A text with nothing to embed is an error of that item.

        Raises:
            Unavailable: `embedder_unavailable`, when the whole batch cannot be embedded.
        """
        ...
