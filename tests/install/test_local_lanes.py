"""Lanes that run a model on this machine, through the command: with small models, with broken ones or none.

The models are those of the members' own tests, written to folders by the environment that has the engines.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indx_testkit.storages import RawServer, response

ROOT = Path(__file__).parents[2]
WRITE = """
import json, runpy, sys
from pathlib import Path

root, out = map(Path, sys.argv[1:])
for member in ("extractors/indx-ner-onnx", "classifiers/indx-classifier-zeroshot"):
    made = runpy.run_path(str(root / "packages" / member / "tests/conftest.py"))
    folder = out / member.partition("/")[2] / "onnx"
    folder.mkdir(parents=True)
    (folder / "model_quantized.onnx").write_bytes(made["graph"]())
    (folder.parent / "tokenizer.json").write_bytes(made["tokenizer"]())
    labels = {str(place): label for place, label in enumerate(made["LABELS"])}
    (folder.parent / "config.json").write_text(json.dumps({"id2label": labels}))
made = runpy.run_path(str(root / "packages/extractors/indx-ner-vibrato/tests/conftest.py"))
(out / "mecab").mkdir()
for name, text in {"words.csv": made["LEXICON"], **made["TABLES"]}.items():
    (out / "mecab" / name).write_text(text, "utf-8")
"""
LANES = ("--classify", "zeroshot", "--extract-pages", "ner-onnx,vibrato")


@pytest.fixture
def models(engines, tmp_path: Path) -> Path:
    """Folders of models."""
    folder = tmp_path / "models"
    folder.mkdir()
    engines.run("python", "-c", WRITE, ROOT, folder)
    return folder


def settings(models: Path) -> dict[str, str]:
    return {
        "INDX_NER_ONNX_MODEL": str(models / "indx-ner-onnx"),
        "INDX_CLASSIFIER_ZEROSHOT_MODEL": str(models / "indx-classifier-zeroshot"),
        "INDX_NER_VIBRATO_DICTIONARY": str(models / "mecab"),
        "HF_HUB_OFFLINE": "1",
        "INDX_LANGUAGE_CANDIDATES": "en,ja",
    }


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("An invoice .\n\nAda Lovelace in Oslo .\n\n山田太郎は東京都千代田区の会社と。\n", "utf-8")
    return path


def encoded(engines, note: Path, **environment: str):
    ran = engines.run("indx", "encode", note, *LANES, **environment)
    assert "Traceback" not in ran.stderr
    result = json.loads(ran.stdout)
    assert "Ada Lovelace in Oslo" in result["blocks"][1]["text"]
    return result, ran.stderr


def reasons(result) -> dict[str, str]:
    """Why each lane that failed did so, as the trace has it."""
    return {one["id"]: one["reason"] for one in result["trace"].get("failures", ())}


def test_the_command_asks_local_models_and_charges_nothing(engines, models, note):
    result, _ = encoded(engines, note, **settings(models))
    said = result["blocks"][0]["metadata"]
    assert said["classification"]["document_type"][0]["label"] == "invoice"
    spans = {lane: said["lanes"][lane]["entities"]["spans"]["p1"] for lane in ("ner-onnx", "vibrato")}
    assert [(one["label"], one["surface"]) for one in spans["ner-onnx"]][:2] == [
        ("person", "Ada Lovelace"),
        ("location", "Oslo"),
    ]
    assert {(one["label"], one["surface"]) for one in spans["vibrato"]} >= {
        ("person", "山田太郎"),
        ("location", "東京都千代田区"),
    }
    assert result["usage"]["cost_usd"] == 0


def test_models_that_are_cut_short_take_nothing_but_their_own_answers(engines, models, note):
    for graph in models.glob("*/onnx/*.onnx"):
        graph.write_bytes(graph.read_bytes()[:100])
    (models / "mecab/matrix.def").write_text("1 1\n0 0", "utf-8")
    result, said = encoded(engines, note, **settings(models))
    assert not {"lanes", "classification", "entities"} & result["blocks"][0]["metadata"].keys()
    told = reasons(result)
    assert told.keys() == {"zeroshot", "ner-onnx", "vibrato"}
    for lane, reason in told.items():
        assert f"{lane} failed on " in said
        assert reason[:200] in said


HOSTILE = """
import sys
from pathlib import Path
from onnx import TensorProto, helper

folder = Path(sys.argv[1])
info = helper.make_tensor_value_info
turns = helper.make_graph(
    [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Neg", ["x"], ["y"])],
    "turns",
    [
        info("turn", TensorProto.INT64, []),
        info("go", TensorProto.BOOL, []),
        info("x", TensorProto.INT64, None),
    ],
    [info("on", TensorProto.BOOL, []), info("y", TensorProto.INT64, None)],
)
true = helper.make_tensor("true", TensorProto.BOOL, [], [1])
many = helper.make_tensor("many", TensorProto.INT64, [1], [2**32])
graphs = {
    "ner-onnx": ([helper.make_node("Loop", ["", "true", "input_ids"], ["logits"], body=turns)], [true]),
    "classifier-zeroshot": ([helper.make_node("ConstantOfShape", ["many"], ["logits"])], [many]),
}
for member, (nodes, constants) in graphs.items():
    graph = helper.make_graph(
        nodes,
        "hostile",
        [info("input_ids", TensorProto.INT64, [1, "tokens"])],
        [info("logits", TensorProto.INT64 if "ner" in member else TensorProto.FLOAT, None)],
        constants,
    )
    opset = [helper.make_opsetid("", 18)]
    made = helper.make_model(graph, opset_imports=opset, ir_version=9)
    (folder / f"indx-{member}/onnx/model_quantized.onnx").write_bytes(made.SerializeToString())
"""


def test_models_that_mean_harm_take_neither_the_process_nor_the_document(engines, models, note):
    engines.run("python", "-c", HOSTILE, models)
    damaged = models / "system.dic"
    damaged.write_bytes(b"VibratoTokenizer 0.5\n" + b"\xff\xff\xff\xff\xff\xff\xff\x7f" * 4)
    environment = settings(models) | {
        "INDX_NER_VIBRATO_DICTIONARY": str(damaged),
        "INDX_MODEL_ONNX_RUN_SECONDS": "1",
    }
    result, _ = encoded(engines, note, **environment)
    told = reasons(result)
    assert "came to no end within 1 s" in told["ner-onnx"]
    assert "wants more memory than INDX_MODEL_ONNX_MEMORY_BYTES" in told["zeroshot"]
    assert "its tables are damaged" in told["vibrato"]


def test_a_hub_that_drips_is_left_at_the_time_that_is_set(engines, models, note, tmp_path):
    server = RawServer()
    fields = [f"X-Repo-Commit: {'c' * 40}", f'ETag: "{"d" * 64}"']
    head = response(b"", *fields).replace(b"Content-Length: 0", b"Content-Length: 1000000")
    slowly = server.dripping(head)
    server.answer = lambda request: head if request.startswith(b"HEAD") else slowly(request)
    environment = settings(models) | {
        "INDX_NER_ONNX_MODEL": "owner/model",
        "HF_HUB_OFFLINE": "0",
        "HF_ENDPOINT": server.url,
        "HF_HUB_CACHE": str(tmp_path / "hub"),
        "INDX_MODEL_ONNX_DOWNLOAD_SECONDS": "2",
    }
    try:
        result, said = encoded(engines, note, **environment)
    finally:
        server.close()
    assert "ner-onnx failed on " in said
    assert reasons(result).keys() == {"ner-onnx"}
    assert "INDX_MODEL_ONNX_DOWNLOAD_SECONDS" in reasons(result)["ner-onnx"]
    assert result["blocks"][0]["metadata"]["classification"]["document_type"][0]["label"] == "invoice"
    assert not list((tmp_path / "hub").glob("*/snapshots/*/*")), "nothing counts as a model"
