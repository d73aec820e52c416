"""The text of a slide where the session is of somebody else: nothing that it says is lost."""

from __future__ import annotations

OPEN = "http://schemas.openxmlformats.org"


def frame(data):
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="8" name="n"/><p:nvPr/></p:nvGraphicFramePr>'
        f"<a:graphic><a:graphicData>{data}</a:graphicData></a:graphic></p:graphicFrame>"
    )


def test_title_first_then_shapes_then_notes_each_with_what_it_is(read, draw):
    shapes = (
        draw.shape(8, "rect", (0, 400, 100, 50), "below")
        + draw.chart
        + draw.picture(9, (0, 300, 50, 50), "an oven")
        + draw.shape(10, "rect", (0, 480, 50, 20), "page 3", marks='<p:ph type="sldNum"/>')
        + draw.shape(11, "rect", (0, 0, 9, 9), "unseen", hidden=True)
    )
    (reading,) = read(shapes, notes={1: "spoken"})
    assert reading.text.split("\n") == [
        "Bread",
        "below",
        "Flour",
        "Knead",
        "an oven",
        "page 3",
        "unseen",
        "spoken",
    ]
    assert [reading.text[h.start : h.end] for h in reading.headings] == ["Bread"]
    assert [(reading.text[r.start : r.end], r.role) for r in reading.roles] == [
        ("an oven", "caption"),
        ("page 3", "footer"),
        ("spoken", "notes"),
    ]
    assert [reading.text[start:end] for start, end in reading.hidden] == ["unseen"]


def test_tables_are_rows_of_cells(read, draw):
    def cell(text):
        return f"<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    rows = "".join(f"<a:tr>{cell(a)}{cell(b)}</a:tr>" for a, b in (("Part", "Grams"), ("Flour", "500")))
    table = frame(f"<a:tbl>{rows}</a:tbl>")
    (reading,) = read(draw.chart + table)
    assert reading.text.endswith("Part\tGrams\nFlour\t500")
    assert all(node["id"] != "shape:8" for node in reading.metadata["process_chart"]["nodes"])


def test_charts_and_smart_art_say_what_they_hold(read, draw):
    charts, diagrams = (
        f'xmlns:{p}="{OPEN}/drawingml/2006/{n}"' for p, n in (("c", "chart"), ("dgm", "diagram"))
    )
    names = f'xmlns:a="{OPEN}/drawingml/2006/main"'
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Loaves a day</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    point = '<dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>First rest</a:t></a:r></a:p></dgm:t></dgm:pt>'
    (reading,) = read(
        draw.chart
        + frame(f'<c:chart {charts} r:id="c"/>')
        + frame(f'<dgm:relIds {diagrams} r:dm="d"/>')
        + frame(f'<c:chart {charts} r:id="none"/>'),
        related={1: [("c", "chart", "../c.xml"), ("d", "diagramData", "../d.xml")]},
        raw={
            "ppt/c.xml": f"<c:chartSpace {charts} {names}><c:chart>{title}</c:chart></c:chartSpace>",
            "ppt/d.xml": f"<dgm:dataModel {diagrams} {names}><dgm:ptLst>{point}</dgm:ptLst></dgm:dataModel>",
        },
    )
    assert reading.text.endswith("Loaves a day\nFirst rest")


def test_links_lead_out_of_the_deck(read, draw):
    linked = draw.text.replace("<a:r>", '<a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr>')
    inside = linked.replace('r:id="l"', 'r:id="i"')
    (reading,) = read(
        draw.chart + linked + inside,
        related={1: [("l", "hyperlink", "https://example.org", "External"), ("i", "slide", "slide1.xml")]},
    )
    assert [(reading.text[link.start : link.end], link.target) for link in reading.links] == [
        ("Only words", "https://example.org")
    ]


def test_damaged_notes_are_said_and_the_slide_is_read(read, draw):
    (reading,) = read(draw.chart, notes={1: "spoken"}, raw={"ppt/notesSlides/notes1.xml": "<broken"})
    assert list(reading.metadata["unread_parts"]) == ["ppt/notesSlides/notes1.xml"]
    assert "spoken" not in reading.text
