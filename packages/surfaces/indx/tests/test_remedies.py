"""What a person is told comes with what helps."""

import pytest

from indx.cli.remedies import with_remedy
from indx_core.errors import Unavailable


@pytest.fixture
def space(command, note, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    note.rename(docs / note.name)
    assert command(docs, "--out", tmp_path / "out", "--space", "default-text").code == 0
    return tmp_path / "out"


def test_a_file_that_is_not_there_is_to_be_looked_for(command, tmp_path):
    answer = command("encode", tmp_path / "nothere.pdf")
    assert answer.code == 1
    assert "nothere.pdf' cannot be read: No such file or directory; check its path" in answer.err
    assert "check its path" in command("encode", "--request", tmp_path / "nothere.json").err


def test_a_folder_is_built_and_not_read(command, tmp_path):
    answer = command("encode", tmp_path)
    assert "Is a directory; name a file in it, or build it: indx DIR --out OUT" in answer.err


@pytest.mark.parametrize("document", ["note.md", "https://example.org/a.pdf"])
def test_a_digest_that_is_none_is_told_with_what_one_is(command, note, document):
    answer = command("encode", note if document == note.name else document, "--sha256", "ABC")
    assert (answer.code, answer.json["code"], answer.json["param"]) == (
        2,
        "validation_error",
        "source.sha256",
    )
    assert "'ABC' is no SHA-256: write its 64 hex digits, in lower case" in answer.err


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_a_query_whose_embedder_is_down_names_the_mode_that_needs_none(command, space, monkeypatch, mode):
    def refuse(*_):
        raise Unavailable("default-text failed: nobody answers", code="embedder_unavailable")

    monkeypatch.setattr("indx_space.search.hybrid.embed_query", refuse)
    monkeypatch.setattr("indx_space.search.semantic.embed_query", refuse)
    answer = command("query", space, "backups", "--mode", mode, "--json")
    assert (answer.code, answer.json["code"]) == (1, "embedder_unavailable")
    assert "nobody answers; --mode lexical needs no embedder" in answer.err
    assert command("query", space, "backups", "--mode", "lexical").code == 0


def test_what_is_said_of_a_page_that_was_not_read_says_what_to_do():
    assert with_remedy("page 2 was not read: page_unreadable").endswith(
        "; open the document and save it anew"
    )
    lines = with_remedy("page 2 was not read: nothing_decoded")
    assert "save it anew" in lines
    assert 'pip install "indx[ocr]"' in lines
    assert with_remedy("page 2 was not read: timed out") == "page 2 was not read: timed out"


def test_builds_and_inspections_tell_a_page_that_was_not_read_with_what_to_do(command, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "whole.md").write_text("# Whole\n\nRead.\n")
    (docs / "broken.pdf").write_bytes(PDF)
    built = command(docs, "--out", tmp_path / "out", "--no-embed")
    assert built.code == 0
    for said in (built.err, command("inspect", tmp_path / "out").out):
        assert "not read: page_unreadable; open the document and save it anew" in said


PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\n"
    b"4 0 obj(no page)endobj\n"
    b"trailer<</Root 1 0 R/Size 5>>\n%%EOF\n"
)
"""Two pages, the second of which is none."""
