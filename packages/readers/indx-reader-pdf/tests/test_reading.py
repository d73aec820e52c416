"""What is observed and read of a page, and why a page is left unread."""

from __future__ import annotations

from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_core.ports import Heading, Link, PageEvidence, RoleSpan, SourceContent
from indx_format_pdf import PdfDocument
from indx_reader_pdf.provider import observer, reader


@pytest.fixture
def opened():
    """Opens the bytes of a document; its session is closed when the test ends."""
    sessions = []

    def open_(data):
        sessions.append(observer().open(SourceContent.of_bytes(data, media_type="application/pdf")))
        return sessions[-1]

    yield open_
    for session in sessions:
        session.close()


def read(session, pages=None):
    asked = pages or range(1, session.page_count + 1)
    return list(reader().read(session, asked, deadline=Deadline()))


def test_a_page_is_read_with_its_lines_and_their_places(pdf, text, opened):
    (page,) = read(opened(pdf([text(72, 700, "first line") + text(72, 680, "second")])))
    assert (page.text, page.reason, page.confidence) == ("first line\nsecond", None, None)
    assert [list(page.line_starts), list(page.line_ends)] == [[0, 11], [10, 17]]
    assert len(page.boxes) == 8
    assert page.boxes[1] < page.boxes[5]


def test_evidence_tells_text_from_pictures(pdf, text, scan, opened):
    seen = opened(pdf([text(72, 700, "a b c"), scan, b"", text(72, 700, '"7+%-')])).observe()
    assert seen.pages == (
        PageEvidence(1, 3),
        PageEvidence(2, 0, 1.0, 1),
        PageEvidence(3, 0),
        PageEvidence(4, 5, plausible=False),
    )
    assert seen.facts == {}


def test_observing_and_reading_look_at_a_page_once(pdf, text, opened, monkeypatch):
    looked = []
    page_content = PdfDocument.page.__globals__["page_content"]
    monkeypatch.setitem(
        PdfDocument.page.__globals__,
        "page_content",
        lambda *args: looked.append(args[1]) or page_content(*args),
    )
    session = opened(pdf([text(72, 700, "one"), text(72, 700, "two")]))
    session.observe()
    assert [page.text for page in read(session)] == ["one", "two"]
    assert looked == [1, 2]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"q 612 0 0 792 0 0 cm /Im Do Q", "no_text_layer"),
        (b"0 0 200 200 re f", "no_text_layer"),
        (b'BT /F1 12 Tf 72 700 Td ("7+%-) Tj ET', "implausible_text"),
        (None, "page_unreadable"),
        (b"", None),
        (b"q Q", None),
    ],
)
def test_a_page_says_why_it_is_unread(content, reason, pdf, text, opened):
    page = read(opened(pdf([text(72, 700, "before"), content])))[1]
    assert (page.reason, page.text) == (reason, "")


def test_an_encrypted_page_of_which_nothing_shows_is_not_called_blank(pdf, opened, monkeypatch):
    session = opened(pdf([b""]))
    assert read(session)[0].reason is None
    monkeypatch.setattr(session.document, "encrypted", True)
    assert read(session)[0].reason == "nothing_decoded"
    assert session.observe().facts == {"encrypted": "the document is encrypted and was opened"}


def test_a_blank_page_of_a_file_without_its_end_is_not_called_blank(pdf, text, opened):
    data = pdf([b"", text(72, 700, "still here")]).partition(b"xref")[0] + b"trailer<</Root 1 0 R>>"
    session = opened(data)
    assert [(page.reason, page.text) for page in read(session)] == [
        ("nothing_decoded", ""),
        (None, "still here"),
    ]
    assert list(session.observe().facts) == ["incomplete"]


def test_pages_that_cannot_be_opened_are_a_fact(pdf, text, opened):
    assert opened(pdf([text(72, 700, "x"), None])).observe().facts == {
        "damaged": "pages that cannot be opened: 1"
    }


def test_links_comments_and_headings_come_with_the_page(samples, opened):
    page = read(opened(samples[0]["data"]))[0]
    assert page.text == "Hello world\nsecond line\ncheck this"
    assert page.links == (Link(0, 11, "https://example.org"),)
    assert page.headings == (Heading(0, 11, 1),)
    assert page.roles == (RoleSpan(24, 34, "comment"),)


def test_facts_of_the_document_stand_on_its_first_page(samples, opened):
    session = opened(samples[0]["data"])
    first, *others = read(session)
    assert first.metadata == {"title": "A title", "author": "Ada", "members": [{"name": "data.csv"}]}
    assert [page.metadata for page in others] == [None, {"blank": True}, None]
    assert session.observe().facts == {"attachments": "embedded files: 1"}
    assert [(one.name, one.data) for one in session.members()] == [("data.csv", b"bytes of data.csv")]


@pytest.mark.parametrize(
    ("template", "said", "form"),
    [
        ("<subform><draw><value><text>Application</text></value></draw></subform>", "Application", "read"),
        ("<subform>", "Please wait", "unread"),
    ],
)
def test_a_form_that_draws_itself_is_read_or_said_not_to_be(template, said, form, pdf, text, opened):
    data = f"<xdp><template>{template}</template></xdp>".encode()
    session = opened(pdf([text(72, 700, "Please wait"), text(72, 700, "beside")], form=data))
    first, second = read(session)
    assert (first.text, first.metadata, first.reason) == (said, {"form": form}, None)
    assert (second.text, second.metadata) == ("beside", None)
    facts = session.observe().facts
    assert list(facts) == ["form"]
    assert ("cannot be read" in facts["form"]) == (form == "unread")


def test_what_a_writer_puts_when_told_nothing_is_no_fact(pdf, text, opened):
    (page,) = read(
        opened(
            pdf(
                [text(72, 700, "x")],
                info=b"/Title(untitled)/Author(anonymous)/Subject(unspecified)/Keywords( )",
            )
        )
    )
    assert page.metadata is None


def test_what_was_left_out_is_counted(pdf, text, opened):
    (page,) = read(opened(pdf([text(72, 700, "inside") + text(900, 700, "far out")])))
    assert (page.text, page.metadata) == ("inside", {"off_page_characters": 7})


def test_a_session_of_somebody_else_lends_its_source_only(pdf, text):
    class Other:
        media_type = "application/pdf"
        source = SourceContent.of_bytes(pdf([text(72, 700, "one")]), media_type="application/pdf")
        page_count = 1

    assert [page.text for page in reader().read(Other(), [1], deadline=Deadline())] == ["one"]


def test_each_page_is_handed_over_as_soon_as_it_is_read(pdf, text, opened):
    session = opened(pdf([text(72, 700, "one"), text(72, 700, "two")]))
    pages = reader().read(session, [2, 1], deadline=Deadline())
    assert next(pages).text == "two"
    session.close()
    with pytest.raises(ValueError, match="closed"):
        next(pages)


def test_no_page_is_begun_past_the_deadline(pdf, text, opened):
    moments = iter([0.0, 0.0, 99.0])
    deadline = Deadline(10, clock=lambda: next(moments))
    pages = reader().read(
        opened(pdf([text(72, 700, "one"), text(72, 700, "two")])), [1, 2], deadline=deadline
    )
    assert next(pages).text == "one"
    with pytest.raises(TimedOut):
        next(pages)


def test_a_page_too_large_to_draw_is_none(pdf, opened):
    session = opened(pdf([b""]))
    assert session.render(1, dpi=72, max_pixels=612 * 792 - 1) is None
    assert session.render(1, dpi=72, max_pixels=612 * 792).width == 612


def test_a_closed_session_may_be_closed_again(pdf):
    with closing(observer().open(SourceContent.of_bytes(pdf([b""])))) as session:
        session.close()


def test_a_page_says_what_the_document_calls_it_where_that_is_not_its_number(pdf, text, opened):
    labels = b"/PageLabels<</Nums[0<</S/r>>2<</S/D/St 3>>3<</P(A-)/S/D/St 7>>]>>"
    data = pdf([text(72, 700, f"page {number}") for number in range(1, 5)])
    # The catalogue grows, so everything behind it moves; PDFium finds its objects by searching.
    data = data.replace(b"/Type/Catalog", b"/Type/Catalog" + labels)
    names = [(page.metadata or {}).get("page_label") for page in read(opened(data))]
    assert names == ["i", "ii", None, "A-7"]


def test_embedded_files_past_those_that_are_named_are_counted(pdf, text, opened, monkeypatch):
    monkeypatch.setattr("indx_format_pdf._document._MOST_NAMES", 2)
    session = opened(pdf([text(72, 700, "one"), text(72, 700, "two")], files=(b"a", b"b", b"c", b"d", b"e")))
    first, second = read(session)
    assert first.metadata == {"members": [{"name": "a"}, {"name": "b"}], "members_unnamed": 3}
    assert second.metadata is None
    assert session.observe().facts == {"attachments": "embedded files: 5"}
    assert [member.name for member in session.members()] == ["a", "b", "c", "d", "e"]
