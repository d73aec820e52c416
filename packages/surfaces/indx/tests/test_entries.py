"""The entries of a build as a person is told them."""

from indx.cli.entries import entry_lines


def test_what_several_have_in_common_is_told_once_and_of_how_many():
    entries = [("a", "no"), ("b", "other"), ("c", "no"), ("d", "no"), ("", "of the whole"), ("e", "other")]
    assert entry_lines(entries, 9) == ["  a and 2 others: no", "  b and 1 other: other", "  of the whole"]


def test_the_whole_input_is_no_other_of_a_document_and_a_document_is_none_of_itself():
    entries = [("", "cut short"), ("a.tar", "cut short"), ("", "cut short"), ("a.tar", "cut short")]
    assert entry_lines(entries, 9) == ["  cut short", "  a.tar: cut short"]
    assert entry_lines(entries, 1) == ["  cut short", "  and 2 more"]


def test_of_many_that_differ_some_are_told_and_the_rest_are_counted():
    entries = [*((str(number), f"no {number}") for number in range(5)), ("x", "no 4")]
    assert entry_lines(entries, 3) == [
        "  0: no 0",
        "  1: no 1",
        "  2: no 2",
        "  and 3 more",
    ]


def test_what_a_terminal_would_obey_is_written_out():
    assert entry_lines([("a\x1b", "no\n")], 3) == ["  a\\x1b: no\\x0a"]


def test_what_was_read_as_written_because_it_is_damaged_is_told(command, tmp_path):
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    (docs / "a.xml").write_text("<a><b>Kept.</a>")
    (docs / "b.ipynb").write_text('{"cells": [{"cell_type": "markdown", "source": ["# Kept"]}')
    (docs / "c.xml").write_text("<a>Whole.</a>")
    xml = "the page is damaged: not well-formed: mismatched tag: line 1, column 13"
    notebook = "the page is damaged: not well-formed: Expecting ',' delimiter: line 1 column "
    for options in ((), ("--strict",)):  # nothing failed
        built = command(docs, "--out", out, "--no-embed", *options)
        assert built.code == 0
        said = f"2 entries in metadata.errors of index.json:\n  a.xml: {xml}\n  b.ipynb: {notebook}"
        assert said in built.err
    told = f"\n2 entries in metadata.errors of index.json:\n  a.xml: page_damaged: {xml}\n  b.ipynb: "
    assert told in command("inspect", out).out  # which were read in full
    encoded = command("encode", docs / "b.ipynb")
    assert encoded.code == 0
    assert encoded.err.startswith(f"indx: {notebook}")
    assert encoded.err.count("\n") == 1
    assert command("encode", docs / "a.xml").err == f"indx: {xml}\n"
    assert command("encode", docs / "c.xml", "--metadata", "damaged=of mine").err == ""


def test_a_wrong_setting_of_a_chunker_is_told_once_with_the_documents_it_concerned(
    command, tmp_path, monkeypatch
):
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    for name in ("a.md", "b.md", "c.md"):
        (docs / name).write_text(f"# {name}\n\nKept.\n")
    monkeypatch.setenv("INDX_CHUNK_SECTIONS_MAX_CHARS", "many")
    built = command(docs, "--out", out, "--no-embed")
    inspected = command("inspect", out)
    assert (built.code, inspected.code) == (0, 0)
    said = "the chunker sections@1 took no part: INDX_CHUNK_SECTIONS_MAX_CHARS: 'many' is not a whole number"
    assert "3 entries in metadata.errors of index.json:\n" in built.err
    assert f"\n  a.md and 2 others: {said}" in built.err
    assert f"\n  a.md and 2 others: chunker_failed: {said}" in inspected.out
    assert built.err.count(said) == inspected.out.count(said) == 1
