"""Who looked at which page of a document changes nothing of what is observed and read."""

from __future__ import annotations

import pickle
from contextlib import closing, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_format_pdf import PdfDocument
from indx_reader_pdf.provider import observer, reader
from indx_testkit.checks import assert_portable, fingerprint, plain

COUNT = 12


@pytest.fixture(scope="module")
def kinds(text, scan):
    """Pages of every kind: text, a ruled table, a scan, nothing, what is no text."""
    table = b"".join(b"72 %d m 372 %d l S\n" % (y, y) for y in (600, 630, 660)) + b"".join(
        b"%d 600 m %d 660 l S\n" % (x, x) for x in (72, 222, 372)
    )
    cells = b"".join(text(x, y, f"cell {x} {y}") for x in (80, 230) for y in (610, 640))
    return [
        text(72, 700, "Chapter one") + text(72, 680, "a line of it"),
        table + cells,
        scan,
        b"",
        text(72, 700, '"7+%-'),
    ]


@pytest.fixture(scope="module")
def source(pdf, kinds):
    link = b"<</Type/Annot/Subtype/Link/Rect[70 695 200 715]/A<</S/URI/URI(https://example.org)>>>>"
    note = b"<</Type/Annot/Subtype/Text/Rect[500 700 520 720]/Contents(check this)>>"
    data = pdf(
        [kinds[page % len(kinds)] for page in range(COUNT)],
        outline=(b"Chapter one",),
        info=b"/Title(A title)",
        annotations=link + note,
        files=(b"data.csv",),
    )
    return SourceContent.of_bytes(data, media_type="application/pdf")


def outcome(session):
    """All that comes of a session, for comparison."""
    observed = plain(session.observe())
    readings = reader().read(session, range(1, COUNT + 1), deadline=Deadline())
    return repr((observed, list(map(fingerprint, readings)), plain(list(session.members()))))


@pytest.fixture(scope="module")
def alone(source):
    with closing(observer().open(source)) as session:
        return outcome(session)


@given(st.permutations(range(1, COUNT + 1)), st.integers(0, COUNT), st.integers(0, COUNT))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_any_split_among_sessions_gives_the_same(source, alone, order, given, looked):
    with closing(observer().open(source)) as session, closing(observer().open(source)) as helper:
        for page in range(1, looked + 1):
            session.look(page)
        for page in order[:given]:
            found = pickle.loads(pickle.dumps(helper.found(page)))
            assert_portable(found, f"page {page}")
            session.take_over(page, found)
        assert outcome(session) == alone


def test_pages_of_a_document_whose_table_of_objects_is_damaged_are_looked_at_in_their_order_alone(pdf, kinds):
    data = pdf(kinds).replace(b"startxref\n", b"startxref\n9")
    with closing(observer().open(SourceContent.of_bytes(data, media_type="application/pdf"))) as session:
        with pytest.raises(ValueError, match="the file is damaged"):
            session.found(1)
        assert session.observe().pages[0].text_characters


def test_pages_of_a_document_that_lacks_one_are_looked_at_in_their_order_alone(pdf, kinds):
    data = pdf([*kinds, None, *kinds])
    source = SourceContent.of_bytes(data, media_type="application/pdf")
    with closing(observer().open(source)) as session:
        for page in (len(kinds), 1):
            with pytest.raises(ValueError, match="a page is missing"):
                session.found(page)
        assert [page.page for page in session.observe().pages if page.images] == [3, 9]


def test_a_document_read_by_a_plan_takes_pages_over_between_two_answers(source, alone):
    with closing(observer().open(source)) as session, closing(observer().open(source)) as helper:
        readings = reader().read(session, range(1, COUNT + 1), deadline=Deadline())
        read = [next(readings)]
        for page in range(COUNT, COUNT // 2, -1):
            session.take_over(page, helper.found(page))
        read += readings
        observed, members = plain(session.observe()), plain(list(session.members()))
        assert repr((observed, list(map(fingerprint, read)), members)) == alone


def test_what_is_taken_over_is_not_looked_at_again(source):
    with closing(observer().open(source)) as session, closing(observer().open(source)) as helper:
        found = {**helper.found(1), "text": "told by another", "images": 7}
        session.take_over(1, found)
        assert session.observe().pages[0].images == 7


@pytest.mark.parametrize(
    "change",
    [
        lambda found: {**found, "number": 2},
        lambda found: {**found, "pixels": b""},
        lambda found: {**found, "characters": "many"},
        lambda found: {**found, "boxes": found["line_starts"]},
        lambda found: {**found, "tables": None},
        lambda found: {"number": 1},
        lambda found: 7,
        lambda found: {},
        lambda found: {"number": COUNT + 1},
    ],
)
def test_what_is_of_another_page_or_of_none_is_not_taken_over(source, alone, change):
    with closing(observer().open(source)) as session:
        found = change(session.found(1))
        page = found["number"] if found == {"number": COUNT + 1} else 1
        with pytest.raises((ValueError, TypeError, KeyError)):
            session.take_over(page, found)
        assert outcome(session) == alone


def test_a_page_that_is_passed_over_is_not_looked_at_and_the_others_are_what_they_were(source, monkeypatch):
    with closing(observer().open(source)) as session:
        before = session.observe()
    looked = []
    look = PdfDocument.look
    monkeypatch.setattr(PdfDocument, "look", lambda self, page: looked.append(page) or look(self, page))
    with closing(observer().open(source)) as session:
        session.pass_over(3)
        session.look(3)
        after = session.observe()
        readings = list(reader().read(session, range(1, COUNT + 1), deadline=Deadline()))
        assert [member.name for member in session.members()] == ["data.csv"]
    assert looked == [page for page in range(1, COUNT + 1) if page != 3]
    assert [page.page for page in after.pages if not page.seen] == [3]
    assert "damaged" not in after.facts  # whether it can be opened is not known
    assert readings[2].reason == "page_unreadable"
    assert [*after.pages[:2], *after.pages[3:]] == [*before.pages[:2], *before.pages[3:]]


@pytest.mark.parametrize(
    ("key", "other"), [(b"/Parent 2 0 R", b"/Kids 0      "), (b"/Contents 5 0 R", b"/Kids[5 0 R 5 0 R]")]
)
def test_a_page_that_is_found_or_not_by_how_often_it_is_asked_for_is_found_as_by_one_alone(
    pdf, text, key, other
):
    data = pdf([text(72, 700, "the only page")])
    assert data.count(key) == 1
    source = SourceContent.of_bytes(data.replace(key, other), media_type="application/pdf")
    with closing(observer().open(source)) as session:
        alone = session.document.page(1)
    with closing(observer().open(source)) as session, closing(observer().open(source)) as helper:
        for _ in range(2):
            with suppress(ValueError):  # then whoever has the document looks
                session.take_over(1, helper.found(1))
        assert repr(session.document.page(1)) == repr(alone)
        assert alone.opened


def test_the_text_of_a_form_that_draws_itself_is_handed_over(pdf, text):
    drawn = b"<template><subform><draw><value><text>Form 7</text></value></draw></subform></template>"
    data = pdf([text(72, 700, "Please wait")], form=b"<xdp>" + drawn + b"</xdp>")
    source = SourceContent.of_bytes(data, media_type="application/pdf")
    with closing(observer().open(source)) as one, closing(observer().open(source)) as other:
        other.take_over(1, pickle.loads(pickle.dumps(one.found(1))))
        (page,) = reader().read(other, (1,), deadline=Deadline())
    assert (page.text, page.metadata) == ("Form 7", {"form": "read"})
