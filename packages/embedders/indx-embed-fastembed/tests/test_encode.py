"""An engine fills the spaces, and asks one of them by a text and by an image."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from indx import Indx
from indx_core.discovery import Registry

SOURCE = {
    "type": "inline",
    "data": base64.b64encode(b"# One\n\nFirst text.\n\n# Two\n\nSecond text.").decode(),
    "filename": "a.md",
}


@pytest.fixture
def engine(models: Any) -> Indx:
    return Indx(registry=Registry())


def test_chunks_get_vectors_in_both_spaces(engine: Indx) -> None:
    spaces = ["minilm-multilingual", "clip-vit-b32"]
    result = engine.encode({"source": SOURCE, "granularities": ["CHUNK"], "embedding_space_ids": spaces})
    chunks = [block for block in result.blocks if block.scope == "CHUNK"]
    assert chunks
    for chunk in chunks:
        made = {vector.embedding_space_id: vector for vector in chunk.vectors or ()}
        assert {space: len(vector.values) for space, vector in made.items()} == dict(
            zip(spaces, (384, 512), strict=True)
        )
        assert made["clip-vit-b32"].embedder_id == "clip-vit-b32-text"


def test_one_space_is_asked_by_a_text_and_by_an_image(engine: Indx) -> None:
    file = io.BytesIO()
    Image.new("RGB", (16, 16), "red").save(file, "PNG")
    image = {"type": "inline", "data": base64.b64encode(file.getvalue()).decode()}
    for asked, embedder in [({"type": "text", "text": "red"}, "text"), (image, "image")]:
        result = engine.embed({"embedding_space_id": "clip-vit-b32", "input": asked})
        assert result.embedder.id == f"clip-vit-b32-{embedder}"
        assert [len(vector.values) for vector in result.vectors] == [512]
