"""Which pages a picture holds the text of, which show only drawings, and which show nothing."""

from __future__ import annotations

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageEvidence, SourceContent
from indx_reader_pdf.provider import observer, reader

STAMP = "Case 1:21-cv-00123-XYZ   Document 45   Filed 01/02/23   Page 3 of 9   PageID 1024"
COMMENT = b"<</Type/Annot/Subtype/Text/Rect[300 400 320 420]/Contents(%s)>>" % (b"said of the page " * 9)


@pytest.fixture
def seen():
    """What is observed of the first page of a document, and the reading of it."""
    sessions = []

    def look(data):
        sessions.append(observer().open(SourceContent.of_bytes(data, media_type="application/pdf")))
        session = sessions[-1]
        (page,) = reader().read(session, [1], deadline=Deadline())
        return session.observe().pages[0], page

    yield look
    for session in sessions:
        session.close()


@pytest.mark.parametrize(("x", "y"), [(72, 770), (72, 12), (72, 705)])
def test_a_stamp_in_the_margin_of_a_scan_is_no_text_of_its_body(x, y, pdf, text, scan, seen):
    evidence, page = seen(pdf([scan + b" " + text(x, y, STAMP)]))
    assert evidence.text_characters == len(STAMP.replace(" ", ""))
    assert (evidence.body_characters, evidence.images) == (0, 1)
    assert page.text.split() == STAMP.split()


def test_a_number_set_upright_beside_a_scan_is_in_its_margin(pdf, scan, seen):
    upright = b"BT /F1 12 Tf 0 1 -1 0 30 300 Tm (BATES 000123 CONFIDENTIAL ATTORNEYS EYES ONLY) Tj ET\n"
    evidence, _ = seen(pdf([scan + b" " + upright]))
    assert (evidence.text_characters > 30, evidence.body_characters) == (True, 0)


def test_a_heading_on_a_picture_is_text_of_the_body(pdf, text, scan, seen):
    evidence, _ = seen(pdf([scan + b" " + text(72, 400, "Annual report of the board")]))
    assert (evidence.text_characters, evidence.body_characters) == (22, None)


def test_the_text_of_an_earlier_recognition_is_text_of_the_body(pdf, text, scan, seen):
    lines = b"".join(text(72, y, "what an earlier recognition said") for y in range(120, 690, 20))
    evidence, page = seen(pdf([scan + b" 3 Tr " + lines + text(72, 770, STAMP)]))
    assert evidence.body_characters is not None
    assert evidence.body_characters > 500
    assert page.reason is None


def test_a_comment_does_not_make_text_of_a_scan(pdf, text, scan, seen):
    evidence, _ = seen(pdf([scan + b" " + text(72, 770, STAMP)], annotations=COMMENT))
    assert (evidence.text_characters > 100, evidence.body_characters) == (True, 0)


@pytest.mark.parametrize(
    "drawn",
    [
        b"",
        b"q Q",
        b"1 1 1 rg 0 0 612 792 re f",
        b"1 g 0 0 612 792 re f",
        b"BT /F1 12 Tf 72 700 Td (   ) Tj ET",
        b"BT 3 Tr /F1 12 Tf 72 700 Td (   ) Tj ET",
        b"0 0 612 792 re W n",
        b"10 900 m 200 900 l S",
    ],
)
def test_a_page_that_shows_nothing_is_blank(drawn, pdf, seen):
    evidence, page = seen(pdf([drawn]))
    assert evidence == PageEvidence(1, 0)
    assert (page.reason, page.text, page.metadata) == (None, "", {"blank": True})


@pytest.mark.parametrize(
    "drawn", [b"10 10 m 200 200 l S", b"0 0 1 rg 10 10 50 50 re f", b"1 1 1 rg 0 0 612 792 re f 5 5 9 9 re S"]
)
def test_a_page_of_drawings_alone_is_unread_and_told_from_a_blank_one(drawn, pdf, seen):
    evidence, page = seen(pdf([drawn]))
    assert (evidence.text_characters, evidence.images, evidence.drawings) == (0, 0, 1)
    assert (page.reason, page.metadata) == ("no_text_layer", None)


def test_drawings_are_looked_for_only_where_nothing_else_shows(pdf, text, scan, seen):
    line = b"10 10 m 200 200 l S "
    assert seen(pdf([line + text(72, 700, "words")]))[0].drawings == 0
    assert seen(pdf([line + scan]))[0].drawings == 0
