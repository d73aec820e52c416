"""Tests that need an engine run here, with the real one: no other environment has to carry it.

One environment holds every extra and what the tests of the engines need besides. Each member's own tests run
in it whole, and a test that was left uncollected or skipped there fails.
"""

from __future__ import annotations

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
