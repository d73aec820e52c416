"""Spaces that tests build, and an embedder that needs no model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from indx_core import discovery
from indx_core.contracts.space import Chunk, Document, Relation, RelationType, chunk_id, document_id
from indx_core.discovery import Candidate, Registry
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, Space
from indx_core.text import query_terms
from indx_space.knowledge import KnowledgeSpace
from indx_space.packing import pack
from indx_space.vectors import VectorFacts

GUIDE = {
    "guide/install.md": ["Install the tool first.", "Then configure the alpha setting."],
    "guide/日本語.txt": [
        "東京の天気は晴れです。",
        'Quotes " and \\ backslash\nsecond line',
        "— 👩\u200d👧 —",
    ],
    "policies/data/retention.md": ["Enterprise data is retained for 90 days.", "-- 2 of 121 --"],
    "empty.txt": [],
}
"""Texts of chunks by the path of their document."""


class ToyEmbedder:
    """Texts that share words are near; other words of a text pull it elsewhere."""

    port_version = 1

    def __init__(self, space: str = "toy", dim: int = 16, **facts) -> None:
        declared = {
            "id": space,
            "roles": ("document", "query"),
            "modalities": ("text",),
            "fingerprint": "toy-1",
        }
        self.declaration = EmbedderDeclaration(
            space=Space(space, dim, "cosine", True), **{**declared, **facts}
        )
        self.asked: list[str] = []

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline) -> Embedded:
        self.asked += batch
        rows = [self.vector(text) for text in batch]
        errors = {place: "nothing to embed" for place, row in enumerate(rows) if not row.any()}
        return Embedded(np.array(rows, dtype=np.float32), errors)

    def vector(self, text: str):
        row = np.zeros(self.declaration.space.dimension)
        for term in query_terms(text):
            digest = hashlib.sha256(term.encode("utf-8", "replace")).digest()
            row[digest[0] % len(row)] += 1 + digest[1] / 255
        length = np.linalg.norm(row)
        return row / length if length else row


class Making:
    """Makes spaces, archives and registries."""

    guide = GUIDE
    facts = VectorFacts("toy", 16, None, "toy", "toy-1")
    when = staticmethod(lambda: datetime(2026, 6, 6, 12, 0, 0, tzinfo=UTC))

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def embedder(self, *args, **facts) -> ToyEmbedder:
        return ToyEmbedder(*args, **facts)

    def space(self, files: Mapping[str, Sequence[str]] = GUIDE, *, embed: bool = True) -> KnowledgeSpace:
        """A space as a build would leave it."""
        space = KnowledgeSpace(
            root="/data/docs", metadata={"config": {"walk": {"hidden": False}}, "errors": []}
        )
        for path, texts in files.items():
            self.add(space, path, texts)
        if embed:
            self.embed(space)
        return space

    def add(self, space: KnowledgeSpace, path: str, texts: Sequence[str]) -> Document:
        """Add a document with its chunks."""
        folders = path.split("/")[:-1]
        made = Document(
            id=document_id(path),
            path=path,
            lineage=["/".join(folders[: depth + 1]) for depth in range(len(folders))],
            size_bytes=sum(len(text.encode("utf-8", "replace")) for text in texts),
            doc_type="policy" if path.startswith("policies") else None,
            topics=["retention"] if path.startswith("policies") else [],
            chunk_ids=[chunk_id(document_id(path), place) for place in range(len(texts))],
        )
        space.documents_.append(made)
        ids = made.chunk_ids
        for place, text in enumerate(texts):
            following = ids[place + 1] if place + 1 < len(ids) else None
            chunk = Chunk.trusted(
                doc_id=made.id,
                position=place,
                text=text,
                source=made.source,
                prev_id=ids[place - 1] if place else None,
                next_id=following,
                metadata={"page": 1, "block_id": f"p1.c{place}", "topics": [], "bbox": [0.1, 0.2, 0.3, 0.4]},
            )
            space.chunks.append(chunk)
            if following:
                edge = Relation(src=chunk.id, dst=following, type=RelationType.CONTINUES)
                chunk.relations.append(edge)
                space.relations.append(edge.model_copy())
        return made

    def embed(self, space: KnowledgeSpace, embedder: ToyEmbedder | None = None) -> None:
        """Give every chunk that says something a vector."""
        embedder = embedder or ToyEmbedder()
        rows = {chunk.id: embedder.vector(chunk.text) for chunk in space.chunks}
        rows = {identity: row for identity, row in rows.items() if row.any()}
        width = embedder.declaration.space.dimension
        values = np.array(list(rows.values()), dtype=np.float32).reshape(-1, width)
        space.attach_vectors(values, VectorFacts.of(embedder.declaration), ids=list(rows))

    def pack(self, space: KnowledgeSpace | None = None, output: Path | None = None, **options) -> Path:
        """Write an output directory; the archive's path."""
        output = output or self.folder / "ready"
        return pack(space or self.space(), output, **{"clock": self.when, "made_by": "indx 0.1.0", **options})

    def registry(self, *embedders: ToyEmbedder, modes: Sequence[object] = ()) -> Registry:
        """A registry of these providers alone."""
        made = [("indx.embedders", one) for one in embedders] + [("indx.search_modes", one) for one in modes]
        return Registry(
            [
                Candidate(group, f"p{place}", "m:f", f"dist-{place}", "1", lambda item=item: lambda: item)
                for place, (group, item) in enumerate(made)
            ]
        )


@pytest.fixture
def making(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Making:
    # Waiting for the disk proves nothing here and takes most of the time.
    monkeypatch.setattr("os.fsync", lambda handle: None)
    return Making(tmp_path)


@pytest.fixture
def toys(making: Making, monkeypatch: pytest.MonkeyPatch) -> ToyEmbedder:
    """The one embedder that this process finds installed."""
    embedder = making.embedder()
    monkeypatch.setattr(discovery, "_default", making.registry(embedder))
    return embedder
