"""Tests that need an engine run here, with the real one: no other environment has to carry it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[2]
LINGUA = ROOT / "packages/languages/indx-language-lingua/tests"
LANGUAGES = ROOT / "tests/e2e/test_languages.py"


def functions(file: Path) -> int:
    """How many tests a file spells out; one with parameters runs more than once."""
    return len(re.findall(r"^ *def test_", file.read_text("utf-8"), re.MULTILINE))


def test_the_language_detector_passes_its_tests_with_its_engine(wheels, environment, tmp_path):
    environment.install(
        f"indx-language-lingua[lang]=={wheels['indx-language-lingua'].version}",
        f"indx[standard]=={wheels['indx'].version}",
        wheels["indx-testkit"].pin,
    )
    environment.check()
    for name in ("indx", "indx-language-lingua", "indx-testkit"):
        environment.assert_ours(wheels[name])
    report = tmp_path / "report.xml"
    asked = ("-q", "-p", "no:cacheprovider", f"--junitxml={report}", LINGUA, LANGUAGES)
    ran = environment.run("python", "-m", "pytest", *asked)
    cases = [case.get("classname", "").split(".") for case in ET.parse(report).iter("testcase")]
    count = Counter(next(part for part in parts if part.startswith("test_")) for parts in cases)
    files = {file.stem: file for file in [*LINGUA.glob("test_*.py"), LANGUAGES]}
    assert count.keys() == files.keys(), "a file was not collected"
    for name, file in files.items():
        assert count[name] >= max(1, functions(file)), f"{name} ran {count[name]} tests"
    # Of what ran nothing was skipped.
    assert f"\n{count.total()} passed in " in ran.stdout, ran.stdout
