"""Declares the space `default-text` and its embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, EmbeddingInput, Space

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["DECLARATION", "HashEmbedder", "embedder"]

DECLARATION = EmbedderDeclaration(
    id="default-text",
    space=Space(id="default-text", dimension=256, metric="cosine", normalized=True),
    roles=("document", "query"),
    modalities=("text",),
    fingerprint="hashed-trigrams-1",
    max_characters=1_000_000,
)


class HashEmbedder:
    """Puts texts that share character trigrams near each other. It knows no meaning and needs no model."""

    port_version = PORT_VERSION
    declaration = DECLARATION

    def availability(self) -> Unavailability | None:
        """None: it can always run."""
        return None

    def embed(
        self,
        batch: Sequence[EmbeddingInput],
        *,
        role: Literal["document", "query"],  # noqa: ARG002  both roles are embedded alike
        deadline: Deadline,
    ) -> Embedded:
        """Embed `batch`. An item without a letter or digit is an error of that item."""
        from indx_embed_hash._trigrams import embed

        return embed(batch, deadline)


def embedder() -> HashEmbedder:
    """The embedder of the space `default-text`."""
    return HashEmbedder()
