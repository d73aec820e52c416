"""What a person is told comes with what helps."""

import io
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from indx import Indx
from indx.cli import remedies
from indx.cli.contract import _unread
from indx.cli.remedies import with_remedy
from indx_core.discovery import State
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
    assert command("encode", "--request", tmp_path).err.endswith("Is a directory; name a file in it\n")


@pytest.mark.parametrize("asked", ["encode", "plan"])
@pytest.mark.parametrize("kind", ["zip", "tar", "gztar"])
def test_an_archive_is_built_and_not_read(command, kind, asked, space, tmp_path):
    file = shutil.make_archive(str(tmp_path / "docs"), kind, tmp_path / "docs")
    refused = command(asked, file)
    assert refused.code == 1
    assert refused.json["code"] in ("unsupported_media_type", "source_unreadable")
    said = "a ZIP or TAR is read when a knowledge space is built of it"
    assert refused.err.endswith(f"; {said}: indx ARCHIVE --out OUT\n")
    assert refused.json["message"].endswith(f"; {said}")
    assert command(file, "--out", tmp_path / "built", "--no-embed").code == 0


def test_an_archive_without_a_name_is_known_by_its_bytes(command, space, monkeypatch, tmp_path):
    data = Path(shutil.make_archive(str(tmp_path / "docs"), "tar", tmp_path / "docs")).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    refused = command("encode", "-")
    assert "nothing installed reads application/x-tar; a ZIP or TAR is read when" in refused.err


def test_what_lists_the_formats_is_told_as_a_command(command, tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\0\1\2")
    refused = command("encode", tmp_path / "a.bin")
    said = "the capabilities of this installation list what it reads"
    assert refused.err.endswith(f"; {said}: indx capabilities\n")
    assert refused.json["message"].endswith(f"; {said}")
    assert with_remedy(with_remedy(said)) == with_remedy(said)


def test_another_mode_of_search_is_told_as_an_option():
    said = "the vectors are of another space: build the space again, or ask mode 'lexical'"
    assert with_remedy(said) == f"{said}: indx query --mode lexical"
    assert with_remedy(with_remedy(said)) == with_remedy(said)


def test_what_is_no_archive_is_not_to_be_built(command, tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\0\1\2")
    refused = command("encode", tmp_path / "a.bin")
    assert refused.json["code"] == "unsupported_media_type"
    assert "build" not in refused.err


def test_a_reader_that_is_installed_and_left_out_is_named(command, monkeypatch, tmp_path):
    monkeypatch.setenv("INDX_PLUGINS", "none")
    monkeypatch.setattr("indx_core.discovery._default", None)
    (tmp_path / "scan.pdf").write_bytes(SCAN)
    refused = command("encode", tmp_path / "scan.pdf")
    assert refused.json["code"] == "unsupported_media_type"
    assert "; INDX_PLUGINS='none' leaves out readers that are installed (indx-reader-pdf, " in refused.err
    assert "where one of them reads it, name it there too, or unset INDX_PLUGINS\n" in refused.err
    assert "pip install" not in refused.err


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
    assert with_remedy("page 2 was not read: page_unreadable") == (
        "page 2 was not read: page_unreadable, the data of the page is damaged; "
        "open the document and save it anew"
    )
    assert with_remedy("all pages were not read: no_text_layer (ocr is not installed)") == (
        "all pages were not read: no_text_layer, the page is a picture without text (ocr is not installed)"
    )
    assert "implausible_text, what the file gives as" in with_remedy("page 2 was not read: implausible_text")
    lines = with_remedy("page 2 was not read: nothing_decoded")
    assert "save it anew" in lines
    assert 'pip install "indx[ocr]"' in lines
    assert with_remedy("page 2 was not read: timed out") == "page 2 was not read: timed out"


def test_what_a_route_ended_with_is_told_in_words_and_the_code_stays(command, monkeypatch, tmp_path):
    (tmp_path / "scan.pdf").write_bytes(SCAN)
    answer = command("encode", tmp_path / "scan.pdf", "--no-fallbacks", "--capability", "pdf-reader")
    assert answer.err.endswith("failed: no_text_layer, the page is a picture without text\n")
    assert answer.json["message"].endswith("failed: no_text_layer")


def test_a_locked_document_is_told_with_the_form_of_passwords():
    locked = "a password locks it and none of INDX_SOURCE_PASSWORDS opens it; add its password there"
    assert with_remedy(locked) == f"{locked}, as INDX_SOURCE_PASSWORDS='[\"secret\"]'"
    assert with_remedy(with_remedy(locked)) == with_remedy(locked)


def test_builds_and_inspections_tell_a_page_that_was_not_read_with_what_to_do(command, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "whole.md").write_text("# Whole\n\nRead.\n")
    (docs / "broken.pdf").write_bytes(PDF)
    built = command(docs, "--out", tmp_path / "out", "--no-embed")
    assert built.code == 0
    for said in (built.err, command("inspect", tmp_path / "out").out):
        assert (
            "not read: page_unreadable, the data of the page is damaged; open the document and save" in said
        )


def test_a_page_that_encode_did_not_read_is_told_and_is_no_failure(command, tmp_path):
    (tmp_path / "broken.pdf").write_bytes(PDF)
    answer = command("encode", tmp_path / "broken.pdf")
    assert answer.code == 0
    assert "\nindx: page 2 was not read: page_unreadable, the data of the page is damaged; open" in answer.err
    assert answer.json["blocks"][-1]["reason"] == "page_unreadable"


def test_a_page_whose_last_reader_broke_is_told_too():
    result = Indx().encode(PDF)
    page = next(block for block in result.blocks if block.page == 2)
    broke = page.model_copy(update={"status": "failed", "reason": "ValueError: no"})
    blocks = tuple(broke if block is page else block for block in result.blocks)
    told = _unread(result.model_copy(update={"blocks": blocks}))
    assert "page 2 was not read: ValueError: no" in told


def test_scans_are_told_with_what_reads_them(command, monkeypatch, tmp_path):
    monkeypatch.setattr("indx_reader_ocr.provider._ENGINE", ("a_module_of_nobody",))
    (tmp_path / "scan.pdf").write_bytes(SCAN)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "scan.pdf").write_bytes(SCAN)
    more = SCAN.replace(b"[3 0 R 4 0 R]/Count 2", b"[3 0 R 4 0 R 3 0 R]/Count 3")
    (tmp_path / "docs" / "scans.pdf").write_bytes(more)
    encoded = command("encode", tmp_path / "scan.pdf")
    built = command(tmp_path / "docs", "--out", tmp_path / "out", "--no-embed")
    said = "all pages were not read: no_text_layer, the page is a picture without text ("
    assert (encoded.code, built.code, encoded.err.count("\n")) == (0, 0, 1)
    assert f"indx: {said}" in encoded.err
    assert f"scan.pdf and 1 other: {said}" in built.err
    for err in (encoded.err, built.err):
        assert "pip install" in err


PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\n"
    b"4 0 obj(no page)endobj\n"
    b"trailer<</Root 1 0 R/Size 5>>\n%%EOF\n"
)
"""Two pages, the second of which is none."""

SCAN = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 6 0 R/Resources<</XObject<</I 5 0 R>>>>>>"
    b"endobj\n"
    b"4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 6 0 R/Resources<</XObject<</I 5 0 R>>>>>>"
    b"endobj\n"
    b"5 0 obj<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
    b"/Length 1>>"
    b"stream\n\x80\nendstream endobj\n"
    b"6 0 obj<</Length 29>>stream\nq 99 0 0 99 0 0 cm /I Do Q    \nendstream endobj\n"
    b"trailer<</Root 1 0 R/Size 7>>\n%%EOF\n"
)
"""Two pages of nothing but a picture."""


@pytest.mark.parametrize(
    "arguments",
    [
        [""],
        ["", "--dry-run"],
        ["build", "", "--out", "o"],
        ["docs", "--out", ""],
        ["docs", "--out", "o", "--config", ""],
        ["docs", "--out", "o", "--cache", ""],
        ["inspect", ""],
        ["query", "", "words"],
        ["encode", "note.md", "--plan", ""],
        ["encode", "--request", ""],
        ["encode", ""],
        ["plan", ""],
    ],
)
def test_an_empty_path_is_not_the_current_folder(command, note, tmp_path, monkeypatch, arguments):
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    answer = command(*arguments)
    assert answer.code == 2
    assert re.search(r"\bpath (of the document )?is empty; name ", answer.err), answer.err
    assert sorted(tmp_path.iterdir()) == before


def test_an_empty_option_is_named(command, note):
    assert "'--out'" in command(note.parent, "--out", "").err
    assert "--out" not in command("", "--out", "o").err


@pytest.mark.parametrize("query", ["", " \n"])
def test_an_empty_query_is_refused_and_not_answered(command, space, query):
    answer = command("query", space, query, "--json")
    assert (answer.code, answer.json["code"], answer.json["param"]) == (2, "validation_error", "query")
    assert answer.err == "indx: the query is empty; write its text, as indx query SPACE TEXT\n"


@pytest.mark.parametrize("asked", ["encode", "plan"])
def test_standard_input_without_a_byte_is_no_document(command, monkeypatch, asked):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    answer = command(asked, "-", "--media-type", "text/plain", "--request-id", "mine")
    assert (answer.code, answer.json["code"], answer.json["request_id"]) == (1, "source_unreadable", "mine")
    assert answer.err == "indx: standard input is empty: no bytes came; send the document there\n"


@pytest.mark.parametrize("state", [State.AVAILABLE, State.UNAVAILABLE, None])
def test_recognition_is_to_be_installed_only_where_it_is_missing(state, monkeypatch):
    found = None if state is None else SimpleNamespace(state=state)
    registry = SimpleNamespace(find=lambda *asked: found if asked == ("indx.capabilities", "ocr") else None)
    monkeypatch.setattr(remedies, "default_registry", lambda: registry)
    said = with_remedy("the page was not read: nothing_decoded")
    assert "; open the document and save it anew" in said
    assert ("indx[ocr]" in said) is (state is not State.AVAILABLE)


def test_a_page_that_is_too_large_to_be_drawn_says_by_what_it_is_drawn():
    said = with_remedy("the page was not read: too_many_pixels")
    assert "has more pixels than are allowed; draw it smaller by INDX_OCR_DPI" in said
