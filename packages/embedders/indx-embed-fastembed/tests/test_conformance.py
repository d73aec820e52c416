"""The embedders keep the rules of their port, with models in the hub's cache."""

from __future__ import annotations

import pytest

from indx_embed_fastembed.provider import clip_image, clip_text, minilm
from indx_testkit.embedding import EmbedderKit


@pytest.mark.usefixtures("models")
class TestMinilm(EmbedderKit):
    factory = staticmethod(minilm)


@pytest.mark.usefixtures("models")
class TestClipText(EmbedderKit):
    factory = staticmethod(clip_text)


@pytest.mark.usefixtures("models")
class TestClipImage(EmbedderKit):
    factory = staticmethod(clip_image)
