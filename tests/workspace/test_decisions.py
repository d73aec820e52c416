"""Decision records: numbered, titled, whole, and confirmed by a test that exists."""

from __future__ import annotations

import re

SECTIONS = ["Status", "Context", "Options considered", "Decision", "Consequences"]
NAME = re.compile(r"(\d{4})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md")


def test_a_record_is_named_by_its_number_and_title(record):
    named = NAME.fullmatch(record.name)
    assert named, f"{record.name}: write NNNN-words-of-the-title.md"
    title = record.read_text("utf-8").splitlines()[0]
    number, words = re.fullmatch(r"# (\d+)\. (.+)", title).groups()
    assert int(number) == int(named[1])
    assert re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") == named[2]


def test_numbers_run_without_gap_or_double(root):
    numbers = sorted(int(path.name[:4]) for path in (root / "adr").iterdir())
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_record_has_every_section_and_fits_a_screen_or_two(record):
    text = record.read_text("utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    assert 40 <= len(text.splitlines()) <= 90
    status = re.search(r"^## Status\n\n(.+)$", text, re.MULTILINE)[1]
    assert re.fullmatch(r"(Proposed|Accepted|Superseded by \d{4})\.", status)


def test_a_record_weighs_at_least_two_options(record):
    options = record.read_text("utf-8").partition("## Options considered")[2].partition("## Decision")[0]
    assert len(re.findall(r"^[*-] ", options, re.MULTILINE)) >= 2


def test_a_record_is_confirmed_by_tests_that_exist(record, root):
    confirmed = re.findall(r"^Confirmed by: (.+)$", record.read_text("utf-8"), re.MULTILINE)
    assert len(confirmed) == 1, "write one line `Confirmed by: path, path`"
    for path in confirmed[0].split(", "):
        assert re.search(r"(^|/)tests/.*test_\w+\.py$", path.strip("`")), f"{path} is no test"
        assert (root / path.strip("`")).is_file(), f"{path} does not exist"
