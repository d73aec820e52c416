"""Where a paragraph ends, the ceiling, and what a chunk says of itself."""

from __future__ import annotations

import pytest

from indx_chunker_layout.provider import chunker
from indx_core.errors import ConfigurationError
from indx_core.ports import ChunkLayout, DocumentReading, Heading, PageReading, RoleSpan, line_columns

NAN = (float("nan"),) * 4


def test_lines_at_one_distance_are_one_paragraph_with_the_box_around_them(cut, lines):
    said = lines.prose(4)
    (draft,) = cut(lines.page(lines.column(said)))
    assert draft.text == "\n".join(said)
    assert draft.spans == ((0, len(draft.text)),)
    assert draft.box == pytest.approx((0.1, 0.1, 0.42, 0.1 + 3 * lines.pitch + lines.height))
    assert (draft.box_reason, draft.layout, draft.section) == (None, ChunkLayout("paragraph"), ())


def test_short_paragraphs_are_not_put_together(texts, lines):
    assert texts(lines.column(["One.", "Two.", "Three."], pitch=0.04)) == ["One.", "Two.", "Three."]


def test_a_wider_gap_begins_a_paragraph(texts, lines):
    found = texts(lines.column(lines.prose(4, "a") + lines.prose(5, "b"), gaps=(4,)))
    assert [text.count("\n") + 1 for text in found] == [4, 5]


@pytest.mark.parametrize("pitch", [0.0165, 0.028, 0.036])
def test_the_usual_distance_of_lines_is_that_of_the_page(texts, lines, pitch):
    assert len(texts(lines.column(lines.prose(12), pitch=pitch))) == 1


def test_an_indented_line_begins_a_paragraph(texts, lines):
    found = lines.column(lines.prose(3, "a")[:2] + lines.prose(3, "b")[:2] + lines.prose(3, "c"))
    for at in (0, 2, 4):
        text, (x0, y0, x1, y1) = found[at]
        found[at] = text, (x0 + 0.02, y0, x1, y1)
    assert [text.split()[0] for text in texts(found)] == ["a0", "b0", "c0"]


def test_lines_that_hang_under_the_first_are_of_its_paragraph(texts, lines):
    found = lines.column(
        ["Author, A.: A book that has a long title", "and was published by a house", "in 1999"] * 2
    )
    for at in (1, 2, 4, 5):
        text, (x0, y0, x1, y1) = found[at]
        found[at] = text, (x0 + 0.03, y0, x1 + 0.03, y1)
    assert [text.count("\n") + 1 for text in texts(found)] == [3, 3]


def test_an_indented_line_after_a_comma_is_the_rest_of_an_entry(texts, lines):
    found = lines.column(
        ["Bold, Jane, 8", "Brown, Mary, 12", "British Parliament, 86, 87,", "94", "Chan, Lee, 3"]
    )
    text, (x0, y0, x1, y1) = found[3]
    found[3] = text, (x0 + 0.03, y0, x1 + 0.03, y1)
    assert texts(found)[0].endswith("British Parliament, 86, 87,\n94")


def test_a_short_line_that_ends_a_sentence_ends_a_paragraph(texts, lines):
    said = [*lines.prose(3, "a"), *lines.prose(4, "b")]
    assert [text.split()[0] for text in texts(lines.column(said))] == ["a0", "b0"]


def test_a_short_line_in_the_midst_of_a_sentence_ends_none(texts, lines):
    said = [
        "This line is as long as the column is",
        "this is short",
        "and this one is as long as the column is",
    ]
    assert len(texts(lines.column(said))) == 1


def test_centred_lines_are_one_paragraph(texts, lines):
    said = ["A title that takes two lines", "to say"]
    found = [lines.at(text, 0.5 - 0.004 * len(text), 0.1 + lines.pitch * at) for at, text in enumerate(said)]
    assert texts(found) == ["\n".join(said)]


def test_an_indented_line_that_ends_early_is_not_centred(texts, lines):
    found = lines.column(
        [*lines.prose(4, "a")[:3], "and this begins another one", *lines.prose(4, "b")[:3]], right=0.42
    )
    text, (x0, y0, x1, y1) = found[3]
    found[3] = text, (x0 + 0.02, y0, x1 - 0.02, y1)
    assert [one.split()[0] for one in texts(found)] == ["a0", "and"]


def test_larger_letters_are_a_paragraph_of_their_own(texts, lines):
    heading = lines.at("A larger heading", 0.1, 0.1, scale=1.6)
    body = lines.column(lines.prose(6), top=0.1 + 1.9 * lines.height)
    assert texts([heading, *body])[0] == "A larger heading"


def test_a_line_of_two_rows_is_no_larger_letters(texts, lines):
    found = lines.column(lines.prose(6))
    two = found[2][0] + " " + found[3][0]
    tall = (two, (*found[2][1][:3], found[3][1][3]))
    assert texts([*found[:2], tall, *found[4:]]) == [
        "\n".join([*lines.prose(6)[:2], two, *lines.prose(6)[4:]])
    ]


def test_a_line_without_high_or_low_letters_is_no_smaller_ones(texts, lines):
    found = lines.column(lines.prose(6))
    text, (x0, y0, x1, y1) = found[3]
    found[3] = text, (x0, y0 + 0.004, x1, y1 - 0.002)
    assert len(texts(found)) == 1


@pytest.mark.parametrize(
    "marks",
    [
        ("•", "•", "•"),
        ("\uf0b7", "\ufffd", "\uf0b7"),
        ("-", "-", "-"),
        ("1.", "2.", "3."),
        ("(a)", "(b)", "(c)"),
    ],
)
def test_each_item_of_a_list_is_a_paragraph(texts, lines, marks):
    said = [
        line for mark in marks for line in (f"{mark} first line of an item which is long", "and the second.")
    ]
    found = lines.column(said)
    for at in (1, 3, 5):
        text, (x0, y0, x1, y1) = found[at]
        found[at] = text, (x0 + 0.03, y0, x1 + 0.03, y1)
    assert [text.split()[0] for text in texts(found)] == list(marks)


def test_marks_drawn_apart_belong_to_their_items(texts, lines):
    found = []
    for at, text in enumerate(["first of the items", "second of the items", "third of the items"]):
        found += lines.row(["•", text], (0.1, 0.13), 0.1 + lines.pitch * at)
    assert texts(found) == ["•\nfirst of the items", "•\nsecond of the items", "•\nthird of the items"]


def test_a_paragraph_that_would_run_past_the_ceiling_closes_at_the_line_break(texts, lines, monkeypatch):
    said = lines.prose(12)
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "122")  # three lines of 40 and their breaks
    found = texts(lines.column(said))
    assert [text.count("\n") + 1 for text in found] == [3, 3, 3, 3]
    assert "\n".join(found) == "\n".join(said)
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "121")
    assert texts(lines.column(said))[0].count("\n") == 1


def test_a_line_above_the_ceiling_stays_whole(texts, lines, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "10")
    assert texts(lines.column(lines.prose(3))) == lines.prose(3)


def test_the_ceiling_is_2000_characters(texts, lines):
    said = [f"{at:03d}" + "x" * 96 for at in range(40)]
    assert [text.count("\n") + 1 for text in texts(lines.column(said))] == [20, 20]


@pytest.mark.parametrize("value", ["0", "-1", "abc", "1.5"])
def test_a_ceiling_that_is_no_positive_whole_number_is_refused(cut, lines, value, monkeypatch):
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", value)
    with pytest.raises(ConfigurationError, match="INDX_CHUNK_LAYOUT_MAX_CHARS"):
        cut(lines.page(lines.column(["text"])))


def test_headings_are_paragraphs_of_their_own_and_name_their_section(cut, lines):
    page = lines.page(
        lines.column(["Part one", "its text", "Detail", "more text"]),
        headings=(Heading(0, 8, 1), Heading(18, 24, 2)),
    )
    assert [(draft.text, draft.section) for draft in cut(page)] == [
        ("Part one", ("Part one",)),
        ("its text", ("Part one",)),
        ("Detail", ("Part one", "Detail")),
        ("more text", ("Part one", "Detail")),
    ]


def test_a_section_goes_on_over_pages(lines):
    first = lines.page(lines.column(["Part one", "its text"]), headings=(Heading(0, 8, 1),))
    second = lines.page(lines.column(["more of it"]), number=2)
    read = DocumentReading("application/pdf", None, {1: first, 2: second})
    answer = chunker().chunk(read, None, [2])
    assert list(answer) == [2]
    assert answer[2][0].section == ("Part one",)


def test_a_line_whose_place_is_unknown_is_a_chunk_of_its_own(cut, lines):
    known = lines.column(lines.prose(4))
    drafts = cut(lines.page([*known[:2], ("somewhere", NAN), *known[2:]]))
    assert [(draft.text.split()[0], draft.box_reason) for draft in drafts] == [
        ("word0", None),
        ("somewhere", "unresolved"),
    ]
    assert drafts[0].text == "\n".join(lines.prose(4))
    assert drafts[0].spans == ((0, 81), (92, 152))
    assert drafts[1].layout is None


def test_a_page_of_unknown_places_is_still_carried(cut, lines):
    (draft,) = cut(lines.page([("one", NAN), ("two", NAN)]))
    assert (draft.text, draft.box, draft.box_reason) == ("one\ntwo", None, "unresolved")


def test_text_outside_of_all_lines_is_carried_too(cut, lines):
    page = lines.page(lines.column(["first", "second"]))
    page.text = "first\nsecond and more"
    assert [(draft.text, draft.box_reason) for draft in cut(page)] == [
        ("first\nsecond", None),
        ("and more", "unresolved"),
    ]


def test_comments_and_hidden_text_come_last_and_apart(cut, lines):
    comment = lines.at("a comment on it", 0.5, 0.1)
    hidden = lines.at("hidden words", 0.1, 0.05)
    page = lines.page(
        [comment, hidden, *lines.column(["body text of it"])],
        roles=(RoleSpan(0, 15, "comment"),),
        hidden=((16, 28),),
    )
    body, said, unseen = cut(page)
    assert [body.text, said.text, unseen.text] == ["body text of it", "a comment on it", "hidden words"]
    assert said.box is not None
    assert (unseen.box, unseen.box_reason) == (None, "hidden")


def test_a_blank_page_has_nothing_to_retrieve(cut, lines):
    assert cut(lines.page([])) == []
    assert cut(lines.page([("  ", (0.1, 0.1, 0.2, 0.12))])) == []


@pytest.mark.parametrize(
    "page", [PageReading(1, "text", *line_columns("text")), PageReading(1, reason="no_text_layer")]
)
def test_a_page_without_places_or_unread_is_left_to_the_next_chunker(page):
    read = DocumentReading("application/pdf", None, {1: page})
    assert chunker().chunk(read, None, [1]) == {}


def test_a_document_of_another_type_is_left_to_the_next_chunker(lines):
    read = DocumentReading("text/plain", None, {1: lines.page(lines.column(["text"]))})
    assert chunker().chunk(read, None, [1]) == {}


def test_it_is_version_2_of_pdf_and_not_the_default():
    facts = chunker().declaration
    assert (facts.id, facts.version, facts.default) == ("pdf", 2, False)
    assert {"application/pdf", "image/png", "image/tiff"} <= set(facts.media_types)


def test_a_hidden_word_does_not_hide_its_line(cut, lines):
    line = lines.at("body text secret", 0.1, 0.1)
    shown, hidden = cut(lines.page([line], hidden=((10, 16),)))
    assert (shown.text, shown.box) == ("body text", line[1])
    assert (hidden.text, hidden.box, hidden.box_reason) == ("secret", None, "hidden")
