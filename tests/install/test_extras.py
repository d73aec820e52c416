"""A part whose extra is not installed says so and stays out of the way; with it, the part is there."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# By extra: the distributions that carry it, as `indx[EXTRA]` forwards it. Those of the graph add a faster way
# to do what is done without them, and are tested by its own tests.
CARRIERS = {
    "ocr": ["indx-reader-ocr"],
    "vlm": ["indx-reader-vlm"],
    "fastembed": ["indx-embed-fastembed"],
    "hosted": ["indx-embed-hosted"],
    "lang": ["indx-language-lingua"],
    "ja": ["indx-ner-vibrato"],
    "ner": ["indx-ner-onnx"],
    "zeroshot": ["indx-classifier-zeroshot"],
    "llm": ["indx-classifier-llm", "indx-ner-llm", "indx-enrich-llm"],
    "s3": ["indx-loader-s3"],
    "gs": ["indx-loader-gs"],
    "az": ["indx-loader-az"],
    "postgres": ["indx-store-postgres"],
    "jobs": ["indx-runner-procrastinate"],
}
FASTER = {"faiss": ["indx-graph"], "hnsw": ["indx-graph"]}
WATCHING = {"otel": ["indx-server"]}
# What it needs is a program of the system, which no extra brings.
OUTSIDE = {"libreoffice": ["indx-reader-libreoffice"]}


def forwarded() -> dict[str, list[str]]:
    """The extras of `indx` and what each asks for."""
    text = (ROOT / "packages/surfaces/indx/pyproject.toml").read_text("utf-8")
    return dict(tomllib.loads(text)["project"]["optional-dependencies"])


def providers(environment, name) -> dict[str, tuple[str, str]]:
    """State and fix of every provider of a distribution, by port and name."""
    told = json.loads(environment.run("indx", "doctor", "--json", code=None).stdout)["providers"]
    return {
        f"{one['group']}:{one['name']}": (one["state"], one.get("fix") or "")
        for one in told
        if one["distribution"] == name and one["group"] not in ("indx.commands", "indx.hooks")
    }


def test_indx_forwards_every_extra_to_those_that_carry_it():
    named = forwarded()
    every = CARRIERS | FASTER | WATCHING | OUTSIDE
    assert named.keys() == {"standard", *every}
    for extra, names in every.items():
        assert [asked.partition(">=")[0] for asked in named[extra]] == [f"{name}[{extra}]" for name in names]


@pytest.mark.parametrize(("extra", "carrier"), [(e, name) for e, names in CARRIERS.items() for name in names])
def test_a_part_is_absent_without_its_extra_and_there_with_it(wheels, environment, extra, carrier):
    environment.install(wheels["indx"].pin, wheels[carrier].pin)
    environment.check()
    without = providers(environment, carrier)
    assert without
    for state, fix in without.values():
        assert (state, fix) == ("unavailable", f'pip install "{carrier}[{extra}]"')
    environment.run("indx", "capabilities")
    environment.install(f"{carrier}[{extra}]=={wheels[carrier].version}")
    environment.check()
    assert not environment.names() & {"torch", "tensorflow", "jax"}
    having = providers(environment, carrier)
    assert having.keys() == without.keys()
    # What is still missing is a setting, and is named.
    assert all(state == "available" or "INDX_" in fix for state, fix in having.values()), having


def test_an_extra_that_needs_a_program_of_the_system_names_it(wheels, environment, tmp_path):
    environment.install(f"indx[libreoffice]=={wheels['indx'].version}")
    environment.check()
    nowhere = {"INDX_LIBREOFFICE_COMMAND": str(tmp_path / "nowhere")}
    told = json.loads(environment.run("indx", "doctor", "--json", code=None, **nowhere).stdout)["providers"]
    states = {
        one["group"]: (one["state"], "apt-get install libreoffice-writer" in (one.get("fix") or ""))
        for one in told
        if one["distribution"] == "indx-reader-libreoffice"
    }
    assert states == {
        "indx.sniffers": ("available", False),
        "indx.observers": ("unavailable", True),
        "indx.capabilities": ("unavailable", True),
    }
    (tmp_path / "minutes.wpd").write_bytes(b"\xffWPC\x10\0\0\0\x01\x0a\0\x01\0\0\0\0text")
    ran = environment.run("indx", "encode", tmp_path / "minutes.wpd", code=1, **nowhere)
    assert "apt-get install libreoffice-writer" in ran.stdout + ran.stderr


def test_without_its_engine_the_language_detector_is_not_advertised(wheels, environment, tmp_path):
    names = ("indx", "indx-reader-text", "indx-language-lingua")
    environment.install(*(wheels[name].pin for name in names))
    environment.check()
    assert "lingua-language-detector" not in environment.names()
    assert json.loads(environment.run("indx", "capabilities").stdout)["language_detectors"] == []
    (tmp_path / "note.txt").write_text("A note in English.\n", "utf-8")
    result = json.loads(environment.run("indx", "encode", tmp_path / "note.txt").stdout)
    assert all("languages" not in block.get("metadata", {}) for block in result["blocks"])
    assert not [part for part in result["trace"]["components"] if part["role"] == "language_detector"]
    doctor = environment.run("indx", "doctor", code=None)
    assert 'pip install "indx-language-lingua[lang]"' in doctor.stdout + doctor.stderr
    assert "Traceback" not in doctor.stdout + doctor.stderr
