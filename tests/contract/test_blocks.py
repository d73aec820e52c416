"""Blocks of real documents: one addressable tree, text, places, facts, vectors, and what stopped the rest."""

import itertools
import json
from importlib import metadata

import pytest

from indx_core.contracts import Annotations

CHUNKS = {"granularities": ["DOCUMENT", "PAGE", "CHUNK"]}
NAMES = [
    "note.md", "plain.txt", "table.csv", "page.html", "paper.pdf", "letter.docx", "prices.xlsx",
    "slides.pptx", "mail.eml",
]  # fmt: skip


def scoped(answer, scope):
    return [block for block in answer["blocks"] if block["scope"] == scope]


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_one_tree_of_unique_names_and_each_says_where_it_came_from(encode, inline, name):
    answer = encode(inline(name), **CHUNKS)
    assert set(answer) == {"plan", "blocks", "embedding_spaces", "trace", "usage"}
    blocks = {block["id"]: block for block in answer["blocks"]}
    assert len(blocks) == len(answer["blocks"])
    assert [b["id"] for b in answer["blocks"] if b["parent_id"] is None] == ["doc"]
    for block in answer["blocks"]:
        assert block["parent_id"] is None or block["parent_id"] in blocks
        bound = {k: block["provenance"][k] for k in ("plan_id", "source_digest", "snapshot_id")}
        assert bound == {k: answer["plan"][k] for k in bound}
    for chunk in scoped(answer, "CHUNK"):
        assert chunk["id"].startswith(chunk["parent_id"] + ".c")
        assert blocks[chunk["parent_id"]]["scope"] == "PAGE"
        assert "metadata" not in chunk
    assert answer["usage"]["chunks"] == len(scoped(answer, "CHUNK"))
    assert answer["usage"]["pages"] == len(scoped(answer, "PAGE"))


@pytest.mark.parametrize("name", NAMES)
def test_every_chunk_has_a_place_or_a_reason_and_no_other_block_has_either(encode, inline, name):
    answer = encode(inline(name), **CHUNKS)
    for block in answer["blocks"]:
        placed = ("bbox" in block, "bbox_reason" in block)
        assert placed.count(True) == (block["scope"] == "CHUNK")
        x0, y0, x1, y1 = block.get("bbox", (0, 0, 1, 1))
        assert 0 <= x0 <= x1 <= 1
        assert 0 <= y0 <= y1 <= 1
    positions = name in ("paper.pdf", "slides.pptx")
    assert any("bbox" in chunk for chunk in scoped(answer, "CHUNK")) is positions
    if not positions:
        assert {chunk["bbox_reason"] for chunk in scoped(answer, "CHUNK")} == {"no_geometry"}


def test_boxes_stand_where_the_text_is_shown(encode, make, inline):
    answer = encode(inline("paper.pdf"), **CHUNKS)
    first = scoped(answer, "CHUNK")[0]
    x0, y0, _, y1 = first["bbox"]
    assert abs(x0 - 72 / 612) < 0.01
    assert 0.05 < y0 < y1 < 0.25


def test_a_hidden_shape_and_one_without_a_place_say_so_and_their_text_is_read(encode, inline):
    chunks = {c["text"]: c for c in scoped(encode(inline("slides.pptx"), **CHUNKS), "CHUNK")}
    assert "bbox" in chunks["Shown box"]
    assert chunks["Hidden box"]["bbox_reason"] == "hidden"
    assert chunks["Lost box"]["bbox_reason"] == "unresolved"


def test_a_table_says_its_grid_and_its_text_is_rows_and_tabs(encode, inline):
    chunks = [c for c in scoped(encode(inline("prices.xlsx"), **CHUNKS), "CHUNK") if "layout" in c]
    assert len(chunks) == 3
    for chunk in chunks:
        layout = chunk["layout"]
        assert layout["role"] == "table"
        assert layout["header_rows"] == 1
        for cell in layout["cells"]:
            assert min(cell["row"], cell["column"], cell["row_span"], cell["column_span"]) >= 1
        grid = [line.split("\t") for line in chunk["text"].split("\n")]
        assert grid[0] == ["name", "price"]
        assert len(grid) <= 51
    rows = [line for c in chunks for line in c["text"].split("\n")[1:]]
    assert rows == [f"widget {n}\t{n}" for n in range(120)]


def test_a_page_nothing_could_read_stays_with_its_reason_and_is_one_picture(encode, inline):
    answer = encode(inline("paper.pdf"), **CHUNKS)
    pages = {page["page"]: page for page in scoped(answer, "PAGE")}
    assert [pages[n]["status"] for n in (1, 2, 3)] == ["ok", "unreadable", "ok"]
    assert pages[2]["reason"]
    assert "text" not in pages[2]
    (picture,) = [c for c in scoped(answer, "CHUNK") if c["page"] == 2]
    assert set(picture["image"]) == {"width", "height", "dpi"}
    assert picture["bbox_reason"] == "no_geometry"
    manual = [e for e in answer["trace"]["events"] if e["outcome"] == "manual"]
    assert [e["pages"] for e in manual] == [[2]]


def test_every_attempt_is_in_the_trace_with_what_stopped_it_and_quality_is_null_where_none_was_reported(
    encode, inline
):
    events = encode(inline("paper.pdf"))["trace"]["events"]
    read, unread = (next(e for e in events if e["outcome"] == o) for o in ("read", "unread"))
    assert read["pages"] == [1, 3]
    assert unread["pages"] == [2]
    assert unread["reason"]
    assert read["quality"] is None


def test_a_page_read_as_text_is_not_rendered_as_well(encode, make, inline, monkeypatch):
    rendered = []
    from indx_reader_pdf import _session

    render = _session.PdfSession.render

    def spy(self, page, **how):
        rendered.append(page)
        return render(self, page, **how)

    monkeypatch.setattr(_session.PdfSession, "render", spy)
    encode(inline("paper.pdf"), **CHUNKS)
    assert rendered == [2]


ROLES = {"loader", "sniffer", "chunker", "language_detector", "classifier"}


@pytest.mark.parametrize("name", NAMES)
def test_components_have_the_roles_of_a_trace_and_only_chunkers_a_version(encode, inline, name):
    answer = encode(inline(name), **CHUNKS, classification={"document_ids": ["words"]})
    for part in answer["trace"]["components"]:
        assert part["role"] in ROLES
        assert ("version" in part) == (part["role"] == "chunker")
        assert metadata.version(part["distribution"])


def test_granularities_decide_which_blocks_there_are(encode, inline):
    asked = (["DOCUMENT"], ["PAGE"], ["CHUNK"], ["CHUNK", "DOCUMENT", "CHUNK"])
    scopes = [
        [b["scope"] for b in encode(inline("plain.txt"), granularities=names)["blocks"]] for names in asked
    ]
    assert scopes == [
        ["DOCUMENT"], ["DOCUMENT", "PAGE"], ["DOCUMENT", "PAGE", "CHUNK"], ["DOCUMENT", "PAGE", "CHUNK"],
    ]  # fmt: skip


# Labels and lanes


def test_labels_of_any_shape_come_back_unchanged_and_change_nothing_else(encode, inline, masked):
    labels = {"tenant": "a", "nested": {"x": [1, None, "é𝔊", 2.5, True, {}]}, "": "", "invoice": "mine"}
    plain, labelled = encode(inline("note.md")), encode(inline("note.md"), metadata=labels)
    carried = labelled["blocks"][0].pop("metadata")
    assert carried == {**labels, **plain["blocks"][0].pop("metadata", {})}
    assert masked(plain) == masked(labelled)


def test_nothing_is_annotated_unless_asked(encode, inline):
    for block in encode(inline("note.md"), **CHUNKS)["blocks"]:
        assert not set(block.get("metadata", {})) & {"classification", "entities", "enrichment", "lanes"}


def test_lanes_write_where_their_unit_stands_and_every_answer_is_kept(encode, inline):
    answer = encode(
        inline("note.md"), **CHUNKS,
        classification={"document_ids": ["words"], "page_ids": ["words-page"], "chunk_ids": ["words-chunk"]},
        enrichment={"document_ids": ["keywords", "extractive"], "page_ids": ["extractive-page"]},
    )  # fmt: skip
    blocks = {b["id"]: b for b in answer["blocks"]}
    document, page = blocks["doc"]["metadata"], blocks["p1"]["metadata"]
    assert set(document["enrichment"]) <= {"summary", "tags"}
    assert "summary" in document["enrichment"]
    assert {"keywords", "extractive"} <= set(document["lanes"])
    assert "summary" not in document["lanes"]["keywords"].get("enrichment", {})
    assert page["enrichment"]["summary"]
    assert set(page["lanes"]) >= {"extractive-page"}
    for lane in document["lanes"].values():
        assert set(lane) <= {
            "classification", "chunk_classification", "entities", "enrichment", "chunk_enrichment",
        }  # fmt: skip
    for block_id in document.get("chunk_classification", {}):
        assert blocks[block_id]["scope"] == "CHUNK"


@pytest.mark.parametrize("name", ["note.md", "paper.pdf", "prices.xlsx", "mail.eml"])
def test_what_indx_writes_into_metadata_is_what_the_contract_types(encode, inline, name):
    answer = encode(
        inline(name),
        **CHUNKS,
        classification={"document_ids": ["words"], "page_ids": ["words-page"], "chunk_ids": ["words-chunk"]},
        extraction={"page_ids": ["patterns"], "chunk_ids": ["patterns-chunk"]},
        enrichment={"document_ids": ["extractive", "keywords"], "chunk_ids": ["extractive-chunk"]},
    )
    for block in answer["blocks"]:
        written = block.get("metadata", {})
        typed = json.loads(Annotations.model_validate(written).model_dump_json())
        assert typed == {key: value for key, value in written.items() if key in Annotations.model_fields}


def test_a_document_nothing_read_has_no_class(encode, make, inline):
    answer = encode(inline("scan.pdf", make.pdf(None)), classification={"document_ids": ["words"]})
    assert "metadata" not in answer["blocks"][0]
    assert answer["blocks"][0]["status"] == "unreadable"


# Vectors


@pytest.mark.parametrize("name", NAMES)
def test_each_text_chunk_has_one_vector_a_space_and_nothing_else_has_any(encode, inline, name):
    answer = encode(inline(name), **CHUNKS, embedding_space_ids=["default-text"])
    spaces = {space["id"]: space for space in answer["embedding_spaces"]}
    vectors = 0
    for block in answer["blocks"]:
        has_text = block["scope"] == "CHUNK" and "text" in block
        found = block.get("vectors", [])
        assert [v["embedding_space_id"] for v in found] == ["default-text"] * has_text
        for vector in found:
            space = spaces[vector["embedding_space_id"]]
            assert len(vector["values"]) == space["dimension"]
            assert vector["embedder_id"] in [e["id"] for e in space["embedders"]]
            assert vector["modality"] == "text"
        vectors += len(found)
    assert answer["usage"]["vectors"] == vectors > 0


def test_vectors_of_the_default_space_are_near_where_letters_are_shared(alike):
    def vector(text):
        body = {"embedding_space_id": "default-text", "input": {"type": "text", "text": text}}
        return alike("embed", body)["vectors"][0]["values"]

    query, near, far = vector("data retention"), vector("retention of data"), vector("zzyx qwfp")
    assert sum(map(lambda a, b: a * b, query, near)) > sum(map(lambda a, b: a * b, query, far))
    assert abs(sum(a * a for a in query) - 1) < 1e-3


# Chunkers


def chunkers(answer):
    parts = answer["trace"]["components"]
    return [(c["id"], c["version"], c["pages"]) for c in parts if c["role"] == "chunker"]


def test_a_chunker_of_another_type_named_first_costs_nothing(encode, inline):
    plain = encode(inline("slides.pptx"), **CHUNKS)
    named = encode(inline("slides.pptx"), **CHUNKS, chunking={"chunkers": [{"id": "pdf"}, {"id": "grid"}]})
    assert chunkers(named) == chunkers(plain) == [("slides", 1, [1])]
    assert named["blocks"] == plain["blocks"]


def test_the_page_floor_answers_when_it_is_named_and_leads_in_order(encode, inline):
    named = encode(inline("paper.pdf"), **CHUNKS, chunking={"chunkers": [{"id": "page", "version": 1}]})
    assert ("page", 1, [1, 3]) in chunkers(named)
    assert [c["text"] for c in scoped(named, "CHUNK") if c["page"] == 3] == ["The end."]
    assert all("layout" not in c for c in scoped(named, "CHUNK"))


@pytest.mark.parametrize(
    ("name", "setting", "value"),
    [("paper.pdf", "INDX_CHUNK_DPI", "abc"), ("prices.xlsx", "INDX_CHUNK_GRID_MAX_ROWS", "0")],
)
def test_a_chunker_whose_setting_is_wrong_is_left_out_and_the_encode_succeeds(
    encode, inline, name, setting, value, monkeypatch, caplog
):
    left_out = chunkers(encode(inline(name), **CHUNKS))[0][0]
    monkeypatch.setenv(setting, value)
    answer = encode(inline(name), **CHUNKS)
    assert left_out not in [c[0] for c in chunkers(answer)]
    assert scoped(answer, "CHUNK")
    assert setting in caplog.text


def test_where_the_second_version_has_a_wrong_setting_the_first_cuts(encode, inline, monkeypatch):
    named = {"chunking": {"chunkers": [{"id": "pdf", "version": 2}]}}
    assert ("pdf", 2, [1, 3]) in chunkers(encode(inline("paper.pdf"), **CHUNKS, **named))
    monkeypatch.setenv("INDX_CHUNK_LAYOUT_MAX_CHARS", "0")
    assert chunkers(encode(inline("paper.pdf"), **CHUNKS, **named)) == [("pdf", 1, [1, 2, 3])]


def test_a_setting_of_a_chunker_is_read_at_every_call(encode, inline, monkeypatch):
    counts = []
    for rows in ("30", "60"):
        monkeypatch.setenv("INDX_CHUNK_GRID_MAX_ROWS", rows)
        counts.append(len(scoped(encode(inline("prices.xlsx"), **CHUNKS), "CHUNK")))
    assert counts == [4, 2]


def test_the_deployments_chunkers_stand_behind_the_requests(encode, inline, monkeypatch):
    monkeypatch.setenv("INDX_CHUNKERS", "page@1")
    assert chunkers(encode(inline("note.md"), **CHUNKS)) == [("page", 1, [1])]
    named = encode(inline("note.md"), **CHUNKS, chunking={"chunkers": [{"id": "text"}]})
    assert chunkers(named)[0][0] == "text"


# Installations without


def test_an_installation_without_chunkers_gives_no_chunks_and_no_vectors(program):
    code = """
from indx import Indx
answer = Indx().encode(b"hello", granularities=["CHUNK"], embedding_space_ids=["default-text"])
print(answer.model_dump_json())
"""
    answer = program(code, INDX_PLUGINS="indx-reader-text,indx-runtime,indx-embed-hash")
    assert [b["scope"] for b in answer["blocks"]] == ["DOCUMENT", "PAGE"]
    assert answer["usage"]["vectors"] == 0
    assert "languages" not in answer["blocks"][0].get("metadata", {})


def test_the_stock_installation_reads_nothing_and_says_what_is_missing(program):
    code = """
import json
from indx import Indx
from indx_core.errors import IndxError
found = []
for source in (b"hello", "data:,hello"):
    try:
        Indx().encode(source)
    except IndxError as error:
        found.append(error.envelope())
try:
    Indx().encode(b"hello", metadata={"lanes": 1})
except IndxError as error:
    found.append(error.envelope())
print(json.dumps(found))
"""
    codes = [e["code"] for e in program(code, INDX_PLUGINS="indx-runtime,indx-embed-hash")]
    assert codes == ["unsupported_media_type", "unsupported_source", "reserved_metadata_key"]


def test_encoding_keeps_nothing(encode, inline, tmp_path):
    encode(inline("paper.pdf"), **CHUNKS)
    kept = [path.relative_to(tmp_path).parts[:2] for path in tmp_path.rglob("*") if path.is_file()]
    assert set(kept) <= {("cache", "snapshots")}


def test_offsets_count_characters_whatever_their_width(encode, inline):
    text = encode(inline("plain.txt"))["blocks"][1]["text"]
    assert text.count("𝔊") == 1
    assert [len(list(g)) for _, g in itertools.groupby(text, "𝔊".__eq__)][1] == 1
