"""Which files make each model, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from indx_core.ports.declarations import Unavailability

if TYPE_CHECKING:
    from indx_embed_fastembed._source import HubFiles

__all__ = ["CLIP_IMAGE", "CLIP_TEXT", "MINILM", "Weights"]

_TEXT: Final = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


@dataclass(frozen=True, slots=True)
class Weights:
    """A model that fastembed knows.

    Attributes:
        model: Its name there.
        repository: Its repository on the hub.
        names: The files it is made of, all in one folder.
    """

    model: str
    repository: str
    names: tuple[str, ...]

    def lack(self) -> Unavailability | None:
        """Why they cannot be had: they are not here, and the network is forbidden. Nothing is fetched."""
        from indx_model_onnx import is_cached, offline

        if not offline() or is_cached(self._source()):
            return None
        return Unavailability(
            f"the hub's cache lacks files of {self.repository}, and HF_HUB_OFFLINE forbids fetching them",
            f"run 'hf download {self.repository}' once with a network",
        )

    def folder(self) -> Path:
        """The folder that holds them, fetched once, each held to the digest that names it.

        Raises:
            ModelFailure: One is missing and cannot be fetched, or is damaged.
        """
        from indx_model_onnx import located

        return located(self._source())[0].parent

    def _source(self) -> HubFiles:
        from indx_embed_fastembed._source import HubFiles

        return HubFiles(self.model, self.repository, "main", None, self.names[-1], self.names)


MINILM: Final = Weights(
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    "Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q",
    (*_TEXT, "model_optimized.onnx"),
)
CLIP_TEXT: Final = Weights("Qdrant/clip-ViT-B-32-text", "Qdrant/clip-ViT-B-32-text", (*_TEXT, "model.onnx"))
CLIP_IMAGE: Final = Weights(
    "Qdrant/clip-ViT-B-32-vision",
    "Qdrant/clip-ViT-B-32-vision",
    ("preprocessor_config.json", "model.onnx"),
)
