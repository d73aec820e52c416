"""The embedder keeps the rules of its port, against a model's server on this machine."""

from __future__ import annotations

import pytest

from indx_embed_hosted.provider import embedder
from indx_testkit.embedding import EmbedderKit


@pytest.mark.usefixtures("server")
class TestHostedEmbedder(EmbedderKit):
    factory = staticmethod(embedder)
    examples = 10
