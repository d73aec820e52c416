"""Readings of pages: what their parts hold."""

from __future__ import annotations

import pickle

import pytest

from indx_core.ports import Link


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("data:image/png;base64," + "A" * 10_000, "data:image/png;base64"),
        ("DATA:text/html,<p>a,b", "DATA:text/html"),
        ("data:,", "data:"),
        ("data:" + "x" * 10_000, "data:" + "x" * 195),
        ("data.csv?a,b", "data.csv?a,b"),
        ("page.html#data:a,b", "page.html#data:a,b"),
    ],
)
def test_a_target_that_is_a_file_itself_ends_before_what_it_holds(written: str, target: str) -> None:
    link = Link(0, 1, written)
    assert link.target == target
    assert pickle.loads(pickle.dumps(link)) == link
