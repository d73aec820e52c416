"""How seldom garbage is looked for while much is made, and that the program's own wish is there again."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from indx_core.collector import collecting_seldom


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_inside_the_block_the_collector_waits_longer() -> None:
    with collecting_seldom(5_000):
        assert gc.get_threshold() == (5_000, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


def test_an_error_in_the_block_leaves_the_programs_own_thresholds() -> None:
    with pytest.raises(KeyError), collecting_seldom(5_000):
        raise KeyError("x")
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("first_ends_first", [True, False])
def test_blocks_that_overlap_agree_and_leave_nothing_behind(first_ends_first: bool) -> None:
    one, other = collecting_seldom(5_000), collecting_seldom(9_000)
    one.__enter__()
    other.__enter__()
    assert gc.get_threshold()[0] == 9_000
    (one if first_ends_first else other).__exit__(None, None, None)
    assert gc.get_threshold()[0] == (9_000 if first_ends_first else 5_000)
    (other if first_ends_first else one).__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


def test_a_program_that_collects_more_seldom_still_does() -> None:
    gc.set_threshold(50_000, 5, 5)
    with collecting_seldom(5_000):
        assert gc.get_threshold() == (50_000, 5, 5)
    assert gc.get_threshold() == (50_000, 5, 5)


def test_a_program_that_never_collects_is_left_alone() -> None:
    gc.set_threshold(0, 10, 10)
    with collecting_seldom(5_000):
        assert gc.get_threshold()[0] == 0
    assert gc.get_threshold()[0] == 0


def test_what_the_program_sets_meanwhile_stays() -> None:
    with collecting_seldom(5_000):
        gc.set_threshold(1_234, 3, 3)
        with collecting_seldom(9_000):
            assert gc.get_threshold() == (1_234, 3, 3)
    assert gc.get_threshold() == (1_234, 3, 3)
    with collecting_seldom(5_000):
        assert gc.get_threshold()[0] == 5_000
    assert gc.get_threshold() == (1_234, 3, 3)
