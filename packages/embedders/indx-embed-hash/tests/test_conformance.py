"""The embedder keeps the rules of its port."""

from indx_embed_hash.provider import embedder
from indx_testkit.embedding import EmbedderKit


class TestHashEmbedder(EmbedderKit):
    factory = staticmethod(embedder)
