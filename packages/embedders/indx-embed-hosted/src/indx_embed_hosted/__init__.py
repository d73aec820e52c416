"""The embedding space of a hosted model, `hosted-text`."""

from __future__ import annotations

from indx_embed_hosted.provider import HostedEmbedder, embedder

__all__ = ["HostedEmbedder", "embedder"]
