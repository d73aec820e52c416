"""Declares the space `hosted-text` and its embedder, where a model is configured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, EmbeddingInput, Space

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_model_litellm import HostedModel

__all__ = ["HostedEmbedder", "embedder"]

_INSTALL: Final = 'pip install "indx-embed-hosted[hosted]"'


class HostedEmbedder:
    """Embeds texts by asking a model.

    It goes on asking the model it was made with: where that one runs is what was declared.

    Args:
        model: The model.
        dimension: How many numbers its vectors have.
    """

    port_version = PORT_VERSION

    def __init__(self, model: HostedModel, dimension: int) -> None:
        """Declare the space of `model`."""
        self._model = model
        self.declaration = EmbedderDeclaration(
            id="hosted-text",
            space=Space(id="hosted-text", dimension=dimension, metric="cosine", normalized=True),
            roles=("document", "query"),
            modalities=("text",),
            device=model.device,
            model=model.model,
            fingerprint=f"hosted-1:{model.fingerprint}:{dimension}",
        )

    def availability(self) -> Unavailability | None:
        """Whether LiteLLM is still there; no server is asked."""
        from indx_model_litellm import is_installed

        return None if is_installed() else Unavailability("LiteLLM is not installed", _INSTALL)

    def embed(
        self,
        batch: Sequence[EmbeddingInput],
        *,
        role: Literal["document", "query"],  # noqa: ARG002  one vector serves both
        deadline: Deadline,
    ) -> Embedded:
        """Embed `batch`; a text that the model refuses or answers unusably is an error of that item.

        Raises:
            Unavailable: `embedder_unavailable`: the model does not answer, or not to any text.
            TimedOut: The deadline passed between two calls.
        """
        from indx_embed_hosted._embedding import embed

        return embed(self._model, self.declaration.space.dimension, batch, deadline)


def embedder() -> HostedEmbedder | Unavailability:
    """The embedder of the configured model; without one there is nothing to advertise."""
    from indx_embed_hosted.settings import DIMENSION, MODEL
    from indx_model_litellm import HostedModel, unavailability

    lack = unavailability(MODEL, install=_INSTALL, also=(DIMENSION,))
    if lack is not None:
        return lack
    dimension = DIMENSION.get()
    if dimension is None:
        return Unavailability(
            f"the dimension of the model is not declared: {DIMENSION.name} is unset",
            f"set {DIMENSION.name} to the length of its vectors",
        )
    return HostedEmbedder(HostedModel.configured(MODEL), dimension)
