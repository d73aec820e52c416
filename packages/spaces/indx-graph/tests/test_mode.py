"""`KnowledgeSpace.search(…, mode="graph")`."""

from __future__ import annotations

import pytest

from indx_core import discovery
from indx_core.contracts.space import Chunk, Document, chunk_id, document_id
from indx_core.errors import ArchiveError
from indx_graph import mode
from indx_space import KnowledgeSpace
from indx_space.vectors import VectorFacts


@pytest.fixture
def space(making):
    made = KnowledgeSpace(root="/data", metadata={"config": {}, "errors": []})
    for text in making.texts:
        path = f"{text['id']}.md"
        identity = document_id(path)
        document = Document(id=identity, path=path, chunk_ids=[chunk_id(identity, 0)])
        made.documents_.append(document)
        made.chunks.append(
            Chunk.trusted(
                doc_id=identity,
                position=0,
                text=text["text"],
                source=document.source,
                metadata={"section": [text["title"]]},
            )
        )
    return made


def test_the_mode_is_found_and_follows_names_from_chunk_to_chunk(space):
    hits = space.search("What is the seat of the county in which Van Hook Township lies?", k=3, mode="graph")
    assert [hit.source.path for hit in hits][:2] == ["township.md", "county.md"]
    assert {hit.mode for hit in hits} == {"graph"}


def test_the_graph_is_made_once_and_anew_when_chunks_change(space, monkeypatch):
    made = []
    make = mode.make_graph
    monkeypatch.setattr(mode, "make_graph", lambda *a, **k: made.append(1) or make(*a, **k))
    space.search("seat", mode="graph")
    space.search("county", mode="graph")
    assert len(made) == 1
    space.chunks.append(
        Chunk.trusted(doc_id="d", position=0, text="A new seat.", source=space.chunks[0].source)
    )
    assert any(hit.chunk.text == "A new seat." for hit in space.search("new seat", k=9, mode="graph"))
    assert len(made) == 2


def test_a_space_of_an_embedder_that_is_not_installed_is_refused(space, making, monkeypatch):
    monkeypatch.setattr(discovery, "_default", discovery.Registry([]))
    rows = making.toy([chunk.text for chunk in space.chunks]).astype("float32")
    space.attach_vectors(rows, VectorFacts("elsewhere", 24))
    with pytest.raises(ArchiveError) as caught:
        mode.search(space, "seat", 3, None)
    assert caught.value.code == "embedder_mismatch"
