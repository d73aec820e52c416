"""The embedder keeps the rules of its port."""

from indx_embed_wordllama.provider import embedder
from indx_testkit.embedding import EmbedderKit


class TestWordllamaEmbedder(EmbedderKit):
    factory = staticmethod(embedder)
