"""Tests that need an engine run here, with the real one: no other environment has to carry it.

One environment holds every extra and what the tests of the engines need besides. Each member's own tests run
in it whole, and a test that was left uncollected or skipped there fails.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = {path.parent.name: path.parent for path in ROOT.glob("packages/*/*/pyproject.toml")}


# Members whose extra is an engine: those with tests that an environment without it does not collect.
MEMBERS = sorted(
    name
    for name in ROOTS
    if name != "indx"
    and "collect_ignore" in "".join(p.read_text("utf-8") for p in ROOTS[name].glob("tests/conftest.py"))
)
BESIDES = {"indx-language-lingua": [ROOT / "tests/e2e/test_languages.py"]}


def functions(file: Path) -> int:
    """How many tests a file spells out; one with parameters runs more than once."""
    return len(re.findall(r"^ *(?:async )?def test_", file.read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("member", MEMBERS)
def test_a_member_passes_its_tests_with_its_engine(engines, wheels, tmp_path, member):
    for name in ("indx", member, "indx-testkit"):
        engines.assert_ours(wheels[name])
    tests = ROOTS[member] / "tests"
    places = [tests, *BESIDES.get(member, ())]
    report = tmp_path / "report.xml"
    ran = engines.run(
        "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *places
    )
    cases = [case.get("classname", "").split(".") for case in ET.parse(report).iter("testcase")]
    count = Counter(next(part for part in parts if part.startswith("test_")) for parts in cases)
    files = {
        file.stem: file
        for place in places
        for file in (place.glob("test_*.py") if place.is_dir() else [place])
    }
    assert count.keys() == files.keys(), "a file was not collected"
    for name, file in files.items():
        assert count[name] >= max(1, functions(file)), f"{name} ran {count[name]} tests"
    # Of what ran nothing was skipped.
    assert f"\n{count.total()} passed in " in ran.stdout, ran.stdout


GRAPH = """
import json, os
from indx_graph import GraphSettings, SpectRAGIngestion, SpectRAGRetrieval
from indx_testkit.serving import ModelServer, vectors

def answer(asked):
    texts = asked.body["input"]
    return vectors([[float("seat" in text), float("river" in text), 1.0, *[0.0] * 765] for text in texts])

with ModelServer() as server:
    server.will(answer)
    os.environ["INDX_GRAPH_LLM_API_BASE"] = server.address
    os.environ["INDX_GRAPH_NOMIC_MODEL"] = "openai/nomic-embed-text"
    os.environ["OPENAI_API_KEY"] = "none"
    texts = ["The seat of the county is Stanley.", "The river Wels flows north.", "Nothing else is known."]
    SpectRAGIngestion("graph", GraphSettings(embedder="nomic-embed-text")).ingest_texts(texts)
    found = SpectRAGRetrieval("graph").retrieve("Where is the seat?")
    sent = [text for asked in server.requests for text in asked.body["input"]]
    print(json.dumps({"first": found.chosen[0].chunk.text, "sent": sent}))
"""


def test_the_graph_embeds_through_litellm_what_a_local_server_answers(engines, wheels):
    engines.assert_ours(wheels["indx-graph"])
    told = json.loads(engines.run("python", "-c", GRAPH).stdout.splitlines()[-1])
    assert told["first"] == "The seat of the county is Stanley."
    probe = "search_document: The quick brown fox jumps over the lazy dog."
    assert told["sent"].count(probe) == 2, "once at the ingest, once when it is opened"
    assert "search_document: The river Wels flows north." in told["sent"]
    assert told["sent"][-1] == "search_query: Where is the seat?"
