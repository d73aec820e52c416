"""What is read of each format, and what is left unread for the next rung of the route."""

from __future__ import annotations

from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError, TimedOut
from indx_core.ports import Observation, PageEvidence, SourceContent
from indx_parser_invoice import _pages
from indx_parser_invoice.provider import HTML, PDF, WORD, parser
from indx_reader_pdf.provider import observer as pdf_observer
from indx_reader_pdf.provider import reader as pdf_reader
from indx_reader_word.provider import observer as word_observer
from indx_testkit.samples import StubSession


@pytest.fixture
def made(pdf, docx, html, japanese):
    return {PDF: pdf(japanese), WORD[0]: docx(japanese), HTML[0]: html(japanese)}


@pytest.mark.parametrize("media_type", [PDF, WORD[0], HTML[0]])
def test_every_format_gives_the_same_fields(made, read, recognise, fields, text, japanese, media_type):
    (reading,) = read(made[media_type], media_type)
    assert reading.metadata["invoice"] == fields(text(japanese))
    (signature,) = recognise(made[media_type], media_type)
    assert (signature.signature, signature.scope, signature.pages) == ("invoice", "DOCUMENT", (1,))


def test_pages_read_as_the_reader_of_pdf_reads_them(pdf, english, read):
    data = pdf(english, information=b"/Title(A bill)/Author(Acme)")
    (reading,) = read(data, PDF)
    session = pdf_observer().open(SourceContent.of_bytes(data, media_type=PDF))
    with closing(session):
        (native,) = pdf_reader().read(session, [1], deadline=Deadline())
    for name in ("text", "line_starts", "line_ends", "boxes", "links", "headings", "roles", "hidden"):
        assert getattr(reading, name) == getattr(native, name), name
    assert reading.metadata == {**native.metadata, "invoice": reading.metadata["invoice"]}


def test_only_the_page_with_the_number_carries_the_fields(pdf, read):
    first = (("INVOICE",), ("Invoice No: 7",), ("Date: 1/2/2026",), ("Bill To: Beta",))
    readings = read(pdf(first, (("Tax: 1.00",), ("Total: 5.00",))), PDF, 2)
    assert ["invoice" in (one.metadata or {}) for one in readings] == [True, False]
    assert [one.reason for one in readings] == [None, None]
    assert readings[0].metadata["invoice"]["total"] == "5.00"


def test_a_page_of_no_invoice_is_unread(pdf, english, scan, read):
    readings = read(pdf((("Annex",),), english, scan, b""), PDF, 4)
    assert [one.reason for one in readings] == ["no_invoice", None, "no_text_layer", "no_text_layer"]
    assert readings[0].text == ""


def test_a_page_that_cannot_be_opened_or_makes_no_sense_is_unread(pdf, english, read):
    data = pdf(english, english).replace(b"/Count 2/Kids[", b"/Count 3/Kids[null ")
    assert [one.reason for one in read(data, PDF, 3)] == ["page_unreadable", None, None]
    assert read(pdf((('"7+%-',),)), PDF)[0].reason == "implausible_text"


def test_what_is_lost_on_a_page_is_said(pdf, english, read):
    beyond = (*english, ("x",) * 6)
    (reading,) = read(pdf(beyond), PDF)
    assert reading.metadata["off_page_characters"] == 1


def test_signatures_name_the_pages_of_each_invoice(pdf, english, japanese, recognise):
    found = recognise(pdf((("Annex",),), english, japanese), PDF)
    assert [(one.scope, one.pages) for one in found] == [("PAGE", (2,)), ("PAGE", (3,))]


def test_what_was_observed_to_be_blank_is_not_opened_again(pdf, english, monkeypatch):
    session = StubSession(SourceContent.of_bytes(pdf(english, english), media_type=PDF), 2)
    seen = Observation(PDF, (PageEvidence(1, 100), PageEvidence(2, 100, plausible=False)))
    asked = []
    real = _pages._PdfPages.reading
    monkeypatch.setattr(_pages._PdfPages, "reading", lambda self, n: asked.append(n) or real(self, n))
    assert [one.pages for one in parser().recognise(seen, session)] == [(1,)]
    assert asked == [1]


def test_the_document_that_a_session_holds_open_is_used(pdf, english, monkeypatch):
    source = SourceContent.of_bytes(pdf(english), media_type=PDF)
    with closing(pdf_observer().open(source)) as session:
        monkeypatch.setattr("indx_format_pdf.PdfDocument.__init__", None)
        assert parser().recognise(session.observe(), session)


def test_a_page_that_is_none_is_unread(made):
    for media_type, data in made.items():
        session = StubSession(SourceContent.of_bytes(data, media_type=media_type))
        assert [one.reason for one in parser().read(session, [2, 0], deadline=Deadline())] == [
            "no_such_page"
        ] * 2


def test_what_a_document_hides_states_nothing(html, english, recognise):
    data = (
        html(english).replace(b"<body>", b'<body><div style="display:none">').replace(b"</body>", b"</div>")
    )
    assert not recognise(data, HTML[0])


def test_html_that_is_too_long_is_not_looked_into(html, english, recognise):
    assert not recognise(html(english) + b" " * (8 << 20), HTML[0])


def test_word_texts_hold_what_word_shows(docx, japanese, read):
    data = docx(japanese, header="控え")
    (reading,) = read(data, WORD[0])
    with closing(word_observer().open(SourceContent.of_bytes(data, media_type=WORD[0]))) as session:
        (native,) = parser().read(session, [1], deadline=Deadline())
    assert reading.text == native.text
    assert [reading.text[r.start : r.end] for r in reading.roles] == ["控え"]
    assert len(reading.tables) == len(native.tables) == 6


def test_word_texts_leave_out_deletions_and_read_alternatives_once(docx, read):
    rows = (("@@",), ("Invoice",), ("Invoice No: 1",), ("Date: 1/2/2026",), ("To: Beta",), ("Total: 5.00",))
    markup = (
        "<w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r>"
        "<w:t>moved</w:t></w:r></w:moveFrom><w:r><w:tab/><w:t>more</w:t><w:br/></w:r>"
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        "<mc:Choice><w:r><w:t>box</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>box</w:t></w:r></mc:Fallback>"
        "</mc:AlternateContent>"
    )
    (reading,) = read(docx(rows, markup={"<w:r><w:t>@@</w:t></w:r>": markup}), WORD[0])
    assert reading.text.startswith("kept\tmore\nbox\nInvoice\n")


def test_word_texts_look_through_content_controls_and_hold_text_boxes(docx, read):
    rows = (("@@",), ("Invoice",), ("Invoice No: 1",), ("Date: 1/2/2026",), ("To: Beta",), ("Total: 5.00",))
    paragraph = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    markup = (
        f"<w:sdt><w:sdtContent>{paragraph.format('controlled')}</w:sdtContent></w:sdt>"
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice>{paragraph.format('chosen')}</mc:Choice></mc:AlternateContent><w:p/>"
        f"<w:p><w:r><w:t>beside</w:t><w:pict><w:txbxContent>{paragraph.format('boxed')}</w:txbxContent>"
        "</w:pict></w:r></w:p>"
    )
    (reading,) = read(docx(rows, markup={paragraph.format("@@"): markup}), WORD[0])
    assert reading.text.startswith("controlled\nchosen\n\nbeside\nboxed\nInvoice\n")


def test_a_source_of_another_format_is_refused(made):
    session = StubSession(SourceContent.of_bytes(made[PDF], media_type=WORD[0]))
    with pytest.raises(SourceError):
        parser().recognise(Observation(WORD[0], ()), session)


def test_a_deadline_ends_the_reading(made):
    session = StubSession(SourceContent.of_bytes(made[PDF], media_type=PDF))
    with pytest.raises(TimedOut):
        list(parser().read(session, [1], deadline=Deadline(1, clock=iter((0.0, 2.0, 2.0)).__next__)))
