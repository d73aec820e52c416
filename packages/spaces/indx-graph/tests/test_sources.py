"""Chunks of spaces, archives, folders and texts, with vectors taken over where they are of the embedder."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from indx_core import discovery
from indx_core.contracts.space import Chunk, Document, Relation, RelationType, chunk_id, document_id
from indx_core.discovery import Candidate, Registry
from indx_core.errors import ConfigurationError, Unavailable, UsageError
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, Space
from indx_core.ports.lanes import Answers, Enrichment, LaneDeclaration, LaneError
from indx_graph import EmbedderError, GraphSettings, SpectRAGIngestion, SpectRAGRetrieval
from indx_graph.sources import from_space, from_texts
from indx_space import KnowledgeSpace, pack
from indx_space.vectors import VectorFacts


class Embedder:
    """An embedder of the port, by the words of a text."""

    port_version = 1

    def __init__(self, toy, name="toy", fingerprint="1"):
        self._toy = toy
        self.asked = []
        self.declaration = EmbedderDeclaration(
            name, Space(name, 24, "cosine", True), ("document", "query"), ("text",), fingerprint=fingerprint
        )

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        self.asked += [(role, text) for text in batch]
        rows = self._toy(batch)
        errors = {n: "nothing to embed" for n, row in enumerate(rows) if not row.any()}
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return Embedded((rows / np.where(lengths, lengths, 1)).astype(np.float32), errors)


class Asking:
    """An enricher that asks about some texts and fails on others."""

    port_version = 1
    declaration = LaneDeclaration("asking-chunk", "chunk")

    def availability(self):
        return None

    def enrich(self, texts):
        return Answers(
            [
                LaneError("too short")
                if len(text) < 30
                else Enrichment(questions=["Who  was\nit?", "Who was it?", ""])
                for text in texts
            ]
        )


@pytest.fixture
def embedder(making, monkeypatch):
    made = Embedder(making.toy)
    found = [("indx.embedders", made), ("indx.enrichers", Asking())]
    registry = Registry(
        [
            Candidate(group, f"p{n}", "m:f", f"dist-{n}", "1", lambda item=item: lambda: item)
            for n, (group, item) in enumerate(found)
        ]
    )
    monkeypatch.setattr(discovery, "_default", registry)
    return made


@pytest.fixture
def space():
    """Two documents; the first links to the second, the last chunk is a rule."""
    made = KnowledgeSpace(root="/data/handbook", metadata={"config": {}, "errors": []})
    texts = {
        "a.md": ["Read the other page first.", "Alpha comes before beta."],
        "b/ガイド.md": ["The guide.", "----"],
    }
    for path, parts in texts.items():
        identity = document_id(path)
        ids = [chunk_id(identity, n) for n in range(len(parts))]
        document = Document(id=identity, path=path, chunk_ids=ids)
        made.documents_.append(document)
        for n, text in enumerate(parts):
            made.chunks.append(
                Chunk.trusted(
                    doc_id=identity,
                    position=n,
                    text=text,
                    source=document.source,
                    metadata={"section": ["Top", path, "Deep", "Deepest"], "page": 1},
                )
            )
    edge = Relation(src=made.chunks[0].id, dst="b/ガイド.md", type=RelationType.REFERENCES)
    made.chunks[0].relations.append(edge)
    return made


def embed(space, toy, name="toy", fingerprint="1", keep=slice(None)):
    ids = [chunk.id for chunk in space.chunks if chunk.text != "----"][keep]
    rows = toy([chunk.text for chunk in space.chunks if chunk.text != "----"])[keep].astype(np.float32)
    space.attach_vectors(rows, VectorFacts(name, 24, None, name, fingerprint), ids=ids)
    return space


def test_a_space_gives_its_chunks_sections_links_and_vectors(space, making):
    gathered = from_space(embed(space, making.toy))
    assert [chunk.id for chunk in gathered.chunks] == [chunk.id for chunk in space.chunks]
    assert gathered.chunks[0].section == ["a.md", "Deep", "Deepest"]
    linked = f"doc:{document_id('b/ガイド.md')}"
    assert linked in gathered.chunks[0].references
    assert linked in gathered.chunks[2].references
    assert linked not in gathered.chunks[3].references
    assert (gathered.source, gathered.space) == ("handbook", "toy")
    assert np.isnan(gathered.rows[3]).all()


def test_a_link_between_documents_is_a_citation_edge(space, making, embedder):
    info = SpectRAGIngestion(making.folder).ingest(embed(space, making.toy))
    assert info["signals"]["citation"] == 1
    with np.load(making.folder / "signals.npz") as signals:
        assert signals["citation"][0, :2].tolist() == [0, 2]


def test_vectors_of_the_same_embedder_are_taken_over(space, making, embedder):
    info = SpectRAGIngestion(making.folder).ingest_space(embed(space, making.toy))
    asked = [text for _, text in embedder.asked]
    assert asked == ["The quick brown fox jumps over the lazy dog.", "----"]
    assert info["embedder"] == "toy"
    assert info["without_vector"] == 1
    found = SpectRAGRetrieval(making.folder).search("alpha", k=1)
    assert found[0].chunk.text == "Alpha comes before beta."
    assert embedder.asked[-1] == ("query", "alpha")


@pytest.mark.parametrize(("name", "fingerprint"), [("toy", "another release"), ("elsewhere", "1")])
def test_vectors_of_another_embedder_are_made_anew(space, making, embedder, name, fingerprint):
    SpectRAGIngestion(making.folder, GraphSettings(embedder="toy")).ingest_space(
        embed(space, making.toy, name, fingerprint)
    )
    assert {text for _, text in embedder.asked} >= {chunk.text for chunk in space.chunks}


def test_chunks_without_a_vector_get_one(space, making, embedder):
    SpectRAGIngestion(making.folder).ingest_space(embed(space, making.toy, keep=slice(1, None)))
    assert "Read the other page first." in [text for _, text in embedder.asked]
    assert "The guide." not in [text for _, text in embedder.asked]


def test_an_archive_and_its_directory_give_the_same_index(
    space, making, embedder, tmp_path, files, monkeypatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    archive = pack(embed(space, making.toy), tmp_path / "ready")
    found = []
    for source in (archive, tmp_path / "ready", str(archive)):
        SpectRAGIngestion(making.folder).ingest(source)
        found.append(files(making.folder))
    assert found[0] == found[1] == found[2]


def test_a_space_without_vectors_is_embedded_by_the_first_preferred_embedder(space, making, embedder):
    info = SpectRAGIngestion(making.folder).ingest_space(space)
    assert info["embedder"] == "hash"  # nothing preferred is installed here


def test_texts_say_as_much_as_they_know():
    gathered = from_texts(
        [
            "plain",
            {"id": "x", "title": "Title", "text": "b", "section": ["S"], "references": ["ref:1"]},
            {"doc_id": "d", "text": "second", "position": 1},
            {"doc_id": "e", "text": "between"},
            {"doc_id": "d", "text": "first", "position": 0},
            {"doc_id": "e", "text": "lone \ud800 surrogate\x00"},
        ]
    )
    assert [chunk.text for chunk in gathered.chunks] == [
        "plain",
        "b",
        "first",
        "second",
        "between",
        "lone \ufffd surrogate\ufffd",
    ]
    assert [chunk.position for chunk in gathered.chunks] == [0, 0, 0, 1, 0, 1]
    assert gathered.chunks[1].section == ["S", "Title"]
    assert gathered.chunks[1].references == ["ref:1"]
    assert len({chunk.id for chunk in gathered.chunks}) == 6


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ([7], "item 0 is '7'"),
        ([{"title": "x"}], "with a 'text'"),
        ([{"text": "x", "colour": 1}], "the key 'colour'"),
        ([{"text": "x", "mode": "odd"}], "the mode 'odd'"),
        ([{"text": "x", "position": "1"}], "the position '1'"),
        ([{"text": "x", "position": -1}], "the position -1"),
        ([{"text": "x", "section": "Intro"}], "the section 'Intro'; it is a list"),
        ([{"text": "x", "references": "ref:1"}], "the references 'ref:1'; it is a list"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "'a' stands twice"),
    ],
)
def test_texts_that_are_something_else_are_refused(making, texts, says):
    with pytest.raises(UsageError, match=says):
        making.ingest(texts)
    assert not making.folder.exists()


def test_a_missing_source_is_refused(making):
    with pytest.raises(UsageError, match="does not exist") as caught:
        making.ingest("nowhere/at/all") if False else SpectRAGIngestion(making.folder).ingest(
            "nowhere/at/all"
        )
    assert caught.value.code == "input_missing"


def test_a_folder_is_read_by_the_engine(making, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "one.md").write_text("# One\n\nSee [two](two.md) about Ada Lovelace.\n")
    (docs / "two.md").write_text("# Two\n\nAda Lovelace wrote it.\n")
    registry = discovery.default_registry()
    info = SpectRAGIngestion(
        making.folder, GraphSettings(embedder="hash", tokenizer="estimate"), registry=registry
    ).ingest_folder(docs)
    assert info["documents"] == 2
    assert info["signals"]["citation"] >= 1
    assert info["signals"]["entity"] >= 1


# Utility questions


def test_an_enricher_writes_questions_and_its_failures_are_told(making, embedder):
    info = making.ingest(
        embed_fn=None, embedder="toy", enricher="asking-chunk", texts=[*making.texts, "short"]
    )
    chunks = json.loads((making.folder / "chunks.json").read_bytes())
    assert chunks[0]["utility_questions"] == ["Who was it?"]
    assert chunks[-1]["utility_questions"] == []
    assert info["questions"] == len(making.texts)
    assert info["question_errors"] == [f"{chunks[-1]['id']}: too short"]
    assert info["signals"]["utility_question"] > 0


class Panic(BaseException):
    """What an engine in another language raises: no exception of a usual class."""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (RuntimeError("no model at key-0123456789"), "no model at ***"),
        (Panic("no model"), "Panic: no model"),
        (Answers([]), "0 answers to"),
        (Answers([LaneError("x" * 2_000 + "key-0123456789")]), "x" * 500),
        (Answers([Enrichment(questions=[7])]), "not a string"),
    ],
    ids=["raises", "panics", "none", "long", "odd"],
)
def test_an_enricher_that_fails_in_any_way_leaves_the_rest_to_carry_the_graph(
    making, monkeypatch, answer, told
):
    class Broken:
        declaration = LaneDeclaration("broken", "chunk")

        def enrich(self, texts):
            if isinstance(answer, BaseException):
                raise answer
            return Answers(list(answer.items) * len(texts))

    monkeypatch.setenv("INDX_FAKE_API_KEY", "key-0123456789")
    monkeypatch.setattr("indx_graph.ingest._enricher", lambda *_: SimpleNamespace(item=Broken()))
    info = making.ingest(enricher="broken")
    assert info["questions"] == 0
    assert info["edges"] > 0
    assert told in info["question_errors"][0]
    assert len(info["question_errors"][0]) < 600
    assert "key-0123456789" not in str(info)


def test_an_enricher_that_is_not_installed_is_refused_before_any_work(making, embedder):
    embed = making.Toy()
    with pytest.raises(ConfigurationError, match="no enricher 'nobody' is installed; there are asking-chunk"):
        making.ingest(embed_fn=embed, enricher="nobody")
    assert embed.asked == []


# Functions that embed wrongly


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda texts: np.ones(3), "one row a text"),
        (lambda texts: np.ones((len(texts) + 1, 3)), "one row a text"),
        (lambda texts: [1 / 0], "ZeroDivisionError"),
        (lambda texts: ["words"], "failed"),
    ],
)
def test_a_function_that_answers_something_else_is_told_so(making, function, says):
    with pytest.raises(Unavailable, match=says):
        making.ingest(embed_fn=function)
    assert not making.folder.exists()


def test_a_function_that_changes_its_size_is_refused(making):
    sizes = iter([8, 8, 9])
    with pytest.raises(EmbedderError, match="of 8 and of 9 numbers"):
        making.ingest(
            [f"text {n}" for n in range(300)], embed_fn=lambda texts: np.ones((len(texts), next(sizes)))
        )


def test_a_vector_that_is_no_number_is_taken_for_none(making):
    def sometimes(texts):
        rows = making.toy(texts)
        rows[["floods" in text for text in texts]] = np.nan
        return rows

    info = making.ingest(embed_fn=sometimes)
    assert info["without_vector"] == 1
    assert np.isfinite(np.load(making.folder / "embeddings.npy")).all()


def test_an_index_is_not_written_among_the_documents_it_is_made_of(making, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "note.md").write_text("# Note\n\nData is kept for a year.\n", "utf-8")
    for read in ("ingest", "ingest_folder"):
        ingestion = SpectRAGIngestion(docs / "graph", GraphSettings(), embed_fn=making.Toy())
        with pytest.raises(UsageError) as refused:
            getattr(ingestion, read)(docs)
        assert refused.value.code == "output_inside_input"
        assert [path.name for path in docs.iterdir()] == ["note.md"]
