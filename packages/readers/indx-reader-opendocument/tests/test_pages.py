"""Slides with places, worksheets with values: a page each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indx_core.errors import InputTooLarge
from indx_core.ports import PageReading, SourceContent
from indx_reader_opendocument import observer
from indx_reader_opendocument._sheet import _number

Read = Callable[..., list[PageReading]]
SIZE = (
    '<office:automatic-styles><style:page-layout style:name="PM"><style:page-layout-properties '
    'fo:page-width="20cm" fo:page-height="10cm"/></style:page-layout></office:automatic-styles>'
    '<office:master-styles><style:master-page style:name="M" style:page-layout-name="PM"/>'
    "</office:master-styles>"
)


def cell(inner: str = "", **attributes: str) -> str:
    made = " ".join(
        f'{key.replace("__", ":").replace("_", "-")}="{value}"' for key, value in attributes.items()
    )
    return f"<table:table-cell {made}>{f'<text:p>{inner}</text:p>' if inner else ''}</table:table-cell>"


def sheet(*rows: str, name: str = "S", style: str = "", before: str = "") -> str:
    made = "".join(
        row if row.startswith("<table:table-row") else f"<table:table-row>{row}</table:table-row>"
        for row in rows
    )
    return f'<table:table table:name="{name}" table:style-name="{style}">{before}{made}</table:table>'


def test_shapes_stand_where_the_slide_puts_them(read: Read) -> None:
    frame = (
        '<draw:frame svg:x="{}" svg:y="1cm" svg:width="10cm" svg:height="2cm" {}><draw:text-box>'
        "<text:p>{}</text:p></draw:text-box></draw:frame>"
    )
    body = (
        '<draw:page draw:master-page-name="M"><draw:g>' + frame.format("5cm", "", "inside") + "</draw:g>"
        + frame.format("0cm", 'presentation:class="title"', "Title")
        + '<draw:custom-shape draw:transform="rotate(1)"><text:p>turned</text:p></draw:custom-shape>'
        + "</draw:page>"
    )  # fmt: skip
    (page,) = read("presentation", body, shared=SIZE)
    assert page.text == "Title\ninside\nturned"
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("Title", 1)]
    assert page.boxes is not None
    assert list(page.boxes[:8]) == [0.0, 0.1, 0.5, 0.3, 0.25, 0.1, 0.75, 0.3]
    assert page.boxes[8] != page.boxes[8], "a shape that states no size has no place"


def test_the_number_of_a_slide_is_that_of_the_slide(read: Read) -> None:
    number = (
        "<draw:page><draw:frame><draw:text-box><text:p>p. <text:page-number>&lt;number&gt;</text:page-number>"
    )
    pages = read("presentation", 2 * f"{number} of 2</text:p></draw:text-box></draw:frame></draw:page>")
    assert [page.text for page in pages] == ["p. 1 of 2", "p. 2 of 2"]


@pytest.mark.parametrize(
    ("place", "box"),
    [
        # A quarter against the clock: what was 4 wide and 2 high stands 2 wide and 4 high above its corner.
        ('draw:transform="rotate (1.5707963267949) translate (2cm 8cm)"', (0.1, 0.4, 0.2, 0.8)),
        ('draw:transform="rotate(90deg) translate(2cm,8cm)"', (0.1, 0.4, 0.2, 0.8)),
        ('draw:transform="translate (2cm 8cm) rotate (1.5707963267949)"', (0.4, 0.0, 0.5, 0.0)),
        ('draw:transform="translate(4cm)"', (0.2, 0.0, 0.4, 0.2)),
        ('draw:transform="scale (2 0.5) translate (2cm 1cm)"', (0.1, 0.1, 0.5, 0.2)),
        ('draw:transform="scale (-1 1) translate (6cm 0cm)"', (0.1, 0.0, 0.3, 0.2)),
        ('draw:transform="skewX (0.785398163397448)"', (0.0, 0.0, 0.3, 0.2)),
        ('draw:transform="matrix (0 1 -1 0 4cm 1cm)"', (0.1, 0.1, 0.2, 0.5)),
        ('svg:x="2cm" svg:y="1cm" draw:transform="translate (2cm 1cm)"', (0.2, 0.2, 0.4, 0.4)),
        ('svg:x="2cm" svg:y="1cm"', (0.1, 0.1, 0.3, 0.3)),
        *((f'draw:transform="{steps}"', None) for steps in (
            "rotate (x)", "rotate (nan)", "rotate (1e999)", "turn (1)", "rotate (1", "scale (1e308)",
            "translate (1 2)", "matrix (1 2 3)", "rotate (1) and more", "translate(1cm) " * 101,
        )),
    ],
)  # fmt: skip
def test_a_shape_stands_where_its_transform_takes_it(
    read: Read, place: str, box: tuple[float, ...] | None
) -> None:
    shape = f'<draw:rect svg:width="4cm" svg:height="2cm" {place}><text:p>here</text:p></draw:rect>'
    (page,) = read("drawing", f'<draw:page draw:master-page-name="M">{shape}</draw:page>', shared=SIZE)
    assert page.text == "here"
    assert page.boxes is not None
    assert (None if page.boxes[0] != page.boxes[0] else tuple(page.boxes)) == box


def test_notes_comments_and_hidden_slides(read: Read, odf: Callable[..., bytes]) -> None:
    style = (
        '<style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties '
        'presentation:visibility="hidden"/></style:style>'
    )
    body = (
        '<draw:page draw:style-name="dp1"><draw:rect><text:p>box</text:p></draw:rect><office:annotation>'
        "<text:p>remark</text:p></office:annotation><presentation:notes><draw:page-thumbnail/><draw:frame "
        'presentation:class="notes"><draw:text-box><text:p>say this</text:p></draw:text-box></draw:frame>'
        "</presentation:notes></draw:page>"
    )
    (page,) = read("presentation", body, styles=style)
    assert page.text == "box\nremark\nsay this"
    assert [(page.text[r.start : r.end], r.role) for r in page.roles] == [
        ("remark", "comment"),
        ("say this", "notes"),
    ]
    assert page.hidden == ((0, len(page.text)),)
    source = SourceContent.of_bytes(
        odf("presentation", body, styles=style), media_type="application/vnd.oasis.opendocument.presentation"
    )
    with closing(observer().open(source)) as session:
        observation = session.observe()
    assert observation.pages[0].hidden
    assert observation.facts == {"slides": "1 slide", "hidden_slides": "1 hidden slide"}


def test_an_empty_placeholder_says_nothing(read: Read) -> None:
    body = (
        '<draw:page><draw:frame presentation:class="outline" presentation:placeholder="true"><draw:text-box>'
        "<text:p>Click to add text</text:p></draw:text-box></draw:frame></draw:page>"
    )
    (page,) = read("presentation", body)
    assert page.text == ""


def test_values_are_read_by_their_kind(read: Read) -> None:
    rows = (
        cell("Name", office__value_type="string") + cell("Value", office__value_type="string"),
        cell("float") + cell("1.33", office__value_type="float", office__value="1.3333333333333333"),
        cell("date") + cell("1/2/20", office__value_type="date", office__date_value="2020-01-02T00:00:00"),
        cell("percent") + cell("13%", office__value_type="percentage", office__value="0.125"),
        cell("yes") + cell("JA", office__value_type="boolean", office__boolean_value="true"),
        cell("filled") + cell("007", office__value_type="float", office__value="7"),
        cell("formula") + cell(table__formula="of:=SUM([.A1])"),
    )
    (page,) = read("spreadsheet", sheet(*rows))
    assert [line.split("\t")[1] for line in page.text.split("\n")] == [
        "Value", "1.33333333333333", "2020-01-02", "12.5%", "TRUE", "007", "=SUM([.A1])",
    ]  # fmt: skip
    assert [(page.text[r.start : r.end], r.role) for r in page.roles] == [("=SUM([.A1])", "formula")]
    assert page.tables[0].header_rows == 1
    assert (page.metadata or {})["sheet"] == {"name": "S", "range": "A1:B7"}


@pytest.mark.parametrize(
    ("shown", "value", "expected"),
    [
        ("1.234,50 €", "1234.5", "1234.5 €"),
        ("-$1,235", "-1234.5", "-$1234.5"),
        ("($1,234.50)", "-1234.5", "-$1234.5"),
        ("USD 7", "7", "USD 7"),
        ("-5 €", "-5", "-5 €"),
        ("###", "7", "7"),
    ],
)
def test_an_amount_keeps_its_currency(read: Read, shown: str, value: str, expected: str) -> None:
    amount = cell(shown, office__value_type="currency", office__value=value)
    (page,) = read("spreadsheet", sheet(amount))
    assert page.text == expected


@pytest.mark.parametrize(
    ("shown", "value", "expected"),
    [
        ("1,234.50 kg", "1234.5", "1234.5 kg"),
        ("-1.234,5 kg", "-1234.5", "-1234.5 kg"),
        ("13 °C", "12.5", "12.5 °C"),
        ("No. 05", "5", "No. 05"),
        ("123-45-6789", "123456789", "123-45-6789"),
        ("(212) 555-1234", "2125551234", "(212) 555-1234"),
        ("1M", "1234567", "1234567"),
        ("1/2", "0.5", "0.5"),
        ("1.23E+03", "1234.5", "1234.5"),
        ("yes", "1", "1"),
        ("1,235", "1234.5", "1234.5"),
        ("-3", "-3", "-3"),
        ("1,234 kg", "1234", "1234 kg"),
        ("12.5 km", "12.9", "12.9"),
        ("No. " + "1" * 5000, "7", "7"),
        ("١٢", "12", "١٢"),
        ("۱۲", "12", "۱۲"),
        ("कुल १२", "12", "कुल १२"),
        ("１２ kg", "12", "１２ kg"),
        ("١٬٢٣٤٫٥ كجم", "1234.5", "1234.5 كجم"),
        ("x٫", "1", "1"),
    ],
)
def test_a_quantity_keeps_its_unit_and_the_signs_between_its_digits(
    read: Read, shown: str, value: str, expected: str
) -> None:
    quantity = cell(shown, office__value_type="float", office__value=value)
    (page,) = read("spreadsheet", sheet(quantity))
    assert page.text == expected


_KINDS = st.sampled_from(("float", "currency", "percentage"))
_SHOWN = st.text(st.characters(categories=("Nd", "No", "Sc", "Lu", "Zs"))) | st.text("١1,.- \n٫²")


@given(_KINDS, st.floats() | st.integers(), _SHOWN)
@example("float", 1e300, "1" * 199 + "x")
@example("float", -1e308, "1." + "0" * 190 + " x")
def test_no_number_whatever_it_is_shown_as_makes_a_sheet_unreadable(
    kind: str, value: float, text: str
) -> None:
    assert _number(repr(value), kind, text)


def test_repeats_gaps_and_merged_cells_keep_their_places(read: Read) -> None:
    rows = (
        cell("both", table__number_columns_spanned="2") + "<table:covered-table-cell/>" + cell("c"),
        '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>',
        cell(table__number_columns_repeated="2") + cell("x", table__number_columns_repeated="2"),
        (
            '<table:table-row table:number-rows-repeated="1048570"><table:table-cell '
            'table:number-columns-repeated="16384"/></table:table-row>'
        ),
    )
    (page,) = read("spreadsheet", sheet(*rows))
    assert [(c.row, c.column, c.column_span, c.text) for c in page.tables[0].cells] == [
        (1, 1, 2, "both"),
        (1, 3, 1, "c"),
        (4, 3, 1, "x"),
        (4, 4, 1, "x"),
    ]


def test_a_copy_of_a_sheet_of_another_file_that_formulas_ask_is_hidden(read: Read) -> None:
    name = "'file:///home/a%20b/x.ods'#$Sheet1"
    shown, kept = read("spreadsheet", sheet(cell("shown")) + sheet(cell("kept"), name=name))
    assert (shown.text, list(shown.hidden)) == ("shown", [])
    assert [kept.text[start:end] for start, end in kept.hidden] == ["kept"]
    assert (kept.metadata or {})["sheet"]["hidden"] is True


def test_hidden_sheets_rows_and_columns_are_marked(read: Read) -> None:
    style = (
        '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/>'
        "</style:style>"
    )
    columns = '<table:table-column/><table:table-column table:visibility="collapse"/>'
    row = '<table:table-row table:visibility="filter">{}</table:table-row>'
    shown, unseen = read(
        "spreadsheet",
        sheet(cell("a") + cell("b"), row.format(cell("c")), before=columns)
        + sheet(cell("secret"), name="H", style="ta1"),
        styles=style,
    )
    assert "".join(shown.text[start:end] for start, end in shown.hidden).split() == ["bc"]
    assert unseen.hidden == ((0, 6),)
    assert (unseen.metadata or {})["sheet"]["hidden"] is True


def test_comments_and_shapes_of_a_sheet_follow_its_table(read: Read) -> None:
    noted = (
        "<table:table-cell><office:annotation><text:p>why?</text:p></office:annotation><text:p>a "
        '<text:a xlink:href="https://a.example">link</text:a></text:p></table:table-cell>'
    )
    shapes = "<table:shapes><draw:rect><text:p>drawn</text:p></draw:rect></table:shapes>"
    (page,) = read("spreadsheet", sheet(noted, before=shapes))
    assert page.text == "a link\ndrawn\nwhy?"
    assert [(link.target) for link in page.links] == ["https://a.example"]
    assert [(page.text[r.start : r.end], r.role) for r in page.roles] == [
        ("drawn", "text_box"),
        ("why?", "comment"),
    ]


def test_a_cell_repeated_over_the_whole_sheet_is_refused(odf: Callable[..., bytes]) -> None:
    filled = cell("x", table__number_columns_repeated="16384")
    row = f'<table:table-row table:number-rows-repeated="1048576">{filled}</table:table-row>'
    data = odf("spreadsheet", sheet(row))
    source = SourceContent.of_bytes(data, media_type="application/vnd.oasis.opendocument.spreadsheet")
    with closing(observer().open(source)) as session, pytest.raises(InputTooLarge):
        session.observe()


def test_letters_in_cells_of_symbol_fonts_are_the_signs_that_they_show_as(read: Read) -> None:
    style = '<style:style style:name="{}" style:family="table-cell">'
    style += '<style:text-properties style:font-name="{}"/></style:style>'
    styles = style.format("S", "Symbol") + style.format("W", "Wingdings") + style.format("A", "Arial")
    columns = (
        '<table:table-column table:number-columns-repeated="2"/>'
        '<table:table-column table:number-columns-repeated="3" table:default-cell-style-name="W"/>'
    )
    cells = [
        cell("a", table__style_name="S", office__value_type="string"),
        cell("ü"),
        cell(table__number_columns_repeated="2"),
        cell("ü"),
        cell("ü", table__style_name="A"),
        cell("5", table__style_name="S", office__value_type="float", office__value="5"),
    ]
    (page,) = read("spreadsheet", sheet("".join(cells), before=columns), styles=styles)
    assert [one.text for one in page.tables[0].cells] == ["α", "ü", "✓", "ü", "5"]
