"""Which files make each model, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import Unavailability

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_embed_fastembed._source import HubFiles

__all__ = ["CLIP_IMAGE", "CLIP_TEXT", "MINILM", "Weights"]

_TEXT: Final = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


@dataclass(frozen=True, slots=True)
class Weights:
    """A model that fastembed knows.

    Attributes:
        model: Its name there.
        repository: Its repository on the hub.
        revision: The commit that makes the vectors of the space.
        names: The files it is made of, all in one folder, the graph last.
        digests: The SHA-256 of those that decide what a vector is: the graph and the tokens.
    """

    model: str
    repository: str
    revision: str
    names: tuple[str, ...]
    digests: dict[str, str]

    def lack(self) -> Unavailability | None:
        """Why they cannot be had: they are not here, and the network is forbidden. Nothing is fetched."""
        from indx_model_onnx import DOWNLOAD_SECONDS, is_cached, offline

        try:
            DOWNLOAD_SECONDS.get()
        except ConfigurationError as error:
            return Unavailability(error.message, f"correct or unset {DOWNLOAD_SECONDS.name}")
        if not offline() or is_cached(self._source()):
            return None
        return Unavailability(
            f"the hub's cache lacks files of {self.repository}, and HF_HUB_OFFLINE forbids fetching them",
            self._source().remedy,
        )

    def folder(self, deadline: Deadline) -> Path:
        """The folder that holds them, fetched once, each held to its digest.

        Raises:
            ModelFailure: One is missing and cannot be fetched in time, or is damaged.
        """
        from indx_model_onnx import located

        return located(self._source(), deadline)[0].parent

    def _source(self) -> HubFiles:
        from indx_embed_fastembed._source import HubFiles

        return HubFiles(
            self.model,
            self.repository,
            self.revision,
            None,
            self.names[-1],
            self.names,
            tuple(self.digests.items()),
        )


MINILM: Final = Weights(
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    "Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q",
    "faf4aa4225822f3bc6376869cb1164e8e3feedd0",
    (*_TEXT, "model_optimized.onnx"),
    {
        "tokenizer.json": "fa685fc160bbdbab64058d4fc91b60e62d207e8dc60b9af5c002c5ab946ded00",
        "model_optimized.onnx": "634d0f66c29dc934c8fa72b8a4fe91dd4d420a22f1d82a241058d4316e659a99",
    },
)
CLIP_TEXT: Final = Weights(
    "Qdrant/clip-ViT-B-32-text",
    "Qdrant/clip-ViT-B-32-text",
    "48ca1db27cb4063eb311ec2aa7f087a808112876",
    (*_TEXT, "model.onnx"),
    {
        "tokenizer.json": "b68d571997a1f81bf521fb73806740ddb91e4ed6666cb6e996c066bb289cf55b",
        "model.onnx": "4dbe762b11e36488304471e439cde89da053ad7acaddbf9e096745d142ec8d8b",
    },
)
CLIP_IMAGE: Final = Weights(
    "Qdrant/clip-ViT-B-32-vision",
    "Qdrant/clip-ViT-B-32-vision",
    "e0c24ed0fa57fa3e4f97f30de74c51d944036ace",
    ("preprocessor_config.json", "model.onnx"),
    {"model.onnx": "c68d3d9a200ddd2a8c8a5510b576d4c94d1ae383bf8b36dd8c084f94e1fb4d63"},
)
