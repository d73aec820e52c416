"""Embed: one vector a chunk, in one matrix, each failure its own."""

import numpy as np
import pytest

from indx_core.discovery import Registry
from indx_core.errors import BuildError, Unavailable
from indx_runtime import Engine
from indx_space.pipeline.directory import DirectoryPipeline


def test_every_chunk_has_a_row_of_one_matrix(tree, build):
    space = build(tree({"a.md": "one\n\ntwo", "b.md": "three"}))
    table = space.vectors()
    assert table.values.dtype == np.float32
    assert list(table.ids) == [c.id for c in space.chunks]
    for chunk, row in zip(space.chunks, table.values, strict=True):
        assert chunk.embedding[0] == len(chunk.text)
        assert np.shares_memory(chunk.embedding, row)


def test_batches_go_over_documents(tree, build, calls):
    build(tree({f"{n}.md": "a\n\nb\n\nc" for n in range(100)}))
    assert [c for c in calls if c[0] == "embed"] == [("embed", 256), ("embed", 44)]


def test_batches_of_long_texts_are_small(tree, build, calls):
    build(tree({f"{n}.md": "x" * 600_000 for n in range(3)}))
    assert [c for c in calls if c[0] == "embed"] == [("embed", 1)] * 3


def test_one_chunk_that_cannot_be_embedded_fails_alone(tree, build, tmp_path, calls):
    root = tree({"a.md": "fine\n\nUNEMBEDDABLE", "b.md": "good"})
    space = build(root, tmp_path / "out", cache=tmp_path / "c")
    assert [c.embedding is None for c in space.chunks] == [False, True, False]
    assert space.stats.embeddings == 2
    (error,) = space.metadata["errors"]
    assert (error["stage"], error["path"], error["code"]) == ("Embed", "a.md", "not_embedded")
    calls.clear()
    build(root, cache=tmp_path / "c")
    assert [c for c in calls if c[0] == "embed"] == [("embed", 2)], "the document is asked about again"


def test_many_that_fail_for_one_reason_are_one_entry_of_their_document(tree, build):
    root = tree(
        {"a.md": "\n\n".join(["***"] * 400), "b.md": "***", "c.md": "w\n\n***", "d.md": "***\n\n***\n\nw"}
    )
    space = build(root)
    messages = {e["path"]: e["message"] for e in space.metadata["errors"]}
    assert messages == {
        "a.md": "none of its chunks has a vector: no",
        "b.md": "none of its chunks has a vector: no",
        "c.md": f"the chunk {space.chunks[402].id} has no vector: no",
        "d.md": f"2 chunks from {space.chunks[403].id} on have no vector: no",
    }


def test_a_chunk_without_a_word_is_no_failure(tree, build):
    space = build(tree({"a.md": "fine\n\n***"}), strict=True)
    assert [e["code"] for e in space.metadata["errors"]] == ["nothing_to_embed"]
    with pytest.raises(BuildError):
        build(tree({"a.md": "fine\n\nUNEMBEDDABLE"}), strict=True)


def test_an_embedder_that_is_down_leaves_the_build_without_vectors(tree, build, fakes, monkeypatch):
    def down(self, batch, *, role, deadline):
        raise Unavailable("the service is down", code="embedder_unavailable")

    monkeypatch.setattr(fakes.Embedder, "embed", down)
    space = build(tree({"a.md": "one", "b.md": "two"}))
    said = "none of its chunks has a vector: the service is down"  # alike of both, to be told once
    assert [(e["path"], e["code"], e["message"]) for e in space.metadata["errors"]] == [
        ("a.md", "embedder_unavailable", said),
        ("b.md", "embedder_unavailable", said),
    ]
    assert space.vectors() is None


def test_vectors_of_another_embedder_are_not_used_again(tree, build, tmp_path, fakes, monkeypatch, calls):
    root = tree({"a.md": "one"})
    build(root, cache=tmp_path / "c")
    made = fakes.embedder()
    from dataclasses import replace

    made.declaration = replace(made.declaration, fingerprint="plain-embedder-2")
    monkeypatch.setattr(fakes, "embedder", lambda: made)
    from indx_core.discovery import scan

    registry = Registry([c for c in scan() if c.distribution in ("space-fakes", "indx-runtime")])
    calls.clear()
    DirectoryPipeline(root, engine=Engine(registry), cache=tmp_path / "c").run()
    assert ("embed", 1) in calls


@pytest.mark.parametrize(
    ("installed", "space"),
    [
        (("default-text",), "default-text"),
        (("other-space",), "other-space"),
        (("default-text", "wordllama-256"), "wordllama-256"),
        ((), "none"),
    ],
)
def test_auto_is_the_best_space_that_is_there(tree, candidates, fakes, installed, space):
    from indx_core.discovery import Candidate

    extra = [
        Candidate(
            "indx.embedders",
            name,
            "x:x",
            "space-fakes",
            "1.0",
            lambda name=name: lambda: fakes.Embedder(name, name),
        )
        for name in installed
    ]
    registry = Registry([c for c in candidates if c.group != "indx.embedders"] + extra)
    made = DirectoryPipeline(tree({"a.md": "w"}), engine=Engine(registry), cache=None)
    assert made.config.embed.space == space
    assert (made.run().vectors() is None) == (space == "none")


def test_no_vectors_are_made_where_none_are_wanted(tree, build, calls, tmp_path):
    space = build(tree({"a.md": "w"}), tmp_path / "out", layer={"embed": {"space": "none"}})
    assert not any(name == "embed" for name, _ in calls)
    assert "embedder" not in space.metadata
    assert not (tmp_path / "out" / "embeddings").exists()
