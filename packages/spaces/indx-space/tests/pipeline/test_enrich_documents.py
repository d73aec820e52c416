"""Enrich: what lanes say of documents, and what chunks have of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_space.pipeline.enrich import FIELDS_AND_FIGURES, first_sentence


def test_documents_get_type_topics_tags_and_summary(tree, build):
    space = build(tree({"a.md": "Alpha TYPE:policy topicone topictwo tagred", "b.md": "Beta"}))
    a, b = space.documents_
    assert (a.doc_type, a.topics, a.tags, a.summary) == (
        "policy",
        ["topicone", "topictwo"],
        ["tagred"],
        "In short: Alpha",
    )
    assert (b.doc_type, b.topics, b.tags) == (None, [], [])
    assert space.stats.types == {"policy": 1}


def test_the_type_stands_in_every_source(tree, build):
    space = build(tree({"a.md": "one TYPE:policy\n\ntwo"}))
    assert {c.source.type for c in space.chunks} == {"policy"}


def test_chunks_have_topics_tags_and_a_summary(tree, build):
    space = build(tree({"a.md": "# Head\n\nFirst topicone. More.\n\nThen topictwo tagred!\n\nNeither."}))
    head, one, two, neither = space.chunks
    assert one.metadata["topics"] == ["topicone"]
    assert two.metadata["topics"] == ["topictwo"]
    assert two.metadata["tags"] == ["tagred"]
    assert neither.metadata["topics"] == ["topicone", "topictwo"]
    assert one.metadata["summary"] == "First topicone."
    assert "summary" not in head.metadata, "a heading says nothing of what is below it"
    for chunk in space.chunks:
        assert all(isinstance(value, str) for key in ("topics", "tags") for value in chunk.metadata[key])


@pytest.mark.parametrize("kind", sorted(FIELDS_AND_FIGURES))
def test_documents_of_fields_and_figures_have_no_sentences_for_a_summary(tree, build, calls, kind):
    space = build(
        tree({"a.md": f"# Invoice 7\n\nTYPE:{kind} topicone", "b.md": "# Note\n\nTYPE:report topicone"})
    )
    form, report = space.documents_
    assert form.summary == "Invoice 7"
    assert form.topics == ["topicone"], "other lanes are asked"
    assert report.summary == "In short: #"
    assert not any("summary" in c.metadata for c in space.chunks if c.doc_id == form.id)
    assert any("summary" in c.metadata for c in space.chunks if c.doc_id == report.id)
    assert ("extractive", 1) in calls


def test_a_lane_that_fails_on_a_text_is_an_entry_and_the_others_are_answered(tree, build):
    space = build(tree({"a.md": "LANEFAIL topicone", "b.md": "fine topictwo"}))
    assert space.documents_[0].topics == []
    assert space.documents_[1].topics == ["topictwo"]
    found = {(e["stage"], e["path"], e["code"]) for e in space.metadata["errors"]}
    assert found == {("Enrich", "a.md", "lane_failed")}


def test_a_lane_that_raises_is_an_entry_and_the_build_goes_on(tree, build):
    space = build(tree({"a.md": "LANEDOWN"}))
    messages = [e["message"] for e in space.metadata["errors"]]
    assert messages == [
        "the lane extractive had no answer: RuntimeError: lane down",
        "the lane keywords had no answer: RuntimeError: lane down",
    ]
    assert space.chunks[0].metadata["summary"] == "LANEDOWN"


def test_one_reason_is_one_entry_of_a_document(tree, build):
    layer = {"enrich": {"classifiers": [], "enrichers": ["keywords-chunk"]}}
    space = build(tree({"a.md": "LANEFAIL one\n\nLANEFAIL two"}), layer=layer)
    assert [e["message"] for e in space.metadata["errors"]] == [
        "the lane keywords-chunk had no answer: no words"
    ]


def test_failures_are_asked_again_and_answers_are_not(tree, build, tmp_path, calls):
    root = tree({"a.md": "LANEFAIL", "b.md": "fine"})
    build(root, cache=tmp_path / "c")
    calls.clear()
    build(root, cache=tmp_path / "c")
    assert sorted(calls) == [("extractive", 1), ("keywords", 1)]


def test_lanes_of_chunks_are_asked_where_they_are_named(tree, build):
    layer = {
        "enrich": {
            "classifiers": ["words", "words-chunk"],
            "extractors": ["names-chunk"],
            "enrichers": ["keywords", "keywords-chunk"],
        }
    }
    space = build(tree({"a.md": "one Alice topicone\n\nTYPE:faq two"}), layer=layer)
    one, two = space.chunks
    assert one.metadata["topics"] == ["one"]
    assert one.metadata["entities"] == [
        {"label": "NAME", "surface": "Alice", "range": [4, 9], "confidence": 1.0}
    ]
    assert two.metadata["classification"] == {"document_type": [{"label": "faq", "confidence": 0.8}]}
    assert "entities" not in two.metadata


def test_without_lanes_a_chunk_still_has_its_three_members(tree, build):
    layer = {"enrich": {"classifiers": [], "enrichers": []}}
    space = build(tree({"a.md": "Some words. And more."}), layer=layer)
    assert space.documents_[0].summary is None
    assert {k: space.chunks[0].metadata[k] for k in ("topics", "tags", "summary")} == {
        "topics": [],
        "tags": [],
        "summary": "Some words.",
    }


def test_auto_is_what_is_there_of_the_standard_lanes(tree, pipeline, candidates):
    from indx_core.discovery import Registry
    from indx_runtime import Engine
    from indx_space.pipeline.directory import DirectoryPipeline

    root = tree({"a.md": "w"})
    assert pipeline(root).config.enrich.enrichers == ("extractive", "keywords")
    fewer = Registry([c for c in candidates if c.name != "extractive"])
    assert DirectoryPipeline(root, engine=Engine(fewer), cache=None).config.enrich.enrichers == ("keywords",)


def test_a_document_without_text_is_not_asked_about(tree, build, calls):
    build(tree({"a.md": "SCAN"}))
    assert {name for name, _ in calls} == {"open"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("\n\n  One line without an end\nTwo.", "One line without an end"),
        ("Version 1.2 is out! Get it.", "Version 1.2 is out!"),
        ('He said "stop." Then', 'He said "stop."'),
        ("これは文です。次の文。", "これは文です。"),
        ("---\n***\nWords.", "Words."),
        ("# Head\nBelow it.", "Below it."),
        ("Head\nBelow it.", "Below it."),
        ("```sh\nkubectl get pods\n```", "kubectl get pods"),
        ("", None),
        ("...", None),
        ("# Head", None),
    ],
)
def test_a_first_sentence_stands_below_headings_and_rules(text, sentence):
    assert first_sentence(text, ["Head"]) == sentence


@given(st.text(max_size=2000))
def test_a_first_sentence_is_short_and_of_the_text(text):
    found = first_sentence(text)
    assert found is None or (0 < len(found) <= 300 and found.rstrip("…").strip() in text)
