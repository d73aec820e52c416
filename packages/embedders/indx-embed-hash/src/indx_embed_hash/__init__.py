"""The default-text space: feature-hashed character trigrams."""

from indx_embed_hash.provider import HashEmbedder, embedder

__all__ = ["HashEmbedder", "embedder"]
