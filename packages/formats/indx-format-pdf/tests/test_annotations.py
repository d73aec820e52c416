"""Links with the text they stand on, comments, and the values of form fields."""

from __future__ import annotations

import pytest

from indx_core.ports import RoleSpan


def link(target: bytes, rect: str, quads: str = "") -> bytes:
    points = f"/QuadPoints[{quads}]".encode() if quads else b""
    return b"<</Type/Annot/Subtype/Link/Rect[%s]%s/A%s>>" % (rect.encode(), points, target)


def uri(address: str) -> bytes:
    return f"<</S/URI/URI({address})>>".encode()


def note(kind: str, rect: str, contents: bytes, entries: bytes = b"") -> bytes:
    return b"<</Type/Annot/Subtype/%s/Rect[%s]/Contents%s%s>>" % (
        kind.encode(),
        rect.encode(),
        contents,
        entries,
    )


def spans(page):
    return [(page.text[one.start : one.end], one.target) for one in page.links]


def test_a_link_stands_on_the_words_under_it(pdf, opened):
    # "see the manual here": in Helvetica 12 the word "manual" begins at 72 + 41.4.
    pdf.page(
        pdf.text(72, 700, "see the manual here"),
        annotations=(link(uri("https://example.org/m"), "114 697 154 712"),),
    )
    assert spans(opened(pdf).page(1)) == [("manual", "https://example.org/m")]


def test_a_link_on_words_painted_twice_stands_on_them_once(pdf, opened):
    between = b"".join(pdf.text(72, 500 - 20 * at, f"line {at}") for at in range(8))
    twice = pdf.text(72, 600, "the manual") + between + pdf.text(72.3, 600, "the manual")
    rects = ("70 595 200 615", "300 595 310 615")
    pdf.page(
        pdf.text(72, 700, "a heading") + twice,
        annotations=tuple(link(uri("https://example.org/m"), rect) for rect in rects),
    )
    page = opened(pdf).page(1)
    assert page.text.split("\n") == ["a heading", "the manual", *(f"line {at}" for at in range(8))]
    assert [(one.start, one.end) for one in page.links] == [(10, 10), (10, 20)]


@pytest.mark.parametrize(
    ("action", "target"),
    [
        (uri("mailto:a@example.org"), "mailto:a@example.org"),
        (b"<</S/GoToR/F(other/part two.pdf)/D[0/Fit]>>", "other/part two.pdf"),
        (b"<</S/Launch/F(sheet.xlsx)>>", "sheet.xlsx"),
        (b"<</S/GoToR/F<</Type/Filespec/F(a.pdf)/UF(b.pdf)>>/D[0/Fit]>>", "b.pdf"),
    ],
)
def test_links_out_of_the_document_keep_their_target_as_written(action, target, pdf, opened):
    pdf.page(pdf.text(72, 700, "go there"), annotations=(link(action, "70 695 200 715"),))
    assert spans(opened(pdf).page(1)) == [("go there", target)]


def test_an_address_that_is_no_utf8_is_taken_byte_by_byte(pdf, opened):
    pdf.page(pdf.text(72, 700, "go"), annotations=(link(b"<</S/URI/URI(http://x/\xe9)>>", "70 695 90 715"),))
    assert spans(opened(pdf).page(1)) == [("go", "http://x/é")]


@pytest.mark.parametrize("size", [1, 510, 511, 512, 513, 5_000])
def test_an_address_is_whole_however_long(size, pdf, opened):
    address = "http://x/".ljust(9 + size, "a")
    pdf.page(pdf.text(72, 700, "go"), annotations=(link(uri(address), "70 695 90 715"),))
    assert [one.target for one in opened(pdf).page(1).links] == [address]


@pytest.mark.parametrize(
    "action", [b"<</S/GoTo/D[3 0 R/Fit]>>", b"<</S/JavaScript/JS(app.alert)>>", b"<</S/URI/URI()>>"]
)
def test_links_within_the_document_and_scripts_are_no_links(action, pdf, opened):
    pdf.page(pdf.text(72, 700, "go there"), annotations=(link(action, "70 695 200 715"),))
    assert opened(pdf).page(1).links == ()


def test_a_link_over_two_lines_is_one(pdf, opened):
    pdf.page(
        pdf.text(72, 700, "read the annual") + pdf.text(72, 684, "report of ours"),
        annotations=(
            link(
                uri("http://x/r"),
                "72 680 160 712",
                "118 712 160 712 118 697 160 697 70 696 108 696 70 681 108 681",
            ),
        ),
    )
    assert spans(opened(pdf).page(1)) == [("annual\nreport", "http://x/r")]


def test_links_are_in_the_order_of_their_text(pdf, opened):
    pdf.page(
        pdf.text(72, 700, "first") + pdf.text(72, 680, "second"),
        annotations=(link(uri("http://x/2"), "70 676 140 692"), link(uri("http://x/1"), "70 696 140 712")),
    )
    assert spans(opened(pdf).page(1)) == [("first", "http://x/1"), ("second", "http://x/2")]


def test_a_link_on_a_turned_page_finds_its_words(pdf, opened):
    pdf.page(
        pdf.text(72, 700, "see the manual here"),
        rotate=270,
        annotations=(link(uri("http://x"), "114 697 154 712"),),
    )
    assert spans(opened(pdf).page(1)) == [("manual", "http://x")]


def test_a_link_in_a_column_that_moved_finds_its_words(pdf, opened):
    left = ["The left column begins here", "and it goes on for a while", "until it has said enough of"]
    right = ["The right column follows it", "with more of the same text", "and then the page is full."]
    content = b"".join(
        pdf.text(72, 700 - 14 * number, a) + pdf.text(320, 700 - 14 * number, b)
        for number, (a, b) in enumerate(zip(left, right, strict=True))
    )
    pdf.page(content, annotations=(link(uri("http://x"), "318 682 480 696"),))
    assert spans(opened(pdf).page(1)) == [("with more of the same text", "http://x")]


def test_a_link_after_a_word_that_moved_up_finds_its_words(pdf, opened):
    pdf.page(
        pdf.text(72, 700, "an exam-") + pdf.text(72, 680, "ple of links"),
        annotations=(link(uri("http://x"), "105 676 140 692"),),
    )
    assert spans(opened(pdf).page(1)) == [("links", "http://x")]


def test_a_link_over_a_picture_stands_on_no_text(pdf, opened):
    pdf.page(
        pdf.text(72, 700, "above") + pdf.text(72, 500, "below"),
        annotations=(link(uri("http://x"), "300 495 400 515"),),
    )
    page = opened(pdf).page(1)
    assert [(one.start, one.end) for one in page.links] == [(6, 6)]


def test_a_comment_is_read_at_the_end_with_its_role_and_place(pdf, opened, hex_text):
    pdf.page(
        pdf.text(72, 700, "body"),
        annotations=(
            note("Text", "500 700 520 720", hex_text("Überprüfen\nbitte")),
            note("Popup", "0 0 9 9", b"(x)"),
        ),
    )
    page = opened(pdf).page(1)
    assert page.text == "body\nÜberprüfen\nbitte"
    assert page.roles == (RoleSpan(5, 21, "comment"),)
    assert page.boxes[4] > 0.8
    assert page.boxes[4:8] == page.boxes[8:12]


def test_a_text_box_is_read_with_its_role(pdf, opened):
    pdf.page(pdf.text(72, 700, "body"), annotations=(note("FreeText", "100 100 200 120", b"(a box)"),))
    page = opened(pdf).page(1)
    assert (page.text, page.roles) == ("body\na box", (RoleSpan(5, 10, "text_box"),))


def test_a_hidden_comment_is_marked_hidden(pdf, opened):
    pdf.page(pdf.text(72, 700, "body"), annotations=(note("Text", "9 9 29 29", b"(secret)", b"/F 2"),))
    page = opened(pdf).page(1)
    assert page.hidden == ((5, 11),)
    assert page.text[5:11] == "secret"


def field(pdf, kind: bytes, rect: str, entries: bytes) -> bytes:
    return b"<</Type/Annot/Subtype/Widget/FT%s/Rect[%s]%s>>" % (kind, rect.encode(), entries)


def with_form(pdf, content: bytes, *fields: bytes) -> None:
    first = len(pdf.objects) + 1
    pdf.page(content, annotations=fields)
    listed = b" ".join(b"%d 0 R" % (first + number) for number in range(len(fields)))
    pdf.catalog = b"/AcroForm<</Fields[%s]/DA(/F1 0 Tf 0 g)/DR<</Font<</F1 %d 0 R>>>>>>" % (
        listed,
        pdf.fonts["F1"],
    )


def test_the_value_of_a_field_stands_beside_its_label(pdf, lines):
    with_form(
        pdf,
        pdf.text(72, 700, "Name:") + pdf.text(72, 670, "Town:") + pdf.text(72, 640, "End of form"),
        field(pdf, b"/Tx", "120 695 300 712", b"/T(name)/V(Ada Lovelace)"),
        field(pdf, b"/Ch", "120 665 300 682", b"/T(town)/Ff 131072/Opt[(London)(Paris)]/V(Paris)"),
        field(pdf, b"/Tx", "120 500 300 517", b"/T(empty)"),
    )
    assert lines(pdf) == ["Name:\tAda Lovelace", "Town:\tParis", "End of form"]


def test_the_value_of_a_field_without_a_label_stands_at_its_height(pdf, lines):
    with_form(
        pdf,
        pdf.text(72, 700, "Above") + pdf.text(72, 600, "Below"),
        field(pdf, b"/Tx", "72 650 300 667", b"/T(note)/V(two\nlines)"),
    )
    assert lines(pdf) == ["Above", "two lines", "Below"]


def test_a_ticked_box_says_its_name(pdf, lines):
    look = pdf.stream(b"", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]")
    states = b"/AP<</N<</Yes %d 0 R/Off %d 0 R>>>>" % (look, look)
    with_form(
        pdf,
        pdf.text(72, 700, "Answers:"),
        field(pdf, b"/Btn", "140 698 150 708", b"/T(a)/TU(Agreed)/V/Yes/AS/Yes" + states),
        field(pdf, b"/Btn", "240 698 250 708", b"/T(b)/TU(Refused)/V/Off/AS/Off" + states),
    )
    assert lines(pdf) == ["Answers:\t[x] Agreed"]


def test_a_form_without_printed_text_is_read(pdf, opened):
    with_form(pdf, b"", field(pdf, b"/Tx", "72 700 300 717", b"/T(n)/V(only a value)"))
    page = opened(pdf).page(1)
    assert (page.text, page.characters) == ("only a value", 10)


def test_no_comment_of_thousands_is_left_out(pdf, opened):
    numbers = [pdf.add(note("Text", "0 0 9 9", b"(comment %d)" % number)) for number in range(5300)]
    pdf.page(pdf.text(72, 700, "words"), entries=b"/Annots[%s]" % b" ".join(b"%d 0 R" % n for n in numbers))
    page = opened(pdf).page(1)
    assert page.text.splitlines() == ["words", *[f"comment {number}" for number in range(5300)]]
    assert len(page.roles) == 5300


def test_a_comment_of_millions_of_characters_is_read_whole(pdf, opened):
    pdf.page(pdf.text(72, 700, "words"), annotations=(note("Text", "0 0 9 9", b"(%s)" % (b"x" * 2_100_000)),))
    assert len(opened(pdf).page(1).text) == len("words\n") + 2_100_000


@pytest.mark.parametrize(
    ("bound", "most", "read"),
    [
        ("_MOST", 3, True),
        ("_MOST", 2, False),
        ("_MOST_TEXT", 12, True),
        ("_MOST_TEXT", 11, False),
        ("_MOST_BYTES", 10, True),
        ("_MOST_BYTES", 9, False),
    ],
)
def test_a_page_with_more_over_it_than_is_looked_at_is_not_read_in_part(
    bound, most, read, pdf, opened, monkeypatch
):
    monkeypatch.setattr(f"indx_format_pdf._annotations.{bound}", most)
    pdf.page(
        pdf.text(72, 700, "words"), annotations=tuple(note("Text", "0 0 9 9", b"(four)") for _ in range(3))
    )
    pdf.page(pdf.text(72, 700, "another page"))
    document = opened(pdf)
    assert document.page(1).opened is read
    assert document.page(1).text == ("words\nfour\nfour\nfour" if read else "")
    assert document.page(2).text == "another page"


def test_a_field_counts_as_many_annotations(pdf, opened, monkeypatch):
    fields = [
        pdf.add(b"<</Type/Annot/Subtype/Widget/FT/Tx/T(f%d)/V(v)/Rect[9 9 20 20]>>" % n) for n in range(2)
    ]
    listed = b" ".join(b"%d 0 R" % number for number in fields)
    pdf.catalog = b"/AcroForm<</Fields[%s]>>" % listed
    pdf.page(entries=b"/Annots[%s]" % listed)
    for most, read in ((52, True), (26, False)):
        monkeypatch.setattr("indx_format_pdf._annotations._MOST", most)
        assert opened(pdf).page(1).opened is read


def test_a_link_of_too_many_rectangles_stands_on_what_is_within_all_of_them(pdf, opened):
    quad = "70 716 110 716 70 696 110 696 "
    lines = pdf.text(72, 700, "one two three") + pdf.text(72, 600, "four")
    for count in (100, 101):
        pdf.page(lines, annotations=(link(uri("http://x"), "70 690 400 720", quad * count),))
    document = opened(pdf)
    assert spans(document.page(1))[0][0] != "one two three"
    assert spans(document.page(2)) == [("one two three", "http://x")]


@pytest.mark.parametrize("rect", ["300 400 320 420", "320 420 300 400", "300 420 320 400"])
def test_the_place_of_a_note_is_the_same_by_whichever_corners_it_is_named(rect, pdf, opened):
    note = b"<</Type/Annot/Subtype/Text/Contents(a note)/Rect[%s]>>" % rect.encode()
    pdf.page(pdf.text(72, 700, "the page"), annotations=(note,))
    x0, y0, x1, y1 = opened(pdf).page(1).boxes[4:]
    assert (x0, x1) == pytest.approx((300 / 612, 320 / 612), abs=1e-3)
    assert (y0, y1) == pytest.approx((372 / 792, 392 / 792), abs=1e-3)


@pytest.mark.parametrize("kind", [b"/Subtype/Text", b"/Subtype/FreeText"])
def test_a_comment_of_signs_that_do_not_show_is_none(kind, pdf, opened):
    note = b"<</Type/Annot%s/Rect[100 100 120 120]/Contents<FEFF200B00AD>>>" % kind
    pdf.page(pdf.text(72, 700, "the page"), annotations=(note,))
    page = opened(pdf).page(1)
    assert (page.text, page.roles) == ("the page", ())


def test_a_link_over_a_space_alone_has_an_empty_span(pdf, opened):
    words = b"BT /F1 12 Tf 10 Tw 72 700 Td (see the manual) Tj ET "
    pdf.page(words, annotations=(link(uri("https://example.org/m"), "93 697 105 712"),))
    (found,) = opened(pdf).page(1).links
    assert 0 <= found.start == found.end


def test_a_link_stands_on_its_words_where_some_characters_stand_in_no_text(pdf, opened):
    pdf.composite_font("F2", to_unicode={"0001": "0093"})
    unsaid = pdf.text(72, 700, b"<" + b"0001" * 12 + b">", font="F2")
    pdf.page(
        unsaid + pdf.text(72, 670, "First line of words here") + pdf.text(72, 643, "Second line of words"),
        annotations=(link(uri("https://example.org/m"), "142 640 200 656"),),
    )
    page = opened(pdf).page(1)
    assert [page.text[one.start : one.end] for one in page.links] == ["f words"]


def test_what_does_not_show_in_the_value_of_a_field_is_left_out(pdf, opened):
    widget = pdf.add(
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V<FEFF0076200B00ADFB010078>/Rect[100 600 200 620]>>"
    )
    pdf.catalog = b"/AcroForm<</Fields[%d 0 R]>>" % widget
    pdf.page(pdf.text(72, 700, "the page"), entries=b"/Annots[%d 0 R]" % widget)
    assert opened(pdf).page(1).text == "the page\nvfix"
