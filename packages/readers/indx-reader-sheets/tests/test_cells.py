"""What cells say: strings, numbers by their format, formulas, links."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import PageReading
from indx_format_office import cells as office_cells
from indx_format_office.cells import column_name
from indx_reader_sheets import _cells, _session
from indx_reader_sheets._cells import area_of
from indx_reader_sheets._strings import Strings

Read = Callable[..., list[PageReading]]


def row(*cells: str, number: int = 1, attributes: str = "") -> str:
    return f'<row r="{number}" {attributes}>{"".join(cells)}</row>'


def cell(reference: str, value: str, attributes: str = "") -> str:
    return f'<c r="{reference}" {attributes}><v>{value}</v></c>'


def text(reference: str, value: str) -> str:
    return f'<c r="{reference}" t="inlineStr"><is><t>{value}</t></is></c>'


def test_strings_are_shared_inline_or_rich_and_leave_phonetic_guides_out(read: Read) -> None:
    shared = [
        "<t>plain</t>",
        "<r><t>ri</t></r><r><rPr/><t>ch</t></r>",
        "<t>漢字</t><rPh><t>カンジ</t></rPh>",
        "<t>a_x000D_&#10;b_x005F_x0041_</t>",
    ]
    (page,) = read(
        row(
            *(cell(f"{column}1", str(at), 't="s"') for at, column in enumerate("ABCD")),
            '<c r="E1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
            cell("F1", "formula text", 't="str"'),
        ),
        shared=shared,
    )
    assert [each.text for each in page.tables[0].cells] == [
        "plain",
        "rich",
        "漢字",
        "a\nb_x0041_",
        "inline",
        "formula text",
    ]
    assert page.text == "plain\trich\t漢字\ta b_x0041_\tinline\tformula text"


def test_phonetic_guides_of_a_sheets_strings_are_kept_beside_the_text(read: Read) -> None:
    def guide(first: int, last: int, reading: str) -> str:
        return f'<rPh sb="{first}" eb="{last}"><t>{reading}</t></rPh>'

    shared = [
        f"<t>😀東京へ</t>{guide(2, 4, 'トウキョウ')}<phoneticPr/>",
        f"<r><t>山</t></r><r><t>田</t></r>{guide(0, 1, 'ヤマ')}{guide(1, 2, 'ダ')}",
        f"<t>別</t>{guide(0, 1, 'ベツ')}",
        f"<t>印</t>{guide(5, 2, 'シルシ')}",
        f"<t>無</t>{guide(0, 1, '')}",
    ]
    inline = f'<c r="E1" t="inlineStr"><is><t>川</t>{guide(0, 1, "カワ")}</is></c>'
    first, second = read(
        row(
            *(
                cell(f"{column}1", str(at), 't="s"')
                for column, at in (("A", 0), ("B", 1), ("C", 3), ("D", 4))
            ),
            inline,
        ),
        row(cell("A1", "2", 't="s"')),
        shared=shared,
    )
    assert first.text == "😀東京へ\t山田\t印\t無\t川"
    assert [(each["base"], each["reading"]) for each in (first.metadata or {})["ruby"]] == [
        *(("東京", "トウキョウ"), ("山", "ヤマ"), ("田", "ダ"), ("印", "シルシ"), ("川", "カワ")),
    ]
    assert (second.metadata or {})["ruby"] == [{"base": "別", "reading": "ベツ"}]


def test_the_guides_of_a_string_are_looked_at_once_however_many_cells_share_it(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Counted(dict[int, tuple[tuple[str, str], ...]]):
        asked = 0

        def __getitem__(self, place: int) -> tuple[tuple[str, str], ...]:
            Counted.asked += 1
            return super().__getitem__(place)

    strings = Strings(["漢字"], Counted({0: (("漢字", "カンジ"),)}))
    monkeypatch.setattr(_session, "shared_strings", lambda *_: strings)
    (page,) = read("".join(row(cell(f"A{at}", "0", 't="s"'), number=at) for at in range(1, 20)), shared=[])
    assert page.text.count("漢字") == 19
    assert Counted.asked == 1


def test_a_string_that_is_not_there_is_an_empty_cell(read: Read) -> None:
    (page,) = read(
        row(cell("A1", "7", 't="s"'), cell("B1", "x", 't="s"'), text("C1", "c")), shared=["<t>a</t>"]
    )
    assert page.text == "c"


def test_numbers_dates_and_switches_are_read_by_type_and_format(read: Read) -> None:
    (page,) = read(
        row(
            cell("A1", "45292", 's="1"'),
            cell("B1", "45292.25", 's="2"'),
            cell("C1", "0.256", 's="3"'),
            cell("D1", "0.30000000000000004", 's="0"'),
            cell("E1", "1", 't="b"'),
            cell("F1", "0", 't="b"'),
            cell("G1", "#DIV/0!", 't="e"'),
            cell("H1", "2024-05-06T00:00:00", 't="d"'),
            cell("I1", "2024-05-06T07:08:09Z", 't="d"'),
            cell("J1", "7", 's="99"'),
            cell("K1", "45292", 's="4"'),
        ),
        formats=["General", "d.m.yyyy", "yyyy/m/d h:mm", "0.0%", 14],
    )
    assert page.text.split("\t") == [
        "2024-01-01",
        "2024-01-01 06:00:00",
        "25.6%",
        "0.3",
        "TRUE",
        "FALSE",
        "#DIV/0!",
        "2024-05-06",
        "2024-05-06 07:08:09",
        "7",
        "2024-01-01",
    ]


def test_dates_count_from_1904_where_the_workbook_says_so(read: Read) -> None:
    (page,) = read(
        row(cell("A1", "1", 's="0"')), formats=["yyyy-mm-dd"], properties='<workbookPr date1904="1"/>'
    )
    assert page.text == "1904-01-02"


def formula(
    reference: str, inner: str, value: str | None = None, attributes: str = "", kind: str = ""
) -> str:
    kept = "" if value is None else f"<v>{value}</v>"
    return f'<c r="{reference}" {kind}><f {attributes}>{inner}</f>{kept}</c>'


def test_a_formula_is_its_value_and_without_one_its_text_marked_as_such(read: Read) -> None:
    (page,) = read(
        row(
            formula("A1", "B1+1", "3"),
            formula("B1", "A2+1"),
            formula("C1", "A3+1", ""),
            formula("D1", 'A4&amp;"x"', "", kind='t="str"'),
            text("E1", "end"),
        )
    )
    assert page.text == "3\t=A2+1\t=A3+1\t\tend"
    assert [(page.text[x.start : x.end], x.role) for x in page.roles] == [
        ("=A2+1", "formula"),
        ("=A3+1", "formula"),
    ]


def test_a_shared_formula_is_shown_by_the_text_that_states_it(read: Read) -> None:
    (page,) = read(
        row(
            formula("A1", "B1*2", attributes='t="shared" si="0"'),
            formula("A2", "", attributes='t="shared" si="0"'),
        )
    )
    assert page.text == "=B1*2"


def test_links_are_on_the_text_of_their_cells(read: Read) -> None:
    after = (
        '<hyperlinks><hyperlink ref="A1" r:id="h"/><hyperlink ref="B1" location="Sheet2!A1"/>'
        '<hyperlink ref="Z9" r:id="h"/></hyperlinks>'
    )
    (page,) = read(
        row(
            text("A1", "out"),
            text("B1", "in"),
            formula("C1", 'HYPERLINK("https://f.example","f")', "f", kind='t="str"'),
        ),
        around={1: ("", after)},
        rels={1: [("h", "hyperlink", "https://example.org", "external")]},
    )
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [
        ("out", "https://example.org"),
        ("in", "#Sheet2!A1"),
        ("f", "https://f.example"),
    ]


def test_rows_and_cells_without_a_reference_count_on(read: Read) -> None:
    (page,) = read(
        "<row><c><v>1</v></c><c><v>2</v></c></row><row><c r='B2'><v>3</v></c><c><v>4</v></c></row>"
    )
    assert page.text == "1\t2\t\n\t3\t4"
    assert page.tables[0].columns == 3


def test_a_row_is_numbered_by_its_cells_where_it_is_not_itself(read: Read) -> None:
    (page,) = read("<row><c r='A1'><v>1</v></c></row><row><c r='A4'><v>4</v></c></row>")
    assert page.text == "1\n\n\n4"


def test_rows_and_cells_out_of_order_are_put_in_order_and_the_first_of_two_counts(read: Read) -> None:
    (page,) = read(
        row(cell("B2", "4"), cell("A2", "3"), cell("A2", "x"), number=2)
        + row(cell("A1", "1"), number=1)
        + row(cell("A2", "y"), number=2)
    )
    assert page.text == "1\t\n3\t4"


@pytest.mark.parametrize(
    "rows", ['<row r="16777217"><c r="A16777217"><v>1</v></c></row>', '<row r="0"><c><v>1</v></c></row>']
)
def test_a_row_outside_the_grid_is_refused(read: Read, rows: str) -> None:
    first, second = read(rows, row(cell("A1", "1")))
    assert (first.reason, second.text) == ("damaged_part", "1")


@pytest.mark.parametrize("reference", ["XFE1", "AAAA1", "1", "Ä1"])
def test_a_cell_outside_the_grid_is_refused(read: Read, reference: str) -> None:
    (page,) = read(row(cell(reference, "1")))
    assert page.reason == "damaged_part"


def test_too_much_text_is_refused_before_it_is_built(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cells, "MAX_CHARACTERS", 1000)
    rows = "".join(row(cell(f"A{n}", "0", 't="s"'), number=n) for n in range(1, 30))
    with pytest.raises(InputTooLarge, match="1000 characters"):
        read(rows, shared=[f"<t>{'x' * 100}</t>"])


def test_a_number_raised_behind_a_number_is_set_off(read: Read) -> None:
    run = "<r><rPr><vertAlign val='{}'/></rPr><t>{}</t></r>"
    shared = [
        f"<r><t>10</t></r>{run.format('superscript', '6')}<r><t> 10</t></r>{run.format('subscript', '6')}"
    ]
    (page,) = read(row(cell("A1", "0", 't="s"')), shared=shared)
    assert page.text == "10^6 106"


def test_more_cells_than_are_read_are_refused_as_they_are_counted(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_cells, "MAX_CELLS", 5)
    three = "".join(row(cell(f"A{n}", "1"), number=n) for n in range(1, 4))
    assert len(read(three)) == 1
    with pytest.raises(InputTooLarge, match="more than 5 cells"):
        read(three, three)
    monkeypatch.setattr(office_cells, "MAX_CELLS", 2)
    with pytest.raises(InputTooLarge, match="more than 2 cells"):
        read(three)


def test_a_doctype_in_the_strings_refuses_the_whole(read: Read) -> None:
    with pytest.raises(SourceError, match="DOCTYPE"):
        read(
            row(cell("A1", "0", 't="s"')),
            shared=["<t>a</t>"],
            raw={"xl/sharedStrings.xml": '<!DOCTYPE s [<!ENTITY a "b">]><sst><si><t>&a;</t></si></sst>'},
        )


def test_strict_workbooks_read_like_others(read: Read) -> None:
    (page,) = read(row(cell("A1", "0", 't="s"'), cell("B1", "2")), shared=["<t>a</t>"], strict=True)
    assert page.text == "a\t2"


@pytest.mark.parametrize(
    ("reference", "area"),
    [
        ("B2", (2, 2, 2, 2)),
        ("$A$1:C10", (1, 1, 10, 3)),
        ("C10:A1", (1, 1, 10, 3)),
        ("XFD1048576", (1048576, 16384, 1048576, 16384)),
        ("XFE1", None),
        ("A1048577", None),
        ("A0", None),
        ("", None),
        (None, None),
        ("Sheet!A1", None),
    ],
)
def test_references_name_areas_inside_the_grid(
    reference: str | None, area: tuple[int, int, int, int] | None
) -> None:
    assert area_of(reference) == area


@pytest.mark.parametrize(("number", "name"), [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (16384, "XFD")])
def test_columns_have_letters(number: int, name: str) -> None:
    assert column_name(number) == name
    assert area_of(f"{name}1") == (1, number, 1, number)


def test_a_module_among_the_worksheets_is_none_of_them(read: Callable[..., list[PageReading]]) -> None:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="{key}"/>'
        for number, (name, key) in enumerate((("Module1", ""), ("Data", "s1")), start=1)
    )
    workbook = f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>{listed}</sheets></workbook>'
    (page,) = read('<row><c t="str"><v>kept</v></c></row>', raw={"xl/workbook.xml": workbook})
    assert (page.text, (page.metadata or {})["sheet"]["name"]) == ("kept", "Data")
