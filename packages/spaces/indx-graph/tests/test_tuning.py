"""Tuning changes what helps on the even questions, reports the odd ones, and rebuilds only when asked."""

from __future__ import annotations

import json

import pytest

from indx_core.errors import UsageError
from indx_graph import IndexError_, Question, read_questions, tune

QUESTIONS = [
    Question("What is the seat of the county in which Van Hook Township lies?", ("township", "county")),
    Question("Who built the courthouse of Stanley?", ("stanley", "orth")),
    Question("Which county has Van Hook Township?", ("township",)),
    Question("When does Little Muddy River flood?", ("river",)),
]


def test_tuning_reports_both_halves_and_keeps_the_index(making, files):
    making.ingest(title_boost=0.0, graph_share=0.0, dense_share=0.0, token_budget=30)
    before = files(making.folder)
    steps = []
    found = tune(making.folder, QUESTIONS, embed_fn=making.toy, progress=lambda *step: steps.append(step))
    assert files(making.folder) == before
    assert found["questions"] == 4
    assert found["applied"] is False
    assert found["changes"]
    measures = {"recall@2", "recall@5", "recall@10", "recall@20", "all_within_budget"}
    assert all(
        set(found[half][when]) == measures for half in ("tuned", "reported") for when in ("before", "after")
    )
    assert sum(found["tuned"]["after"].values()) > sum(found["tuned"]["before"].values())
    assert [left for _, left in steps] == list(range(len(steps), 0, -1))


def test_what_was_found_is_applied_when_asked(making):
    making.ingest(title_boost=0.0, graph_share=0.0, dense_share=0.0, token_budget=30)
    found = tune(making.folder, QUESTIONS, apply=True, embed_fn=making.toy)
    written = making.open().settings.model_dump()
    if found["applied"]:
        assert all(written[name] == value for name, value in found["changes"].items())
    worse = sum(found["reported"]["after"].values()) < sum(found["reported"]["before"].values())
    assert found["applied"] == (bool(found["changes"]) and not worse)


def test_tuning_is_the_same_each_time(making):
    making.ingest(token_budget=60)
    first = tune(making.folder, QUESTIONS, embed_fn=making.toy)
    assert tune(making.folder, QUESTIONS, embed_fn=making.toy) == first


def test_questions_are_read_from_json_lines(tmp_path):
    file = tmp_path / "questions.jsonl"
    file.write_text(
        json.dumps({"question": "Où?", "chunks": ["a", "b"]})
        + "\n\n"
        + json.dumps({"question": "Who?", "supporting": ["c"], "type": "2hop"})
    )
    assert read_questions(file) == [Question("Où?", ("a", "b")), Question("Who?", ("c",))]


@pytest.mark.parametrize(
    "line",
    ["{", "[]", '{"question": "x"}', '{"question": 1, "chunks": ["a"]}', '{"question": "x", "chunks": [1]}'],
)
def test_a_line_that_is_something_else_is_named(tmp_path, line):
    file = tmp_path / "questions.jsonl"
    file.write_text('{"question": "x", "chunks": ["a"]}\n' + line)
    with pytest.raises(UsageError, match="line 2"):
        read_questions(file)


def test_a_question_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read") as caught:
        read_questions(tmp_path / "missing")
    assert caught.value.code == "input_missing"
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="UTF-8"):
        read_questions(tmp_path / "latin")


def test_questions_that_cannot_be_tuned_on_are_refused(making):
    making.ingest()
    with pytest.raises(UsageError, match="too few"):
        tune(making.folder, QUESTIONS[:3], embed_fn=making.toy)
    with pytest.raises(UsageError, match="'elsewhere', no chunk"):
        tune(making.folder, [*QUESTIONS, Question("x", ("elsewhere",))], embed_fn=making.toy)
    with pytest.raises(IndexError_):
        tune(making.folder.parent / "none", QUESTIONS, embed_fn=making.toy)
