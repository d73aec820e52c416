"""The wordllama-256 space: semantic vectors with no network and no model server."""

from indx_embed_wordllama.provider import WordllamaEmbedder, embedder

__all__ = ["WordllamaEmbedder", "embedder"]
