"""What slides say: every shape at any depth, tables, diagrams, charts, notes, and what they hide."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing

import pytest

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Box, PageReading, SourceContent
from indx_reader_slides.provider import MEDIA_TYPES, observer

Read = Callable[..., list[PageReading]]
Pptx = Callable[..., bytes]


def place(x: int, y: int, cx: int, cy: int, attributes: str = "", inner: str = "") -> str:
    return f'<a:xfrm {attributes}><a:off x="{x}" y="{y}"/><a:ext cx="{cx}" cy="{cy}"/>{inner}</a:xfrm>'


def body(text: str) -> str:
    return f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"


def shape(text: str, where: str = "", *, mark: str = "", properties: str = "", click: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="s" {properties}>{click}</p:cNvPr><p:nvPr>{mark}</p:nvPr>'
        f"</p:nvSpPr><p:spPr>{where}</p:spPr><p:txBody>{body(text) if text else '<a:p/>'}</p:txBody></p:sp>"
    )


def group(where: str, *inner: str, properties: str = "") -> str:
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name="g" {properties}/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr>{where}</p:grpSpPr>{''.join(inner)}</p:grpSp>"
    )


def frame(data: str, where: str = "", properties: str = "") -> str:
    moved = where.replace("a:xfrm", "p:xfrm")
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="f" {properties}/><p:nvPr/>'
        f"</p:nvGraphicFramePr>{moved}<a:graphic><a:graphicData>{data}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def boxes(page: PageReading) -> list[Box | None]:
    assert page.boxes is not None
    rows = [page.boxes[4 * at : 4 * at + 4] for at in range(len(page.line_starts))]
    return [None if math.isnan(row[0]) else (row[0], row[1], row[2], row[3]) for row in rows]


def marked(page: PageReading) -> list[tuple[str, str]]:
    return [(page.text[x.start : x.end], x.role) for x in page.roles]


def test_shapes_are_lines_of_their_own_with_their_boxes(read: Read) -> None:
    (page,) = read(shape("BOX", place(100, 50, 200, 100)) + shape("SECOND", place(500, 250, 500, 250)))
    assert page.text == "BOX\nSECOND"
    assert boxes(page) == [(0.1, 0.1, 0.3, 0.3), (0.5, 0.5, 1.0, 1.0)]


def test_the_number_of_a_slide_is_that_of_the_slide_where_a_sign_stands_for_it(read: Read) -> None:
    field = '<p:sp><p:txBody><a:p><a:fld type="slidenum"><a:t>{}</a:t></a:fld></a:p></p:txBody></p:sp>'
    pages = read(field.format("‹#›"), field.format("&lt;#&gt;"), field.format("7"), order=(2, 1, 3))
    assert [page.text for page in pages] == ["1", "2", "7"]


def test_pages_are_slides_in_the_order_of_the_presentation(read: Read) -> None:
    pages = read(shape("one"), shape("two"), shape("three"), order=[3, 1, 2])
    assert [page.text for page in pages] == ["three", "one", "two"]


def test_the_title_comes_first_and_is_a_heading(read: Read) -> None:
    (page,) = read(shape("body") + shape("The title", mark='<p:ph type="ctrTitle"/>'))
    assert page.text == "The title\nbody"
    assert [(page.text[x.start : x.end], x.level) for x in page.headings] == [("The title", 1)]


def test_paragraphs_are_set_in_by_their_level_and_titles_are_not(read: Read) -> None:
    deep = '<a:p><a:pPr lvl="1"/><a:r><a:t>below</a:t></a:r></a:p>'
    plain = "<a:p><a:r><a:t>below</a:t></a:r></a:p>"
    text, title = shape("below"), shape("below", mark='<p:ph type="title"/>')
    assert plain in text
    (page,) = read(text.replace(plain, deep) + title.replace(plain, deep))
    assert page.text == "below\n  below"
    assert [(x.start, x.end) for x in page.headings] == [(0, 5)]


def test_placeholders_are_numbered_as_their_layout_or_master_says(read: Read) -> None:
    mark = '<p:ph type="body" idx="7"/>'
    numbered = '<a:lstStyle><a:lvl1pPr><a:buAutoNum type="{}"/></a:lvl1pPr></a:lstStyle>'

    def given(scheme: str) -> str:
        return shape("given", mark=mark).replace("<p:txBody>", "<p:txBody>" + numbered.format(scheme))

    slide = shape("mine", mark=mark) + shape("free")
    (page,) = read(slide, layout=given("alphaUcPeriod"), master=given("arabicPeriod"))
    assert page.text == "A. mine\nfree"
    (page,) = read(slide, layout=shape("given", mark=mark), master=given("arabicPeriod"))
    assert page.text == "1. mine\nfree"


def test_body_text_is_numbered_as_the_styles_of_the_master_say(read: Read) -> None:
    style = '<a:lvl1pPr><a:buAutoNum type="arabicPeriod"/></a:lvl1pPr>'
    open_ = "http://schemas.openxmlformats.org"
    spaces = f'xmlns:p="{open_}/presentationml/2006/main" xmlns:a="{open_}/drawingml/2006/main"'
    text = f"<p:txStyles><p:bodyStyle>{style}</p:bodyStyle></p:txStyles>"
    master = f"<p:sldMaster {spaces}>{text}</p:sldMaster>"
    slide = shape("head", mark='<p:ph type="title"/>') + shape("mine", mark='<p:ph idx="1"/>')
    (page,) = read(slide, raw={"ppt/slideMasters/master1.xml": master})
    assert page.text == "head\n1. mine"


def test_groups_are_read_at_any_depth_with_their_transforms_composed(read: Read) -> None:
    # The inner group draws 0..100 in 0..10; the outer one moves it to 200 and doubles it.
    inner = group(
        place(0, 0, 100, 100, inner='<a:chOff x="0" y="0"/><a:chExt cx="10" cy="10"/>'),
        shape("deep", place(5, 5, 5, 2)),
    )
    outer = group(
        place(200, 100, 200, 200, inner='<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/>'), inner
    )
    (page,) = read(shape("top", place(0, 0, 10, 10)) + outer)
    assert page.text == "top\ndeep"
    assert boxes(page)[1] == (0.3, 0.4, 0.4, 0.48)


def test_turned_and_flipped_groups_move_what_is_in_them(read: Read) -> None:
    children = '<a:chOff x="0" y="0"/><a:chExt cx="200" cy="100"/>'
    small = shape("x", place(0, 0, 20, 10))
    (page,) = read(
        group(place(0, 0, 200, 100, 'flipH="1"', children), small)
        + group(place(0, 0, 200, 100, 'flipV="1"', children), small)
        + group(place(0, 0, 200, 100, 'rot="10800000"', children), small)
        + shape("turned", place(400, 200, 200, 100, 'rot="5400000"'))
    )
    assert boxes(page) == [
        (0.18, 0.0, 0.2, 0.02),
        (0.0, 0.18, 0.02, 0.2),
        (0.18, 0.18, 0.2, 0.2),
        (0.45, 0.3, 0.55, 0.7),
    ]


def test_a_turned_shape_in_groups_scaled_and_turned_stands_where_it_is_drawn(read: Read) -> None:
    # The inner group is half as wide as what is in it, and turned by a quarter about its middle at 300, 200.
    inner = group(
        place(200, 100, 200, 200, 'rot="5400000"', '<a:chOff x="100" y="0"/><a:chExt cx="400" cy="200"/>'),
        shape("deep", place(100, 0, 400, 50)),
        shape("turned", place(250, 50, 100, 100, 'rot="10800000"')),
    )
    outer = group(place(0, 0, 500, 250, inner='<a:chOff x="0" y="0"/><a:chExt cx="1000" cy="500"/>'), inner)
    (page,) = read(outer)
    assert page.text == "deep\nturned"
    # On its side, the strip along the top of the inner group is one along its right.
    assert boxes(page) == [(0.175, 0.1, 0.2, 0.3), (0.125, 0.175, 0.175, 0.225)]


def test_what_stands_off_the_slide_is_cut_at_its_edge(read: Read) -> None:
    (page,) = read(shape("x", place(-100, 400, 300, 300)) + shape("y", place(2000, 0, 10, 10)))
    assert boxes(page) == [(0.0, 0.8, 0.2, 1.0), (1.0, 0.0, 1.0, 0.02)]


def test_a_placeholder_without_a_place_has_that_of_its_layout_or_master(read: Read) -> None:
    layout = shape("", place(100, 50, 100, 50), mark='<p:ph type="body" idx="7"/>')
    master = shape("", place(0, 0, 1000, 100), mark='<p:ph type="title"/>') + shape(
        "", place(0, 250, 500, 250), mark='<p:ph type="body" idx="1"/>'
    )
    (page,) = read(
        shape("by index", mark='<p:ph idx="7"/>')
        + shape("by type", mark='<p:ph type="subTitle" idx="9"/>')
        + shape("title", mark='<p:ph type="ctrTitle"/>')
        + shape("nowhere", mark='<p:ph type="dt" idx="11"/>')
        + shape("no placeholder"),
        layout=layout,
        master=master,
    )
    assert page.text.split("\n") == ["title", "by index", "by type", "nowhere", "no placeholder"]
    assert boxes(page) == [(0, 0, 1, 0.2), (0.1, 0.1, 0.2, 0.2), (0, 0.5, 0.5, 1), None, None]
    assert marked(page) == [("nowhere", "footer")]


def test_a_layout_that_states_no_place_for_a_placeholder_leaves_it_to_the_master(read: Read) -> None:
    layout = (
        shape("", place(100, 50, 100, 50), mark='<p:ph type="body" idx="7"/>')
        + shape("", mark='<p:ph type="body" idx="1"/>')
        + shape("", mark='<p:ph type="dt" idx="5"/>')
        + shape("", mark='<p:ph type="title"/>')
    )
    master = (
        shape("", place(0, 250, 500, 250), mark='<p:ph type="body" idx="1"/>')
        + shape("", place(900, 450, 100, 50), mark='<p:ph type="dt" idx="2"/>')
        + shape("", place(0, 0, 1000, 100), mark='<p:ph type="title"/>')
    )
    (page,) = read(
        shape("t", mark='<p:ph type="title"/>')
        + shape("typed", mark='<p:ph type="body" idx="1"/>')
        + shape("untyped", mark='<p:ph idx="1"/>')
        + shape("as the layout says", mark='<p:ph idx="5"/>'),
        layout=layout,
        master=master,
    )
    assert boxes(page) == [(0, 0, 1, 0.2), (0, 0.5, 0.5, 1), (0, 0.5, 0.5, 1), (0.9, 0.9, 1, 1)]


def test_hidden_shapes_and_groups_are_read_and_marked(read: Read) -> None:
    (page,) = read(
        shape("seen")
        + shape("one", properties='hidden="1"')
        + group("", shape("two"), properties='hidden="true"')
        + shape("shown", properties='hidden="0"')
    )
    assert page.text == "seen\none\ntwo\nshown"
    assert [page.text[start:end] for start, end in page.hidden] == ["one", "two"]


def test_a_hidden_slide_is_read_and_marked_as_a_whole(read: Read, pptx: Pptx) -> None:
    options = {"attributes": {2: 'show="0"'}, "notes": {2: shape("spoken")}}
    first, second = read(shape("shown"), shape("skipped"), **options)
    assert not first.hidden
    assert [second.text[start:end] for start, end in second.hidden] == ["skipped\nspoken"]
    assert second.metadata == {"slide": {"hidden": True}}
    source = SourceContent.of_bytes(pptx(shape("a"), shape("b"), **options), media_type=MEDIA_TYPES[0])
    with closing(observer().open(source)) as session:
        seen = session.observe()
    assert [page.hidden for page in seen.pages] == [False, True]
    assert seen.facts == {"slides": "2 slides", "hidden_slides": "1 hidden slide"}


def test_a_slide_says_which_section_it_is_in(read: Read) -> None:
    listed = (
        '<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst '
        'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main">'
        '<p14:section name="Opening "><p14:sldIdLst><p14:sldId id="256"/></p14:sldIdLst></p14:section>'
        '<p14:section name=""><p14:sldIdLst><p14:sldId id="257"/></p14:sldIdLst></p14:section>'
        '<p14:section name="Figures"><p14:sldIdLst><p14:sldId id="258"/><p14:sldId id="999"/></p14:sldIdLst>'
        "</p14:section></p14:sectionLst></p:ext></p:extLst>"
    )
    pages = read(
        shape("a"), shape("b"), shape("c"), shape("d"), attributes={3: 'show="0"'}, order=[3, 1, 2, 4],
        extra=listed,
    )  # fmt: skip
    assert [(page.text, page.metadata) for page in pages] == [
        ("c", {"slide": {"hidden": True, "section": "Figures"}}),
        ("a", {"slide": {"section": "Opening"}}),
        ("b", None),
        ("d", None),
    ]


def cell(text: str, attributes: str = "") -> str:
    return f"<a:tc {attributes}><a:txBody>{body(text) if text else '<a:p/>'}</a:txBody></a:tc>"


def table(*rows: list[str], widths: tuple[int, ...], properties: str = "", height: int = 10) -> str:
    columns = "".join(f'<a:gridCol w="{width}"/>' for width in widths)
    made = "".join(f'<a:tr h="{height}">{"".join(row)}</a:tr>' for row in rows)
    return f"<a:tbl><a:tblPr {properties}/><a:tblGrid>{columns}</a:tblGrid>{made}</a:tbl>"


def test_a_table_has_merged_cells_once_and_a_box_for_each_cell_and_row(read: Read) -> None:
    made = table(
        [cell("wide", 'gridSpan="2"'), cell("", 'hMerge="1"'), cell("c")],
        [cell("tall", 'rowSpan="2"'), cell("b"), cell("two\u000alines")],
        [cell("", 'vMerge="1"'), cell("e"), cell("f")],
        widths=(200, 200, 400),
        properties='firstRow="1"',
        height=100,
    )
    (page,) = read(frame(made, place(200, 100, 800, 300)))
    assert page.text == "wide\t\tc\ntall\tb\ttwo lines\n\te\tf"
    (grid,) = page.tables
    assert grid.header_rows == 1
    assert [(c.row, c.column, c.row_span, c.column_span, c.text) for c in grid.cells] == [
        (1, 1, 1, 2, "wide"),
        (1, 3, 1, 1, "c"),
        (2, 1, 2, 1, "tall"),
        (2, 2, 1, 1, "b"),
        (2, 3, 1, 1, "two\nlines"),
        (3, 2, 1, 1, "e"),
        (3, 3, 1, 1, "f"),
    ]
    assert [cell.box for cell in grid.cells][:3] == [
        (0.2, 0.2, 0.6, 0.4),
        (0.6, 0.2, 1.0, 0.4),
        (0.2, 0.4, 0.4, 0.8),
    ]
    assert boxes(page) == [(0.2, 0.2, 1.0, 0.4), (0.2, 0.4, 1.0, 0.6), (0.2, 0.6, 1.0, 0.8)]


@pytest.mark.parametrize("stated", [(300, 300), (1000, 500)])
def test_a_table_is_as_large_as_its_columns_and_rows_whatever_its_frame_states(
    read: Read, stated: tuple[int, int]
) -> None:
    made = table([cell("a"), cell("b")], [cell("c"), cell("d")], widths=(100, 300), height=50)
    (page,) = read(frame(made, place(200, 100, *stated)))
    assert boxes(page) == [(0.2, 0.2, 0.6, 0.3), (0.2, 0.3, 0.6, 0.4)]
    assert [cell.box for cell in page.tables[0].cells] == [
        (0.2, 0.2, 0.3, 0.3),
        (0.3, 0.2, 0.6, 0.3),
        (0.2, 0.3, 0.3, 0.4),
        (0.3, 0.3, 0.6, 0.4),
    ]


def test_a_table_without_sizes_of_its_own_fills_its_frame(read: Read) -> None:
    made = table([cell("a"), cell("b")], [cell("c"), cell("d")], widths=(100, 0), height=0)
    (page,) = read(frame(made, place(200, 100, 400, 200)))
    assert boxes(page) == [(0.2, 0.2, 0.6, 0.4), (0.2, 0.4, 0.6, 0.6)]
    assert [cell.box for cell in page.tables[0].cells][:2] == [(0.2, 0.2, 0.6, 0.4), (0.6, 0.2, 0.6, 0.4)]


def test_a_table_that_runs_off_the_slide_is_cut_row_by_row(read: Read) -> None:
    made = table([cell("a")], [cell("b")], [cell("c")], widths=(100,), height=200)
    (page,) = read(frame(made, place(0, 200, 100, 600)))
    assert boxes(page) == [(0, 0.4, 0.1, 0.8), (0, 0.8, 0.1, 1), (0, 1, 0.1, 1)]


def test_a_table_in_a_scaled_group_is_scaled_with_it(read: Read) -> None:
    made = table([cell("a")], [cell("b")], widths=(100,), height=100)
    around = place(0, 0, 200, 100, inner='<a:chOff x="0" y="0"/><a:chExt cx="400" cy="400"/>')
    (page,) = read(group(around, frame(made, place(0, 0, 7, 7))))
    assert boxes(page) == [(0, 0, 0.05, 0.05), (0, 0.05, 0.05, 0.1)]


@pytest.mark.parametrize(("width", "height"), [(900, 0), (0, 100)])
def test_a_shape_without_extent_does_not_say_where_its_text_stands(
    read: Read, width: int, height: int
) -> None:
    (page,) = read(shape("flat", place(50, 40, width, height)))
    assert boxes(page) == [None]


@pytest.mark.parametrize("attributes", ['gridSpan="9"', 'rowSpan="9"', 'gridSpan="9999999999" rowSpan="-4"'])
def test_spans_that_no_cell_gives_way_to_are_not_believed(read: Read, attributes: str) -> None:
    (page,) = read(frame(table([cell("a", attributes), cell("b")], [cell("c"), cell("d")], widths=(1, 1))))
    assert page.text == "a\tb\nc\td"
    assert all(cell.row_span == cell.column_span == 1 for cell in page.tables[0].cells)


def test_smart_art_is_read_from_its_data(read: Read) -> None:
    diagram = (
        '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>'
        f'<dgm:pt modelId="1"><dgm:t>{body("plan")}</dgm:t></dgm:pt>'
        f'<dgm:pt modelId="2"><dgm:t>{body("build")}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>'
    )
    (page,) = read(
        frame("<dgm:relIds r:dm='d'/>", place(0, 0, 500, 250)),
        rels={1: [("d", "diagramData", "../diagrams/data1.xml")]},
        raw={"ppt/diagrams/data1.xml": diagram},
    )
    assert page.text == "plan\nbuild"
    assert boxes(page) == [(0, 0, 0.5, 0.5)] * 2


def test_a_chart_is_its_title_and_a_table(read: Read) -> None:
    chart = (
        '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        f"<c:title><c:tx><c:rich>{body('Sales')}</c:rich></c:tx></c:title><c:ser><c:tx><c:v>North</c:v></c:tx>"
        '<c:cat><c:strLit><c:pt idx="0"><c:v>Q1</c:v></c:pt></c:strLit></c:cat>'
        '<c:val><c:numLit><c:pt idx="0"><c:v>4</c:v></c:pt></c:numLit></c:val></c:ser></c:chartSpace>'
    )
    (page,) = read(
        frame("<c:chart r:id='c'/>", place(0, 0, 1000, 500)),
        rels={1: [("c", "chart", "../charts/chart1.xml")]},
        raw={"ppt/charts/chart1.xml": chart},
    )
    assert page.text == "Sales\n\tNorth\nQ1\t4"
    assert len(page.tables) == 1
    assert page.metadata is None


def test_values_of_a_chart_that_are_left_out_are_counted(read: Read) -> None:
    points = "".join(f'<c:pt idx="{at}"><c:v>{at}</c:v></c:pt>' for at in range(1200))
    chart = (
        '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:ser>'
        f"<c:val><c:numLit>{points}</c:numLit></c:val></c:ser></c:chartSpace>"
    )
    (page,) = read(
        frame("<c:chart r:id='c'/>", place(0, 0, 1000, 500)),
        rels={1: [("c", "chart", "../charts/chart1.xml")]},
        raw={"ppt/charts/chart1.xml": chart},
    )
    assert page.text.endswith("\t999")
    assert (page.metadata or {})["chart_values_left_out"] == 200


@pytest.mark.parametrize(
    ("data", "kind", "part"),
    [
        ("<c:chart r:id='x'/>", "chart", "charts/chart1.xml"),
        ("<dgm:relIds r:dm='x'/>", "diagramData", "diagrams/data1.xml"),
    ],
)
def test_a_damaged_chart_or_smart_art_is_named_and_described_and_the_slide_is_read(
    read: Read, data: str, kind: str, part: str
) -> None:
    (page,) = read(
        shape("text") + frame(data, place(0, 0, 500, 250), 'descr="Sales, rising"'),
        rels={1: [("x", kind, f"../{part}")]},
        raw={f"ppt/{part}": "<broken"},
    )
    assert page.text == "text\nSales, rising"
    assert marked(page) == [("Sales, rising", "caption")]
    assert page.metadata is not None
    assert list(page.metadata["unread_parts"]) == [f"ppt/{part}"]


def test_speaker_notes_have_their_role_and_no_place(read: Read) -> None:
    notes = (
        shape("", mark='<p:ph type="sldImg"/>')
        + shape("say this", mark='<p:ph type="body" idx="1"/>')
        + shape("3", mark='<p:ph type="sldNum" idx="2"/>')
    )
    (page,) = read(shape("shown", place(0, 0, 1000, 500)), notes={1: notes})
    assert page.text == "shown\nsay this"
    assert marked(page) == [("say this", "notes")]
    assert boxes(page) == [(0, 0, 1, 1), None]


def test_comments_old_and_new_have_their_role(read: Read) -> None:
    old = (
        '<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">'
        "<p:cm><p:text>check this</p:text></p:cm></p:cmLst>"
    )
    new = (
        '<x:cmLst xmlns:x="http://schemas.microsoft.com/office/powerpoint/2018/8/main" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><x:cm><x:replyLst><x:reply>'
        f"<x:txBody>{body('a reply')}</x:txBody></x:reply></x:replyLst>"
        f"<x:txBody>{body('a thought')}</x:txBody></x:cm></x:cmLst>"
    )
    (page,) = read(
        shape("s"),
        rels={1: [("o", "comments", "../comments/c1.xml"), ("n", "comments", "../comments/c2.xml")]},
        raw={"ppt/comments/c1.xml": old, "ppt/comments/c2.xml": new},
    )
    assert marked(page) == [("check this", "comment"), ("a reply", "comment"), ("a thought", "comment")]


def test_pictures_are_described_and_measured(read: Read, pptx: Pptx) -> None:
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="5" name="p" descr="{}"/><p:nvPr/></p:nvPicPr>'
        f"<p:spPr>{place(0, 0, 500, 250)}</p:spPr></p:pic>"
    )
    slide = picture.format("A red bridge") + picture.format("image1.png") + shape("text")
    (page,) = read(slide)
    assert marked(page) == [("A red bridge", "caption")]
    with closing(observer().open(SourceContent.of_bytes(pptx(slide), media_type=MEDIA_TYPES[0]))) as session:
        (evidence,) = session.observe().pages
    assert (evidence.images, evidence.image_share) == (2, 0.5)


def test_what_describes_a_shape_or_a_group_without_text_is_its_caption(read: Read) -> None:
    inside = '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/>'
    (page,) = read(
        group(
            place(100, 50, 200, 100, inner=inside),
            shape("", place(0, 0, 50, 50), properties='descr="A mast"'),
            shape("Word", place(50, 50, 50, 50), properties='descr="What it says is read, not this"'),
            group(place(0, 0, 10, 10), shape(""), properties='descr="A sail"'),
            properties='descr="A ship"',
        )
        + group("", shape("", properties='hidden="1" descr="A shoal"'))
        + group("", shape(""), properties='hidden="1" descr="A rock"')
    )
    assert page.text == "A ship\nA mast\nWord\nA sail\nA shoal\nA rock"
    assert marked(page) == [(text, "caption") for text in ("A ship", "A mast", "A sail", "A shoal", "A rock")]
    assert boxes(page)[:3] == [(0.1, 0.1, 0.3, 0.3), (0.1, 0.1, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)]
    assert [page.text[start:end] for start, end in page.hidden] == ["A shoal", "A rock"]


def test_links_lead_out_or_to_another_slide(read: Read) -> None:
    run = '<a:r><a:rPr><a:hlinkClick r:id="{}"/></a:rPr><a:t>{}</a:t></a:r>'
    linked = shape("x").replace(
        body("x"), f"<a:p>{run.format('out', 'site')}{run.format('in', 'next')}</a:p>"
    )
    first, _ = read(
        linked
        + shape("whole", click='<a:hlinkClick r:id="out"/>')
        + shape("lost", click='<a:hlinkClick r:id="no"/>'),
        shape("second"),
        rels={1: [("out", "hyperlink", "https://example.org/a", "external"), ("in", "slide", "slide2.xml")]},
    )
    assert [(first.text[x.start : x.end], x.target) for x in first.links] == [
        ("site", "https://example.org/a"),
        ("next", "#slide2"),
        ("whole", "https://example.org/a"),
    ]


def test_alternatives_are_read_once(read: Read) -> None:
    (page,) = read(
        f"<mc:AlternateContent><mc:Choice Requires='x'>{shape('new')}</mc:Choice>"
        f"<mc:Fallback>{shape('old')}</mc:Fallback></mc:AlternateContent>"
    )
    assert page.text == "new"


def test_strict_presentations_read_like_others(read: Read) -> None:
    (page,) = read(shape("x", place(0, 0, 500, 250)), strict=True)
    assert page.text == "x"
    assert boxes(page) == [(0, 0, 0.5, 0.5)]


def test_a_doctype_in_a_slide_refuses_the_whole(read: Read) -> None:
    with pytest.raises(SourceError, match="DOCTYPE"):
        read(shape("a"), shape("b"), raw={"ppt/slides/slide2.xml": "<!DOCTYPE x><x/>"})


def test_a_slide_that_is_listed_twice_is_one_page(read: Read) -> None:
    assert [page.text for page in read(shape("a"), shape("b"), order=[1, 2, 1])] == ["a", "b"]


def test_more_pages_than_allowed_are_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_MAX_PAGES", "1")
    with pytest.raises(InputTooLarge, match="INDX_MAX_PAGES"):
        read(shape("a"), shape("b"))


def test_a_slide_without_text_is_read_and_blank(read: Read) -> None:
    (page,) = read(shape("") + shape(" "))
    assert (page.text, page.reason) == ("", None)
