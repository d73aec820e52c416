"""Text that drawings hold: paragraphs, SmartArt, charts, formulas."""

from __future__ import annotations

import pytest

from indx_format_office import TextWriter
from indx_format_office._xml import Element, parse
from indx_format_office.chart import read_chart, write_chart
from indx_format_office.drawing import alt_text, chosen, diagram_texts, write_paragraphs
from indx_format_office.formula import linear

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
NAMESPACES = (
    f'xmlns:a="{A}" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
)


def element(name: str, inner: str) -> Element:
    return parse(f"<{name} {NAMESPACES}>{inner}</{name}>".encode(), "test")


def test_paragraphs_are_lines_with_breaks_fields_and_links() -> None:
    body = element(
        "a:txBody",
        "<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:fld><a:t>2</a:t></a:fld></a:p><a:p/>"
        "<a:p><a:r><a:t> </a:t></a:r></a:p>"
        '<a:p><a:r><a:rPr><a:hlinkClick r:id="r1"/></a:rPr><a:t>there</a:t></a:r></a:p>',
    )
    writer = TextWriter()
    write_paragraphs(body, writer, lambda key: f"target of {key}")
    page = writer.page(1)
    assert page.text == "one\n2\nthere"
    assert [(page.text[x.start : x.end], x.target) for x in page.links] == [("there", "target of r1")]


def test_a_formula_in_a_paragraph_is_written_from_the_first_choice() -> None:
    body = element(
        "a:txBody",
        "<a:p><mc:AlternateContent>"
        "<mc:Choice Requires='a14'><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></mc:Choice>"
        "<mc:Fallback><a:r><a:t>picture of it</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p>",
    )
    writer = TextWriter()
    write_paragraphs(body, writer, lambda _: "")
    assert writer.text() == "x=1"


def test_a_formula_stands_in_its_sentence_as_presentations_write_it() -> None:
    body = element(
        "a:txBody",
        "<a:p><a:r><a:t>so </a:t></a:r>"
        "<a14:m xmlns:a14='http://schemas.microsoft.com/office/drawing/2010/main'><m:oMathPara><m:oMath>"
        "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
        "</m:oMath></m:oMathPara></a14:m><a:r><a:t> grows</a:t></a:r></a:p>",
    )
    writer = TextWriter()
    write_paragraphs(body, writer, lambda _: "")
    page = writer.page(1)
    assert page.text == "so x^2 grows"
    assert [(role.role, page.text[role.start : role.end]) for role in page.roles] == [("formula", "x^2")]


def test_a_number_raised_behind_a_number_is_set_off() -> None:
    run = "<a:r>{}<a:t>{}</a:t></a:r>"
    up, down = "<a:rPr baseline='30000'/>", "<a:rPr baseline='-25000'/>"
    body = element(
        "a:txBody",
        f"<a:p>{run.format('', '10')}{run.format(up, '1')}{run.format(up, '2')}{run.format('', ' x')}"
        f"{run.format(up, '2')}{run.format('', ' 10')}{run.format(up, '-3')}{run.format('', ' 7')}"
        f"{run.format(down, '2')}{run.format('', ' 7')}{run.format(up, 'th')}</a:p>",
    )
    writer = TextWriter()
    write_paragraphs(body, writer, lambda _: "")
    assert writer.text() == "10^12 x2 10^-3 72 7th"


def test_the_fallback_counts_where_there_is_no_choice() -> None:
    found = chosen(element("mc:AlternateContent", "<mc:Fallback/>"))
    assert found is not None
    assert found.tag.endswith("Fallback")
    assert chosen(element("mc:AlternateContent", "")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A red bridge", "A red bridge"),
        ("image1.PNG", ""),
        (" ", ""),
        ("a b.png", "a b.png"),
        ("C:\\My Pictures\\a b.jpg", ""),
        ("http://a.example/a b.jpg", ""),
        ("\\\\server\\a b.webp", ""),
        ("A: the lock of b.png", "A: the lock of b.png"),
        ("Two: a.gif and b.gif", "Two: a.gif and b.gif"),
    ],
)
def test_alternative_text_is_what_is_no_file_name(text: str, expected: str) -> None:
    assert alt_text(parse(f'<x descr="{text}"/>'.encode(), "test")) == expected


def point(key: str, text: str, kind: str = "node") -> str:
    body = f"<dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t>"
    return f'<dgm:pt modelId="{key}" type="{kind}">{body}</dgm:pt>'


def joined(above: str, below: str, order: int) -> str:
    return f'<dgm:cxn srcId="{above}" destId="{below}" srcOrd="{order}"/>'


def test_smart_art_is_read_from_the_top_down() -> None:
    root = element(
        "dgm:dataModel",
        "<dgm:ptLst>"
        + point("3", "second")
        + point("0", "", "doc")
        + point("2", "below first")
        + point("1", "first")
        + point("9", "loose")
        + "</dgm:ptLst><dgm:cxnLst>"
        + joined("0", "3", 1)
        + joined("0", "1", 0)
        + joined("1", "2", 0)
        + joined("2", "1", 0)
        + "</dgm:cxnLst>",
    )
    assert list(diagram_texts(root)) == ["first", "below first", "second", "loose"]


def cache(kind: str, *values: str, code: str = "") -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate(values))
    stated = f"<c:formatCode>{code}</c:formatCode>" if code else ""
    return f"<c:{kind}Ref><c:{kind}Cache>{stated}{points}</c:{kind}Cache></c:{kind}Ref>"


def series(name: str, labels: str, values: str) -> str:
    return f"<c:ser><c:tx>{cache('str', name)}</c:tx><c:cat>{labels}</c:cat><c:val>{values}</c:val></c:ser>"


def test_a_chart_is_its_titles_and_a_table_of_its_values() -> None:
    labels = cache("num", "45292", "45323", code="yyyy\\-mm\\-dd")
    root = element(
        "c:chartSpace",
        "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>"
        "<c:plotArea><c:barChart>"
        + series("North", labels, cache("num", "1", "2.50000000000001"))
        + series("South", labels, cache("num", "3"))
        + "</c:barChart></c:plotArea></c:chart>",
    )
    writer = TextWriter()
    write_chart(read_chart(root), writer)
    page = writer.page(1)
    assert page.text == "Sales\n\tNorth\tSouth\n2024-01-01\t1\t3\n2024-02-01\t2.50000000000001\t"
    (table,) = page.tables
    assert (table.rows, table.columns, table.header_rows, table.caption) == (3, 3, 1, "Sales")


@pytest.mark.parametrize(
    ("inner", "rows", "left_out"),
    [
        (series("N", "", cache("num", *"1" * 1000)), 1001, None),
        (series("N", "", cache("num", *"1" * 1003)), 1001, 3),
        (series("N", "", cache("num", *"1" * 1003)) + series("S", "", cache("num", *"2" * 1001)), 1001, 4),
        (series("N", "", cache("num", "1", "2")) * 102, 3, 4),
        (series("", "", "") * 100 + series("N", "", cache("num", "1", "2")) + series("S", "", ""), 0, 3),
    ],
    ids=["all", "one series", "two series", "many series", "nothing but series past the bound"],
)
def test_values_of_a_chart_that_are_left_out_are_counted(inner: str, rows: int, left_out: int | None) -> None:
    writer, cell = TextWriter(), TextWriter()
    write_chart(read_chart(element("c:chartSpace", inner)), writer)
    page = writer.page(1, metadata={"a": 1})
    assert [table.rows for table in page.tables] == [rows] * bool(rows)
    assert (page.metadata or {}).get("chart_values_left_out") == left_out
    cell.take(writer)
    cell.append(writer)
    assert cell.chart_values_left_out == 2 * (left_out or 0)


def test_the_newer_kind_of_chart_gives_its_texts() -> None:
    root = element(
        "cx:chartSpace",
        "<cx:chartData><cx:data><cx:strDim><cx:lvl><cx:pt>Asia</cx:pt><cx:pt>Asia</cx:pt></cx:lvl></cx:strDim>"
        "</cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Map</a:t></a:r></a:p></cx:rich>"
        "</cx:tx></cx:title></cx:chart>",
    )
    assert set(read_chart(root).titles) == {"Asia", "Map"}


RUN = "<m:r><m:t>{}</m:t></m:r>"
SINE = f"<m:func><m:fName>{RUN.format('sin')}</m:fName><m:e>{RUN.format('x')}</m:e></m:func>"
SUM = '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>'
E = f"<m:e>{RUN}</m:e>"
HALF = f"<m:f><m:num>{RUN.format('1')}</m:num><m:den>{RUN.format('2')}</m:den></m:f>"
SQUARE = f"<m:sSup><m:e>{RUN.format('x')}</m:e><m:sup>{RUN.format('2')}</m:sup></m:sSup>"
BARS = '<m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr>' + E.format("x") + "</m:d>"
LIMIT = f"<m:limLow>{E.format('lim')}<m:lim>{RUN.format('x→0')}</m:lim></m:limLow>"
BRACKETS = '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>'


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (f"<m:f><m:num>{RUN.format('a+b')}</m:num><m:den>{RUN.format('2')}</m:den></m:f>", "(a+b)/2"),
        (f"<m:sSup><m:e>{RUN.format('x')}</m:e><m:sup>{RUN.format('n+1')}</m:sup></m:sSup>", "x^(n+1)"),
        (f"<m:sSub><m:e>{RUN.format('x')}</m:e><m:sub>{RUN.format('0')}</m:sub></m:sSub>", "x_0"),
        (f"<m:rad><m:deg/><m:e>{RUN.format('x+1')}</m:e></m:rad>", "√(x+1)"),
        (
            f"{SUM}<m:sub>{RUN.format('i=1')}</m:sub><m:sup>{RUN.format('n')}</m:sup>{E.format('i')}</m:nary>",
            "∑_(i=1)^n i",
        ),
        (
            f"{BRACKETS}{E.format('a')}{E.format('b')}</m:d>",
            "[a|b]",
        ),
        (SINE, "sin x"),
        (f"<m:box><m:e>{HALF}{RUN.format('+')}</m:e></m:box>{RUN.format('x')}", "1/2+x"),
        ("<m:r><m:rPr/><m:t>x</m:t></m:r><w:del><m:r><m:t>y</m:t></m:r></w:del>" + RUN.format("z"), "xz"),
        ("<m:r><w:rPr><w:del/></w:rPr><m:t>y</m:t></m:r>" + RUN.format("z"), "z"),
        (f"{RUN.format('a')}{SINE}{RUN.format('(2)')}{SINE}", "a sin x(2)sin x"),
        (f"{SQUARE}<m:box><m:e>{RUN.format('+')}{RUN.format('2')}</m:e></m:box>{RUN.format('3')}", "x^2+23"),
        (
            f"<m:m><m:mr><m:e>{RUN.format('1')}</m:e><m:e>{RUN.format('2')}</m:e></m:mr><m:mr><m:e/></m:mr></m:m>",
            "[1 & 2; ]",
        ),
        (RUN.format("y") + RUN.format("=2"), "y=2"),
        (f"{HALF}<m:rad><m:deg/>{E.format('x')}</m:rad>", "1/2 √x"),
        (f"{HALF}{RUN.format('x')}{HALF}{RUN.format('+2')}{HALF}", "1/2 x1/2+2 1/2"),
        (f"{HALF}<m:d>{E.format('x')}</m:d>", "1/2 (x)"),
        (f"{RUN.format('2')}<m:box><m:e>{HALF}</m:e></m:box>{RUN.format('x')}", "2 1/2 x"),
        (f"{SUM}<m:sub/><m:sup/><m:e>{HALF}</m:e></m:nary>{RUN.format('dx')}", "∑ 1/2 dx"),
        (f"{SQUARE}{RUN.format('3')}{SQUARE}{HALF}{SQUARE}{RUN.format('y')}", "x^2 3x^2 1/2 x^2 y"),
        (f"{SQUARE}{RUN.format('+3')}<m:d>{E.format('x')}</m:d>", "x^2+3(x)"),
        (f"<m:d><m:e>{HALF}</m:e></m:d>{RUN.format('x')}", "(1/2)x"),
        (RUN.format("x+1") + RUN.format("2") + RUN.format("/3") + RUN.format("y"), "x+12/3y"),
        (f"{RUN.format('a/b')}<m:rad><m:deg/>{E.format('x')}</m:rad>", "a/b√x"),
        (f"{E.format('3')}<m:rad><m:deg/><m:e>{HALF}{RUN.format('y')}</m:e></m:rad>", "3√(1/2 y)"),
        (f"{HALF}{BARS}{BARS}", "1/2 |x||x|"),
        (f"{RUN.format('2')}{BARS}{RUN.format('+y')}{BARS}", "2|x|+y|x|"),
        (f"{RUN.format('2 d')}{RUN.format('et')}{BARS}", "2 det |x|"),
        (
            f"{SQUARE}{BARS}<m:sSub>{E.format('x')}<m:sub>{RUN.format('i')}</m:sub></m:sSub>{BARS}",
            "x^2 |x|x_i |x|",
        ),
        (f"{RUN.format('|')}{HALF}{RUN.format('|x')}", "|1/2|x"),
        (f"{HALF}{BARS.replace('|', '⌊', 1).replace('|', '⌋')}", "1/2 ⌊x⌋"),
        (f"{LIMIT}{HALF}{LIMIT}{RUN.format('=0')}", "lim_(x→0) 1/2 lim_(x→0)=0"),
        (f"{LIMIT}{BARS}", "lim_(x→0) |x|"),
    ],
)
def test_formulas_are_written_on_one_line(inner: str, expected: str) -> None:
    assert linear(element("m:oMath", inner)) == expected
