"""Whatever is asked of whatever document, whole or damaged: an answer that holds its rules, or a refusal."""

import base64
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx import Indx
from indx_core.errors import IndxError

NAMES = ("note.md", "plain.txt", "table.csv", "page.html", "paper.pdf", "letter.docx", "prices.xlsx",
         "slides.pptx", "mail.eml")  # fmt: skip
UNITS = {"document_ids": "", "page_ids": "-page", "chunk_ids": "-chunk"}
ANY_REQUEST = settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def lanes(*names, whole_pages=False):
    """A choice of lanes of each unit; extractors serve pages under their bare name."""
    units = {"page_ids": "", "chunk_ids": "-chunk"} if whole_pages else UNITS
    choices = {u: st.lists(st.sampled_from([n + end for n in names])) for u, end in units.items()}
    return st.fixed_dictionaries({}, optional=choices)


FIELDS = {
    "embedding_space_ids": st.sampled_from([[], ["default-text"]]),
    "signature_detection": st.booleans(),
    "constraints": st.fixed_dictionaries(
        {},
        optional={
            "data_residency": st.booleans(),
            "fallbacks_allowed": st.booleans(),
            "maximum_latency_ms": st.sampled_from([0, 10, 10**6]),
            "minimum_quality": st.sampled_from([0.5, 0.92, 1]),
            "capability_ids": st.lists(
                st.sampled_from(["pdf-reader", "text-reader", "ocr", "manual-review"])
            ),
        },
    ),
    "classification": lanes("words"),
    "extraction": lanes("patterns", whole_pages=True),
    "enrichment": lanes("extractive", "keywords"),
    "chunking": st.fixed_dictionaries(
        {
            "chunkers": st.lists(
                st.sampled_from(
                    [{"id": "pdf", "version": 2}, {"id": "page"}, {"id": "text"}, {"id": "grid"}]
                ),
                max_size=3,
            )
        }
    ),
}
REQUESTS = st.fixed_dictionaries(
    {"granularities": st.sampled_from([["PAGE", "CHUNK"], ["CHUNK"], ["PAGE"], ["DOCUMENT"]])},
    optional=FIELDS,
)
DAMAGE = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4)


@pytest.fixture(scope="module")
def indx():
    with Indx() as made:
        yield made


def damaged(data, changes):
    data = bytearray(data)
    for place, byte in changes:
        data[place % len(data)] = byte
    return base64.b64encode(data).decode()


def check_tree(blocks):
    by_id = {block["id"]: block for block in blocks}
    assert len(by_id) == len(blocks)
    for block in blocks:
        assert (block["parent_id"] is None) == (block["id"] == "doc")
        assert block["parent_id"] is None or block["parent_id"] in by_id
        assert (block["status"] == "ok") == ("reason" not in block)


def check_place(block):
    if block["scope"] != "CHUNK":
        assert not {"bbox", "bbox_reason", "layout", "vectors"} & set(block)
        return
    assert ("bbox" in block) != ("bbox_reason" in block)
    assert "metadata" not in block
    x0, y0, x1, y1 = block.get("bbox", (0, 0, 1, 1))
    assert 0 <= x0 <= x1 <= 1
    assert 0 <= y0 <= y1 <= 1


def check_grid(layout):
    taken = set()
    for cell in layout.get("cells", ()):
        for row in range(cell["row"], cell["row"] + cell.get("row_span", 1)):
            for column in range(cell["column"], cell["column"] + cell.get("column_span", 1)):
                assert (row, column) not in taken
                assert 1 <= row <= layout["rows"]
                assert 1 <= column <= layout["columns"]
                taken.add((row, column))


def check_entities(document, by_id):
    for block_id, spans in document.get("metadata", {}).get("entities", {}).get("spans", {}).items():
        for span in spans if block_id in by_id else ():
            assert by_id[block_id]["text"][slice(*span["range"])] == span["surface"]


def answered(indx, body):
    """The answer as JSON, or the refusal."""
    try:
        return json.loads(indx.encode(body).model_dump_json())
    except IndxError as error:
        return error


@ANY_REQUEST
@given(name=st.sampled_from(NAMES), changes=DAMAGE, asked=REQUESTS)
def test_an_answer_holds_its_rules_or_the_request_is_refused(indx, documents, masked, name, changes, asked):
    source = {"type": "inline", "data": damaged(documents[name], changes), "filename": name}
    answer = answered(indx, {**asked, "source": source})
    if isinstance(answer, IndxError):
        assert answer.status < 500 or answer.code == "route_exhausted"
        assert len(answer.message) < 2000
        return
    blocks = answer["blocks"]
    check_tree(blocks)
    for block in blocks:
        check_place(block)
        check_grid(block.get("layout") or {})
    check_entities(blocks[0], {block["id"]: block for block in blocks})
    read = {page for e in answer["trace"]["events"] if e["outcome"] == "read" for page in e["pages"]}
    assert {b["page"] for b in blocks if b["scope"] == "PAGE" and b["status"] == "ok"} <= read
    assert answer["trace"]["status"] == ("ok" if answer["plan"]["status"] == "ready" else "failed")
    assert masked(answered(indx, {**asked, "source": source})) == masked(answer)
