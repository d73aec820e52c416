"""Declares the spaces `minilm-multilingual` and `clip-vit-b32` and their embedders, if fastembed is here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from indx_core.installed import is_installed, version
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, EmbeddingInput, Modality, Space
from indx_embed_fastembed._model import Model
from indx_embed_fastembed._weights import CLIP_IMAGE, CLIP_TEXT, MINILM, Weights

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["FastembedEmbedder", "clip_image", "clip_text", "minilm"]

_MINILM: Final = Space(id="minilm-multilingual", dimension=384, metric="cosine", normalized=True)
_CLIP: Final = Space(id="clip-vit-b32", dimension=512, metric="cosine", normalized=True)
_INSTALL: Final = 'pip install "indx-embed-fastembed[fastembed]"'
_MOST_CHARACTERS: Final = 20_000
"""More than any chunk has; each window of the model's tokens costs a run of it."""


class FastembedEmbedder:
    """Embeds with a model that fastembed runs on the processor.

    Args:
        name: Its ID.
        space: The space it fills.
        modality: What it embeds.
        weights: Its model.
        version: The installed version of fastembed, which pools and prepares in its own way.
    """

    port_version = PORT_VERSION

    def __init__(self, name: str, space: Space, modality: Modality, weights: Weights, version: str) -> None:
        self._weights = weights
        self._model = Model(weights)
        series = ".".join(version.split(".")[:2])
        self.declaration = EmbedderDeclaration(
            id=name,
            space=space,
            roles=("document", "query"),
            modalities=(modality,),
            model=weights.model,
            fingerprint=f"fastembed-2:{series}:{weights.repository}@{weights.revision}",
            max_characters=_MOST_CHARACTERS if modality == "text" else None,
        )

    def availability(self) -> Unavailability | None:
        """Why it cannot run now: its model is not on this machine, and the network is forbidden.

        Without that word the model is fetched when it is first used.
        """
        return self._weights.lack()

    def embed(
        self,
        batch: Sequence[EmbeddingInput],
        *,
        role: Literal["document", "query"],  # noqa: ARG002  the models make no difference
        deadline: Deadline,
    ) -> Embedded:
        """Embed `batch`; a blank text, and an item the model fails on, is an error of that item.

        Raises:
            Unavailable: `embedder_unavailable`, when the model cannot be had or loaded.
            TimedOut: The deadline passed between two items.
        """
        return self._model.embed(self.declaration, batch, deadline)


def minilm() -> FastembedEmbedder | Unavailability:
    """The embedder of the space `minilm-multilingual`; without fastembed there is nothing to advertise."""
    return _made("minilm-multilingual", _MINILM, "text", MINILM)


def clip_text() -> FastembedEmbedder | Unavailability:
    """The embedder of texts into the space `clip-vit-b32`."""
    return _made("clip-vit-b32-text", _CLIP, "text", CLIP_TEXT)


def clip_image() -> FastembedEmbedder | Unavailability:
    """The embedder of images into the space `clip-vit-b32`."""
    return _made("clip-vit-b32-image", _CLIP, "image", CLIP_IMAGE)


def _made(
    name: str, space: Space, modality: Modality, weights: Weights
) -> FastembedEmbedder | Unavailability:
    if not is_installed("fastembed"):
        return Unavailability("its engine, fastembed, is not installed", _INSTALL)
    return FastembedEmbedder(name, space, modality, weights, version("fastembed"))
