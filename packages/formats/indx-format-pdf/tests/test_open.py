"""Opening, bounds, and what happens to handles."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Thread

import pytest

from indx_core.errors import ConfigurationError, InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_format_pdf import PdfDocument
from indx_format_pdf._pdfium import exclusive, pdfium


@pytest.fixture
def hello(pdf):
    pdf.page(pdf.text(72, 700, "Hello world"))
    return pdf


def test_bytes_and_files_open_alike(hello, opened, tmp_path):
    path = tmp_path / "ünïcode 名.pdf"
    path.write_bytes(hello.bytes())
    assert opened(path).page(1) == opened(hello).page(1)
    assert opened(path).page_count == 1


def test_a_file_of_ordinary_size_is_read_once(hello, opened, tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(hello.bytes())
    document = opened(path)
    path.write_bytes(bytes(len(hello.bytes())))
    assert document.page(1).text == "Hello world"


def test_a_large_file_stays_where_it_is(hello, opened, tmp_path, monkeypatch):
    monkeypatch.setattr("indx_format_pdf._document._AT_ONCE", 10)
    path = tmp_path / "a.pdf"
    path.write_bytes(hello.bytes())
    document = opened(path)
    assert document.page(1) == opened(hello).page(1)
    assert document._handles.data is None


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n%%EOF\n", b"not a document", b"\0" * 5000])
def test_what_is_no_pdf_is_refused(data, opened):
    with pytest.raises(SourceError) as caught:
        opened(data)
    assert caught.value.code == "source_unreadable"


def test_a_file_without_bytes_is_said_to_be_empty(opened):
    with pytest.raises(SourceError, match="the file is empty: it holds no bytes"):
        opened(b"")


def test_a_document_without_pages_is_refused(pdf, opened):
    with pytest.raises(SourceError) as caught:
        opened(pdf)
    assert caught.value.code == "source_unreadable"


def test_more_pages_than_allowed_are_refused(pdf, opened, monkeypatch):
    for _ in range(3):
        pdf.page()
    monkeypatch.setenv("INDX_MAX_PAGES", "3")
    assert opened(pdf).page_count == 3
    monkeypatch.setenv("INDX_MAX_PAGES", "2")
    with pytest.raises(InputTooLarge, match="3 pages"):
        opened(pdf)


def test_a_password_is_needed_and_found_among_those_set(hello, opened, monkeypatch):
    hello.password = "geheim"
    monkeypatch.delenv("INDX_SOURCE_PASSWORDS", raising=False)
    with pytest.raises(SourceError, match="INDX_SOURCE_PASSWORDS") as caught:
        opened(hello)
    assert caught.value.code == "source_encrypted"
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["wrong"]))
    with pytest.raises(SourceError) as caught:
        opened(hello)
    assert caught.value.code == "source_encrypted"
    assert "geheim" not in caught.value.message
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["wrong", "geheim"]))
    document = opened(hello)
    assert document.encrypted
    assert document.page(1).text == "Hello world"


def test_a_document_that_only_limits_what_may_be_done_opens_without_a_password(hello, opened):
    hello.password = ""
    document = opened(hello)
    assert document.encrypted
    assert document.page(1).text == "Hello world"


def test_passwords_that_are_no_list_are_a_wrong_setting(hello, opened, monkeypatch):
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", "geheim")
    with pytest.raises(ConfigurationError, match="INDX_SOURCE_PASSWORDS") as caught:
        opened(hello)
    assert "geheim" not in caught.value.message


def test_an_encryption_other_than_by_password_is_refused_as_encrypted(hello, opened):
    hello.trailer = b"/Encrypt<</Filter/Adobe.PubSec/V 4>>/ID[<00><00>]"
    with pytest.raises(SourceError) as caught:
        opened(hello)
    assert caught.value.code == "source_encrypted"


def test_a_page_that_cannot_be_opened_is_said_to_be_so(hello, opened):
    hello.kids.append(hello.add(b"null"))
    document = opened(hello)
    assert [document.page(number).opened for number in (1, 2)] == [True, False]
    assert document.page(2).text == ""


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_page_that_is_not_there_is_a_mistake_of_the_caller(number, hello, opened):
    document = opened(hello)
    with pytest.raises(ValueError, match=str(number)):
        document.page(number)
    with pytest.raises(ValueError, match=str(number)):
        document.render(number, dpi=72, max_pixels=10**6)


def test_a_page_is_looked_at_once(hello, opened):
    document = opened(hello)
    assert document.page(1) is document.page(1)


def test_closing_twice_does_nothing_and_a_closed_document_answers_no_more(hello, opened):
    document = opened(hello)
    document.close()
    document.close()
    with pytest.raises(ValueError, match="closed"):
        document.page(1)
    with pytest.raises(ValueError, match="closed"):
        document.render(1, dpi=72, max_pixels=10**6)


def test_threads_get_what_one_alone_gets(make_pdf):
    documents = []
    for number in range(10):
        one = make_pdf()
        for page in range(3):
            one.page(one.text(72, 700, f"document {number} page {page}"))
        documents.append(SourceContent.of_bytes(one.bytes()))

    def read(source):
        document = PdfDocument(source)
        texts = [document.page(number).text for number in (1, 2, 3)]
        drawn = document.render(1, dpi=36, max_pixels=10**6)
        document.close()
        return texts, drawn

    alone = [read(source) for source in documents]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, documents * 8)) == alone * 8
    assert [read(source) for source in documents] == alone


def test_a_document_dropped_in_another_thread_is_closed_by_the_next_user(hello, opened, monkeypatch):
    from indx_format_pdf import _document

    closed = []
    close = _document._Handles.close
    monkeypatch.setattr(_document._Handles, "close", lambda self: (closed.append(self), close(self)))
    dropped = [PdfDocument(SourceContent.of_bytes(hello.bytes()))]
    handles = dropped[0]._handles

    def drop() -> None:
        dropped.clear()
        gc.collect()

    thread = Thread(target=drop)
    thread.start()
    thread.join()
    assert closed == []
    assert opened(hello).page(1).text == "Hello world"
    assert closed == [handles]


def test_a_process_that_leaves_documents_open_ends_quietly(hello, tmp_path):
    path = tmp_path / "open.pdf"
    path.write_bytes(hello.bytes())
    code = (
        "import pathlib, sys\n"
        "from indx_core.ports import SourceContent\n"
        "from indx_format_pdf import PdfDocument\n"
        "kept = PdfDocument(SourceContent.of_file(pathlib.Path(sys.argv[1])))\n"
        "print(kept.page(1).text)\n"
        "raise SystemExit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "Hello world\n", "")


def mistaken(pdf, old: bytes, new: bytes) -> SourceContent:
    """A page with one key for another, so that PDFium takes it for a part of the tree of pages."""
    (place,) = (number for number, body in enumerate(pdf.objects) if old in body)
    pdf.objects[place] = pdf.objects[place].replace(old, new)
    return SourceContent.of_bytes(pdf.bytes())


def test_a_page_that_pdfium_finds_when_it_is_asked_for_again_is_read_and_drawn(hello):
    whole = PdfDocument(SourceContent.of_bytes(hello.bytes()))
    source = mistaken(hello, b"/Rotate 0", b"/Kids 0")
    with exclusive():
        raw = pdfium.FPDF_LoadMemDocument64(source.data, source.size, None)
        assert [bool(pdfium.FPDF_LoadPage(raw, 0)) for _ in range(2)] == [False, True]
        pdfium.FPDF_CloseDocument(raw)
    drawn = PdfDocument(source).render(1, dpi=36, max_pixels=10**6)
    assert drawn == whole.render(1, dpi=36, max_pixels=10**6)
    document = PdfDocument(source)
    assert not document.whole
    assert document.page(1) == document.look(1)
    assert document.page(1).text == "Hello world"


def test_to_ask_whether_a_document_is_whole_changes_nothing_of_what_is_found(hello):
    (number,) = (int(one) for one in re.findall(rb"/Contents (\d+) 0 R", hello.bytes()))
    new = b"/Kids[%d 0 R %d 0 R]" % (number, number)
    document = PdfDocument(mistaken(hello, b"/Contents %d 0 R" % number, new))
    alone = document.page(1)
    assert (alone.opened, document.look(1).opened) == (True, False)  # PDFium finds it the first time alone
    other = PdfDocument(document.source)
    assert other.whole
    assert other.look(1) == alone


_FAULTS = """
import platform, resource, sys
from pathlib import Path
from indx_core.ports import SourceContent
from indx_format_pdf import PdfDocument
document = PdfDocument(SourceContent.of_file(Path(sys.argv[1])))
counts = []
for number in range(1, 13):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    document.look(number)
    counts.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(platform.libc_ver()[0] != "glibc" or sum(counts) < 500, counts)
"""


def test_memory_that_a_page_took_is_there_for_the_next(make_pdf, tmp_path):
    pdf = make_pdf()
    for rows in range(4, 52, 4):  # each page has more on it than what was let go before
        pdf.page(b"".join(pdf.text(40, 780 - 8 * row, "every letter " * 10, size=4) for row in range(rows)))
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf.bytes())
    env = {
        name: value for name, value in os.environ.items() if not re.search("MALLOC|PRELOAD|TUNABLES", name)
    }
    command = [sys.executable, "-c", _FAULTS, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.stdout.startswith("True"), done.stdout + done.stderr
