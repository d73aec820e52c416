"""Every field of a request has an option, and the JSON is Python's own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from indx import Indx
from indx_core.contracts import EncodeRequest


def masked(value):
    """JSON without the fields that carry a clock."""
    if isinstance(value, dict):
        return {k: masked(v) for k, v in value.items() if k != "latency_ms"}
    return [masked(v) for v in value] if isinstance(value, list) else value


def test_capabilities_are_the_snapshot(command):
    answer = command("capabilities")
    assert answer.code == 0
    assert answer.json == json.loads(Indx().capabilities().model_dump_json())
    again = command("capabilities", "--snapshot-id", answer.json["snapshot_id"])
    assert again.json == answer.json


def test_plan_and_encode_answer_as_python_does(command, note):
    fields = {"granularities": ["PAGE", "CHUNK"], "embedding_space_ids": ["default-text"]}
    planned = command("plan", note, "--granularity", "page,chunk", "--space", "default-text")
    assert planned.json["plan"] == json.loads(Indx().plan(note, **fields).plan.model_dump_json())
    encoded = command(
        "encode", note, "--granularity", "PAGE", "--granularity", "CHUNK", "--space", "default-text"
    )
    assert masked(encoded.json) == masked(json.loads(Indx().encode(note, **fields).model_dump_json()))
    assert encoded.json["blocks"][0]["provenance"]["filename"] == "note.md"


def test_a_plan_made_earlier_is_executed(command, note, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(command("plan", note, "--granularity", "CHUNK").json["plan"]))
    encoded = command("encode", note, "--plan", plan)
    assert encoded.json["plan"] == json.loads(plan.read_text())
    assert {block["scope"] for block in encoded.json["blocks"]} == {"CHUNK", "DOCUMENT", "PAGE"}


def test_the_whole_answer_of_plan_is_a_plan_made_earlier(command, note, tmp_path):
    answer = command("plan", note, "--granularity", "CHUNK")
    for mark in ("", "\ufeff"):
        (tmp_path / "plan.json").write_text(mark + answer.out, "utf-8")
        assert command("encode", note, "--plan", tmp_path / "plan.json").json["plan"] == answer.json["plan"]


@pytest.mark.parametrize(
    "options",
    [["--granularity", "PAGE"], ["--space", "default-text"], ["--no-fallbacks"]],
    ids=lambda o: o[0],
)
def test_what_a_plan_has_decided_cannot_be_decided_beside_it(options, command, note, tmp_path):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(command("plan", note, "--granularity", "CHUNK").json["plan"]))
    refused = command("encode", note, "--plan", plan, *options)
    assert refused.code == 2
    assert f"{options[0]}: decided by --plan" in refused.err


def test_every_field_of_an_encode_request_has_an_option(command, note):
    used = {
        "request_id": ["--request-id", "r1"],
        "granularities": ["--granularity", "DOCUMENT,PAGE,CHUNK"],
        "embedding_space_ids": ["--space", "default-text"],
        "constraints": [
            "--data-residency", "--maximum-cost-usd", "1", "--maximum-latency-ms", "100000",
            "--minimum-quality", "0.1", "--no-fallbacks", "--capability", "text-reader",
        ],
        "signature_detection": ["--signature-detection"],
        "metadata": ["--metadata", "tenant=a", "--metadata", "level=3", "--metadata", 'x={"y": null}'],
        "classification": [
            "--classify", "words", "--classify-pages", "words-page", "--classify-chunks", "words-chunk",
        ],
        "enrichment": [
            "--enrich", "extractive", "--enrich-pages", "extractive-page",
            "--enrich-chunks", "extractive-chunk",
        ],
        "chunking": ["--chunkers", "page@1"],
    }  # fmt: skip
    answer = command("encode", note, *[o for options in used.values() for o in options])
    assert answer.code == 0, answer.err
    assert answer.json["request_id"] == "r1"
    labels = answer.json["blocks"][0]["metadata"]
    assert (labels["tenant"], labels["level"], labels["x"]) == ("a", 3, {"y": None})
    assert "enrichment" in labels
    cut = [c for c in answer.json["trace"]["components"] if c["role"] == "chunker"]
    assert [(c["id"], c["version"]) for c in cut] == [("page", 1)]
    elsewhere = {"source", "plan", "snapshot_id", "router", "extraction"}
    assert set(used) | elsewhere == set(EncodeRequest.model_fields)


@pytest.mark.parametrize(
    ("options", "code", "exit_code"),
    [
        (["--snapshot-id", "sha256:" + "0" * 64], "plan_conflict", 1),
        (["--router", "r@2"], "store_disabled", 1),
        (["--extract-pages", "nope"], "unknown_extractor", 2),
        (["--extract-chunks", "nope", "--granularity", "CHUNK"], "unknown_extractor", 2),
        (["--granularity", "REGION"], "unsupported_granularity", 2),
        (["--granularity", "PARAGRAPH"], "validation_error", 2),
        (["--chunkers", "nope", "--granularity", "CHUNK"], "unknown_chunker", 2),
        (["--chunkers", "pdf@x"], "usage_error", 2),
        (["--metadata", "no-equals"], "usage_error", 2),
        (["--metadata", "lanes=1"], "reserved_metadata_key", 2),
        (["--router", "r@x"], "usage_error", 2),
    ],
)
def test_a_refusal_is_one_line_and_the_typed_envelope(command, note, options, code, exit_code):
    answer = command("encode", note, *options)
    assert answer.code == exit_code
    assert answer.json["code"] == code
    assert set(answer.json) >= {"type", "code", "message"}
    assert answer.err.startswith("indx: ")
    assert answer.err.count("\n") == 1


def test_a_request_file_is_the_whole_request_and_options_win_over_it(command, note, tmp_path):
    file = tmp_path / "request.json"
    body = {"source": {"type": "inline", "data": "aGVsbG8=", "filename": "h.txt"}, "request_id": "file"}
    file.write_text(json.dumps(body))
    whole = command("encode", "--request", file)
    assert whole.json["request_id"] == "file"
    assert whole.json["blocks"][1]["text"] == "hello"
    other = command("encode", note, "--request", file, "--request-id", "option")
    assert other.json["request_id"] == "option"
    assert other.json["blocks"][0]["provenance"]["filename"] == "note.md"


@pytest.mark.parametrize("text", ["{", "[]", '"x"'])
def test_a_request_file_that_is_no_object_is_a_usage_error(command, tmp_path, text):
    file = tmp_path / "request.json"
    file.write_text(text)
    assert command("encode", "--request", file).code == 2


def test_a_missing_file_is_a_typed_refusal(command, tmp_path):
    answer = command("encode", tmp_path / "nope.pdf")
    assert (answer.code, answer.json["code"]) == (1, "source_unreadable")
    assert command("encode").code == 2


@pytest.mark.parametrize("options", [["--no-such-option"], ["--maximum-cost-usd", "much"], ["one", "two"]])
def test_a_command_used_wrongly_is_one_line_and_the_typed_envelope_too(command, note, options):
    answer = command("encode", note, *options)
    assert answer.code == 2
    assert (answer.json["type"], answer.json["code"]) == ("usage_error", "usage_error")
    assert answer.err.count("\n") == 1
    assert "--help" in answer.err


def test_a_request_that_echoes_what_is_no_utf8_is_refused_in_utf8(command, note, tmp_path):
    file = tmp_path / "request.json"
    body = {"source": {"type": "inline", "data": ""}, "metadata": {"\udc00": 1}, "request_id": "\ud800"}
    file.write_text(json.dumps(body))
    answer = command("encode", "--request", file)
    assert (answer.code, answer.json["code"]) == (2, "validation_error")


def test_a_digest_is_held_against_a_file(command, note):
    answer = command("encode", note, "--sha256", "0" * 64)
    assert (answer.code, answer.json["code"]) == (1, "source_unreadable")


def test_what_would_be_passed_over_in_silence_is_refused(command, note, tmp_path):
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"source": {"type": "inline", "data": ""}}))
    assert command("encode", "--request", file, "--media-type", "text/plain").json["code"] == "usage_error"
    assert command("encode", "https://example.org/", "--media-type", "text/plain").code == 2
    assert command("embed", "text", "--image", note, "--space", "default-text").json["code"] == "usage_error"


def test_standard_input_is_read_no_further_than_a_source_may_go(tmp_path):
    environment = {**os.environ, "INDX_MAX_INPUT_BYTES": "1000", "INDX_CACHE_DIR": str(tmp_path)}
    with Path("/dev/zero").open("rb") as endless:
        done = run(["encode", "-"], stdin=endless, env=environment, timeout=60)
    assert json.loads(done.stdout)["code"] == "input_too_large"


@pytest.mark.parametrize("option", ["--request", "--plan"])
def test_a_request_is_read_no_further_than_one_may_go(option, note, command, monkeypatch):
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "1000")
    refused = command("encode", note, option, "/dev/zero")
    assert refused.json["code"] == "input_too_large"
    assert option in refused.err


def test_standard_input_is_utf8_whatever_the_locale():
    asked = ["embed", "-", "--space", "default-text"]
    vectors = []
    for encoding in ("utf-8", "latin-1"):
        done = run(asked, input="é".encode(), env={**os.environ, "PYTHONIOENCODING": encoding}, timeout=60)
        vectors.append(json.loads(done.stdout))
    assert vectors[0] == vectors[1]
    done = run(asked, input=b"\xff", env=dict(os.environ), timeout=60)
    assert json.loads(done.stdout)["code"] == "validation_error"


@pytest.mark.parametrize("arguments", ["encode -", "encode --request -", "embed - --space default-text"])
def test_a_closed_input_is_an_empty_one(arguments):
    command = f"{sys.executable} -m indx {arguments} <&-"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True)
    empty = subprocess.run([sys.executable, "-m", "indx", *arguments.split()], input=b"", capture_output=True)
    assert (done.returncode, done.stdout) == (empty.returncode, empty.stdout)
    assert json.loads(done.stdout)["code"] != "internal_error"


@pytest.mark.parametrize("target", ["/dev/full", "&-"])
def test_an_output_that_takes_nothing_causes_no_traceback(note, target):
    for arguments in ("capabilities", "encode /no/such/file"):
        command = f"{sys.executable} -m indx {arguments} >{target}"
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True)
        assert b"Traceback" not in done.stderr
        assert done.returncode in (0, 1) if target == "&-" else done.returncode == 1


def test_a_wrong_debug_setting_is_said_and_not_raised(command, note, monkeypatch):
    monkeypatch.setenv("INDX_DEBUG", "maybe")
    monkeypatch.setattr("indx.facade.Indx.encode", lambda *_, **__: 1 / 0)
    answer = command("encode", note)
    assert answer.code == 3
    assert "INDX_DEBUG" in answer.err


def test_planning_and_reading_are_done_apart_from_the_command(command, note, monkeypatch):
    made = []

    class Spy(Indx):
        def __init__(self, **how):
            made.append(how)
            super().__init__(**how)

    monkeypatch.setattr("indx.facade.Indx", Spy)
    for arguments in (["plan", note], ["encode", note], ["embed", "x", "--space", "default-text"]):
        command(*arguments)
    assert made == [{"isolate": True}] * 3


def test_embed_answers_as_python_does(command):
    answer = command("embed", "data retention", "--space", "default-text", "--request-id", "r1")
    expected = Indx().embed("data retention", embedding_space_id="default-text", request_id="r1")
    assert answer.json == json.loads(expected.model_dump_json())
    assert len(answer.json["vectors"][0]["values"]) == 256
    assert command("embed", "x", "--space", "nope").json["code"] == "unknown_embedding_space"
    missing = command("embed", "x").json
    assert missing["param"] == "embedding_space_id"
    assert "--space ID; installed: default-text" in missing["message"]


def test_bad_deployment_chunkers_keep_the_command_from_starting(command, note, monkeypatch):
    monkeypatch.setenv("INDX_CHUNKERS", "pdf@99")
    answer = command("encode", note)
    assert answer.code == 3
    assert "INDX_CHUNKERS" in answer.err


def run(arguments, **more):
    return subprocess.run([sys.executable, "-m", "indx", *arguments], capture_output=True, **more)


def test_output_is_utf8_whatever_the_locale_says(tmp_path):
    file = tmp_path / "名前.txt"
    file.write_text("名前 \u2009 値", "utf-8")
    done = run(
        ["encode", str(file)],
        env={"PATH": "", "PYTHONIOENCODING": "gbk", "LC_ALL": "C", "HOME": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8"))["blocks"][1]["text"] == "名前 \u2009 値"


def test_standard_input_is_read_for_a_dash(tmp_path):
    done = run(["encode", "-"], input=b"hello from a pipe")
    assert json.loads(done.stdout)["blocks"][1]["text"] == "hello from a pipe"


def test_a_reader_that_goes_away_causes_no_traceback(note):
    command = f"{sys.executable} -m indx capabilities | head -c 1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True)
    assert b"Traceback" not in done.stderr


def test_a_granularity_that_is_none_names_those_there_are(command, note):
    answer = command("encode", note, "--granularity", "CHUNKS")
    assert answer.code == 2
    assert "'CHUNKS' is none of DOCUMENT, PAGE, REGION, CHUNK" in answer.err


def test_a_plan_that_cannot_be_carried_out_is_said_to_a_person_too(command, note):
    for name in ("plan", "encode"):
        answer = command(name, note, "--capability", "text-raeder")
        assert answer.json["plan"]["status"] == "unsatisfied"
        told = "no installed capability is called 'text-raeder' (did you mean 'text-reader'?); there are "
        assert f"capability_ids: {told}" in answer.err
