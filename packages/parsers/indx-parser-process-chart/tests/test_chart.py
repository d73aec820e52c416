"""What a slide draws becomes nodes and edges."""

from __future__ import annotations

import pytest

from indx_core.contracts.process_chart import ProcessChart


def nodes(chart):
    return {node["id"]: node for node in chart["nodes"]}


def edges(chart, kind):
    return [edge for edge in chart["edges"] if edge["kind"] == kind]


def test_a_chart_is_written_as_the_contract_has_it(chart, draw):
    found = chart(draw.chart)
    assert found == {
        "title": "Bread",
        "nodes": [
            {
                "id": "shape:2",
                "kind": "symbol",
                "symbol": "triangle",
                "role": "material",
                "label": "Flour",
                "bbox": [0.1, 0.2, 0.2, 0.3],
            },
            {
                "id": "shape:3",
                "kind": "symbol",
                "symbol": "ellipse",
                "role": "operation",
                "label": "Knead",
                "bbox": [0.3, 0.2, 0.4, 0.3],
            },
            {
                "id": "shape:4",
                "kind": "symbol",
                "symbol": "diamond",
                "role": "inspection",
                "bbox": [0.5, 0.2, 0.6, 0.3],
            },
        ],
        "edges": [
            {
                "id": "shape:5",
                "kind": "connection",
                "from": "shape:2",
                "to": "shape:3",
                "arrow": True,
                "path": [[0.2, 0.25], [0.3, 0.25]],
            },
            {
                "id": "shape:6",
                "kind": "connection",
                "from": "shape:3",
                "to": "shape:4",
                "arrow": False,
                "path": [[0.4, 0.25], [0.5, 0.25]],
            },
        ],
    }
    assert ProcessChart.model_validate(found).model_dump(mode="json") == found


@pytest.mark.parametrize(
    ("outline", "symbol", "role"),
    [
        ("triangle", "triangle", "material"),
        ("flowChartExtract", "triangle", "material"),
        ("flowChartMerge", "triangle", "material"),
        ("ellipse", "ellipse", "operation"),
        ("flowChartConnector", "ellipse", "operation"),
        ("diamond", "diamond", "inspection"),
        ("flowChartDecision", "diamond", "inspection"),
        ("flowChartCollate", "double_triangle", "assembly"),
    ],
)
def test_an_outline_is_a_symbol_and_a_symbol_has_a_role(chart, draw, outline, symbol, role):
    found = nodes(chart(draw.chart, draw.shape(8, outline, (0, 400, 50, 50))))["shape:8"]
    assert (found["kind"], found["symbol"], found["role"]) == ("symbol", symbol, role)


def test_triangles_drawn_as_one_are_a_double_triangle_with_the_edges_of_both(chart, draw):
    two = draw.group(
        draw.shape(10, "triangle", (100, 300, 50, 50)),
        draw.shape(11, "triangle", (120, 300, 50, 50)),
        draw.shape(12, "rect", (100, 360, 70, 20), "Join", text_box=True),
    )
    nested = draw.shape(20, "triangle", (300, 300, 100, 100), "Pack") + draw.shape(
        21, "triangle", (320, 330, 60, 60)
    )
    found = chart(draw.chart, two, nested, draw.connector(30, 11, 21))
    made = nodes(found)
    assert made["shape:10"] == {
        "id": "shape:10",
        "kind": "symbol",
        "symbol": "double_triangle",
        "role": "assembly",
        "label": "Join",
        "bbox": [0.1, 0.6, 0.17, 0.7],
    }
    assert (made["shape:20"]["symbol"], made["shape:20"]["bbox"]) == ("double_triangle", [0.3, 0.6, 0.4, 0.8])
    assert not {"shape:11", "shape:12", "shape:21"} & made.keys()
    assert [(edge["from"], edge["to"]) for edge in edges(found, "connection")][-1] == ("shape:10", "shape:20")


def test_triangles_side_by_side_or_with_other_symbols_stay_apart(chart, draw):
    beside = draw.shape(10, "triangle", (0, 300, 50, 50)) + draw.shape(11, "triangle", (20, 300, 50, 50))
    mixed = draw.group(
        draw.shape(12, "triangle", (200, 300, 50, 50)),
        draw.shape(13, "triangle", (260, 300, 50, 50)),
        draw.shape(14, "ellipse", (320, 300, 50, 50)),
    )
    made = nodes(chart(draw.chart, beside, mixed))
    assert [made[f"shape:{n}"]["symbol"] for n in (10, 11, 12, 13)] == ["triangle"] * 4


def test_the_only_text_of_a_group_labels_the_only_symbol_in_it(chart, draw):
    labelled = draw.group(
        draw.shape(10, "ellipse", (0, 300, 50, 50)), draw.shape(11, "rect", (0, 360, 50, 20), "Bake")
    )
    unclear = draw.group(
        draw.shape(12, "ellipse", (200, 300, 50, 50)),
        draw.shape(13, "rect", (200, 360, 50, 20), "one"),
        draw.shape(14, "rect", (200, 380, 50, 20), "other"),
    )
    made = nodes(chart(draw.chart, labelled, unclear))
    assert made["shape:10"]["label"] == "Bake"
    assert "shape:11" not in made
    assert "label" not in made["shape:12"]
    assert made["shape:13"] == {
        "id": "shape:13",
        "kind": "text",
        "label": "one",
        "bbox": [0.2, 0.72, 0.25, 0.76],
    }


def test_labels_are_one_line(chart, draw):
    found = chart(draw.chart, draw.shape(8, "ellipse", (0, 300, 50, 50), "Mix\n and  rest"))
    assert nodes(found)["shape:8"]["label"] == "Mix and rest"


def test_pictures_are_nodes_with_what_they_are_said_to_show(chart, draw):
    made = nodes(
        chart(draw.chart, draw.picture(8, (0, 300, 50, 50), "an oven"), draw.picture(9, (0, 0, 9, 9)))
    )
    assert made["shape:8"] == {
        "id": "shape:8",
        "kind": "picture",
        "label": "an oven",
        "bbox": [0.0, 0.6, 0.05, 0.7],
    }
    assert made["shape:9"].keys() == {"id", "kind", "bbox"}


def test_a_frame_contains_the_nodes_whose_centre_it_encloses(chart, draw):
    frame = draw.shape(10, "roundRect", (250, 90, 300, 300), "Kitchen")
    inner = draw.shape(11, "rect", (480, 200, 60, 60), "note")
    half_in = draw.shape(12, "ellipse", (520, 300, 50, 50))
    half_out = draw.shape(13, "ellipse", (530, 300, 50, 50))
    found = chart(frame, draw.chart, inner, half_in, half_out)
    assert nodes(found)["shape:10"]["kind"] == "container"
    contains = edges(found, "contains")
    assert [edge["to"] for edge in contains] == ["shape:3", "shape:4", "shape:11", "shape:12"]
    assert contains[0] == {
        "id": "shape:10/shape:3",
        "kind": "contains",
        "from": "shape:10",
        "to": "shape:3",
    }


def test_frames_in_frames_contain_one_way(chart, draw):
    outer = draw.shape(10, "rect", (0, 60, 900, 300))
    inner = draw.shape(11, "rect", (250, 90, 200, 200))
    found = chart(outer, inner, draw.chart)
    pairs = {(edge["from"], edge["to"]) for edge in edges(found, "contains")}
    assert ("shape:10", "shape:11") in pairs
    assert ("shape:11", "shape:10") not in pairs
    assert {("shape:10", "shape:3"), ("shape:11", "shape:3")} <= pairs


def test_what_neither_speaks_nor_holds_is_no_node(chart, draw):
    made = nodes(
        chart(
            draw.chart,
            draw.shape(10, "rect", (0, 300, 50, 50)),
            draw.shape(11, "rect", (0, 290, 200, 90)),
            draw.shape(12, "rect", (290, 90, 200, 90), "words", text_box=True),
            draw.shape(13, "rect", (0, 480, 50, 20), "page 3", marks='<p:ph type="sldNum"/>'),
            draw.shape(14, "ellipse", (0, 400, 50, 50), "gone", hidden=True),
        )
    )
    assert {"shape:10", "shape:11", "shape:13", "shape:14", "shape:90"} & made.keys() == set()
    assert made["shape:12"]["kind"] == "text"


def test_an_arrow_at_either_end_counts_and_a_lone_one_at_the_start_turns_the_edge_round(chart, draw):
    found = chart(
        draw.chart,
        draw.connector(10, 2, 4, (200, 125, 300, 20), head="arrow", tail="none"),
        draw.connector(11, 2, 4, head="stealth", tail="triangle"),
        draw.connector(12, 2, 4, head="oval", tail="diamond"),
    )
    back, both, dots = edges(found, "connection")[2:]
    assert (back["from"], back["to"], back["arrow"]) == ("shape:4", "shape:2", True)
    assert back["path"] == [[0.5, 0.29], [0.2, 0.25]]
    assert (both["from"], both["to"], both["arrow"]) == ("shape:2", "shape:4", True)
    assert (dots["from"], dots["to"], dots["arrow"]) == ("shape:2", "shape:4", False)


def test_a_connector_glued_to_nothing_joins_the_symbols_it_ends_at(chart, draw):
    found = chart(
        draw.chart,
        draw.connector(10, None, None, (205, 125, 90, 0)),
        draw.connector(11, 2, None, (205, 125, 150, 0)),
        draw.connector(12, None, None, (225, 125, 50, 0)),
        draw.connector(13, 99, 98, (205, 125, 90, 0)),
    )
    joined = [(edge["id"], edge["from"], edge["to"]) for edge in edges(found, "connection")]
    assert joined[2:] == [
        ("shape:10", "shape:2", "shape:3"),
        ("shape:11", "shape:2", "shape:3"),
        ("shape:13", "shape:2", "shape:3"),
    ]


def test_a_connector_that_joins_no_two_symbols_is_no_edge(chart, draw):
    found = chart(
        draw.chart,
        draw.shape(8, "rect", (700, 100, 50, 50), "words"),
        draw.picture(9, (800, 100, 50, 50)),
        draw.connector(10, 2, 8),
        draw.connector(11, 9, 3),
        draw.connector(12, 2, 2),
    )
    assert [edge["id"] for edge in edges(found, "connection")] == ["shape:5", "shape:6"]


def test_a_number_that_a_file_repeats_is_counted(chart, draw):
    found = chart(draw.chart, draw.shape(3, "ellipse", (0, 300, 50, 50), "again"))
    assert [node["id"] for node in found["nodes"]] == ["shape:2", "shape:3", "shape:4", "shape:3~2"]
    assert edges(found, "connection")[0]["to"] == "shape:3"


def test_a_shape_without_a_place_has_no_box(chart, draw):
    found = nodes(chart(draw.chart, draw.shape(8, "rect", None, "floating")))
    assert found["shape:8"] == {"id": "shape:8", "kind": "text", "label": "floating"}


def test_a_slide_without_a_title_has_none(chart, draw):
    untitled = draw.chart.replace('<p:ph type="title"/>', "")
    assert "title" not in chart(untitled)


def test_no_member_is_null(chart, draw):
    def walk(value):
        assert value is not None
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(one)

    walk(chart(draw.chart, draw.shape(8, "rect", None, "x"), draw.picture(9, (0, 0, 9, 9))))


def test_alternatives_are_read_once(chart, draw):
    symbol = draw.shape(8, "ellipse", (0, 300, 50, 50), "new")
    old = draw.shape(8, "ellipse", (0, 300, 50, 50), "old")
    both = (
        f"<mc:AlternateContent><mc:Choice>{symbol}</mc:Choice><mc:Fallback>{old}</mc:Fallback>"
        "</mc:AlternateContent>"
    )
    assert [n["label"] for n in chart(draw.chart, both)["nodes"] if n["id"].startswith("shape:8")] == ["new"]


def test_shapes_without_a_name_or_a_number_are_counted_like_others(chart, draw):
    nameless = "<p:sp><p:spPr/><p:txBody><a:p><a:r><a:t>one</a:t></a:r></a:p></p:txBody></p:sp>"
    ids = [node["id"] for node in chart(draw.chart, nameless, nameless)["nodes"]]
    assert ids[3:] == ["shape:0", "shape:0~2"]
