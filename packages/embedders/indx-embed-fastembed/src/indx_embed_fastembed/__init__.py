"""Semantic spaces from ONNX models: multilingual text, and text and images in one space."""

from __future__ import annotations

from indx_embed_fastembed.provider import FastembedEmbedder, clip_image, clip_text, minilm

__all__ = ["FastembedEmbedder", "clip_image", "clip_text", "minilm"]
