"""Lanes that ask a model, through the command and through Python: what is answered, traced, charged, lost.

The model is a server of this test. Where it is dead, slow or wrong, the document is there all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from indx_testkit.serving import Asked, ModelServer, Response, chat, vectors

PREFIXES = ("INDX_CLASSIFIER_LLM", "INDX_NER_LLM", "INDX_ENRICH_LLM", "INDX_VLM", "INDX_EMBED")
DEAD = "http://127.0.0.1:9/v1"
LANES = {
    "classifier-llm": ("--classify", "classification", 0.25),
    "ner-llm": ("--extract-pages", "entities", 0.5),
    "enrich-llm": ("--enrich", "enrichment", 0.125),
}


def answer(asked: Asked) -> Response:
    """What a model does that is asked by any of the lanes."""
    if "input" in asked.body:
        return vectors([[3.0, 0.0, 4.0]] * len(asked.body["input"]), headers={"x-litellm-response-cost": "2"})
    said = json.dumps(asked.body)
    if "image_url" in said:
        return chat(json.dumps({"text": "Seen by the model"}), cost=4.0)
    if "You classify" in said:
        return chat(json.dumps({"labels": [{"label": "invoice", "confidence": 0.9}]}), cost=0.25)
    if "You find entities" in said:
        return chat(json.dumps({"entities": [{"label": "person", "surface": "Ann Lee"}]}), cost=0.5)
    return chat(json.dumps({"summary": "It is an invoice.", "tags": []}), cost=0.125)


def settings(address: str, **more: str) -> dict[str, str]:
    """The variables that name the model of every lane."""
    made = {"INDX_EMBED_DIMENSION": "3", "INDX_LANGUAGE_CANDIDATES": "en,ja", **more}
    for prefix in PREFIXES:
        made |= {
            f"{prefix}_MODEL": "openai/trial",
            f"{prefix}_API_BASE": address,
            f"{prefix}_RETRIES": "0",
        }
    return made


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.will(answer)
        yield running


def written(folder: Path) -> Path:
    """A note."""
    path = folder / "note.md"
    path.write_text("# Invoice 4711\n\nAnn Lee of Oslo pays 12 EUR.\n", "utf-8")
    return path


def drawn(folder: Path) -> Path:
    """A picture of two words."""
    picture = Image.new("RGB", (700, 200), "white")
    ImageDraw.Draw(picture).text((60, 60), "HELLO WORLD", "black", ImageFont.load_default(size=72))
    picture.save(folder / "scan.png", dpi=(200, 200))
    return folder / "scan.png"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    return drawn(tmp_path)


def encoded(engines, *arguments, code: int = 0, **environment: str):
    """What the command answers, and what it says beside it."""
    ran = engines.run("indx", "encode", *arguments, code=code, **environment)
    assert "Traceback" not in ran.stderr
    return json.loads(ran.stdout), ran.stderr


def asked_of(result) -> dict[str, float]:
    """What each event of a trace cost, by its reader and how it ended."""
    return {f"{one['capability_id']} {one['outcome']}": one["cost_usd"] for one in result["trace"]["events"]}


LANE_FLAGS = [part for lane, (flag, _, _) in LANES.items() for part in (flag, lane)]


def test_the_command_answers_what_the_lanes_said_and_charges_it(engines, server, note):
    result, _ = encoded(engines, note, *LANE_FLAGS, **settings(server.address))
    said = result["blocks"][0]["metadata"]
    assert said["classification"] == {"document_type": [{"label": "invoice", "confidence": 0.9}]}
    (span,) = said["entities"]["spans"]["p1"]
    assert (span["label"], span["surface"], span["range"]) == ("person", "Ann Lee", [16, 23])
    assert said["enrichment"] == {"summary": "It is an invoice."}
    assert said["lanes"].keys() == LANES.keys()
    assert result["usage"]["cost_usd"] == result["trace"]["actuals"]["cost_usd"] == 0.875
    used = [one.get("id") for one in result["trace"]["components"] if one["role"] == "classifier"]
    assert used == ["classifier-llm"]
    assert len(server.requests) == 3


def test_with_a_dead_server_the_command_encodes_the_document_and_says_what_it_lacks(engines, note):
    result, said = encoded(engines, note, *LANE_FLAGS, **settings(DEAD))
    assert result["blocks"][1]["text"].startswith("# Invoice 4711")
    assert not {"lanes", "classification", "entities", "enrichment"} & result["blocks"][0]["metadata"].keys()
    assert result["usage"]["cost_usd"] == 0
    told = {one["id"]: (one["failed"], one["asked"], one["reason"]) for one in result["trace"]["failures"]}
    assert told.keys() == LANES.keys()
    for lane, (failed, asked, reason) in told.items():
        assert failed == asked == 1
        assert reason.startswith("the model's server could not be reached; see INDX_")
        assert f"{lane} failed on " in said


def test_the_command_reads_a_picture_by_the_model(engines, server, scan):
    result, _ = encoded(engines, scan, "--capability", "vlm", **settings(server.address))
    assert result["blocks"][1]["text"] == "Seen by the model"
    assert asked_of(result) == {"vlm read": 4.0}
    assert result["usage"]["cost_usd"] == 4.0


def test_where_the_model_is_dead_the_next_reader_reads_and_the_trace_tells_the_story(engines, scan):
    plan, _ = encoded(engines, scan, "--capability", "vlm,ocr", **settings(DEAD))
    route = [plan["plan"]["default"]["capability_id"], *plan["plan"]["default"]["fallbacks"]]
    assert sorted(route[:2]) == ["ocr", "vlm"]
    alone, _ = encoded(engines, scan, "--capability", "vlm", **settings(DEAD))
    assert alone["blocks"][1]["status"] == "failed"
    assert list(asked_of(alone)) == ["vlm failed", "manual-review manual"]
    failed = alone["trace"]["events"][0]["reason"]
    assert failed == "the model's server could not be reached; see INDX_VLM_API_BASE, and that it runs"
    assert "HELLO" in plan["blocks"][1]["text"]
    assert asked_of(plan)["ocr read"] == 0.0


def test_the_command_fills_a_hosted_space(engines, server, note):
    wanted = ("--granularity", "CHUNK", "--space", "hosted-text")
    result, _ = encoded(engines, note, *wanted, **settings(server.address))
    (chunk,) = [block for block in result["blocks"] if block["scope"] == "CHUNK"]
    assert chunk["vectors"][0]["values"] == pytest.approx([0.6, 0.0, 0.8])
    assert (result["usage"]["vectors"], result["usage"]["cost_usd"]) == (1, 2.0)
    told, _ = encoded(engines, note, *wanted, code=1, **settings(DEAD))
    assert (told["type"], told["code"]) == ("unavailable", "embedder_unavailable")
    assert "INDX_EMBED_API_BASE" in told["message"]


PYTHON = """
import json, os, sys, threading
from indx import Indx
from indx_core.discovery import Registry
from indx_core.errors import IndxError
from indx_testkit.serving import ModelServer, Response, chat, vectors

def tell(engine, *arguments, **fields):
    try:
        result = engine.encode(*arguments, **fields)
    except IndxError as error:
        return {"code": error.code, "message": error.message}
    return {
        "text": result.blocks[1].text,
        "events": [[one.capability_id, one.outcome] for one in result.trace.events],
        "cost": result.usage.cost_usd,
        "vectors": result.usage.vectors,
        "said": sorted(result.blocks[0].metadata or {}),
    }

def all_lanes(note, scan):
    engine = Indx(registry=Registry())  # which sees what is set now
    return {
        "classifier-llm": tell(engine, note, classification={"document_ids": ["classifier-llm"]}),
        "ner-llm": tell(engine, note, extraction={"page_ids": ["ner-llm"]}),
        "enrich-llm": tell(engine, note, enrichment={"document_ids": ["enrich-llm"]}),
        "vlm": tell(engine, scan, constraints={"capability_ids": ["vlm"]}),
        "hosted": tell(engine, note, granularities=["CHUNK"], embedding_space_ids=["hosted-text"]),
    }

told, files = {"well": all_lanes(*sys.argv[1:3])}, sys.argv[1:3]
faults = {
    "hangs": Response(wait=threading.Event()),
    "dies in the middle": Response(b'{"choices": [', announced=1000),
    "is busy": Response({"error": {"message": "secret"}}, status=503),
    "talks nonsense": chat("I would rather not.", cost=0.5),
    "sends vectors of another length": vectors([[1.0, 2.0]]),
    "sends what is no number": vectors([[1.0, float("nan"), 2.0]]),
    "answers without end": chat("x" * 20_000_000),
}
with ModelServer() as server:
    for prefix in sys.argv[3:]:
        os.environ |= {f"{prefix}_API_BASE": server.address, f"{prefix}_TIMEOUT_SECONDS": "2"}
    for fault, reply in faults.items():
        server.will(reply)
        told[fault] = all_lanes(*files)
for prefix in sys.argv[3:]:
    os.environ[f"{prefix}_API_BASE"] = "http://127.0.0.1:9/v1"
told["is gone"] = all_lanes(*files)
print(json.dumps(told))
"""
FAULTS = (
    "hangs",
    "dies in the middle",
    "is busy",
    "talks nonsense",
    "sends vectors of another length",
    "sends what is no number",
    "answers without end",
    "is gone",
)


@pytest.fixture(scope="module")
def told(engines, tmp_path_factory):
    """What Python answers, lane by lane, by a server that does well and by others; one process."""
    folder = tmp_path_factory.mktemp("facade")
    with ModelServer() as server:
        server.will(answer)
        files = [written(folder), drawn(folder)]
        ran = engines.run("python", "-c", PYTHON, *files, *PREFIXES, **settings(server.address))
    assert "Traceback" not in ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_python_answers_what_the_command_answers(told):
    for lane, (_, key, cost) in LANES.items():
        assert {key, "lanes"} <= set(told["well"][lane]["said"])
        assert told["well"][lane]["cost"] == cost
    seen = told["well"]["vlm"]
    assert (seen["text"], seen["cost"], seen["events"]) == ("Seen by the model", 4.0, [["vlm", "read"]])
    assert (told["well"]["hosted"]["vectors"], told["well"]["hosted"]["cost"]) == (1, 2.0)


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_a_server_takes_the_process_or_the_document(told, fault):
    for lane, (_, key, _) in LANES.items():
        assert told[fault][lane]["text"].startswith("# Invoice 4711")
        assert key not in told[fault][lane]["said"]
        assert told[fault][lane]["cost"] == (0.5 if fault == "talks nonsense" else 0.0)
    first, *_, last = told[fault]["vlm"]["events"]
    assert first in (["vlm", "failed"], ["vlm", "unread"])
    assert last == ["manual-review", "manual"]
    assert told[fault]["hosted"]["code"] == "embedder_unavailable"
    assert "secret" not in json.dumps(told[fault])
