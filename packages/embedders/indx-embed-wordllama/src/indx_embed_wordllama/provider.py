"""Declares the space `wordllama-256` and its embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from indx_core.errors import Unavailable
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, EmbeddingInput, Space
from indx_embed_wordllama._files import WEIGHTS, locate

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["DECLARATION", "WordllamaEmbedder", "embedder"]

DECLARATION = EmbedderDeclaration(
    id="wordllama-256",
    space=Space(id="wordllama-256", dimension=256, metric="cosine", normalized=True),
    roles=("document", "query"),
    modalities=("text",),
    model="wordllama l2_supercat_256",
    fingerprint=f"wordllama-mean-1:{WEIGHTS.sha256}",
    max_characters=1_000_000,
)


class WordllamaEmbedder:
    """Means of token vectors, from the weights and the tokenizer file in the installed wordllama wheel.

    Args:
        package: The package that holds the files.
    """

    port_version = PORT_VERSION
    declaration = DECLARATION

    def __init__(self, package: str = "wordllama") -> None:
        self._package = package

    def availability(self) -> Unavailability | None:
        """Why it cannot run now: the wheel or one of its files is missing, or is another release's."""
        found = locate(self._package)
        return found if isinstance(found, Unavailability) else None

    def embed(
        self, batch: Sequence[EmbeddingInput], *, role: Literal["document", "query"], deadline: Deadline
    ) -> Embedded:
        """Embed `batch`, both roles alike. A blank text is an error of that item.

        Raises:
            Unavailable: `embedder_unavailable`, when the wheel's files are not those of the space.
        """
        found = locate(self._package)
        if isinstance(found, Unavailability):
            raise Unavailable(f"{found.reason}; {found.fix}", code="embedder_unavailable")
        from indx_embed_wordllama._model import load

        return load(found).embed(batch, many=role == "document", deadline=deadline)


def embedder() -> WordllamaEmbedder:
    """The embedder of the space `wordllama-256`."""
    return WordllamaEmbedder()
