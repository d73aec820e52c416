"""Attribute values of files that may hold anything."""

from __future__ import annotations

import pytest

from indx_format_office.values import switched_on, whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [("7", 7), (" 7 ", 7), ("-5", 0), ("x", 3), (None, 3), ("", 3), ("9" * 5000, 3), ("1.5", 3), ("99", 50)],
)
def test_whole_numbers_are_kept_in_bounds(text: str | None, expected: int) -> None:
    assert whole(text, 3, most=50) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1", True), ("true", True), ("on", True), ("0", False), ("False", False), ("off", False)],
)
def test_switches_are_on_unless_they_say_otherwise(text: str, expected: bool) -> None:
    assert switched_on(text) is expected
    assert switched_on(None, default=expected) is expected
