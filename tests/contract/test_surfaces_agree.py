"""One request, three surfaces, one answer: in Python, by the command and over HTTP."""

import json

import pytest

from indx.cli.main import run

EVERYTHING = {
    "granularities": ["DOCUMENT", "PAGE", "CHUNK"],
    "embedding_space_ids": ["default-text"],
    "request_id": "r-1",
    "metadata": {"tenant": "a", "nested": {"deep": [1, None, "é", 2.5, True]}},
    "classification": {"document_ids": ["words"], "page_ids": ["words-page"], "chunk_ids": ["words-chunk"]},
    "enrichment": {
        "document_ids": ["extractive", "keywords"],
        "page_ids": ["keywords-page"],
        "chunk_ids": ["extractive-chunk"],
    },
    "signature_detection": True,
    "constraints": {"data_residency": True, "maximum_cost_usd": 1.0, "minimum_quality": 0.1},
}
NAMES = [
    "note.md", "plain.txt", "table.csv", "page.html", "paper.pdf", "letter.docx", "prices.xlsx",
    "slides.pptx", "mail.eml",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_encoded_alike_apart_and_in_process(alike, inline, name):
    answer = alike("encode", {"source": inline(name), **EVERYTHING})
    assert answer["plan"]["status"] == "ready"
    assert answer["trace"]["status"] == "ok"
    assert answer["usage"]["chunks"] >= 1
    assert answer["request_id"] == answer["plan"]["request_id"] == "r-1"


@pytest.mark.parametrize("name", ["note.md", "paper.pdf", "slides.pptx"])
def test_a_document_is_planned_alike(alike, inline, name):
    answer = alike("plan", {"source": inline(name), "granularities": ["CHUNK"]})
    assert set(answer) == {"plan", "components"}


def test_a_query_is_embedded_alike(alike):
    body = {
        "embedding_space_id": "default-text",
        "input": {"type": "text", "text": "保存期間"},
        "request_id": "q",
    }
    answer = alike("embed", body)
    assert len(answer["vectors"][0]["values"]) == 256
    assert answer["request_id"] == "q"


REFUSALS = {
    "no source": ({}, "validation_error", "source"),
    "empty uri": ({"source": {"type": "uri", "uri": ""}}, "validation_error", "source.uri.uri"),
    "unknown field": ({"nope": 1}, "validation_error", "nope"),
    "bad base64": ({"source": {"type": "inline", "data": "@"}}, "validation_error", "source.inline.data"),
    "reserved label": ({"metadata": {"lanes": 1}}, "reserved_metadata_key", "metadata"),
    "region": ({"granularities": ["REGION"]}, "unsupported_granularity", "granularities"),
    "unknown space": (
        {"granularities": ["CHUNK"], "embedding_space_ids": ["nope"]},
        "unknown_embedding_space",
        "embedding_space_ids",
    ),
    "space without chunks": (
        {"embedding_space_ids": ["default-text"]},
        "granularity_required",
        "embedding_space_ids",
    ),
    "unknown lane": (
        {"classification": {"document_ids": ["nope"]}},
        "unknown_classifier",
        "classification.document_ids",
    ),
    "lane of another unit": (
        {"classification": {"page_ids": ["words"]}},
        "unknown_classifier",
        "classification.page_ids",
    ),
    "document extraction": (
        {"extraction": {"document_ids": ["x"]}},
        "validation_error",
        "extraction.document_ids",
    ),
    "unknown extractor": ({"extraction": {"page_ids": ["nope"]}}, "unknown_extractor", "extraction.page_ids"),
    "unknown enricher": (
        {"enrichment": {"document_ids": ["nope"]}},
        "unknown_enricher",
        "enrichment.document_ids",
    ),
    "chunk lane without chunks": (
        {"enrichment": {"chunk_ids": ["extractive-chunk"]}},
        "granularity_required",
        "enrichment.chunk_ids",
    ),
    "unknown chunker": (
        {"granularities": ["CHUNK"], "chunking": {"chunkers": [{"id": "nope"}]}},
        "unknown_chunker",
        "chunking.chunkers",
    ),
    "unknown version": (
        {"granularities": ["CHUNK"], "chunking": {"chunkers": [{"id": "pdf", "version": 99}]}},
        "unknown_chunker_version",
        "chunking.chunkers",
    ),
    "chunkers without chunks": (
        {"chunking": {"chunkers": [{"id": "page"}]}},
        "granularity_required",
        "chunking",
    ),
    "router": ({"router": {"id": "r"}}, "store_disabled", None),
    "snapshot": ({"snapshot_id": "sha256:" + "0" * 64}, "plan_conflict", "snapshot_id"),
    "unknown type": ({"source": {"type": "inline", "data": "AAEC"}}, "unsupported_media_type", None),
    "scheme": ({"source": {"type": "uri", "uri": "gopher://x"}}, "unsupported_source", "source.uri.uri"),
    "broken": (
        {"source": {"type": "inline", "data": "JVBERi0xLjQK", "filename": "x.pdf"}},
        "source_unreadable",
        None,
    ),
}


@pytest.fixture
def router(tmp_path, monkeypatch):
    """A store that the settings name, with a router in it whose default branch classifies by words."""
    for kind in ("SCHEMA", "LABEL", "ROUTER"):
        monkeypatch.setenv(f"INDX_{kind}_STORE", "sqlite")
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", str(tmp_path / "kept.db"))
    branch = {"classification": {"page_ids": ["words-page"]}, "chunkers": [{"id": "page"}]}
    file = tmp_path / "router.json"
    file.write_text(json.dumps({"label": "R", "default": branch}))
    assert run(["routers", "put", "r", "--spec", str(file)]) == 0


@pytest.mark.parametrize("operation", ["plan", "encode"])
def test_a_router_is_followed_alike(router, capfd, alike, inline, operation):
    capfd.readouterr()
    asked = {"source": inline("note.md"), "granularities": ["CHUNK"], "router": {"id": "r"}}
    assert alike(operation, asked)["plan"]["router"] == {"id": "r", "version": 1}
    assert alike(operation, {**asked, "router": {"id": "nope"}})["code"] == "router_not_found"


@pytest.mark.parametrize("case", REFUSALS)
def test_a_request_is_refused_alike_and_its_own_identifier_comes_back(alike, inline, case):
    fields, code, param = REFUSALS[case]
    source = {} if case == "no source" else {"source": inline("note.md")}
    envelope = alike("encode", {**source, **fields, "request_id": "mine"})
    assert envelope["code"] == code
    assert envelope.get("param") == param
    assert set(envelope) <= {"type", "code", "message", "param", "request_id"}
    assert envelope["request_id"] == "mine"


def test_an_answer_is_the_same_whatever_the_hash_seed_and_the_locale(program, tmp_path, documents, masked):
    file = tmp_path / "slides.pptx"
    file.write_bytes(documents["slides.pptx"])
    code = (
        "from indx import Indx\n"
        f"fields = {EVERYTHING!r}\n"
        f"print(Indx().encode({str(file)!r}, **fields).model_dump_json())"
    )
    one = program(code, PYTHONHASHSEED="1", LC_ALL="C", TZ="Asia/Tokyo")
    two = program(code, PYTHONHASHSEED="2", LC_ALL="C.UTF-8", TZ="America/Lima")
    assert masked(one) == masked(two)
