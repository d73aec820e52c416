"""What an encoded document says of the entities in its text."""

import json

import pytest

from indx import Indx


@pytest.fixture(autouse=True)
def plain_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("INDX_NER_PATTERNS_GAZETTEER", raising=False)


def test_the_snapshot_names_both_extractors():
    assert {"patterns": "page", "patterns-chunk": "chunk"}.items() <= {
        lane.id: lane.unit for lane in Indx().capabilities().extractors
    }.items()


def test_entities_are_spans_of_their_block_and_counted_by_folded_form(tmp_path, monkeypatch):
    (tmp_path / "names.json").write_text(json.dumps({"customer": ["みどり", "みどり商事"]}), "utf-8")
    monkeypatch.setenv("INDX_NER_PATTERNS_GAZETTEER", str(tmp_path / "names.json"))
    text = (
        "👩\u200d👧 みどり商事 御中\n請求 ２０２４年１月５日、支払 2024年1月5日\n￥33,000 (ann@example.org)"
    )
    (tmp_path / "bill.txt").write_text(text, "utf-8")
    result = Indx().encode(
        str(tmp_path / "bill.txt"),
        granularities=["DOCUMENT", "PAGE", "CHUNK"],
        extraction={"page_ids": ["patterns"], "chunk_ids": ["patterns-chunk"]},
    )
    blocks = {block.id: block for block in result.blocks}
    entities = blocks["doc"].metadata["entities"]
    assert {"p1", "p1.c0"} <= set(entities["spans"])
    for block_id, spans in entities["spans"].items():
        for span in spans:
            assert blocks[block_id].text[slice(*span["range"])] == span["surface"]
            assert 0 < span["confidence"] <= 1
    found = [(span["label"], span["surface"]) for span in entities["spans"]["p1"]]
    assert found == [
        ("customer", "みどり商事"),
        ("date", "２０２４年１月５日"),
        ("date", "2024年1月5日"),
        ("money", "￥33,000"),
        ("email", "ann@example.org"),
    ]
    lane = blocks["doc"].metadata["lanes"]["patterns"]["entities"]
    (dates,) = [count for count in lane["counts"] if count["label"] == "date"]
    assert dates == {
        "label": "date",
        "form": "2024年1月5日",
        "count": 2,
        "surfaces": ["2024年1月5日", "２０２４年１月５日"],
    }
